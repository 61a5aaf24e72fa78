// Classifies the instructions that a launch executes: the share of arithmetic among all of them, and the purpose of the
// others.
#pragma once

#include "viz/analysis/counted.h"
#include "viz/text/message.h"

#include "recording/counted.h"
#include "recording/recording.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

// Instructions by purpose, in display order.
enum class InstructionClass : uint8_t {
    tensor,   // HMMA, HGMMA
    floating, // FFMA
    shared,   // LDS, STS, LDSM
    global,   // LDG, STG, and accesses to local memory
    copies,   // asynchronous copies: LDGSTS, UTMALDG
    integer,  // addresses, loop counters, predicates: IMAD, ISETP
    moves,    // between registers, from constants and special registers, conversions
    control,  // BRA, EXIT
    barriers, // BAR, and waits for copies and matrix products: DEPBAR, SYNCS, WARPGROUP
    other,    // instructions without a class
};
inline constexpr std::size_t class_count = 10;

// Returns a name for display: "shared memory".
std::string class_name(InstructionClass one);

// Classifies an opcode by NVIDIA's name, with or without suffixes: "LDS.128".
InstructionClass class_of(std::string_view name);

// The executed instructions by class.
struct InstructionMix {
    std::array<uint64_t, class_count> executed{}; // warp instructions of each class

    uint64_t operator[](InstructionClass one) const { return executed[static_cast<std::size_t>(one)]; }
    uint64_t total() const;
    double share(InstructionClass one) const; // fraction of all instructions, 0 to 1; 0 if nothing ran
};
InstructionMix mix_of(const recording::RunProfile& run);

// Returns warp instructions per 1,000 multiplications of the problem, so that launches of different sizes can be
// compared.
double per_thousand(uint64_t executed, const recording::Problem& problem);

// One part of the instructions that a launch executes.
struct MixPart {
    std::string name;      // "shared memory", "LSU"
    double quieter = 0;    // distance from arithmetic, the actual work: 0 to 1
    uint64_t executed = 0; // warp instructions
};

// The instructions of a launch, divided into parts.
struct MixOfLaunch {
    recording::Problem problem;
    recording::Provenance from;
    std::vector<MixPart> parts; // equal parts in equal order for all launches

    uint64_t total() const;
    double share(const MixPart& part) const; // fraction of all instructions, 0 to 1; 0 if nothing ran
    double per_thousand(const MixPart& part) const;
};

// Groups the counted instructions by purpose.
MixOfLaunch by_class(const CountedRun& run);
// Groups the instructions by the SM's pipe that executed them, from hardware counters. An instruction that uses two
// pipes is counted in both.
MixOfLaunch by_pipe(const HardwareFigures& figures);

// The part in which two launches differ most, per 1,000 multiplications.
struct MixDifference {
    std::string of;
    double first = 0, second = 0;
};
MixDifference largest_difference(const MixOfLaunch& first, const MixOfLaunch& second);

} // namespace viz
