// What the GPU counted of each machine instruction of a stage, beside what is derived from following the machine code.
#pragma once

#include "machine_code/machine_code.h"
#include "recording/counted.h"

namespace kernels {

using recording::InstructionCount;
using recording::InstructionCounters;

// The accesses of one kind that come from one source line.
struct CountedAccesses {
    struct Figures {
        uint64_t executed = 0, wavefronts = 0, sectors = 0;
        friend bool operator==(const Figures&, const Figures&) = default;
    };
    std::size_t kernel = 0;
    uint32_t line = 0; // 0: of no line
    std::string name;  // "LDS.128"
    recording::Op op = recording::Op::global_load;
    std::optional<Figures> derived; // absent where it could not be followed
    Figures counted;
    bool may_be_off = false; // has a predicate, or is a copy: the GPU also counts those that access nothing in any lane
    bool agrees() const;
};
void fields(auto& visit, Like<CountedAccesses::Figures> auto& figures)
{
    visit("executed", figures.executed);
    visit("shared_wavefronts", figures.wavefronts);
    visit("global_sectors", figures.sectors);
}

// Of accesses that agree and are not equal: why the two may differ. "under a predicate the GPU also counts ..."
std::string why_counted_otherwise(const CountedAccesses& accesses);

// All that ran, named and with its lines. `source` is left to whoever knows the text.
recording::RunProfile run_profile(const MachineCode& code, const InstructionCounters& counted,
                                  std::optional<recording::WarpSamples> samples);

// By kernel, line and name. `executed`: of the same machine code; null where it could not be followed. What PTX does not tell
// the addresses of (Executed::opaque) has nothing derived.
std::vector<CountedAccesses> compare_instructions(const MachineCode& code, const Executed* executed,
                                                  const InstructionCounters& counted);

} // namespace kernels
