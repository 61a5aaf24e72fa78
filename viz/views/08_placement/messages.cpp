#include "viz/views/08_placement/messages.h"

#include "viz/analysis/hierarchy.h"
#include "viz/analysis/k_tiles.h"
#include "viz/analysis/occupancy.h"
#include "viz/analysis/ownership.h"
#include "viz/text/figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace viz {

using recording::Recording;
using recording::Resources;

namespace {

constexpr double schedulers = 4; // of each SM

Quantity time(uint64_t ns)
{
    return nanoseconds(static_cast<double>(ns));
}

Quantity milliseconds(double ms)
{
    return nanoseconds(ms * 1e6);
}

// Why where its blocks ran is known, and when they do in the timed kernel is not. `others`: a shipped launch is offered.
Message no_times(const Recording& recording, recording::Untimed why, bool others)
{
    const recording::PlacedRun run = recording.placed.value_or(recording::PlacedRun{});
    switch (why) {
    case recording::Untimed::instrumented: return {"placement.instrumented", {{"others", others}}};
    case recording::Untimed::other_residency:
        return {"placement.other_residency",
                {{"resident", run.resources.blocks_per_sm},
                 {"plain", recording.resources.value_or(Resources{}).blocks_per_sm},
                 {"others", others}}};
    case recording::Untimed::other_time:
        return {"placement.other_time",
                {{"placed", milliseconds(run.placed_ms)},
                 {"plain", milliseconds(run.plain_ms)},
                 {"most", share(recording::placed_tolerance)},
                 {"others", others}}};
    }
    return {};
}

} // namespace

Message headline(const PlacementPicture& picture)
{
    if (picture.sms_used < picture.sms)
        return {"placement.head_empty",
                {{"blocks", picture.blocks.size()},
                 {"empty", Value(picture.sms - picture.sms_used).as(Meaning::conflict)},
                 {"sms", picture.sms}}};
    return {"placement.head_idle",
            {{"blocks", picture.blocks.size()},
             {"sms", picture.sms},
             {"idle", Value(share(picture.idle_share)).as(Meaning::conflict)}}};
}

Message race_headline(const LaunchRunner& own, const LaunchRunner& other, double ns,
                      const recording::Measured<double>& timed)
{
    Messages without;
    if (timed && timed.from().problem)
        without.push_back(
            {"placement.race_timed",
             {{"gflops", Value(number(*timed)).as(Meaning::strong)}, {"size", size_words(*timed.from().problem)}}});
    if (ns < own.finish()) {
        Messages words{{"placement.race_ends", {{"time", nanoseconds(own.finish())}}}};
        words.insert(words.end(), without.begin(), without.end());
        return {"placement.race_under_way", {{"share", share(own.done(ns))}, {"beside", words}}};
    }
    const Quantity time = nanoseconds(own.finish());
    if (own.finish() <= other.finish())
        return {"placement.race_won",
                {{"time", time}, {"sooner", nanoseconds(other.finish() - own.finish())}, {"timed", without}}};
    return {"placement.race_lost",
            {{"time", time}, {"times", number(own.finish() / other.finish())}, {"timed", without}}};
}

Messages race_messages(const Recording& first, const Recording& second, const std::pair<Speed, Speed>& timed)
{
    if (!first.placed || !second.placed)
        return {};
    Messages without;
    if (timed.first.gflops && timed.second.gflops && timed.first.gflops.from().problem)
        without.push_back({"placement.race_without",
                           {{"first", Value(number(*timed.first.gflops)).as(of_column(0))},
                            {"second", Value(number(*timed.second.gflops)).as(of_column(1))},
                            {"size", size_words(*timed.first.gflops.from().problem)}}});
    return {{"placement.race_clock",
             {{"first", milliseconds(first.placed->plain_ms)},
              {"first_placed", milliseconds(first.placed->placed_ms)},
              {"second", milliseconds(second.placed->plain_ms)},
              {"second_placed", milliseconds(second.placed->placed_ms)},
              {"without", without}}}};
}

Message no_race(const Recording& own, const Recording& other)
{
    return {"placement.no_race", {{"own", size_words(own.problem)}, {"other", size_words(other.problem)}}};
}

Messages wave_messages(const Recording& recording, const PlacementPicture& picture)
{
    const uint32_t plain = blocks_per_sm(recording).value().value_or(0);
    Messages messages{{"placement.launch",
                       {{"blocks", picture.blocks.size()},
                        {"warps", picture.warps_per_block},
                        {"used", picture.sms_used},
                        {"sms", picture.sms},
                        {"slots", picture.slots},
                        {"per_scheduler", rounded(picture.slots * picture.warps_per_block / schedulers)}}}};
    if (picture.fills() >= 1) {
        messages.push_back({"placement.fills",
                            {{"times", number(picture.fills())},
                             {"waves", static_cast<uint64_t>(picture.fills() + (picture.last_fill() < 1 ? 1 : 0))},
                             {"last", share(picture.last_fill())}}});
        if (const auto fillings = static_cast<uint64_t>(picture.fills() + (picture.last_fill() < 1 ? 1 : 0));
            picture.waves > fillings)
            messages.push_back({"placement.turns", {{"turns", picture.waves}}});
        return messages;
    }
    // Few blocks do not show how many an SM could hold; the driver says it.
    const double room = double{1} * picture.sms * std::max(picture.slots, plain);
    messages.push_back({"placement.one_wave", {{"share", share(static_cast<double>(picture.blocks.size()) / room)}}});
    if (picture.sms_used < picture.sms)
        messages.push_back({"placement.empty_sms", {{"sms", picture.sms - picture.sms_used}}});
    return messages;
}

Messages balance_messages(const Recording& recording, const PlacementPicture& picture)
{
    Messages messages;
    if (picture.shortest_ns == picture.longest_ns)
        messages.push_back({"placement.block_takes", {{"time", time(picture.longest_ns)}}});
    else
        messages.push_back({"placement.blocks_take",
                            {{"shortest", time(picture.shortest_ns)},
                             {"longest", time(picture.longest_ns)},
                             {"median", time(picture.median_ns)}}});
    if (picture.blocks.size() > 1)
        messages.push_back({"placement.tail", {{"tail", time(picture.tail_ns)}, {"span", time(picture.span_ns)}}});
    messages.push_back({"placement.idle", {{"share", share(picture.idle_share)}}});
    if (picture.in_full > 0 && picture.in_full < picture.blocks.size())
        messages.push_back({"placement.in_full", {{"blocks", picture.in_full}}});
    if (const auto& run = recording.placed)
        messages.push_back({"placement.times",
                            {{"gpu", recording.device.name},
                             {"placed", milliseconds(run->placed_ms)},
                             {"plain", milliseconds(run->plain_ms)},
                             {"registers", run->resources.registers_per_thread},
                             {"plain_registers", recording.resources.value_or(Resources{}).registers_per_thread},
                             {"resident", run->resources.blocks_per_sm}}});
    if (leaves_parts(recording))
        messages.push_back({"placement.parts"});
    return messages;
}

Message idle_message(const PlacementPicture& picture, double ns)
{
    const std::vector<uint32_t> idle = idle_sms(picture, static_cast<uint64_t>(ns));
    if (idle.empty())
        return {"placement.none_idle", {{"time", nanoseconds(ns)}}};
    return {"placement.idle_now",
            {{"time", nanoseconds(ns)},
             {"count", idle.size()},
             {"sms", fmt::format("{}", fmt::join(number_runs(idle), ", "))}}};
}

Message idle_sm_message(const PlacementPicture& picture, uint32_t sm, double ns)
{
    return {"placement.idle_sm",
            {{"sm", index(sm)}, {"time", nanoseconds(ns)}, {"blocks", picture.first[sm + 1] - picture.first[sm]}}};
}

Message block_message(const Recording& recording, const PlacedBlock& block)
{
    const recording::Index3& grid = recording.launch.grid;
    if (recording::why_untimed(recording))
        return {"placement.block_untimed",
                {{"block", index_text(index_of(block.block, grid), grid)},
                 {"number", index(block.block)},
                 {"sm", block.sm},
                 {"in_full", block.in_full}}};
    return {"placement.block",
            {{"block", index_text(index_of(block.block, grid), grid)},
             {"number", index(block.block)},
             {"sm", block.sm},
             {"wave", block.wave + 1},
             {"from", time(block.start_ns)},
             {"until", time(block.end_ns)},
             {"time", time(block.duration())},
             {"in_full", block.in_full}}};
}

Message no_placement(const Recording& recording, Elsewhere others)
{
    if (recording.placements.empty() && others == Elsewhere::behind_tiny)
        return {"placement.in_tiny"};
    if (recording.placements.empty() && recording.executed && others == Elsewhere::nowhere)
        return {"placement.executed", {{"kernel", recording.executed->kernel}}};
    if (recording.placements.empty())
        return {"placement.on_cpu", {{"others", others == Elsewhere::above}}};
    if (const auto why = recording::why_untimed(recording))
        return no_times(recording, *why, others == Elsewhere::above);
    const auto last = std::ranges::max_element(recording.placements, {}, &recording::Placement::sm);
    return {"placement.impossible", {{"sm", index(last->sm)}, {"sms", index(recording.device.sm_count)}}};
}

} // namespace viz
