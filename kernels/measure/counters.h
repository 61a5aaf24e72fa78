// The GPU's own counters over one run of a stage's uninstrumented kernel or of a library's, and what they say.
#pragma once

#include "recording/counted.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kernels {

// What is asked of the GPU, by NVIDIA's names: sums over all its units, so that two launches can be added.
std::span<const std::string_view> counter_names();
// The same of what a unit does of what it can do at most, in percent: as Nsight Compute names and defines them.
std::span<const std::string_view> percent_names();

using recording::Counters;

// Puts together what was counted of each of the kernels that a launch consists of. `values`: of each kernel, by `names`. What
// one of them lacks (a value that is not finite) is absent.
void add_up(std::span<const std::string> names, std::span<const std::vector<double>> values, Counters& counters);

// What an SM has to execute instructions with, and how many warp instructions went there. An instruction may need more than
// one of them, and some need none: the counts need not add up to those executed.
struct PipeCount {
    std::string_view pipe; // NVIDIA's name: "fmaheavy"
    uint64_t executed = 0;
};

// The same, by what they mean. A figure is absent where a counter that it needs is.
struct CounterFigures {
    struct Shared {
        std::optional<uint64_t> instructions, wavefronts; // counted per instruction, from its addresses
        std::optional<uint64_t> conflicts;                // by the hardware, so with waits for other traffic among them
        std::optional<uint64_t> hardware_wavefronts;      // likewise
    };
    struct Global {
        std::optional<uint64_t> requests, sectors;
    };
    Shared shared_load, shared_store;
    std::optional<uint64_t> async_copies; // cp.async: their reads are in global_load, their writes in none of the above
    Global global_load, global_store;
    std::optional<uint64_t> arbitration; // bank conflicts with other traffic
    std::optional<double> l1_hit_rate, l2_hit_rate;
    std::optional<uint64_t> dram_read_bytes, dram_write_bytes;
    std::optional<double> occupancy;  // resident warps over the most that an SM can have, mean over its active cycles
    std::optional<uint64_t> issued;   // warp instructions
    std::optional<uint64_t> executed; // likewise: what is issued again and again is executed once
    std::optional<double> ipc;        // issued per cycle in which the SM is active
    std::optional<uint64_t> time_ns;
    // 0..1, over the launch's time: the busiest part of the SMs, the busiest part of the way to memory, DRAM.
    std::optional<double> compute_throughput, memory_throughput, dram_throughput;
    std::vector<PipeCount> pipes; // those that this GPU has

    std::optional<uint64_t> executed_by(std::string_view pipe) const;
};

CounterFigures figures(const Counters& counters);

} // namespace kernels
