#include "viz/analysis/pipeline.h"

#include "viz/analysis/access.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <set>

namespace viz {

using recording::Access;
using recording::Op;
using recording::Recording;
using Bar = PipelineBar;

namespace {

// For each mbarrier: the ticks at which warps first saw its phases completed.
using Arrivals = std::map<uint32_t, std::vector<std::size_t>>;

class WarpBars {
public:
    WarpBars(const Recording& recording, const recording::BlockTrace& block, const BlockOrder& order_, uint32_t warp_,
             const Arrivals& arrivals_)
        : arrays(recording.arrays), trace(block.warps[warp_]), order(order_), arrivals(arrivals_), warp(warp_),
          brought(brought_by_step(recording, trace)), all(phases(recording, trace))
    {
    }

    // Returns the copies in the order in which they begin.
    std::vector<Bar> copies()
    {
        for (std::size_t step = 0; step < trace.accesses.size(); ++step)
            take(step);
        for (const std::vector<Bar>& rest : {std::vector<Bar>(groups.begin(), groups.end()), open})
            for (Bar bar : rest)
                if (bar.k_tile >= 0) {
                    bar.awaited = false;
                    found.push_back(bar);
                }
        std::stable_sort(found.begin(), found.end(), [](const Bar& a, const Bar& b) { return a.from < b.from; });
        return found;
    }

    std::vector<Bar> waits() const
    {
        std::vector<Bar> bars;
        for (std::size_t step = 0; step < trace.accesses.size(); ++step) {
            const Op op = trace.accesses[step].op;
            if (op != Op::barrier && op != Op::wait && op != Op::async_wait)
                continue;
            Bar bar = bar_at(op == Op::barrier ? Bar::Kind::barrier : Bar::Kind::wait, step);
            bar.from = step == 0 ? 0 : tick(step - 1) + 1;
            bars.push_back(bar);
        }
        return bars;
    }

    std::vector<Bar> work() const
    {
        std::vector<Bar> bars;
        for (const Phase& phase : all) {
            if (phase.kind != PhaseKind::compute && phase.kind != PhaseKind::store)
                continue;
            Bar bar = bar_at(phase.kind == PhaseKind::compute ? Bar::Kind::compute : Bar::Kind::store, phase.first);
            bar.end = tick(phase.first + phase.count - 1) + 1;
            bar.k_tile = phase.kind == PhaseKind::compute ? phase.k_tile : -1;
            bars.push_back(bar);
        }
        return bars;
    }

    const std::vector<Phase>& phases_of_warp() const { return all; }

private:
    std::size_t tick(std::size_t step) const { return order.tick(warp, step); }
    Bar bar_at(Bar::Kind kind, std::size_t step) const
    {
        return {
            .kind = kind, .from = tick(step), .end = tick(step) + 1, .step = step, .line = trace.accesses[step].line};
    }

    void take(std::size_t step)
    {
        const Access& access = trace.accesses[step];
        switch (access.op) {
        case Op::global_load:
            if (access.array != array_C && phase_at(all, step).kind == PhaseKind::load)
                begin(step);
            break;
        case Op::async_load: begin(step); break;
        case Op::shared_store: stored(step); break;
        case Op::async_store: grow(step); break;
        case Op::bulk_store:
            if (is_bulk_fill(arrays, access))
                grow(step);
            break;
        case Op::async_commit:
            groups.push_back(open.empty() ? Bar{} : open.back()); // a group without copies counts too
            open.clear();
            break;
        case Op::async_wait:
            for (; groups.size() > access.width; groups.pop_front())
                close(groups.front(), tick(step) + 1);
            break;
        case Op::arrive: expected = access.mask != 0 ? std::optional(lowest_lane_offset(access)) : std::nullopt; break;
        case Op::bulk_load:
            if (expected) { // the first copy after the arrival that announces its bytes
                begin(step);
                const std::size_t phase = announced[*expected]++;
                const auto seen = arrivals.find(*expected);
                if (seen != arrivals.end() && phase < seen->second.size())
                    open.back().end = seen->second[phase] + 1;
                else
                    open.back().awaited = false;
                expected.reset();
            }
            break;
        default: break;
        }
    }

    void begin(std::size_t step)
    {
        if (open.empty() || trace.accesses[step].op == Op::bulk_load)
            open.push_back(bar_at(Bar::Kind::copy, step));
    }

    // Ends a copy through registers: the last loaded values are being stored.
    void stored(std::size_t step)
    {
        if (brought[step] < 0)
            return;
        if (!open.empty()) {
            open.back().k_tile = brought[step];
            close(open.back(), tick(step) + 1);
            open.clear();
        } else if (!found.empty() && found.back().k_tile == brought[step]) {
            found.back().end = tick(step) + 1;
        }
    }

    void grow(std::size_t step)
    {
        if (open.empty())
            return;
        open.back().k_tile = open.back().k_tile < 0 ? brought[step] : open.back().k_tile;
        open.back().end = std::max(open.back().end, tick(step) + 1);
        if (trace.accesses[step].op == Op::bulk_store && open.back().k_tile >= 0 &&
            (step + 1 == trace.accesses.size() || trace.accesses[step + 1].op != Op::bulk_load)) {
            found.push_back(open.back());
            open.clear();
        }
    }

    void close(Bar bar, std::size_t end)
    {
        if (bar.k_tile < 0)
            return;
        bar.end = end;
        found.push_back(bar);
    }

    const std::vector<recording::Array>& arrays;
    const recording::WarpTrace& trace;
    const BlockOrder& order;
    const Arrivals& arrivals;
    uint32_t warp;
    std::vector<int> brought;
    std::vector<Phase> all;
    std::vector<Bar> found, open; // `open` are being issued, at most one
    std::deque<Bar> groups;       // committed but not yet waited for
    std::optional<uint32_t> expected;
    std::map<uint32_t, std::size_t> announced; // number of announced phases, by mbarrier
};

Arrivals arrivals_of(const recording::BlockTrace& block, const BlockOrder& order)
{
    Arrivals arrivals;
    for (std::size_t warp = 0; warp < block.warps.size(); ++warp) {
        std::map<uint32_t, std::size_t> waited;
        for (std::size_t step = 0; step < block.warps[warp].accesses.size(); ++step) {
            const Access& access = block.warps[warp].accesses[step];
            if (access.op != Op::wait || access.mask == 0)
                continue;
            std::vector<std::size_t>& ticks = arrivals[lowest_lane_offset(access)];
            const std::size_t phase = waited[lowest_lane_offset(access)]++;
            if (phase == ticks.size())
                ticks.push_back(order.tick(warp, step));
            ticks[phase] = std::min(ticks[phase], order.tick(warp, step));
        }
    }
    return arrivals;
}

std::vector<std::vector<Bar>> in_rows(const std::vector<Bar>& bars)
{
    std::vector<std::vector<Bar>> rows;
    for (const Bar& bar : bars) {
        const auto free =
            std::ranges::find_if(rows, [&](const std::vector<Bar>& row) { return row.back().end <= bar.from; });
        if (free == rows.end())
            rows.push_back({bar});
        else
            free->push_back(bar);
    }
    return rows;
}

bool alike(const std::vector<Phase>& a, const std::vector<Phase>& b)
{
    return std::ranges::equal(a, b, [](const Phase& x, const Phase& y) {
        return x.kind == y.kind && x.count == y.count && x.fetched == y.fetched;
    });
}

bool meet(const Bar& a, const Bar& b)
{
    return a.from < b.end && b.from < a.end;
}

void count_overlaps(Pipeline& pipeline)
{
    std::set<int> overlapped;
    for (const PipelineRole& role : pipeline.roles)
        for (const Bar& work : role.work)
            for (const PipelineRole& other : pipeline.roles)
                for (const std::vector<Bar>& row : other.copies)
                    for (const Bar& copy : row)
                        if (work.k_tile >= 0 && copy.k_tile > work.k_tile && meet(work, copy))
                            overlapped.insert(work.k_tile);
    pipeline.overlapped = static_cast<int>(overlapped.size());
}

} // namespace

Pipeline pipeline_of(const Recording& recording, const recording::BlockTrace& block, const BlockOrder& order,
                     uint32_t chosen)
{
    Pipeline pipeline;
    pipeline.ticks = order.ticks();
    const bool shared = has_shared_tile(recording.arrays);
    const Arrivals arrivals = arrivals_of(block, order);
    std::vector<std::vector<Phase>> phases_of_role;
    for (uint32_t warp = 0; shared && warp < block.warps.size(); ++warp) {
        WarpBars bars(recording, block, order, warp, arrivals);
        pipeline.asynchronous |= std::ranges::any_of(block.warps[warp].accesses, [](const Access& access) {
            return access.op == Op::async_load || access.op == Op::bulk_load;
        });
        const auto known = std::ranges::find_if(phases_of_role,
                                                [&](const auto& other) { return alike(other, bars.phases_of_warp()); });
        const auto place = static_cast<std::size_t>(known - phases_of_role.begin());
        if (known == phases_of_role.end()) {
            phases_of_role.push_back(bars.phases_of_warp());
            pipeline.roles.emplace_back();
        }
        PipelineRole& role = pipeline.roles[place];
        role.warps.push_back(warp);
        if (role.warps.size() > 1 && warp != chosen)
            continue;
        role.shown = warp;
        role.copies = in_rows(bars.copies());
        role.waits = bars.waits();
        role.work = bars.work();
        pipeline.k_tiles = std::max(pipeline.k_tiles, k_tiles_of(bars.phases_of_warp()));
    }
    std::erase_if(pipeline.roles, [](const PipelineRole& role) { return role.copies.empty() && role.work.empty(); });
    count_overlaps(pipeline);
    return pipeline;
}

std::vector<TileState> tile_states(const Pipeline& pipeline, std::size_t tick)
{
    struct Span {
        std::size_t from = std::numeric_limits<std::size_t>::max(), end = 0;
    };
    const auto count = static_cast<std::size_t>(std::max(0, pipeline.k_tiles));
    std::vector<Span> copies(count), work(count); // from the first part to the last
    const auto widen = [&](std::vector<Span>& spans, const Bar& bar) {
        if (bar.k_tile < 0 || static_cast<std::size_t>(bar.k_tile) >= count)
            return;
        Span& span = spans[static_cast<std::size_t>(bar.k_tile)];
        span = {std::min(span.from, bar.from), std::max(span.end, bar.end)};
    };
    for (const PipelineRole& role : pipeline.roles) {
        for (const std::vector<Bar>& row : role.copies)
            for (const Bar& bar : row)
                widen(copies, bar);
        for (const Bar& bar : role.work)
            widen(work, bar);
    }
    std::vector<TileState> states(count, TileState::ahead);
    for (std::size_t i = 0; i < count; ++i) {
        if (work[i].from <= tick)
            states[i] = tick < work[i].end ? TileState::computed : TileState::done;
        else if (copies[i].from <= tick)
            states[i] = tick < copies[i].end ? TileState::copied : TileState::here;
    }
    return states;
}

double ticks_with_room(const Pipeline& pipeline, double numbers)
{
    std::vector<std::size_t> lengths;
    for (const PipelineRole& role : pipeline.roles)
        for (const Bar& bar : role.work)
            if (bar.kind == Bar::Kind::compute && bar.k_tile >= 0)
                lengths.push_back(bar.end - bar.from);
    const auto ticks = static_cast<double>(std::max<std::size_t>(1, pipeline.ticks));
    const double tiles = std::max(1, pipeline.k_tiles);
    double shown = ticks * numbers / tiles;
    if (!lengths.empty()) {
        const auto short_one = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 4);
        std::ranges::nth_element(lengths, short_one);
        shown = std::min(shown, static_cast<double>(*short_one) * numbers);
    }
    return std::min(ticks, std::max(shown, 2 * ticks / tiles));
}

std::optional<std::size_t> step_of_tile(const Pipeline& pipeline, uint32_t warp, int k_tile)
{
    const auto role = std::ranges::find(pipeline.roles, warp, &PipelineRole::shown);
    if (role == pipeline.roles.end())
        return {};
    if (const auto bar = std::ranges::find(role->work, k_tile, &Bar::k_tile); bar != role->work.end())
        return bar->step;
    for (const std::vector<Bar>& row : role->copies)
        if (const auto bar = std::ranges::find(row, k_tile, &Bar::k_tile); bar != row.end())
            return bar->step;
    return {};
}

} // namespace viz
