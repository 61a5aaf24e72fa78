// The GPU's hardware counters for one run of a stage's uninstrumented kernel or of a library's kernels, and figures
// computed from them.
#pragma once

#include "recording/counted.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kernels {

// Returns the requested counters under NVIDIA's names. Each is a sum over all units of the GPU, so launches can be
// added.
std::span<const std::string_view> counter_names();
// Returns the requested utilizations, in percent of the unit's maximum; Nsight Compute defines the same names.
std::span<const std::string_view> percent_names();

using recording::Counters;

// Combines the counters of the kernels of one launch. `values` has one vector per kernel, in the order of `names`. A
// counter that one kernel lacks (its value is not finite) is absent.
void add_up(std::span<const std::string> names, std::span<const std::vector<double>> values, Counters& counters);

// A pipeline of the SM, and the number of warp instructions that it executed. An instruction may use several pipelines
// or none, so the counts need not add up to the number of executed instructions.
struct PipeCount {
    std::string_view pipe; // NVIDIA's name: "fmaheavy"
    uint64_t executed = 0;
};

// The counters by their meaning. A figure is absent if a counter that it needs is absent.
struct CounterFigures {
    struct Shared {
        std::optional<uint64_t> instructions, wavefronts; // counted per instruction, from its addresses
        std::optional<uint64_t> conflicts; // counted by the hardware, including arbitration with other traffic
        // Counted by the hardware, including arbitration with other traffic.
        std::optional<uint64_t> hardware_wavefronts;
    };
    struct Global {
        std::optional<uint64_t> requests, sectors;
    };
    Shared shared_load, shared_store;
    // Reads of cp.async are included in global_load, its writes in none of the above.
    std::optional<uint64_t> async_copies;
    Global global_load, global_store;
    std::optional<uint64_t> arbitration; // bank conflicts with other traffic
    std::optional<double> l1_hit_rate, l2_hit_rate;
    std::optional<uint64_t> dram_read_bytes, dram_write_bytes;
    std::optional<double> occupancy;  // resident warps relative to the SM's maximum, mean over the SM's active cycles
    std::optional<uint64_t> issued;   // warp instructions
    std::optional<uint64_t> executed; // warp instructions; an instruction that is issued repeatedly is executed once
    std::optional<double> ipc;        // issued instructions per active cycle of the SM
    std::optional<uint64_t> time_ns;
    // 0..1, over the launch's time: the busiest unit of the SMs, the busiest unit of the memory system, and DRAM.
    std::optional<double> compute_throughput, memory_throughput, dram_throughput;
    std::vector<PipeCount> pipes; // the pipelines that this GPU has

    std::optional<uint64_t> executed_by(std::string_view pipe) const;
};

CounterFigures figures(const Counters& counters);

} // namespace kernels
