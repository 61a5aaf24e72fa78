#include "app/cli/counter_figures.h"
#include "app/text/tell.h"

#include <fmt/format.h>

namespace app {

namespace {

void print_share(std::string_view name, const std::optional<double>& value)
{
    write_out("  {:<54}{:>16}\n", name, value ? fmt::format("{:.1f} %", 100 * *value) : "-");
}

void print_value(std::string_view name, const std::optional<uint64_t>& value)
{
    write_out("  {:<54}{:>16}\n", name, value ? fmt::format("{}", *value) : "-");
}

} // namespace

nlohmann::json to_json(const kernels::CounterFigures& f)
{
    nlohmann::json pipes = nlohmann::json::object();
    for (const kernels::PipeCount& one : f.pipes)
        pipes[std::string(one.pipe)] = one.executed;
    return {{"arbitration", given(f.arbitration)},
            {"async_copies", given(f.async_copies)},
            {"shared_load_hardware_wavefronts", given(f.shared_load.hardware_wavefronts)},
            {"shared_store_hardware_wavefronts", given(f.shared_store.hardware_wavefronts)},
            {"l1_hit_rate", given(f.l1_hit_rate)},
            {"l2_hit_rate", given(f.l2_hit_rate)},
            {"dram_read_bytes", given(f.dram_read_bytes)},
            {"dram_write_bytes", given(f.dram_write_bytes)},
            {"achieved_occupancy", given(f.occupancy)},
            {"issued_warp_instructions", given(f.issued)},
            {"executed_warp_instructions", given(f.executed)},
            {"ipc", given(f.ipc)},
            {"compute_throughput", given(f.compute_throughput)},
            {"memory_throughput", given(f.memory_throughput)},
            {"dram_throughput", given(f.dram_throughput)},
            {"executed_by_pipe", pipes},
            {"time_ns", given(f.time_ns)}};
}

void print(const kernels::CounterFigures& f)
{
    print_value("bank conflicts by arbitration", f.arbitration);
    print_value("cp.async instructions", f.async_copies);
    print_share("L1 hit rate", f.l1_hit_rate);
    print_share("L2 hit rate", f.l2_hit_rate);
    print_value("bytes read from DRAM", f.dram_read_bytes);
    print_value("bytes written to DRAM", f.dram_write_bytes);
    print_share("throughput of the SMs, of the most possible", f.compute_throughput);
    print_share("throughput of memory, of the most possible", f.memory_throughput);
    print_share("throughput of DRAM, of the most possible", f.dram_throughput);
    print_share("achieved occupancy", f.occupancy);
    print_value("warp instructions issued", f.issued);
    print_value("warp instructions executed, of the launch", f.executed);
    for (const kernels::PipeCount& one : f.pipes)
        if (one.executed > 0)
            write_out("  {:<54}{:>16}{}\n", fmt::format("  by the pipe {}", one.pipe), one.executed,
                      f.executed && *f.executed > 0
                          ? fmt::format("  {:.1f} %",
                                        100.0 * static_cast<double>(one.executed) / static_cast<double>(*f.executed))
                          : "");
    write_out("  {:<54}{:>16}\n", "issued per cycle of an active SM", f.ipc ? fmt::format("{:.2f}", *f.ipc) : "-");
    print_value("nanoseconds, while being counted", f.time_ns);
}

} // namespace app
