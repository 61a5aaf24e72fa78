#include "viz/views/50_occupancy/bytes_under_way.h"

#include "viz/draw/draw.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

constexpr float between_rows = 4; // pixels at scale 1

// Describes a launch with too few blocks to fill all slots.
Rich few_blocks(const WaitingCase& waiting, const HardwareFigures& figures)
{
    const GpuState& gpu = waiting.ladder_facts.gpu;
    if (!gpu.properties || !figures.occupancy)
        return {};
    const uint64_t blocks = blocks_at(*waiting.of.stage->recording, figures.problem);
    const uint64_t places = uint64_t{gpu.properties->sm_count} * waiting.of.now.blocks;
    if (blocks >= places || *figures.occupancy >= waiting.of.now.share)
        return {};
    return rich("That is less than the {} that fit: {} do not fill the {} places of {} SMs.",
                share(waiting.of.now.share), counted(blocks, "block"), places, gpu.properties->sm_count);
}

Rich counted_words(const WaitingCase& waiting)
{
    const HardwareFigures* figures = issue_figures(waiting.ladder_facts, *waiting.of.stage);
    if (figures == nullptr)
        return rich("> How often an SM found a warp that was ready, only counters tell: press p in the view of global "
                    "memory, on a GPU.");
    const Rich resident =
        figures->occupancy ? rich(", with **{}** of the warps resident", share(*figures->occupancy)) : Rich();
    return in_lines({joined({rich("At {} an SM issued **{}** warp instructions per cycle of at most 4{}.",
                                  size_words(figures->problem), with_decimals(*figures->issued_per_cycle, 2), resident),
                             rich("In the other turns no warp was ready."), few_blocks(waiting, *figures)}),
                     rich("> ({})", how_had(figures->from))});
}

// Explains that measurements and counters belong to the current or the shipped GPU, and do not apply to one that was
// only selected.
Rich other_gpu_words(const WaitingCase& waiting)
{
    return rich("Bytes under way, waits and speeds were measured on {} and not on {}: they are left out.",
                waiting.ladder_facts.gpu.properties->name, fmt::format("sm_{}", waiting.elsewhere));
}

// Describes the speed of a stream with as many bytes, and the next measured one, so that the speed in between is not
// mistaken for the lower one.
Rich streamed_words(const StreamedRate& rate)
{
    return rich("; measured: **{}** of its speed with {} KiB{}", share(rate.gbps / rate.most),
                rounded(rate.bytes / 1024),
                rate.more_bytes > 0
                    ? rich(", **{}** with {}", share(rate.more_gbps / rate.most), rounded(rate.more_bytes / 1024))
                    : Rich());
}

Rich unknown_warps_words()
{
    return rich("How many warps have bytes under way depends on the registers");
}

// `whole` includes the measured speed of a stream.
Rich answer(const WaitingCase& waiting, const UnderWay& bytes, bool whole)
{
    if (waiting.of.unknown())
        return unknown_warps_words();
    if (!bytes.has)
        return rich("The compiler decides how much");
    if (*bytes.has < bytes.needed)
        return rich("**{}** of the need: more would help",
                    Value(share(*bytes.has / bytes.needed)).as(Meaning::conflict));
    const auto rate = whole ? streamed_with(*waiting.ladder_facts.gpu.measured, *bytes.has) : std::nullopt;
    return rich("**Enough** for DRAM if nothing queues{}", rate ? streamed_words(*rate) : Rich());
}

// Explains why bytes must be in flight, how many must be, and how many are.
std::vector<Rich> need_words(const WaitingCase& waiting)
{
    std::vector<Rich> said{rich("*What more resident warps buy.* While one waits, a scheduler takes another.")};
    if (const auto needs = dram_needs(waiting.ladder_facts))
        said.push_back(in_lines({rich("A load from DRAM takes **{}**, and DRAM brings {} bytes per ns. To keep it busy "
                                      "each SM needs at least "
                                      "**{} bytes** under way, at all times.",
                                      nanoseconds(needs->latency_ns), number(needs->gbps), number(needs->bytes_per_sm)),
                                 rich("> ({})", how_had(waiting.ladder_facts.gpu.measured.from()))}));
    else
        said.push_back(rich("How much must be under way is not known: this GPU's latency and bandwidth were not "
                            "measured. The GPU view can."));
    if (waiting.of.unknown())
        said.push_back(unknown_warps_words());
    else if (waiting.together)
        said.push_back(rich("A warp of this stage sends up to **{}** before it waits, **{}**. At most **{}** {} **{}** "
                            "under way.",
                            counted(waiting.together->loads, "load"), counted(waiting.together->bytes, "byte"),
                            counted(waiting.of.now.warps, "resident warp"), waiting.of.now.warps == 1 ? "has" : "have",
                            counted(waiting.together->bytes * waiting.of.now.warps, "byte")));
    else
        said.push_back(rich("How many loads of this stage are under way together is up to the compiler: its recording "
                            "does not tell."));
    return said;
}

} // namespace

UnderWay bytes_under_way(const WaitingCase& waiting)
{
    UnderWay bytes;
    if (const auto needs = dram_needs(waiting.ladder_facts); needs && waiting.elsewhere == 0)
        bytes.needed = needs->bytes_per_sm;
    if (waiting.together && waiting.of.now.warps > 0 && !waiting.of.unknown())
        bytes.has = static_cast<double>(waiting.together->bytes) * waiting.of.now.warps;
    return bytes;
}

Rich waiting_words(const WaitingCase& waiting)
{
    std::vector<Rich> said = need_words(waiting);
    if (waiting.elsewhere != 0)
        return joined({said.front(), other_gpu_words(waiting)});
    if (const UnderWay bytes = bytes_under_way(waiting); bytes.needed > 0 && bytes.has)
        said.push_back(*bytes.has >= bytes.needed
                           ? rich("That is enough as long as they are under way; the view of tiling shows when nothing "
                                  "is.")
                           : rich("More warps, or more loads before the first wait, would hide more; what L2 or L1 "
                                  "still hold comes sooner."));
    said.push_back(counted_words(waiting));
    return joined(std::move(said));
}

float waiting_height(const Theme& theme)
{
    return 3 * draw::row_height(theme, between_rows);
}

Panel waiting_panel(const Theme& theme, const WaitingCase& waiting, double most, const Box& box)
{
    Panel panel{.id = waiting.named && waiting.elsewhere != 0 ? "waiting:elsewhere"
                                                              : "bytes under way of " + waiting.of.stage->slug,
                .box = box};
    if (waiting.elsewhere != 0) {
        panel.layers.emplace_back(ProseLayer{other_gpu_words(waiting)});
        return panel;
    }
    const UnderWay bytes = bytes_under_way(waiting);
    BarLayer bars{.most = most, .on_ground = false};
    const auto add = [&](const char* name, const char* id, std::optional<double> value, Colour colour) {
        BarLayer::Bar bar{
            .name = name,
            .parts = {{"", value, value ? thousands(static_cast<uint64_t>(std::lround(*value))) + " B" : "", colour}}};
        bar.id = waiting.named ? id : std::string(id) + " " + waiting.of.stage->slug;
        bar.tip = [said = joined(need_words(waiting))] { return said; };
        bars.bars.push_back(std::move(bar));
    };
    add("under way", "waiting:has", bytes.has, theme.accent(waiting.of.stage->number));
    add("needs at least", "waiting:needed", bytes.needed, theme.barrier);
    const std::string whole = plain(answer(waiting, bytes, true));
    panel.title = draw::measure(theme.text, whole).x <= box.width() ? whole : plain(answer(waiting, bytes, false));
    panel.layers.emplace_back(std::move(bars));
    return panel;
}

} // namespace viz
