#include "viz/views/45_reuse/working_set.h"

#include "viz/analysis/gpu_levels.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace viz {

namespace {

class WorkingSetPanels {
public:
    WorkingSetPanels(const ViewFrame& of, std::span<const ReuseStage> shown) : frame(of), theme(of.theme), stages(shown)
    {
    }

    void add_to(Figure& figure, const Box& place) const
    {
        const uint64_t l1 = l1_bytes();
        const float hits = (1 + static_cast<float>(stages.size())) * draw::row_height(theme, 6);
        const std::vector<Box> parts = rows(place, {share_of_rest(), pixels(hits)}, theme.px(4));
        BarLayer bars{.name = "set", .on_ground = true};
        const auto add = [&](const char* name, auto bytes_of, Tip tip) {
            BarLayer::Bar bar{.name = name, .tip = std::move(tip)};
            for (const ReuseStage& one : stages)
                if (const WorkingSet& set = one.reuse().working_set; set.k > 0) {
                    const uint64_t bytes = bytes_of(set);
                    const bool over = l1 > 0 && bytes > l1;
                    bar.parts.push_back({one.stage.slug,
                                         bytes > 0 ? std::optional(static_cast<double>(bytes)) : std::nullopt,
                                         bytes_words(static_cast<double>(bytes)),
                                         over ? theme.warning : theme.accent(one.stage.number)});
                }
            bars.bars.push_back(std::move(bar));
        };
        add(
            "warp", [](const WorkingSet& set) { return set.warp; },
            [] {
                return rich("Of A and B, in whole sectors: what the busiest warp touches of global memory meanwhile.");
            });
        add(
            "block", [](const WorkingSet& set) { return set.block; },
            [] { return rich("Of A and B, in whole sectors: what the block touches of global memory meanwhile."); });
        add(
            "SM", [](const WorkingSet& set) { return set.sm(); },
            [known = stages.front().reuse().working_set.blocks > 0] {
                return known ? rich("At most, with all blocks that are resident on an SM; what two of them share "
                                    "counts twice.")
                             : rich("How many blocks an SM holds is not known: this was recorded on the CPU.");
            });
        BarLayer::Bar cache{.name = "L1"};
        const WorkingSet& first = stages.front().reuse().working_set;
        const uint64_t taken = first.tiles * std::max(first.blocks, 1u);
        cache.parts = {{"", l1 > 0 ? std::optional(static_cast<double>(l1)) : std::nullopt,
                        bytes_words(static_cast<double>(l1)), mix(theme.panel, theme.ink, 0.25f),
                        static_cast<double>(std::min(taken, l1))}};
        cache.tip = [l1, taken, why = frame.ladder_facts.gpu.not_here] {
            return l1 > 0 ? rich("**{}** of an SM are L1 and shared memory together; {} of them are tiles of resident "
                                 "blocks.",
                                 bytes(static_cast<double>(l1)), bytes(static_cast<double>(taken)))
                          : rich("The size of L1 is not known. {}", rich(in_sentences(why)));
        };
        bars.bars.push_back(std::move(cache));
        figure.panels.push_back({.id = "working set",
                                 .box = parts[0],
                                 .title = touched_title(),
                                 .origin = NumberOrigin::derived,
                                 .layers = {std::move(bars)}});
        add_hits(figure, parts[1]);
    }

private:
    // Returns the size of the memory that L1 and shared memory of an SM share; 0 if not known.
    uint64_t l1_bytes() const
    {
        if (frame.ladder_facts.gpu.properties)
            for (const MemoryLevel& level : memory_levels(*frame.ladder_facts.gpu.properties, nullptr))
                if (level.name == "L1")
                    return level.bytes;
        return 0;
    }

    // Names the time span: one k-tile, or one sector of A if there are no tiles.
    std::string touched_title() const
    {
        const uint32_t k = stages.front().reuse().working_set.k;
        const bool same =
            std::ranges::all_of(stages, [&](const ReuseStage& one) { return one.reuse().working_set.k == k; });
        return same ? fmt::format("touched for {} values of k", k) : "touched for one k-tile";
    }

    // Shows counted L1 hits. The line marks the requests that the same block repeats, which is the maximum.
    void add_hits(Figure& figure, const Box& place) const
    {
        BarLayer bars{.name = "hits", .most = 1, .on_ground = true};
        std::set<std::string> sizes;
        for (const ReuseStage& one : stages) {
            const WorkingSet& set = one.reuse().working_set;
            const HardwareFigures* const counted = one.counted();
            const std::optional<double> hits = counted != nullptr ? counted->l1_hits : std::nullopt;
            if (hits)
                sizes.insert(size_words(counted->problem));
            const bool evicted = hits && reuse_in_l1(set, *hits) == L1Reuse::evicted;
            bars.bars.push_back(
                {.name = stages.size() > 1 ? one.stage.slug : "L1",
                 .parts = {{"", hits, hits ? percent(*hits) : "", evicted ? theme.warning : theme.good}},
                 .limits = {{.name = "again:" + one.stage.slug, .value = set.again()}},
                 .tip = [set, hits, how = hits_said(one.rung)] {
                     return joined({hits_words(set, hits), how});
                 }});
        }
        const std::string title = sizes.empty()       ? "L1 hits, not counted"
                                  : sizes.size() == 1 ? "L1 hits at " + *sizes.begin()
                                                      : "L1 hits";
        figure.panels.push_back({.id = "L1 hits",
                                 .box = place,
                                 .title = title,
                                 .origin = NumberOrigin::counter,
                                 .layers = {std::move(bars)}});
    }

    // Uses the largest counted launch, because in a small launch L1 holds everything.
    static Rich hits_said(const StageFacts* rung)
    {
        if (const HardwareFigures* const counted = largest_counted(rung))
            return rich("Counted at {}, {}.", size_words(counted->problem), how_had(counted->from));
        return rung != nullptr && !rung->not_counted.empty() ? rich(in_sentences(rung->not_counted))
                                                             : rich("The view \"Global memory\" has the GPU count it.");
    }

    static Rich hits_words(const WorkingSet& set, const std::optional<double>& hits)
    {
        if (!hits)
            return rich(
                "**{}** of the sectors that a block asks for, it asks for again. How many L1 had was not counted.",
                share(set.again()));
        switch (reuse_in_l1(set, *hits)) {
        case L1Reuse::nothing_again:
            return rich("The block asks for each sector once. L1 had **{}**, of what other blocks had asked for.",
                        share(*hits));
        case L1Reuse::kept:
            return rich("The block asks for **{}** of its sectors again. L1 had **{}**: they were still there.",
                        share(set.again()), share(*hits));
        case L1Reuse::evicted: break;
        }
        return rich("The block asks for **{}** of its sectors again. L1 had only **{}**: the rest was evicted before.",
                    share(set.again()), share(*hits));
    }

    const ViewFrame& frame;
    const Theme& theme;
    std::span<const ReuseStage> stages;
};

} // namespace

void add_working_set(Figure& figure, const ViewFrame& frame, std::span<const ReuseStage> stages, const Box& place)
{
    WorkingSetPanels(frame, stages).add_to(figure, place);
}

} // namespace viz
