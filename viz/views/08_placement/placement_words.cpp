#include "viz/views/08_placement/placement_words.h"

#include "viz/analysis/ownership.h"
#include "viz/text/figures.h"
#include "viz/views/08_placement/placement_chart.h"

#include <fmt/format.h>

#include <algorithm>

namespace viz {

using recording::Recording;

namespace {

constexpr double schedulers = 4; // of each SM

std::string decimals(double value)
{
    return value < 10 ? fmt::format("{:.2f}", value) : fmt::format("{:.1f}", value);
}

} // namespace

Prose waves_words(const Theme& theme, const Recording& recording, const PlacementPicture& picture)
{
    Prose prose(theme);
    const double warps = picture.slots * picture.warps_per_block / schedulers;
    const uint32_t plain = recording.resources ? recording.resources->blocks_per_sm : 0;
    prose.figure(counted(picture.blocks.size(), "block"))
        .say(fmt::format(" of {} on ", counted(picture.warps_per_block, "warp")));
    prose.figure(fmt::format("{} of {} SMs", picture.sms_used, picture.sms));
    prose.say(", at most ").figure(std::to_string(picture.slots)).say(" at once on one: ");
    prose.figure(fmt::format("{:.3g}", warps))
        .say(warps == 1 ? " warp" : " warps")
        .say(" for each of its 4 schedulers. ");
    if (picture.fills() >= 1) {
        prose.say("The launch fills the GPU ").figure(decimals(picture.fills())).say(" times: ");
        prose.figure(counted(static_cast<uint64_t>(picture.fills() + (picture.last_fill() < 1 ? 1 : 0)), "wave"));
        prose.say(", the last one ").figure(percent(picture.last_fill())).say(" full.");
    } else {
        // Few blocks do not show how many an SM could hold; the driver told for the plain kernel.
        const double room = double{1} * picture.sms * std::max(picture.slots, plain);
        prose.say("That is ")
            .figure(percent(static_cast<double>(picture.blocks.size()) / room))
            .say(" of what the GPU could hold at once: one wave. ");
        if (picture.sms_used < picture.sms)
            prose.figure(counted(picture.sms - picture.sms_used, "SM"))
                .say(" get no block; more and smaller blocks, or K split over several, would reach them.");
    }
    if (plain > picture.slots && picture.fills() >= 1)
        prose.say(fmt::format(" The plain kernel, which needs fewer registers, could have {} at once.", plain));
    return prose;
}

Prose balance_words(const Theme& theme, const Recording& recording, const PlacementPicture& picture)
{
    Prose prose(theme);
    if (picture.shortest_ns == picture.longest_ns)
        prose.say("Its block takes ").figure(time_words(static_cast<double>(picture.longest_ns))).say(". ");
    else
        prose.say("A block takes ")
            .figure(time_words(static_cast<double>(picture.shortest_ns)))
            .say(" to ")
            .figure(time_words(static_cast<double>(picture.longest_ns)))
            .say(", half of them less than ")
            .figure(time_words(static_cast<double>(picture.median_ns)))
            .say(". ");
    if (picture.blocks.size() > 1)
        prose.say("The tail, when no block waits any more and SMs run dry: the last ")
            .figure(time_words(static_cast<double>(picture.tail_ns)))
            .say(" of ")
            .figure(time_words(static_cast<double>(picture.span_ns)))
            .say(". ");
    prose.say("For ").figure(percent(picture.idle_share)).say(" of the time of all SMs no block was there. ");
    if (picture.in_full > 0 && picture.in_full < picture.blocks.size())
        prose.faint(fmt::format("{}, outlined, {} recorded in full and slower for it; shortest and longest are of the "
                                "others. ",
                                counted(picture.in_full, "block"), picture.in_full == 1 ? "was" : "were"));
    prose.faint(fmt::format("Times are those of the recorded run on {}: it writes down what it does, so it is slower "
                            "than the plain kernel.",
                            recording.device.name));
    return prose;
}

Prose wave_legend(const Theme& theme, const PlacementPicture& picture)
{
    Prose prose(theme);
    prose.say("SMs downwards, time to the right. ");
    constexpr uint32_t most = 9;
    for (uint32_t wave = 0; wave < std::min(picture.waves, most); ++wave)
        prose.swatch(wave_colour(theme, wave)).say(fmt::format("{}{}", wave == 0 ? "wave " : "", wave + 1)).say("  ");
    if (picture.waves > most)
        prose.say(fmt::format("and so on to {}, in the same colours again. ", picture.waves));
    prose.faint("Below: blocks resident on all SMs together.");
    return prose;
}

std::string block_words(const Recording& recording, const PlacedBlock& block)
{
    const recording::Index3 index = index_of(block.block, recording.launch.grid);
    const std::string name = recording.launch.grid.z > 1 ? fmt::format("({},{},{})", index.x, index.y, index.z)
                                                         : fmt::format("({},{})", index.x, index.y);
    return fmt::format("block {}, number {}, on SM {}: wave {}, {} to {}, {} long{}", name, block.block, block.sm,
                       block.wave + 1, time_words(static_cast<double>(block.start_ns)),
                       time_words(static_cast<double>(block.end_ns)), time_words(static_cast<double>(block.duration())),
                       block.in_full ? ", recorded in full" : "");
}

} // namespace viz
