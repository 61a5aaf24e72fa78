#include "app/cli/command.h"
#include "app/cli/command_worker.h"

#include "model/pattern_file.h"

#include <cstdio>

namespace app {

namespace {

constexpr std::size_t rows_at_once = 1024;

nlohmann::json to_json(const model::PatternRow& row, const model::TwoFigures& had, const char* measured)
{
    nlohmann::json result = {
        {"line", row.line}, {"op", row.op}, {"width", row.pattern.width},
        {"a", had.a},       {"b", had.b},   {"origin", "derived: by the rules measured on an H200"}};
    if (row.measured)
        result["measured"] = {{"a", row.measured->a}, {"b", row.measured->b}, {"origin", measured}};
    return result;
}

constexpr const char* pattern_columns =
    "line | op:< | width=bytes | a | b | measured.a=measured a | measured.b=measured b";

struct ModelOptions {
    std::filesystem::path file;
    bool check = false, measure = false;
    WorkerChoice worker;
};

void fields(OptionList& option, ModelOptions& options)
{
    option("file", options.file, "patterns as CSV", required);
    option("--check", options.check, "compare with the columns a and b");
    option("--measure", options.measure, "have the GPU count them, and print the file with what it counted",
           excludes("--check"));
    worker_options(option, options.worker);
}

// Evaluates the model on the patterns. `check` prints only rows that differ from the file.
int evaluate(const ModelOptions& options, Output& out)
{
    const bool check = options.check;
    std::size_t measured = 0, equal = 0;
    Table table("patterns", pattern_columns);
    for (const model::PatternRow& row : model::read_patterns(options.file)) {
        const model::TwoFigures had = model::evaluate(row);
        measured += row.measured.has_value();
        equal += row.measured == had;
        if (!check || (row.measured && row.measured != had))
            table.rows.push_back(to_json(row, had, "counter: as the file has it"));
    }
    if (check && measured == 0)
        throw kernels::Error(
            fmt::format("No row of {} has figures in its columns a and b to compare with.", options.file.string()));
    const nlohmann::json rows = table.rows;
    out.print(std::move(table));
    const int status = check ? out.verdict(equal, measured) : 0;
    out.end(check ? nlohmann::json{{"equal", equal},
                                   {"rows", measured},
                                   {"differences", rows},
                                   {"origin", "the rules measured on an H200, beside what the file has"}}
                  : rows);
    return status;
}

// Measures the same rows on the worker's GPU. Text output is the file with the measurements, line by line, so that an
// interruption keeps what was measured.
int measure(const ModelOptions& options, Output& out)
{
    const std::vector<model::PatternRow> rows = model::read_patterns(options.file);
    const Interrupt interrupt;
    CommandWorker engine(options.worker, "cuda", interrupt.token());
    out.say("{}\n", model::pattern_header());
    Table table("patterns", pattern_columns);
    for (std::size_t first = 0; first < rows.size(); first += rows_at_once) {
        const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(first + rows_at_once, rows.size()));
        for (const model::PatternRow& row : engine.run(MeasurePatternsTask{{begin, end}}).rows) {
            out.say("{}\n", model::to_text(row));
            table.rows.push_back(to_json(row, model::evaluate(row), "counter: by the worker's GPU"));
        }
        std::fflush(stdout);
    }
    if (!out.is_text())
        out.print(std::move(table));
    return 0;
}

int evaluate_or_measure(const ModelOptions& options, Output& out)
{
    return options.measure ? measure(options, out) : evaluate(options, out);
}

} // namespace

const Subcommand model_command = {"model", "evaluate access patterns by the bank and sector rules",
                                  declare<evaluate_or_measure>};

} // namespace app
