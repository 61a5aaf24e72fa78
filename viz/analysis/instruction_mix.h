// What kinds of instruction a launch executes: how much of what is issued is arithmetic, and what the rest is for.
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

// By what they are for, in the order in which they are shown.
enum class InstructionClass : uint8_t {
    tensor,   // HMMA, HGMMA
    floating, // FFMA
    shared,   // LDS, STS, LDSM
    global,   // LDG, STG; local memory too
    copies,   // asynchronous ones: LDGSTS, UTMALDG
    integer,  // addresses, loop counters, predicates: IMAD, ISETP
    moves,    // between registers, from constants, of special registers, conversions
    control,  // BRA, EXIT
    barriers, // BAR, and waits for copies and matrix products: DEPBAR, SYNCS, WARPGROUP
    other,    // of kinds that are not told apart
};
inline constexpr std::size_t class_count = 10;

// "shared memory"
std::string class_name(InstructionClass one);

// By NVIDIA's name of the opcode, with or without what follows it: "LDS.128".
InstructionClass class_of(std::string_view name);

struct InstructionMix {
    std::array<uint64_t, class_count> executed{}; // by warps, by class

    uint64_t operator[](InstructionClass one) const { return executed[static_cast<std::size_t>(one)]; }
    uint64_t total() const;
    double share(InstructionClass one) const; // 0..1, of the total; 0 where nothing ran
};
InstructionMix mix_of(const recording::RunProfile& run);

// Warp instructions for 1,000 multiplications of the problem, so that launches of different sizes can stand beside each other.
double per_thousand(uint64_t executed, const recording::Problem& problem);

// A part of what a launch executes, as it is shown.
struct MixPart {
    std::string name;      // "shared memory", "LSU"
    double quieter = 0;    // 0..1: how far it is from arithmetic, the work itself
    uint64_t executed = 0; // by warps
};

// What a launch executes, in parts, and of which work.
struct MixOfLaunch {
    recording::Problem problem;
    recording::Provenance from;
    std::vector<MixPart> parts; // of one kind of mix always the same ones, in this order

    uint64_t total() const;
    double share(const MixPart& part) const; // 0..1, of the total; 0 where nothing ran
    double per_thousand(const MixPart& part) const;
};

// By what the instructions are for, as they were counted one by one.
MixOfLaunch by_class(const CountedRun& run);
// By the pipe of the SM that executed them, as the hardware counted it. An instruction that needs two pipes is in both.
MixOfLaunch by_pipe(const HardwareFigures& figures);

// The part in which two launches differ most, for 1,000 multiplications.
struct MixDifference {
    std::string of;
    double first = 0, second = 0;
};
MixDifference largest_difference(const MixOfLaunch& first, const MixOfLaunch& second);

} // namespace viz
