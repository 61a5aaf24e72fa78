#include "viz/views/50_occupancy/waits_chart.h"

#include "viz/analysis/waits.h"
#include "viz/ladder_facts.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace viz {

namespace {

struct Side {
    const StageColumn* stage = nullptr;
    const CountedRun* run = nullptr;
    Waits waits;
};

// Returns the states that any stage waits for, the largest share first.
std::vector<std::string> states_of(const std::vector<Side>& sides)
{
    std::vector<std::string> states;
    for (const Side& side : sides)
        for (const WaitCount& count : side.waits.waits)
            if (std::ranges::find(states, count.state) == states.end())
                states.push_back(count.state);
    const auto largest = [&](const std::string& state) {
        double share = 0;
        for (const Side& side : sides)
            share = std::max(share, side.waits.share_of(state));
        return share;
    };
    std::ranges::stable_sort(states, std::ranges::greater{}, largest);
    return states;
}

// Returns the lines of the first stage, whose source is shown.
std::vector<LineWait> lines_of(const std::vector<Side>& sides, const std::string& state)
{
    return sides[0].stage->number == 0 ? lines_waiting(*sides[0].run->run, state) : std::vector<LineWait>();
}

Rich tip_of(const std::vector<Side>& sides, const std::string& state)
{
    std::vector<Rich> said{rich("*{}*: {}.", state_name(state), state_words(state))};
    for (const Side& side : sides)
        said.push_back(rich("{} **{}**", side.stage->slug, share(side.waits.share_of(state))));
    constexpr std::size_t most_named = 3;
    std::vector<LineWait> lines = lines_of(sides, state);
    lines.resize(std::min(lines.size(), most_named));
    for (const LineWait& one : lines)
        said.push_back(rich("line {} **{}**", index(one.line), share(one.share)));
    return in_lines(std::move(said));
}

// Selects the next line after the selected one.
void select_next(Selection& selection, const std::vector<LineWait>& lines)
{
    const auto now = std::ranges::find(lines, selection.line.value_or(0), &LineWait::line);
    selection.line = now == lines.end() || now + 1 == lines.end() ? lines.front().line : (now + 1)->line;
}

} // namespace

const CountedRun* sampled_run(const LadderFacts& ladder_facts, const StageColumn& stage)
{
    const CountedRun* const run = stage.recording != nullptr ? ladder_facts.run_of(*stage.recording) : nullptr;
    return run != nullptr && run->run->samples ? run : nullptr;
}

bool has_waits(const LadderFacts& ladder_facts, std::span<const OccupancyCase> cases)
{
    return std::ranges::any_of(
        cases, [&](const OccupancyCase& one) { return sampled_run(ladder_facts, *one.stage) != nullptr; });
}

Panel waits_panel(const LadderFacts& ladder_facts, std::span<const OccupancyCase> cases, const Theme& theme,
                  const Box& box)
{
    std::vector<Side> sides;
    for (const OccupancyCase& one : cases)
        if (const CountedRun* run = sampled_run(ladder_facts, *one.stage))
            sides.push_back({one.stage, run, waits_of(*run->run)});
    BarLayer bars{.name = "waits"};
    for (const std::string& state : states_of(sides)) {
        BarLayer::Bar bar{.name = std::string(state_name(state)), .id = state};
        for (const Side& side : sides) {
            const double part = side.waits.share_of(state);
            bar.parts.push_back({side.stage->slug, part, percent(part), theme.accent(side.stage->number)});
        }
        bar.tip = [sides, state] { return tip_of(sides, state); };
        if (!lines_of(sides, state).empty())
            bar.click = [lines = lines_of(sides, state)](const ViewScene& scene) {
                select_next(scene.selection, lines);
            };
        bars.bars.push_back(std::move(bar));
    }
    return {.id = "waits",
            .box = box,
            .title = "what warps wait for",
            .origin = NumberOrigin::counter,
            .layers = {std::move(bars)}};
}

Rich stage_wait_words(const LadderFacts& ladder_facts, const StageColumn& stage)
{
    const CountedRun* const run = sampled_run(ladder_facts, stage);
    if (run == nullptr)
        return {};
    return joined({rich("*What warps of {} wait for at {}.*", stage.slug, size_words(run->problem)),
                   reason_words(waits_of(*run->run)), sample_words(*run->run->samples)});
}

} // namespace viz
