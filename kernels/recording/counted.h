// Readings of the GPU's hardware counters during a run of a stage's uninstrumented kernel or of a library's kernels.
// Plain data, facts only.
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

// Counters under NVIDIA's names. A counter that this GPU does not have is absent, not zero.
struct Counters {
    std::map<std::string, uint64_t, std::less<>> sums; // summed over the launches
    // Percent of a unit's maximum, 0..100. For several launches it is the mean, weighted by their time.
    std::map<std::string, double, std::less<>> percents;
    Resources resources; // of the first launch
    Device device;
    int launches = 0;
    int passes = 0; // number of runs, each from a cold L2 cache; the hardware counts only a few quantities per run
};
// Visits only those fields of the device and of the resources that counters are compared with.
void fields(auto& visit, kernels::Like<Counters> auto& counters)
{
    visit("device", counters.device.name);
    visit("toolkit", counters.device.toolkit);
    visit("max_threads_per_sm", counters.device.max_threads_per_sm);
    visit("launches", counters.launches);
    visit("passes", counters.passes);
    visit("registers_per_thread", counters.resources.registers_per_thread);
    visit("counters", counters.sums, kernels::any_count);
    // Percent; slightly above 100 if a unit beat NVIDIA's stated maximum. Missing in files from before 2026-11-23.
    visit("percents", counters.percents, kernels::between(0.0, 1000.0), kernels::may_be_missing);
}

// Executions of one instruction, over the whole launch.
struct InstructionCount {
    std::size_t kernel = 0; // index among the stage's launches
    uint32_t address = 0;   // in bytes from the kernel's start
    uint64_t executed = 0;  // number of warps that executed it
    uint64_t shared_wavefronts = 0, global_sectors = 0;
};

struct InstructionCounters {
    std::vector<InstructionCount> instructions; // ascending by kernel and address
    Device device;

    const InstructionCount* at(std::size_t kernel, uint32_t address) const; // null if nothing was counted there
};

// Number of warps that were found at one instruction in one state.
struct WarpSample {
    std::size_t kernel = 0; // index among the stage's launches
    uint32_t address = 0;   // in bytes from the kernel's start
    uint32_t state = 0;     // index into WarpSamples::states
    uint64_t warps = 0;
};

// States of warps. Each SM was sampled periodically, one warp per sample (CUPTI's PC sampling).
struct WarpSamples {
    // NVIDIA's names: "long_scoreboard"; issued_state means that the warp issued its instruction.
    std::vector<std::string> states;
    std::vector<WarpSample> samples; // ascending by kernel, address and state; entries without warps are omitted
    uint32_t cycles = 0;             // SM cycles between two samples
    int launches = 0;                // number of launches sampled, one after another
    uint64_t taken = 0;              // all samples that the hardware took: `samples`, `dropped` and `elsewhere`
    uint64_t dropped = 0;            // samples that the hardware had no room for
    uint64_t elsewhere = 0;          // samples in other kernels

    uint64_t kept() const; // the total of `samples`
};
inline constexpr std::string_view issued_state = "selected";

// A machine instruction that was executed.
struct RunInstruction {
    std::size_t kernel = 0; // index among the stage's launches
    uint32_t address = 0;   // in bytes from the kernel's start
    std::string name;       // "LDS.128"; empty for kinds that are not distinguished
    uint32_t line = 0;      // source line; 0: none
    uint64_t executed = 0;  // number of warps that executed it
    friend bool operator==(const RunInstruction&, const RunInstruction&) = default;
};

// All instructions that a launch executed, and what its warps waited for.
struct RunProfile {
    // Ascending by kernel and address; instructions that never ran are omitted.
    std::vector<RunInstruction> instructions;
    std::optional<WarpSamples> samples; // absent if sampling was not possible
    uint32_t source = 0;                // checksum of the source text that `line` refers to; 0: unknown

    const RunInstruction* at(std::size_t kernel, uint32_t address) const; // null if it never ran
    uint64_t executed() const;                                            // the total over all instructions
};
using RunProfilePtr = std::shared_ptr<const RunProfile>;

// Throws kernels::Error if instructions or samples are out of order, or if a sample's state has no name.
void check(const RunProfile& run);

} // namespace recording
