#include "viz/views/25_global/use_table.h"

#include "viz/draw/sector_diagram.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace viz {

namespace {

constexpr int most_sectors = 32; // of a request of 4 bytes per lane; more are drawn narrower
constexpr int most_drawn = 512;  // a recording may claim any number

uint64_t bytes_of(const GlobalUse& use)
{
    return use.launch.sectors * model::sector_bytes;
}

std::string name_of(const GlobalPart& part, const GlobalUse& use)
{
    return fmt::format("{} {} {}", use.line, part.focus.recording->arrays[use.array].name,
                       use.store ? "store" : "load");
}

class UsePainter {
public:
    explicit UsePainter(const UseTable& what) : table(what), theme(what.theme), list(ImGui::GetWindowDrawList())
    {
        const std::vector<GlobalUse>& uses = *table.part.use;
        float names = 0, sums = 0;
        for (const GlobalUse& use : uses) {
            names = std::max(names, draw::measure(theme.mono, name_of(table.part, use)).x);
            sums = std::max(sums, draw::measure(theme.mono_bold, bytes_words(static_cast<double>(bytes_of(use)))).x);
        }
        const float number = draw::measure(theme.mono_bold, "32.0").x;
        left = table.box.min.x + std::ceil(names + theme.px(10));
        right = table.box.max.x - sums - theme.px(6);
        const float room = right - left;
        blocks_end = left + std::floor(room * 0.5f) - number - theme.px(14);
        bars = left + std::floor(room * 0.5f);
        sectors = squares_of(uses);
        head = draw::row_height(theme, 2);
        const auto rows = static_cast<float>(std::max({table.rows, uses.size(), std::size_t{1}}));
        row = std::floor(std::max(theme.px(6), (table.box.height() - head) / rows));
    }

    std::optional<UseHit> draw()
    {
        draw::text(list, theme.text, {table.box.min.x, table.box.min.y}, theme.ink_quiet, "line");
        name_column(left, bars - theme.px(6),
                    {"sectors/request in this block", "sectors/request, block", "sectors, block", "sectors"});
        name_column(bars, table.box.max.x, {"bytes of the launch", "bytes"});
        std::optional<UseHit> hit;
        float y = table.box.min.y + head;
        for (const GlobalUse& use : *table.part.use) {
            if (const auto one = draw_row(use, y))
                hit = one;
            y += row;
        }
        return hit;
    }

private:
    // With the longest name that has room.
    void name_column(float from, float until, const std::vector<std::string>& names) const
    {
        draw::text(list, theme.text, {from, table.box.min.y}, theme.ink_quiet,
                   draw::first_fitting(theme.text, until - from, names));
    }

    std::optional<UseHit> draw_row(const GlobalUse& use, float y) const
    {
        const bool shown = is_of(table.part.shown(), use);
        const draw::Box whole{{table.box.min.x, y}, {table.box.max.x, y + row}};
        ImGui::PushID(static_cast<int>(y));
        const bool hovered = draw::item("use", whole), clicked = ImGui::IsItemClicked();
        ImGui::PopID();
        mark_item(table.part.marks, fmt::format("global line:{}", use.line));
        if (shown || hovered)
            list->AddRectFilled(whole.min, {left - theme.px(4), whole.max.y - 1},
                                mix(theme.panel, theme.ink, shown ? 0.24f : 0.1f), theme.px(3));
        const float text_y = y + (row - 1 - draw::line_height(theme.mono)) / 2;
        draw::text(list, theme.mono, {table.box.min.x + theme.px(2), text_y}, shown ? theme.ink : theme.ink_quiet,
                   name_of(table.part, use));
        draw_blocks(use, {{left, y + theme.px(2)}, {blocks_end, y + row - theme.px(3)}});
        draw::text(list, theme.mono_bold, {blocks_end + theme.px(6), text_y}, theme.ink,
                   fmt::format("{:.1f}", use.sectors_per_request()));
        draw_bytes(use, {{bars, y + theme.px(2)}, {right, y + row - theme.px(3)}});
        draw::text_right(list, theme.mono_bold, {table.box.max.x, text_y}, theme.ink,
                         bytes_words(static_cast<double>(bytes_of(use))));
        return hovered ? std::optional(UseHit{&use, clicked}) : std::nullopt;
    }

    // A square for each sector that a request moves, filled as far as its bytes are used.
    void draw_blocks(const GlobalUse& use, const draw::Box& box) const
    {
        const float step = box.width() / static_cast<float>(sectors), gap = step > 4 ? 1.0f : 0.0f;
        const auto used = static_cast<float>(use.used_share());
        const double moved = use.sectors_per_request();
        for (int i = 0; i < sectors; ++i) {
            const float x = box.min.x + step * static_cast<float>(i);
            const float share = std::clamp(static_cast<float>(moved) - static_cast<float>(i), 0.0f, 1.0f);
            list->AddRectFilled({x, box.min.y}, {x + step - gap, box.max.y}, draw::empty_colour(theme));
            if (share <= 0)
                continue;
            const float end = x + (step - gap) * share, level = box.max.y - box.height() * used;
            list->AddRectFilled({x, box.min.y}, {end, box.max.y}, wasted_colour(theme));
            list->AddRectFilled({x, level}, {end, box.max.y}, table.accent);
        }
    }

    void draw_bytes(const GlobalUse& use, const draw::Box& box) const
    {
        const double share =
            static_cast<double>(bytes_of(use)) / static_cast<double>(std::max<uint64_t>(table.most_bytes, 1));
        const float end = box.min.x + std::max(1.0f, box.width() * static_cast<float>(share));
        list->AddRectFilled(box.min, box.max, draw::empty_colour(theme));
        // How many of them are used is known of the recorded blocks alone.
        list->AddRectFilled(box.min, {end, box.max.y}, mix(theme.panel, table.accent, 0.6f));
        mark(table.part.marks, fmt::format("bytes of line {}", use.line), box.min, {end, box.max.y});
    }

    const UseTable& table;
    const Theme& theme;
    ImDrawList* list;
    float left = 0, blocks_end = 0, bars = 0, right = 0, head = 0, row = 0;
    int sectors = 1;
};

} // namespace

int squares_of(const std::vector<GlobalUse>& uses)
{
    int most = most_sectors;
    for (const GlobalUse& use : uses)
        most = std::max(most, static_cast<int>(std::ceil(std::min<double>(use.sectors_per_request(), most_drawn))));
    return most;
}

float use_table_height(const Theme& theme, std::size_t rows)
{
    return draw::row_height(theme, 2) + static_cast<float>(rows) * draw::row_height(theme, 7);
}

uint64_t most_bytes(const std::vector<GlobalUse>& uses)
{
    uint64_t most = 0;
    for (const GlobalUse& use : uses)
        most = std::max(most, bytes_of(use));
    return most;
}

std::optional<UseHit> draw_use_table(const UseTable& table)
{
    return UsePainter(table).draw();
}

} // namespace viz
