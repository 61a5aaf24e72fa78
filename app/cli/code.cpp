#include "app/catalogue/fields_json.h"
#include "app/cli/commands.h"
#include "app/cli/own_stages.h"
#include "app/tasks/examine.h"
#include "app/tasks/record.h"
#include "app/text/tell.h"

#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

Code examine(const kernels::Job& job, Engine& engine)
{
    Code code{job, std::make_shared<const recording::Recording>(), {}};
    try {
        code.recording = engine.run(RecordTask{named(job), {{0, 0, 0}}}).recorded.recording;
        code.made = engine.run(ExamineTask{.recording = code.recording, .job = {}});
    } catch (const kernels::Error& reason) { // this machine cannot run it: there is its code
        code.made = engine.run(
            ExamineTask{.recording = nullptr, .capability = engine.device().compute_capability, .job = named(job)});
        if (!code.made.code.kernels.empty())
            code.made.missing = {{recording::Missing::failed, {reason.what()}}};
    }
    if (code.made.code.kernels.empty())
        throw kernels::Unavailable(why_missing(code));
    return code;
}

json to_json(const kernels::KernelCode& kernel)
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
    return {{"kernel", kernel.kernel}, {"instructions", instructions}};
}

json to_json(const Code& code)
{
    json lines = json::array();
    for (const kernels::LineExecution& line : code.made.lines) {
        json ran = json::object();
        for (const kernels::ExecutedInstructions& one : line.instructions)
            ran[one.name] = to_named_json(one.totals);
        lines.push_back({{"line", line.line},
                         {"as_written", to_named_json(line.written)},
                         {"as_executed", to_named_json(line.executed)},
                         {"instructions", ran},
                         {"why", line.why}});
    }
    json kernels = json::array();
    for (const kernels::KernelCode& kernel : code.made.code.kernels)
        kernels.push_back(to_json(kernel));
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

// "8 x LDS.128, 512 x FFMA" of each source line.
void print_instructions(const kernels::KernelCode& kernel)
{
    std::map<uint32_t, std::map<std::string, int>> lines;
    for (const kernels::Instruction& one : kernel.instructions)
        ++lines[one.line][one.name.empty() ? "others" : one.name];
    write_out("{}: {} instructions\n{:>8}  {}\n", kernel.kernel, kernel.instructions.size(), "line",
              "in the machine code");
    for (const auto& [line, names] : lines) {
        std::string text;
        for (const auto& [name, count] : names)
            if (name != "others")
                text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", count, name);
        if (const auto others = names.find("others"); others != names.end())
            text += fmt::format("{}{} others", text.empty() ? "" : ", ", others->second);
        write_out("{:>8}  {}\n", line == 0 ? "none" : std::to_string(line), text);
    }
}

void print_row(const std::string& name, const recording::Totals& t)
{
    write_out("{:>22}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}\n", name, t.shared_load.instructions,
              t.shared_load.wavefronts, t.shared_load.conflicts, t.shared_store.instructions, t.shared_store.wavefronts,
              t.shared_store.conflicts, t.global_load.requests + t.global_store.requests,
              t.global_load.sectors + t.global_store.sectors);
}

void print_lines(const Code& code)
{
    write_out("\n{} at {}, of the whole launch\n", code.job.stage->slug,
              size_name(code.job.problem, code.job.stage->operation));
    if (!code.made.missing.empty()) {
        write_out("{}\n", why_missing(code));
        return;
    }
    write_out("{:>22}{:^36}{:^36}{:^24}\n{:>22}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}\n", "", "shared loads",
              "shared stores", "global", "line", "instr.", "wavefronts", "conflicts", "instr.", "wavefronts",
              "conflicts", "requests", "sectors");
    for (const kernels::LineExecution& line : code.made.lines) {
        print_row(fmt::format("{} as {}", line.line, line.differs() ? "written" : "both"), line.written);
        if (line.differs()) {
            print_row("as executed", line.executed);
            write_out("{:>10}  {}\n", "", line.why);
        }
    }
    print_row("all as written", code.recording->totals());
    print_row("all as executed", *code.made.executed);
    if (!code.made.opaque.empty())
        write_out("left out, since PTX does not tell their addresses: {}\n", code.made.opaque);
}

} // namespace

int show_code(const JobOptions& options, bool ptx)
{
    const std::vector<kernels::Stage> ladder = ladder_with_own();
    const kernels::Stage& stage = kernels::find_stage(ladder, options.stages.at(0));
    const std::string size = one_size(options, kernels::facts(stage.operation).small_size,
                                      "The code is examined at one size; give one --size.");
    std::vector<kernels::Job> jobs = {make_job(stage, options, parse_size(size, options, stage.operation))};
    Engine engine(options.worker, options.backend);
    use_tuned(jobs, options, engine.device());
    const Code code = examine(jobs.front(), engine);
    if (options.json) {
        json result = to_json(code);
        if (ptx)
            for (std::size_t i = 0; i < code.made.code.kernels.size(); ++i)
                result["kernels"][i]["ptx"] = code.made.code.kernels[i].ptx;
        write_json(result);
        return 0;
    }
    write_out("{}, compiled by {} for sm_{}\n", stage.body_file, code.made.code.compiler,
              code.made.code.compute_capability);
    for (const kernels::KernelCode& kernel : code.made.code.kernels) {
        print_instructions(kernel);
        if (ptx)
            for (const std::string& line : kernel.ptx)
                write_out("{}\n", line);
    }
    print_lines(code);
    return 0;
}

} // namespace app
