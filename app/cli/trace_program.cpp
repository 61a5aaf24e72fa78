#include "app/cli/trace_program.h"

#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/tasks/save.h"
#include "app/text/tell.h"
#include "injection/kernel_names.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace app {

namespace {

using injection::ListedLaunch;

std::string index_name(const recording::Index3& index)
{
    return fmt::format("{},{},{}", index.x, index.y, index.z);
}

nlohmann::ordered_json to_json(const ListedLaunch& launch)
{
    return {{"kernel", injection::short_name(launch.name, 150)},
            {"name", launch.name},
            {"grid", index_name(launch.launch.grid)},
            {"block", index_name(launch.launch.block)},
            {"cluster", index_name(launch.cluster)},
            {"registers_per_thread", launch.resources.registers_per_thread},
            {"shared_bytes_per_block", launch.resources.shared_bytes_per_block},
            {"count", launch.count},
            {"microseconds_each", launch.time_ns / 1e3 / static_cast<double>(launch.count)},
            {"first", launch.first}};
}

// The program's own end; nothing where it was a good one.
void tell_status(int status)
{
    if (status != 0)
        tell("The program itself ended with status {}.\n", status);
}

} // namespace

Machine machine_of(const TraceOptions& options)
{
    Machine machine;
    if (!options.worker.gpu.empty())
        machine.chosen_gpu = kernels::find_gpu(kernels::list_gpus(), options.worker.gpu).uuid;
    return machine;
}

int print_kernels_of(const ListProgramTask& task, const TraceOptions& options)
{
    const Interrupt interrupt;
    const Machine machine = machine_of(options);
    const auto [launches, status] = list_program(task, {kernels::make_ladder(), machine, interrupt.token()});
    Table table("launches", "count=times | microseconds_each=us each:{:.2f} | grid:< | block:< | cluster:< | "
                            "registers_per_thread=regs | shared_bytes_per_block=shared | first | kernel:<");
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const ListedLaunch& launch : launches) {
        rows.push_back(to_json(launch));
        table.rows.push_back(rows.back());
    }
    Output out(options.form, 1);
    out.print(std::move(table));
    out.end(rows);
    tell_status(status);
    return 0;
}

int record_program(const TraceProgramTask& task, const TraceOptions& options)
{
    const Interrupt interrupt;
    const Machine machine = machine_of(options);
    const auto [recorded, status] = trace_program(task, {kernels::make_ladder(), machine, interrupt.token()});
    const RecordingPtr& recording = recorded.recording;
    const auto& [grid, block] = recording->launch;
    save({options.output, recording});
    const recording::Totals totals = recording->totals();
    Output out(options.form, 1);
    out.say("{}, grid {}, blocks of {}: {} of {} blocks in full -> {}\n", recording->executed->kernel, index_name(grid),
            index_name(block), recording->blocks.size(), grid.volume(), options.output.string());
    out.end_with({{"kernel", recording->executed->kernel},
                  {"grid", index_name(grid)},
                  {"block", index_name(block)},
                  {"blocks", recording->blocks.size()},
                  {"shared_load_instructions", totals.shared_load.instructions},
                  {"shared_load_wavefronts", totals.shared_load.wavefronts},
                  {"shared_store_instructions", totals.shared_store.instructions},
                  {"shared_store_wavefronts", totals.shared_store.wavefronts},
                  {"global_load_requests", totals.global_load.requests},
                  {"global_load_sectors", totals.global_load.sectors},
                  {"global_store_requests", totals.global_store.requests},
                  {"global_store_sectors", totals.global_store.sectors},
                  {"notes", recording->executed->notes}});
    for (const std::string& note : recording->executed->notes)
        tell("{}\n", note);
    tell_status(status);
    return 0;
}

} // namespace app
