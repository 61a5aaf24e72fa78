// Global memory: what each request of a warp moves, in lines and sectors, and how well each source line uses them.
#include "viz/view.h"

#include "viz/draw/columns.h"
#include "viz/draw/heading.h"
#include "viz/text/prose.h"
#include "viz/text/templates.h"
#include "viz/views/25_global/cache_picture.h"
#include "viz/views/25_global/global_column.h"
#include "viz/views/25_global/launch_bars.h"
#include "viz/views/25_global/sector_diagram.h"
#include "viz/views/25_global/use_table.h"

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
    float draw_headings(ViewFrame& frame, const std::vector<GlobalColumn>& columns) const;
    void draw_pictures(ViewFrame& frame, const std::vector<GlobalColumn>& columns, const draw::Box& box);
    void draw_diagrams(ViewFrame& frame, const std::vector<GlobalColumn>& columns, const draw::Box& box) const;
    void draw_tables(ViewFrame& frame, const std::vector<GlobalColumn>& columns, const draw::Box& box) const;
    float caches_height(ViewFrame& frame, const std::vector<GlobalColumn>& columns);
    void draw_caches(ViewFrame& frame, const std::vector<GlobalColumn>& columns, const draw::Box& box) const;
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
        column.focus.why = plain(Message{"global.no_access"});
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

// Returns the place below.
float GlobalView::draw_headings(ViewFrame& frame, const std::vector<GlobalColumn>& columns) const
{
    float below = 0;
    for (const GlobalColumn& column : columns) {
        const Message said = column.ready() ? headline(column) : Message{"global.headline_none"};
        below = std::max(below, draw::stage_headline(frame, *column.subject, said, column.box));
        if (column.ready())
            for (Messages& paragraph : in_words(frame.theme, column))
                frame.explain(std::move(paragraph));
    }
    const float top = columns.front().box.min.y + below;
    for (const GlobalColumn& column : columns)
        if (!column.ready())
            Prose(frame.theme)
                .strong(column.focus.why)
                .draw(ImGui::GetWindowDrawList(), {column.box.min.x, top}, column.box.width());
    return top;
}

void GlobalView::draw_diagrams(ViewFrame& frame, const std::vector<GlobalColumn>& columns, const draw::Box& box) const
{
    std::size_t lines = 0;
    for (const GlobalColumn& column : columns)
        lines = std::max(lines, column.picture.lines.size());
    for (const GlobalColumn& column : columns) {
        if (!column.ready())
            continue;
        const SectorDiagram diagram{column.picture,
                                    column.array(),
                                    column.facts->elements[column.shown().array],
                                    frame.theme,
                                    {{column.box.min.x, box.min.y}, {column.box.max.x, box.max.y}},
                                    frame.selection.lane,
                                    lines,
                                    &column == &columns.front() ? frame.marks : nullptr};
        ImGui::PushID(&column);
        if (const auto hit = draw_sector_diagram(diagram)) {
            frame.point_out(word_message(column, *hit->line, hit->word));
            const uint32_t lanes = hit->line->lanes[hit->word];
            if (ImGui::IsItemClicked() && lanes != 0)
                frame.selection.lane = static_cast<uint32_t>(std::countr_zero(lanes));
        }
        ImGui::PopID();
        mark_picture(frame.marks, column.subject->slug, diagram.box.min, diagram.box.max);
    }
}

void GlobalView::draw_tables(ViewFrame& frame, const std::vector<GlobalColumn>& columns, const draw::Box& box) const
{
    uint64_t most = 0;
    std::size_t rows = 0;
    for (const GlobalColumn& column : columns)
        if (column.ready() && column.facts->use) {
            most = std::max(most, most_bytes(*column.facts->use));
            rows = std::max(rows, column.facts->use->size());
        }
    for (const GlobalColumn& column : columns) {
        if (!column.ready() || !column.facts->use)
            continue;
        const UseTable table{column,
                             frame.theme,
                             {{column.box.min.x, box.min.y}, {column.box.max.x, box.max.y}},
                             most,
                             frame.theme.accent(column.subject->accent),
                             rows,
                             &column == &columns.front() ? frame.marks : nullptr};
        ImGui::PushID(&column);
        if (const auto hit = draw_use_table(table)) {
            frame.point_out(use_message(column, *hit->use));
            if (hit->clicked)
                go_to(frame, column, *hit->use);
        }
        ImGui::PopID();
        mark_picture(frame.marks, "lines of " + column.subject->slug, table.box.min, table.box.max);
    }
}

// What is said of the caches, and the room that their bars take.
float GlobalView::caches_height(ViewFrame& frame, const std::vector<GlobalColumn>& columns)
{
    counted_from.reset();
    float height = 0;
    for (const GlobalColumn& column : columns) {
        if (!column.ready())
            continue;
        const CachePicture picture = CachePicture::of(*column.subject->recording, frame.board, 0);
        if (const HardwareFigures* any = picture.any(); any != nullptr && !counted_from)
            counted_from = any->from;
        for (Messages& paragraph : cache_words(picture))
            frame.explain(std::move(paragraph));
        const bool button = picture.gpu && picture.figures == nullptr && !picture.counting;
        height = std::max(height, button ? ImGui::GetFrameHeight() : cache_bars_height(frame.theme, picture));
    }
    return height;
}

void GlobalView::draw_caches(ViewFrame& frame, const std::vector<GlobalColumn>& columns, const draw::Box& box) const
{
    const Theme& theme = frame.theme;
    for (const GlobalColumn& column : columns) {
        if (!column.ready())
            continue;
        const CachePicture picture =
            CachePicture::of(*column.subject->recording, frame.board, theme.accent(column.subject->accent));
        const draw::Box place{{column.box.min.x, box.min.y}, {column.box.max.x, box.max.y}};
        if (picture.figures != nullptr) {
            draw_cache_bars(ImGui::GetWindowDrawList(), theme, picture, place,
                            &column == &columns.front() ? frame.marks : nullptr);
            mark_picture(frame.marks, "caches of " + column.subject->slug, place.min, place.max);
        } else if (picture.gpu && !picture.counting && frame.wishes) {
            ImGui::SetCursorScreenPos(place.min);
            ImGui::PushID(&column);
            frame.wishes->count |= draw::choice(theme, {"count on this GPU"}, frame.hint);
            ImGui::PopID();
        }
    }
}

// From below: the caches, both launches, the source lines; the request of the step takes what remains.
void GlobalView::draw_pictures(ViewFrame& frame, const std::vector<GlobalColumn>& columns, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    const float gap = theme.px(10);
    float bottom = box.max.y;
    const auto take = [&](float height) {
        const draw::Box part{{box.min.x, bottom - height}, {box.max.x, bottom}};
        bottom -= height + (height > 0 ? gap : 0);
        return part;
    };
    // In a low window the caches are in the inspector alone.
    const float caches_high = caches_height(frame, columns);
    const bool with_caches = box.height() >= theme.px(470);
    const draw::Box caches = take(with_caches ? caches_high : 0);
    const auto known = [](const GlobalColumn& column) { return column.ready() && column.facts->use.has_value(); };
    if (columns.size() > 1 && known(columns[0]) && known(columns[1])) {
        const LaunchBars bars{columns[0], columns[1], theme, take(launch_bars_height(theme)), frame.marks};
        if (auto said = draw_launch_bars(bars))
            frame.point_out(std::move(*said));
        mark_picture(frame.marks, "launches", bars.box.min, bars.box.max);
    }
    std::size_t rows = 0, lines = 1;
    for (const GlobalColumn& column : columns) {
        rows = std::max(rows, known(column) ? column.facts->use->size() : 0);
        lines = std::max(lines, column.picture.lines.size());
    }
    // Few lines of memory leave their room to the table.
    const float room = bottom - box.min.y, least = std::min(use_table_height(theme, rows), room * 0.5f);
    const float diagram = sector_diagram_height(theme, lines, room - least - gap);
    const draw::Box table{{box.min.x, box.min.y + diagram + gap}, {box.max.x, bottom}};
    draw_diagrams(frame, columns, {box.min, {box.max.x, box.min.y + diagram}});
    if (rows > 0)
        draw_tables(frame, columns, table);
    if (with_caches)
        draw_caches(frame, columns, caches);
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
    for (std::size_t i = 0; i < columns.size(); ++i)
        columns[i].box = places[i];
    if (columns.front().ready())
        frame.hint = plain(lane_message(columns.front(), frame.selection.lane));
    const float top = draw_headings(frame, columns);
    draw_pictures(frame, columns, {{places.front().min.x, top}, places.back().max});
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_global_view()
{
    return std::make_unique<GlobalView>();
}

} // namespace viz
