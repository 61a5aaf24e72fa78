#include "viz/analysis/counterpart.h"

#include "viz/analysis/access.h"
#include "viz/analysis/timeline.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace viz {

namespace {

using recording::Access;

struct Kind {
    recording::Op op;
    std::string_view array;
    friend bool operator==(const Kind&, const Kind&) = default;
};

// A copy fills a shared tile like a store, and a tensor core's load reads one like a load.
Kind kind_of(const recording::Recording& recording, const Access& access)
{
    using recording::Op;
    const bool fills =
        access.op == Op::async_store || (access.op == Op::bulk_store && is_bulk_fill(recording.arrays, access));
    Kind kind{fills ? Op::shared_store : recording::counted_as(access.op).value_or(access.op), {}};
    if (recording::has_addresses(access) && access.array < recording.arrays.size())
        kind.array = ring_name(recording.arrays[access.array]);
    return kind;
}

std::vector<std::size_t> steps_of(const WarpOf& of, const Kind& kind)
{
    std::vector<std::size_t> steps;
    for (std::size_t i = 0; i < of.warp.accesses.size(); ++i)
        if (kind_of(of.recording, of.warp.accesses[i]) == kind)
            steps.push_back(i);
    return steps;
}

} // namespace

std::size_t counterpart(const WarpOf& first, std::size_t step, const WarpOf& second)
{
    const std::vector<Access>& ours = first.warp.accesses;
    const std::vector<Access>& theirs = second.warp.accesses;
    if (step >= ours.size())
        return step;
    const Kind kind = kind_of(first.recording, ours[step]);
    if (ours.size() == theirs.size() && kind_of(second.recording, theirs[step]) == kind)
        return step;
    const std::vector<std::size_t> from = steps_of(first, kind), to = steps_of(second, kind);
    if (to.empty())
        return step;
    const auto before = static_cast<std::size_t>(std::ranges::lower_bound(from, step) - from.begin());
    return to[before * to.size() / from.size()];
}

std::optional<std::size_t> nearest_like(const WarpOf& first, std::size_t step, const WarpOf& second, std::size_t near)
{
    const Kind kind = kind_of(first.recording, first.warp.accesses[step]);
    return nearest_step(second.warp, near,
                        [&](std::size_t i) { return kind_of(second.recording, second.warp.accesses[i]) == kind; });
}

} // namespace viz
