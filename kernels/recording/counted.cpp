#include "recording/counted.h"

#include <algorithm>
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

} // namespace recording
