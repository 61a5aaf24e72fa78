#include "viz/views/45_reuse/working_set_bars.h"

#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace viz {

namespace {

struct SetBar {
    const char* name;
    std::optional<uint64_t> bytes;
    Message said;
};

std::array<SetBar, 4> bars_of(const WorkingSetBars& all)
{
    const WorkingSet& set = all.set;
    const auto size = [](uint64_t count) { return bytes(static_cast<double>(count)); };
    const Message sm = set.blocks > 0 ? Message{"reuse.set_sm", {{"blocks", set.blocks}, {"bytes", size(set.sm())}}}
                                      : Message{"reuse.set_no_sm"};
    const Message l1 =
        all.l1_bytes > 0
            ? Message{"reuse.set_l1",
                      {{"bytes", size(all.l1_bytes)}, {"tiles", size(set.tiles * std::max(set.blocks, 1u))}}}
            : Message{"reuse.set_no_l1", {{"why", in_sentences(all.part.frame.board.gpu.not_here)}}};
    return {SetBar{"warp", set.warp, {"reuse.set_warp", {{"bytes", size(set.warp)}, {"k", set.k}}}},
            SetBar{"block", set.block, {"reuse.set_block", {{"bytes", size(set.block)}, {"k", set.k}}}},
            SetBar{"SM", set.blocks > 0 ? std::optional(set.sm()) : std::nullopt, sm},
            SetBar{"L1", all.l1_bytes > 0 ? std::optional(all.l1_bytes) : std::nullopt, l1}};
}

Message hits_message(const WorkingSetBars& bars)
{
    const Value again = share(bars.set.again());
    const std::optional<double> found = bars.hits();
    if (!found)
        return {"reuse.set_no_hits", {{"again", again}, {"why", bars.hits_said}}};
    const Value hits = share(*found);
    switch (reuse_in_l1(bars.set, *found)) {
    case L1Reuse::nothing_again: return {"reuse.set_nothing_again", {{"hits", hits}, {"how", bars.hits_said}}};
    case L1Reuse::kept: return {"reuse.set_kept", {{"again", again}, {"hits", hits}, {"how", bars.hits_said}}};
    case L1Reuse::evicted: break;
    }
    return {"reuse.set_evicted", {{"again", again}, {"hits", hits}, {"how", bars.hits_said}}};
}

// Found in L1, as counted; the mark: asked for again by the same block, so as much as could be found.
void draw_hits(const WorkingSetBars& bars, const draw::Box& bar)
{
    const Theme& theme = bars.part.theme();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const auto x_of = [&](double part) { return bar.min.x + bar.width() * static_cast<float>(part); };
    list->AddRectFilled(bar.min, bar.max, draw::empty_colour(theme));
    if (const auto hits = bars.hits()) {
        const ImVec2 end{x_of(*hits), bar.max.y};
        const bool evicted = reuse_in_l1(bars.set, *hits) == L1Reuse::evicted;
        list->AddRectFilled(bar.min, end, evicted ? theme.warning : theme.good);
        mark(bars.part.marks(), "set:hits", bar.min, end);
    }
    const float again = x_of(bars.set.again());
    list->AddRectFilled({again - theme.px(1), bar.min.y - theme.px(2)}, {again + theme.px(1), bar.max.y + theme.px(2)},
                        theme.ink);
    mark(bars.part.marks(), "set:again", {bar.min.x, bar.min.y}, {again, bar.max.y});
}

constexpr float between_rows = 5; // pixels at scale 1

} // namespace

float working_set_height(const Theme& theme)
{
    return 6 * draw::row_height(theme, between_rows);
}

uint64_t most_of(const WorkingSet& set, uint64_t l1_bytes)
{
    return std::max({set.block, set.sm(), l1_bytes, uint64_t{1}});
}

void draw_working_set(const WorkingSetBars& bars, const draw::Box& box)
{
    const Theme& theme = bars.part.theme();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float row = draw::row_height(theme, between_rows), text = draw::line_height(theme.text);
    const float left = box.min.x + draw::measure(theme.text, "L1 hits").x + theme.px(10);
    const float right = box.max.x - draw::measure(theme.mono_bold, "0000 KiB").x - theme.px(8);
    float y = box.min.y;
    draw::text(list, theme.text, {box.min.x, y + (row - text) / 2}, theme.ink_quiet,
               plain({"reuse.set_title", {{"k", index(bars.set.k)}}}));
    y += row;
    const bool hovered = draw::item("working set", {{box.min.x, y}, {box.max.x, y + 5 * row}});
    for (SetBar& bar : bars_of(bars)) {
        const bool is_l1 = bar.name == std::string_view("L1");
        const bool over = !is_l1 && bars.l1_bytes > 0 && bar.bytes.value_or(0) > bars.l1_bytes;
        draw::text(list, theme.text, {box.min.x, y + (row - text) / 2}, theme.ink_quiet, bar.name);
        const auto length = [&](uint64_t bytes_shown) {
            return (right - left) *
                   static_cast<float>(static_cast<double>(bytes_shown) / static_cast<double>(bars.most));
        };
        const float top = y + theme.px(2), bottom = y + row - theme.px(3);
        list->AddRectFilled({left, top}, {right, bottom}, draw::empty_colour(theme));
        if (bar.bytes) {
            const float end = left + std::max(length(*bar.bytes), theme.px(2));
            list->AddRectFilled({left, top}, {end, bottom},
                                is_l1  ? mix(theme.panel, theme.ink, 0.25f)
                                : over ? theme.warning
                                       : bars.part.accent());
            if (is_l1) // what shared memory takes of it
                list->AddRectFilled(
                    {end - length(std::min(*bar.bytes, bars.set.tiles * std::max(bars.set.blocks, 1u))), top},
                    {end, bottom}, theme.border);
            mark(bars.part.marks(), fmt::format("set:{}", bar.name), {left, top}, {end, bottom});
        }
        draw::text_right(list, theme.mono_bold, {box.max.x, y + (row - text) / 2},
                         bar.bytes ? theme.ink : theme.ink_faint,
                         bar.bytes ? bytes_words(static_cast<double>(*bar.bytes)) : "-");
        const float mouse = ImGui::GetMousePos().y;
        if (hovered && mouse >= y && mouse < y + row)
            bars.part.frame.point_out(std::move(bar.said));
        y += row;
    }
    draw::text(list, theme.text, {box.min.x, y + (row - text) / 2}, theme.ink_quiet, "L1 hits");
    draw_hits(bars, {{left, y + theme.px(2)}, {right, y + row - theme.px(3)}});
    const std::optional<double> hits = bars.hits();
    if (hits) { // the other rows are of the size that was recorded
        const std::string at = "at " + size_words(bars.counted->problem);
        const ImVec2 size = draw::measure(theme.text, at);
        const float again = left + (right - left) * static_cast<float>(bars.set.again());
        const float end = right - theme.px(6), gap = theme.px(8); // at the left of the mark where it would cross it
        const ImVec2 place{(again > end - size.x - gap ? std::min(end, again - gap) : end) - size.x,
                           y + (row - text) / 2};
        const draw::Box plate{{place.x - theme.px(3), y + theme.px(3)},
                              {place.x + size.x + theme.px(3), y + row - theme.px(4)}};
        list->AddRectFilled(plate.min, plate.max, theme.background, theme.px(2));
        draw::text(list, theme.text, place, theme.ink, at);
        mark(bars.part.marks(), "set:" + at, place, {place.x + size.x, place.y + size.y});
    }
    draw::text_right(list, theme.mono_bold, {box.max.x, y + (row - text) / 2}, hits ? theme.ink : theme.ink_faint,
                     hits ? percent(*hits) : "-");
    if (const float mouse = ImGui::GetMousePos().y; hovered && mouse >= y && mouse < y + row)
        bars.part.frame.point_out(hits_message(bars));
    mark_picture(bars.part.frame.marks, "working set of " + bars.part.stage.slug, box);
}

} // namespace viz
