#include "cpu/warp_meeting.h"

#include "error.h"

#include <fmt/format.h>

#include <bit>

namespace cpu {

void WarpBuffer::add(uint32_t lane, const recording::Access& made, uint64_t offset, bool active)
{
    recording::Access& entry = entries_[count_[lane]++];
    if (count_[lane] > used_) {
        entry = made;
        used_ = count_[lane];
    } else if (entry.line != made.line || entry.op != made.op || entry.array != made.array ||
               entry.width != made.width || entry.transposed != made.transposed) {
        throw kernels::Error(fmt::format("The lanes of a warp part ways: lane {} is at line {} while another is at "
                                         "line {}. Guard the access instead of branching around it.",
                                         lane, made.line, entry.line));
    }
    if (active) {
        entry.mask |= 1u << lane;
        entry.offset[lane] = static_cast<uint32_t>(offset);
    }
}

void WarpBuffer::clear()
{
    used_ = 0;
    count_.fill(0);
}

namespace {

bool has_lane(uint32_t lanes, uint32_t lane)
{
    return (lanes >> lane & 1) != 0;
}

} // namespace

void WarpMeeting::arrive(uint32_t lane, const Collective& collective, void* operands)
{
    arrivals_[lane] = {collective, operands};
    waiting_ |= 1u << lane;
}

bool WarpMeeting::has_come(uint32_t lane, const Collective& collective) const
{
    return is_here(lane) && arrivals_[lane].collective == collective;
}

bool WarpMeeting::is_complete(const Collective& collective) const
{
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        if (has_lane(collective.lanes, lane) && !has_come(lane, collective))
            return false;
    return true;
}

uint32_t WarpMeeting::release()
{
    uint32_t released = 0;
    for (uint32_t first = 0; first < recording::warp_size; ++first) {
        const Collective collective = arrivals_[first].collective;
        if (!is_here(first) || !is_complete(collective))
            continue;
        std::array<void*, recording::warp_size> operands{};
        for (uint32_t lane = first; lane < recording::warp_size; ++lane)
            if (has_lane(collective.lanes, lane))
                operands[lane] = arrivals_[lane].operands;
        collective.exchange(collective, operands);
        released |= collective.lanes;
        waiting_ &= ~collective.lanes;
    }
    return released;
}

std::string WarpMeeting::explain(const std::function<std::string(uint32_t lane)>& elsewhere) const
{
    const auto waiting = static_cast<uint32_t>(std::countr_zero(waiting_));
    const Collective& collective = arrivals_[waiting].collective;
    uint32_t missing = 0;
    while (!has_lane(collective.lanes, missing) || has_come(missing, collective))
        ++missing;
    const std::string what = is_here(missing) ? fmt::format("is at line {} ({})", arrivals_[missing].collective.line,
                                                            arrivals_[missing].collective.name)
                                              : elsewhere(missing);
    return fmt::format(
        "The lanes of a warp part ways: lane {} is at line {} ({}) while lane {} {}. All lanes that take "
        "part in a {} must come to it together: take it out of the branch or the loop that some of them "
        "leave.",
        waiting, collective.line, collective.name, missing, what, collective.name);
}

} // namespace cpu
