// Compares the GPU's counters of each machine instruction with the figures derived from executing the machine code's
// address arithmetic.
#pragma once

#include "machine_code/machine_code.h"
#include "recording/counted.h"

namespace kernels {

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

// Explains, for accesses that agree without being equal, why they may differ: "under a predicate the GPU also counts
// ..."
std::string why_counted_otherwise(const CountedAccesses& accesses);

// Returns all executed instructions with their names and lines. The caller, who has the text, fills in `source`.
recording::RunProfile run_profile(const MachineCode& code, const InstructionCounters& counted,
                                  std::optional<recording::WarpSamples> samples);

// Compares by kernel, line and name. `executed` belongs to the same machine code; it is null if the addresses could not
// be computed. Accesses whose addresses do not follow from PTX (Executed::opaque) have no derived figures.
std::vector<CountedAccesses> compare_instructions(const MachineCode& code, const Executed* executed,
                                                  const InstructionCounters& counted);

} // namespace kernels
