#include "cpu/async_copies.h"

#include <cstring>

namespace cpu {

void AsyncCopies::wait(std::size_t pending)
{
    if (groups_.size() <= pending)
        return;
    const auto complete = groups_.end() - static_cast<std::ptrdiff_t>(pending);
    const std::size_t count = complete[-1];
    for (std::size_t i = 0; i < count; ++i) {
        const AsyncCopy& copy = copies_[i];
        if (copy.from)
            std::memcpy(copy.to, copy.from, copy.bytes);
        else
            std::memset(copy.to, 0, copy.bytes);
    }
    copies_.erase(copies_.begin(), copies_.begin() + static_cast<std::ptrdiff_t>(count));
    groups_.erase(groups_.begin(), complete);
    for (std::size_t& end : groups_)
        end -= count;
}

void AsyncCopies::clear()
{
    copies_.clear();
    groups_.clear();
}

} // namespace cpu
