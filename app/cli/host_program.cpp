#include "app/cli/host_program.h"

#include "app/cli/command_worker.h"
#include "app/engine/files.h"
#include "app/engine/host_program.h"
#include "app/text/tell.h"

#include "injection/traced_program.h"

#include <utility>

namespace app {

namespace {

// The members that launches on a GPU have, too (trace --list).
nlohmann::ordered_json to_json(const cudart::SeenLaunch& launch)
{
    return {{"kernel", injection::short_name(launch.name, 150)},
            {"name", launch.name},
            {"grid", index_name(launch.launch.grid)},
            {"block", index_name(launch.launch.block)},
            {"cluster", index_name(launch.cluster)},
            {"shared_bytes_per_block", launch.resources.shared_bytes_per_block},
            {"count", launch.count},
            {"executed", launch.executed},
            {"instructions_of_warps", launch.steps},
            {"first", launch.first}};
}

Table table_of_launches(const nlohmann::ordered_json& launches)
{
    Table table("launches", "count=times | instructions_of_warps=instructions | grid:< | block:< | cluster:< | "
                            "shared_bytes_per_block=shared | first | kernel:<");
    for (const auto& launch : launches)
        table.rows.push_back(launch);
    return table;
}

// How the program itself ended, and what of it failed.
void tell_end(const cudart::HostProgramEnd& end)
{
    if (end.cut_short)
        tell("The recording is made. What the program does after it takes more than a minute, so it was ended.\n");
    else if (end.status > 128)
        tell("The program itself was ended by signal {}.\n", end.status - 128);
    else if (end.status != 0)
        tell("The program itself ended with status {}.\n", end.status);
}

} // namespace

int trace_host_program(const ProgramChoice& choice, const TraceOptions& options, Output& out)
{
    HostProgramTask task{
        .command = choice.command, .request = options.request, .launch = choice.launch, .list = choice.list};
    task.request.blocks = blocks_of(options);
    task.output_to_errors = !out.is_text();
    const Interrupt interrupt;
    HostProgramResult result = run_host_program(
        task, [](const std::string& sentence) { tell("gemmscope: {}\n", sentence); }, interrupt.token());
    const cudart::HostProgramEnd& end = result.end;
    nlohmann::ordered_json launches = nlohmann::ordered_json::array();
    for (const cudart::SeenLaunch& launch : end.launches)
        launches.push_back(to_json(launch));
    if (choice.list) {
        out.print(table_of_launches(launches));
        out.end(launches, 1);
        tell_end(end);
        return 0;
    }
    if (!options.output.empty())
        SaveTask{options.output, result.recorded->recording}.write();
    const TraceResult traced{.recorded = *result.recorded,
                             .check = {},
                             .warnings = end.recorded->traced.warnings,
                             .compiling_milliseconds = result.compiling_milliseconds,
                             .milliseconds = end.recorded->traced.milliseconds,
                             .steps = end.recorded->traced.steps,
                             .written = end.recorded->traced.written};
    print(options, traced, out);
    if (end.launches.size() > 1)
        out.say("This was launch {} of the program{}. --kernel and --launch choose among all:\n{}",
                end.recorded->number, choice.launch == 0 ? ", which tells most" : "",
                text_of(table_of_launches(launches)));
    nlohmann::ordered_json json = to_json(traced);
    json["launch"] = end.recorded->number;
    json["launches"] = std::move(launches);
    json["failures"] = end.failures;
    json["status"] = end.status;
    out.end_with(json);
    tell_end(end);
    return 0;
}

} // namespace app
