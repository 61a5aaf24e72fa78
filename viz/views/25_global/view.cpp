// Global memory: what each request of a warp moves, in lines and sectors, and how well each source line uses them.
#include "viz/view.h"

#include "viz/draw/columns.h"
#include "viz/draw/draw.h"
#include "viz/text/figures.h"
#include "viz/views/25_global/cache_picture.h"
#include "viz/views/25_global/global_column.h"
#include "viz/views/25_global/sector_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace viz {

std::unique_ptr<View> make_global_view();

namespace {

class GlobalView final : public View {
public:
    std::string_view name() const override { return "global"; }
    std::string_view title() const override { return "Global memory"; }
    ViewGroup group() const override { return ViewGroup::memory; }
    std::vector<Numbers> numbers() const override
    {
        std::vector<Numbers> all = {{Numbers::How::recorded, "addresses"},
                                    {Numbers::How::derived, "requests, sectors"}};
        if (counted_from)
            all.push_back({Numbers::How::counted, "hits in L1 and L2, bytes of DRAM", counted_from});
        return all;
    }
    std::vector<std::pair<std::string, std::string>> keys() const override
    {
        return {{"n and N", "the next and the previous source line that goes to global memory"},
                {"p", "have the GPU count what its caches caught"}};
    }
    bool settled() const override { return facts[0].settled() && facts[1].settled(); }
    void draw(ViewFrame& frame) override;

private:
    GlobalColumn column_of(ViewFrame& frame, const Subject& subject, GlobalFacts& kept) const;
    void draw_columns(ViewFrame& frame, std::vector<GlobalColumn>& columns, float bottom);
    float draw_diagrams(ViewFrame& frame, std::vector<GlobalColumn>& columns, float y, float room) const;
    float draw_table(ViewFrame& frame, const GlobalColumn& column, float y) const;
    float draw_caches(ViewFrame& frame, const std::vector<GlobalColumn>& columns, float y);
    void go_to(ViewFrame& frame, const GlobalColumn& column, const GlobalUse& use) const;
    void move_line(ViewFrame& frame, const GlobalColumn& column, int by) const;

    GlobalFacts facts[2];
    std::optional<Provenance> counted_from; // what the last frame showed
};

GlobalColumn GlobalView::column_of(ViewFrame& frame, const Subject& subject, GlobalFacts& kept) const
{
    GlobalColumn column;
    column.subject = &subject;
    column.focus = focus_on(subject, frame.first, frame.selection);
    column.facts = &kept;
    if (!column.focus.warp)
        return column;
    kept.update(subject, column.focus);
    column.step = nearest_global(*column.focus.warp, column.focus.step);
    if (column.step && column.shown().array < column.focus.recording->arrays.size())
        column.picture = sector_picture(column.shown(), column.array());
    else
        column.focus.why = "This warp makes no access to global memory that was recorded.";
    return column;
}

// The next access of that line, or its first one.
void GlobalView::go_to(ViewFrame& frame, const GlobalColumn& column, const GlobalUse& use) const
{
    const auto& accesses = column.focus.warp->accesses;
    const std::size_t count = accesses.size();
    for (std::size_t i = 1; i <= count; ++i) {
        const std::size_t step = (column.focus.step + i) % count;
        const recording::Access& access = accesses[step];
        if (is_global(access.op) && access.line == use.line && access.array == use.array &&
            is_store(access.op) == use.store) {
            frame.selection.step = step;
            break;
        }
    }
    frame.selection.line = use.line;
}

void GlobalView::move_line(ViewFrame& frame, const GlobalColumn& column, int by) const
{
    if (!column.ready() || !column.facts->use || column.facts->use->empty())
        return;
    const std::vector<GlobalUse>& use = *column.facts->use;
    const recording::Access& access = column.shown();
    const auto now = std::find_if(use.begin(), use.end(), [&](const GlobalUse& entry) {
        return entry.line == access.line && entry.array == access.array && entry.store == is_store(access.op);
    });
    const auto count = static_cast<std::ptrdiff_t>(use.size());
    const std::ptrdiff_t place = now == use.end() ? 0 : now - use.begin();
    go_to(frame, column, use[static_cast<std::size_t>((place + by + count) % count)]);
}

float GlobalView::draw_diagrams(ViewFrame& frame, std::vector<GlobalColumn>& columns, float y, float room) const
{
    float height = 0;
    for (const GlobalColumn& column : columns) {
        if (!column.ready())
            continue;
        const SectorDiagram diagram{
            column.picture,       column.array(), column.facts->elements[column.shown().array],       frame.theme,
            frame.selection.lane, room,           &column == &columns.front() ? frame.marks : nullptr};
        ImGui::PushID(&column);
        if (const auto hit = draw_sector_diagram(diagram, {column.x, y}, column.width)) {
            frame.hint = column.subject->slug + ": " + describe_word(column, *hit->line, hit->word);
            const uint32_t lanes = hit->line->lanes[hit->word];
            if (ImGui::IsItemClicked() && lanes != 0)
                frame.selection.lane = static_cast<uint32_t>(std::countr_zero(lanes));
        }
        ImGui::PopID();
        height = std::max(height, sector_diagram_height(diagram));
    }
    return height;
}

// Columns of the table, right-aligned at these shares of the width.
constexpr float column_end[] = {0.46f, 0.64f, 0.82f, 1.0f};
constexpr const char* column_head[][3] = {{"", "", "requests"},
                                          {"sectors", "per", "request"},
                                          {"bytes", "used of", "moved"},
                                          {"requests", "for each", "sector"}};

float GlobalView::draw_table(ViewFrame& frame, const GlobalColumn& column, float y) const
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float top = y, line = draw::measure(theme.text, "0").y + theme.px(1);
    const auto right = [&](int at, ImFont* font, Colour colour, float height, const std::string& words) {
        const float x = column.x + column.width * column_end[at] - draw::measure(font, words).x - theme.px(6);
        draw::text(list, font, {x, height}, colour, words);
    };
    draw::text(list, theme.text, {column.x + theme.px(4), y + 2 * line}, theme.ink_quiet, "line");
    for (int i = 0; i < 4; ++i)
        for (int part = 0; part < 3; ++part)
            right(i, theme.text, theme.ink_quiet, y + line * static_cast<float>(part), column_head[i][part]);
    y += 3 * line + theme.px(3);
    const float row = std::ceil(draw::measure(theme.mono, "0").y + theme.px(7));
    for (const GlobalUse& use : *column.facts->use) {
        const recording::Access& access = column.shown();
        const bool shown = use.line == access.line && use.array == access.array && use.store == is_store(access.op);
        const draw::Box box{{column.x, y}, {column.x + column.width, y + row}};
        ImGui::SetCursorScreenPos(box.min);
        ImGui::PushID(&use);
        ImGui::InvisibleButton("use", {box.width(), row});
        ImGui::PopID();
        mark_item(column.facts == &facts[0] ? frame.marks : nullptr, fmt::format("global line:{}", use.line));
        if (shown || ImGui::IsItemHovered())
            list->AddRectFilled(box.min, box.max, shown ? draw::mix(theme.panel, theme.first, 0.3f) : theme.panel);
        const float from = column.x + column.width * column_end[1] + theme.px(4);
        const float to = column.x + column.width * column_end[2];
        const auto share = static_cast<float>(use.used_share());
        list->AddRectFilled({from, y + row - theme.px(5)}, {to, y + row - theme.px(2)}, wasted_colour(theme));
        list->AddRectFilled({from, y + row - theme.px(5)}, {from + (to - from) * share, y + row - theme.px(2)},
                            theme.lane_group[0]);
        draw::text(list, theme.mono, {column.x + theme.px(4), y + theme.px(2)}, theme.ink,
                   fmt::format("{} {} {}", use.line, column.focus.recording->arrays[use.array].name,
                               use.store ? "store" : "load"));
        const float text_y = y + theme.px(2);
        right(0, theme.mono, theme.ink, text_y, thousands(use.launch.requests));
        right(1, theme.mono_bold, theme.ink, text_y, fmt::format("{:.1f}", use.sectors_per_request()));
        right(2, theme.mono_bold, theme.ink, text_y, fmt::format("{:.1f}%", 100 * use.used_share()));
        right(3, theme.mono, theme.ink, text_y, fmt::format("{:.1f}", use.fetches_per_sector()));
        if (ImGui::IsItemHovered()) {
            frame.hint = fmt::format("{}, line {}: in this block {} touch {}, {} different; {} of {} moved are used. "
                                     "Click to go there.",
                                     column.subject->slug, use.line, counted(use.requests, "request"),
                                     counted(use.sectors, "sector"), thousands(use.different_sectors),
                                     thousands(use.used_bytes), counted(use.sectors * model::sector_bytes, "byte"));
            if (ImGui::IsItemClicked())
                go_to(frame, column, use);
        }
        y += row;
    }
    return y - top;
}

float GlobalView::draw_caches(ViewFrame& frame, const std::vector<GlobalColumn>& columns, float y)
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    counted_from.reset();
    float height = 0;
    for (const GlobalColumn& column : columns) {
        if (!column.subject->recording)
            continue;
        const CachePicture picture =
            CachePicture::of(*column.subject->recording, frame.board, theme.accent(column.subject->accent));
        if (const HardwareFigures* any = picture.any(); any != nullptr && !counted_from)
            counted_from = any->from;
        float at = y;
        at += cache_sentence(theme, picture).draw(list, {column.x, at}, column.width) + theme.px(3);
        if (picture.gpu && picture.figures == nullptr && !picture.counting && frame.wishes) {
            ImGui::SetCursorScreenPos({column.x, at});
            ImGui::PushID(&column);
            frame.wishes->count |= draw::choice(theme, {"count on this GPU"}, frame.hint);
            ImGui::PopID();
            at += ImGui::GetFrameHeight();
        }
        at += draw_cache_bars(list, theme, picture, {{column.x, at}, {column.x + column.width, at}},
                              &column == &columns.front() ? frame.marks : nullptr);
        at += other_sizes(theme, picture).draw(list, {column.x, at}, column.width);
        height = std::max(height, at - y);
    }
    return height;
}

void GlobalView::draw_columns(ViewFrame& frame, std::vector<GlobalColumn>& columns, float bottom)
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    float y = ImGui::GetCursorScreenPos().y;
    const float top = y, width = columns.back().x + columns.back().width - columns.front().x;
    const auto section = [&](auto&& prose_of, float space) {
        float height = 0;
        for (const GlobalColumn& column : columns)
            height = std::max(height, prose_of(column).draw(list, {column.x, y}, column.width));
        y += height + theme.px(space);
    };
    const auto when_ready = [&](auto prose_of) {
        return [&theme, prose_of](const GlobalColumn& column) {
            return column.ready() ? prose_of(theme, column) : Prose(theme);
        };
    };
    section([&](const GlobalColumn& column) { return stage_heading(theme, *column.subject); }, 2);
    if (columns.size() > 1 && columns[0].ready() && columns[1].ready())
        y += global_differences(theme, columns[0], columns[1]).draw(list, {columns[0].x, y}, width) + theme.px(6);
    section(
        [&](const GlobalColumn& column) {
            return column.ready() ? request_sentence(theme, column) : Prose(theme).strong(column.focus.why);
        },
        4);
    std::size_t rows = 0;
    for (const GlobalColumn& column : columns)
        if (column.ready() && column.facts->use)
            rows = std::max(rows, column.facts->use->size());
    y += sector_legend(theme).draw(list, {columns[0].x, y}, width) + theme.px(6);
    const float below = theme.px(170) + static_cast<float>(rows) * theme.px(22);
    y += draw_diagrams(frame, columns, y, std::max(bottom - y - below, theme.px(120))) + theme.px(6);
    section(when_ready(sector_outcome), 10);
    y += Prose(theme)
             .strong("All requests, by source line.")
             .say(" Requests and sectors are those of the launch; bytes and repetitions those of the selected block, "
                  "before any cache: what it asks for again, L1 or L2 may still hold.")
             .draw(list, {columns[0].x, y}, width) +
         theme.px(4);
    float height = 0;
    for (const GlobalColumn& column : columns)
        if (column.ready() && column.facts->use) {
            ImGui::PushID(&column);
            height = std::max(height, draw_table(frame, column, y));
            ImGui::PopID();
        }
    y += height + theme.px(6);
    section(when_ready(global_sums), 8);
    y += draw_caches(frame, columns, y);
    ImGui::SetCursorScreenPos({columns.front().x, top});
    ImGui::Dummy({1, y - top});
}

void GlobalView::draw(ViewFrame& frame)
{
    ImGui::BeginChild("global view", {0, 0}, false);
    if (const int by = (draw::typed('n') ? 1 : 0) - (draw::typed('N') ? 1 : 0); by != 0)
        move_line(frame, column_of(frame, frame.first, facts[0]), by);
    if (frame.wishes && draw::typed('p'))
        frame.wishes->count = true;
    std::vector<GlobalColumn> columns{column_of(frame, frame.first, facts[0])};
    if (frame.second)
        columns.push_back(column_of(frame, *frame.second, facts[1]));
    const std::vector<draw::Box> places = draw::columns(frame.theme, frame.second != nullptr);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        columns[i].x = places[i].min.x;
        columns[i].width = places[i].width();
    }
    if (columns.front().ready())
        frame.hint = describe_request_of_lane(columns.front(), frame.selection.lane);
    draw_columns(frame, columns, places.front().max.y);
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_global_view()
{
    return std::make_unique<GlobalView>();
}

} // namespace viz
