#include "recording/counted.h"

#include "error.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace recording {

namespace {

template <class Instruction>
const Instruction* find(const std::vector<Instruction>& all, std::size_t kernel, uint32_t address)
{
    const auto place = [](const Instruction& one) { return std::pair(one.kernel, one.address); };
    const auto found = std::ranges::lower_bound(all, std::pair(kernel, address), {}, place);
    return found != all.end() && place(*found) == std::pair(kernel, address) ? &*found : nullptr;
}

} // namespace

const InstructionCount* InstructionCounters::at(std::size_t kernel, uint32_t address) const
{
    return find(instructions, kernel, address);
}

uint64_t WarpSamples::kept() const
{
    uint64_t sum = 0;
    for (const WarpSample& one : samples)
        sum += one.warps;
    return sum;
}

const RunInstruction* RunProfile::at(std::size_t kernel, uint32_t address) const
{
    return find(instructions, kernel, address);
}

uint64_t RunProfile::executed() const
{
    uint64_t sum = 0;
    for (const RunInstruction& one : instructions)
        sum += one.executed;
    return sum;
}

void check(const RunProfile& run)
{
    const auto place = [](const RunInstruction& one) { return std::pair(one.kernel, one.address); };
    if (std::ranges::adjacent_find(run.instructions, std::ranges::greater_equal{}, place) != run.instructions.end())
        throw kernels::Error("the instructions that ran are not in order");
    if (!run.samples)
        return;
    const WarpSamples& taken = *run.samples;
    const auto sample = [](const WarpSample& one) { return std::tuple(one.kernel, one.address, one.state); };
    if (std::ranges::adjacent_find(taken.samples, std::ranges::greater_equal{}, sample) != taken.samples.end())
        throw kernels::Error("the samples of warps are not in order");
    if (std::ranges::any_of(taken.samples, [&](const WarpSample& one) { return one.state >= taken.states.size(); }))
        throw kernels::Error("a sample has a state that has no name");
}

} // namespace recording
