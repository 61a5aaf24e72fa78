// What resident warps buy: latency hiding, in the occupancy view.
#include "viz/text/figures.h"
#include "viz/views/50_occupancy/occupancy_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

struct UnderWay {
    double has = 0, needed = 0; // bytes, of one SM
};

float draw_bars(ImDrawList* list, const Theme& theme, const WaitingCase& waiting, const UnderWay& bytes,
                const draw::Box& box)
{
    const float row = std::ceil(draw::measure(theme.text, "0").y + theme.px(4));
    const float names = draw::measure(theme.text, "keep DRAM busy").x + theme.px(16);
    const double most = std::max(bytes.has, bytes.needed);
    float y = box.min.y;
    for (const auto& [name, value, of_stage] :
         {std::tuple{"under way", bytes.has, true}, {"keep DRAM busy", bytes.needed, false}}) {
        const std::string words = counted(static_cast<uint64_t>(std::lround(value)), "byte");
        const float left = box.min.x + names;
        const float right = box.max.x - draw::measure(theme.mono, "1,000,000 bytes").x - theme.px(10);
        const ImVec2 min{left, y + theme.px(4)};
        const ImVec2 max{left + std::max((right - left) * static_cast<float>(value / most), 1.0f),
                         y + row - theme.px(4)};
        draw::text(list, theme.text, {box.min.x + theme.px(4), y}, theme.ink_quiet, name);
        list->AddRectFilled(min, max, of_stage ? theme.accent(waiting.one.subject->accent) : theme.barrier);
        mark(waiting.marks, of_stage ? "waiting:has" : "waiting:needed", min, max);
        draw::text_right(list, theme.mono_bold, {box.max.x - theme.px(4), y}, theme.ink, words);
        y += row;
    }
    return y - box.min.y;
}

void add_counted(Prose& prose, const WaitingCase& waiting)
{
    const HardwareFigures* figures = issue_figures(waiting.board, *waiting.one.subject);
    if (figures == nullptr) {
        prose.faint("How often an SM found a warp that was ready, only counters tell: press p in the view of global "
                    "memory, on a "
                    "GPU.");
        return;
    }
    prose.say(fmt::format("At {} an SM issued ", size_words(figures->problem)))
        .figure(fmt::format("{:.2f}", *figures->issued_per_cycle))
        .say(" warp instructions per cycle of at most 4");
    if (figures->occupancy)
        prose.say(", with ").figure(fmt::format("{:.0f}%", 100 * *figures->occupancy)).say(" of the warps resident");
    prose.say(": the other turns stayed empty, for a scheduler had no warp that was ready. ")
        .faint("(" + counted_words(figures->from) + ")");
}

} // namespace

const HardwareFigures* issue_figures(const Board* board, const Subject& subject)
{
    const RungFacts* rung = board ? board->find(subject.slug) : nullptr;
    const HardwareFigures* figures = rung && !rung->counted.empty() ? &rung->counted.back() : nullptr;
    return figures && figures->issued_per_cycle ? figures : nullptr;
}

std::optional<DramNeeds> dram_needs(const Board* board)
{
    const GpuState* gpu = board ? &board->gpu : nullptr;
    return gpu && gpu->measured && gpu->properties ? dram_needs(*gpu->measured, gpu->properties->sm_count)
                                                   : std::nullopt;
}

float draw_waiting(ImDrawList* list, const Theme& theme, const WaitingCase& waiting, const draw::Box& box)
{
    const OccupancyCase& one = waiting.one;
    Prose prose(theme);
    prose.strong("What more resident warps buy. ").say("While one waits, a scheduler takes another. ");
    const DramNeeds needs = dram_needs(waiting.board).value_or(DramNeeds{}); // of 0 bytes: not known
    const bool known = needs.bytes_per_sm > 0;
    UnderWay bytes;
    if (!known) {
        prose.say("How much must be under way is not known: this GPU's latency and bandwidth were not measured; the "
                  "GPU view can. ");
    } else {
        prose.say("A load from DRAM takes ").figure(fmt::format("{:.0f} ns", needs.latency_ns));
        prose.say(
            fmt::format(", and DRAM brings {} bytes per ns: so each SM must have ", thousands(std::round(needs.gbps))));
        prose.figure(counted(static_cast<uint64_t>(std::lround(needs.bytes_per_sm)), "byte"));
        prose.say(" under way at all times to keep it busy. ").faint("(" + waiting.board->gpu.origin + ") ");
    }
    if (!waiting.together)
        prose.say(
            "How many loads of this stage are under way together is up to the compiler, which may unroll its loop: its "
            "recording does not tell. ");
    else {
        const double has = static_cast<double>(waiting.together->bytes) * one.now.warps;
        prose.say("A warp of this stage sends up to ").figure(counted(waiting.together->loads, "load"));
        prose.say(" before it waits, ").figure(counted(waiting.together->bytes, "byte"));
        prose.say("; ").figure(counted(one.now.warps, "resident warp")).say(" have ");
        prose.figure(counted(static_cast<uint64_t>(has), "byte")).say(" under way, at most. ");
        if (known && one.now.warps > 0) {
            bytes = {has, needs.bytes_per_sm};
            prose.say(
                has >= needs.bytes_per_sm
                    ? "That is enough as long as they are under way; the view of tiling shows when nothing is. "
                    : "More warps, or more loads before the first wait, would hide more; what L2 or L1 still hold "
                      "comes sooner, and each byte that is used often needs fewer of them. ");
        }
    }
    add_counted(prose, waiting);
    float height = prose.draw(list, box.min, box.width()) + theme.px(4);
    if (bytes.needed > 0)
        height += draw_bars(list, theme, waiting, bytes, {{box.min.x, box.min.y + height}, box.max});
    return height;
}

} // namespace viz
