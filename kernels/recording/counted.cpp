#include "recording/counted.h"

#include <algorithm>
#include <utility>

namespace recording {

const InstructionCount* InstructionCounters::at(std::size_t kernel, uint32_t address) const
{
    const auto place = [](const InstructionCount& one) { return std::pair(one.kernel, one.address); };
    const auto found = std::lower_bound(instructions.begin(), instructions.end(), std::pair(kernel, address),
                                        [&](const auto& one, const auto& key) { return place(one) < key; });
    return found != instructions.end() && place(*found) == std::pair(kernel, address) ? &*found : nullptr;
}

} // namespace recording
