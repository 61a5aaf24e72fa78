// What the GPU's own counters said of one run of a stage's uninstrumented kernel, or of a library's. Plain data, facts only.
#pragma once

#include "base/fields.h"
#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recording {

// By NVIDIA's names. A counter that this GPU does not have is absent: it is not zero.
struct Counters {
    std::map<std::string, uint64_t, std::less<>> sums; // over the launches
    // Of what a unit can do at most, 0..100: of several launches the mean over their time.
    std::map<std::string, double, std::less<>> percents;
    Resources resources; // of the first launch
    Device device;
    int launches = 0;
    int passes = 0; // how often it ran, each time from a cold L2 cache: the hardware counts a few things at a time
};
// Of the device and the resources only what a counter is compared with.
void fields(auto& visit, kernels::Like<Counters> auto& counters)
{
    visit("device", counters.device.name);
    visit("toolkit", counters.device.toolkit);
    visit("max_threads_per_sm", counters.device.max_threads_per_sm);
    visit("launches", counters.launches);
    visit("passes", counters.passes);
    visit("registers_per_thread", counters.resources.registers_per_thread);
    visit("counters", counters.sums, kernels::any_count);
    // Percent; a little above 100 where a part was faster than NVIDIA says it can be. Files made before 2026-11-23 have none.
    visit("percents", counters.percents, kernels::between(0.0, 1000.0), kernels::may_be_missing);
}

// Of the whole launch.
struct InstructionCount {
    std::size_t kernel = 0; // of the stage's launches
    uint32_t address = 0;   // bytes from the kernel's start
    uint64_t executed = 0;  // by warps
    uint64_t shared_wavefronts = 0, global_sectors = 0;
};

struct InstructionCounters {
    std::vector<InstructionCount> instructions; // ascending by kernel and address
    Device device;

    const InstructionCount* at(std::size_t kernel, uint32_t address) const; // null where nothing was counted
};

// Warps that were found at one instruction in one state.
struct WarpSample {
    std::size_t kernel = 0; // of the stage's launches
    uint32_t address = 0;   // bytes from the kernel's start
    uint32_t state = 0;     // in WarpSamples::states
    uint64_t warps = 0;
};

// What warps were doing while each SM was looked at again and again, one warp at a time (CUPTI's PC sampling).
struct WarpSamples {
    std::vector<std::string> states; // by NVIDIA's names: "long_scoreboard"; issued_state: it issued its instruction
    std::vector<WarpSample> samples; // ascending by kernel, address and state; none of no warps
    uint32_t cycles = 0;             // of an SM from one look to the next
    int launches = 0;                // that ran meanwhile, one after another
    uint64_t taken = 0;              // by the hardware in all: the samples here and the two below
    uint64_t dropped = 0;            // that it could not keep
    uint64_t elsewhere = 0;          // of other kernels

    uint64_t kept() const; // the sum of the samples
};
inline constexpr std::string_view issued_state = "selected";

// A machine instruction that ran.
struct RunInstruction {
    std::size_t kernel = 0; // of the stage's launches
    uint32_t address = 0;   // bytes from the kernel's start
    std::string name;       // "LDS.128"; empty: of a kind that is not told apart
    uint32_t line = 0;      // of the source; 0: of none
    uint64_t executed = 0;  // by warps
    friend bool operator==(const RunInstruction&, const RunInstruction&) = default;
};

// All that ran in a launch, and what warps waited for meanwhile.
struct RunProfile {
    std::vector<RunInstruction> instructions; // ascending by kernel and address; those that never ran are left out
    std::optional<WarpSamples> samples;       // none: they could not be taken
    uint32_t source = 0;                      // checksum of the text that `line` counts in; 0: not known

    const RunInstruction* at(std::size_t kernel, uint32_t address) const; // null: it never ran
    uint64_t executed() const;                                            // the sum of all
};
using RunProfilePtr = std::shared_ptr<const RunProfile>;

// Throws kernels::Error where instructions or samples are not in order, or a sample's state has no name.
void check(const RunProfile& run);

} // namespace recording
