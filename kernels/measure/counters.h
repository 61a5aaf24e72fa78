// The GPU's hardware counters for a run of a stage's uninstrumented kernel or of a library's, and figures from them.
#pragma once

#include "machine_code/machine_code.h"
#include "recording/counted.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kernels {

// Returns the requested counters under NVIDIA's names. Each is a sum over the GPU's units, so launches can be added.
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
    // Reads of cp.async are included in global_load. Its writes are in none of the above.
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

// Compares the GPU's counters of each machine instruction with figures derived from the machine code's addresses.

using recording::InstructionCount;
using recording::InstructionCounters;

// The accesses of one kind in one source line.
struct CountedAccesses {
    struct Figures {
        uint64_t executed = 0, wavefronts = 0, sectors = 0;
        friend bool operator==(const Figures&, const Figures&) = default;
    };
    std::size_t kernel = 0;
    uint32_t line = 0; // source line; 0: none
    std::string name;  // "LDS.128"
    recording::Op op = recording::Op::global_load;
    std::optional<Figures> derived; // absent if the addresses could not be computed
    Figures counted;
    bool may_be_off = false; // predicated, or a copy: the GPU also counts executions in which no lane accesses memory
    bool agrees() const;
};
void fields(auto& visit, Like<CountedAccesses::Figures> auto& figures)
{
    visit("executed", figures.executed);
    visit("shared_wavefronts", figures.wavefronts);
    visit("global_sectors", figures.sectors);
}

// Explains why accesses that agree may differ from the derived figures: "under a predicate the GPU also counts ...".
std::string why_counted_otherwise(const CountedAccesses& accesses);

// Returns all executed instructions with their names and lines. The caller, who has the text, fills in `source`.
recording::RunProfile run_profile(const MachineCode& code, const InstructionCounters& counted,
                                  std::optional<recording::WarpSamples> samples);

// Compares by kernel, line and name. `executed` belongs to the same machine code, or is null if the addresses could not
// be computed. Accesses whose addresses do not follow from PTX (Executed::opaque) have no derived figures.
std::vector<CountedAccesses> compare_instructions(const MachineCode& code, const Executed* executed,
                                                  const InstructionCounters& counted);

} // namespace kernels
