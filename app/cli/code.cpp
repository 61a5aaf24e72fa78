#include "app/cli/job.h"
#include "app/data/fields_json.h"
#include "app/engine/examine.h"
#include "app/engine/record.h"

#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <iterator>
#include <map>

namespace app {

namespace {

using nlohmann::json;

struct Code {
    kernels::Job job;
    RecordingPtr recording;
    ExamineResult made;
};

std::string why_missing(const Code& code)
{
    return viz::plain(viz::in_sentences(code.made.missing));
}

Code examine(const kernels::Job& job, CommandWorker& engine)
{
    Code code{job, std::make_shared<const recording::Recording>(), {}};
    try {
        code.recording = engine.run(RecordTask{named(job), {{0, 0, 0}}}).recorded.recording;
        code.made = engine.run(ExamineTask{.recording = code.recording, .job = {}});
    } catch (const kernels::Error& reason) { // this machine cannot run the stage, but its code is available
        code.made = engine.run(
            ExamineTask{.recording = nullptr, .capability = engine.device().compute_capability, .job = named(job)});
        if (!code.made.code.kernels.empty())
            code.made.missing = {{recording::Missing::failed, {reason.what()}}};
    }
    if (code.made.code.kernels.empty())
        throw kernels::Unavailable(why_missing(code));
    return code;
}

json to_json(const kernels::KernelCode& kernel, bool ptx)
{
    json instructions = json::array();
    for (const kernels::Instruction& one : kernel.instructions)
        if (!one.name.empty() || !one.text.empty()) {
            json row = {{"address", one.address},
                        {"name", one.name},
                        {"predicate", one.predicate},
                        {"line", one.line},
                        {"ptx_line", one.ptx_line}};
            if (one.width > 0)
                row["bytes_per_lane"] = one.width;
            if (!one.text.empty())
                row["text"] = one.text;
            instructions.push_back(std::move(row));
        }
    json result = {{"kernel", kernel.kernel}, {"instructions", instructions}};
    if (ptx)
        result["ptx"] = kernel.ptx;
    return result;
}

json to_json(const Code& code, bool ptx)
{
    json lines = json::array();
    for (const kernels::LineExecution& line : code.made.lines) {
        json ran = json::object();
        for (const kernels::SassAccessCounts& one : line.instructions)
            ran[one.name] = to_named_json(one.totals);
        lines.push_back({{"line", line.line},
                         {"as_written", to_named_json(line.written)},
                         {"as_executed", to_named_json(line.executed)},
                         {"instructions", ran},
                         {"why", line.why}});
    }
    json kernels = json::array();
    for (const kernels::KernelCode& kernel : code.made.code.kernels)
        kernels.push_back(to_json(kernel, ptx));
    json result = {{"stage", code.job.stage->slug},
                   {"size", size_name(code.job.problem, code.job.stage->operation)},
                   {"source", code.job.stage->body_file},
                   {"compute_capability", code.made.code.compute_capability},
                   {"compiler", code.made.code.compiler},
                   {"disassembler", code.made.code.disassembler},
                   {"kernels", kernels},
                   {"lines", lines},
                   {"as_written", to_named_json(code.recording->totals())},
                   {"as_executed", to_named_json(code.made.executed)},
                   {"origins",
                    {{"kernels", "decoded from the machine code"},
                     {"as_written", "recorded: " + code.recording->device.name},
                     {"as_executed", "derived: the machine code followed, without a GPU"}}},
                   {"left_out", code.made.opaque},
                   {"why_not_executed", why_missing(code)}};
    return result;
}

// Returns for example "8 x LDS.128, 512 x FFMA" for each source line.
Table instructions_by_line(const kernels::KernelCode& kernel)
{
    std::map<uint32_t, std::map<std::string, int>> lines;
    for (const kernels::Instruction& one : kernel.instructions)
        ++lines[one.line][one.name.empty() ? "others" : one.name];
    Table table("instructions", "line | instructions=in the machine code:<");
    for (const auto& [line, names] : lines) {
        std::string text;
        for (const auto& [name, count] : names)
            if (name != "others")
                text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", count, name);
        if (const auto others = names.find("others"); others != names.end())
            text += fmt::format("{}{} others", text.empty() ? "" : ", ", others->second);
        table.add({line == 0 ? json("none") : json(line), text});
    }
    return table;
}

// Returns the accesses of each line as its source says, and those of the machine code if they differ.
Table accesses_by_line(const Code& code)
{
    Table table("accesses", "line");
    std::ranges::move(totals_columns(code.recording->totals()), std::back_inserter(table.columns));
    table.columns.push_back({"why", "", "<"});
    const auto add = [&](const std::string& name, const recording::Totals& totals, const std::string& why = {}) {
        json row = to_named_json(totals);
        row["line"] = name;
        row["why"] = why;
        table.rows.push_back(std::move(row));
    };
    for (const kernels::LineExecution& line : code.made.lines) {
        add(fmt::format("{} as {}", line.line, line.differs() ? "written" : "both"), line.written);
        if (line.differs())
            add(fmt::format("{} as executed", line.line), line.executed, line.why);
    }
    add("all as written", code.recording->totals());
    add("all as executed", *code.made.executed);
    return table;
}

void print(const Code& code, bool ptx, Output& out)
{
    const kernels::Stage& stage = *code.job.stage;
    out.say("{}, compiled by {} for sm_{}\n", stage.body_file, code.made.code.compiler,
            code.made.code.compute_capability);
    for (const kernels::KernelCode& kernel : code.made.code.kernels) {
        out.say("{}: {} instructions\n", kernel.kernel, kernel.instructions.size());
        out.print(instructions_by_line(kernel));
        if (ptx)
            out.say("{}\n", fmt::join(kernel.ptx, "\n"));
    }
    out.say("\n{} at {}, of the whole launch\n", stage.slug, size_name(code.job.problem, stage.operation));
    if (!code.made.missing.empty()) {
        out.say("{}\n", why_missing(code));
        return;
    }
    out.print(accesses_by_line(code));
    if (!code.made.opaque.empty())
        out.say("left out, since PTX does not tell their addresses: {}\n", code.made.opaque);
}

struct CodeOptions : JobOptions {
    bool ptx = false;
};

void fields(OptionList& option, CodeOptions& options)
{
    stage_option(option, options).required();
    job_options(option, options);
    option("--ptx", options.ptx, "the PTX too");
}

int show_code(const CodeOptions& options, Output& out)
{
    OneJob one(options, options.backend, "The code is examined at one size; give one --size.");
    const Code code = examine(one.job, one.engine);
    print(code, options.ptx, out);
    out.end(to_json(code, options.ptx));
    return 0;
}

} // namespace

const Subcommand code_command = {"code", "what the compiler made of a stage: machine instructions by source line",
                                 declare<show_code>};

} // namespace app
