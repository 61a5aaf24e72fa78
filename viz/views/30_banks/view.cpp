// Shared memory: how the 32 banks serve the current access, and what every shared access of the block costs.
#include "viz/view.h"

#include "viz/draw/columns.h"
#include "viz/draw/global_request.h"
#include "viz/draw/heading.h"
#include "viz/draw/prose.h"
#include "viz/text/figures.h"
#include "viz/text/templates.h"
#include "viz/views/30_banks/bank_diagram.h"
#include "viz/views/30_banks/heatmap_panel.h"
#include "viz/views/30_banks/shown_access.h"

#include "model/recorded_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace viz {

std::unique_ptr<View> make_banks_view();

namespace {

class BanksView final : public View {
public:
    std::string_view name() const override { return "banks"; }
    std::string_view title() const override { return "Shared memory"; }
    ViewGroup group() const override { return ViewGroup::memory; }
    std::vector<Numbers> numbers() const override
    {
        return {{Numbers::How::recorded, "addresses"}, {Numbers::How::derived, "wavefronts, conflicts"}};
    }
    ViewCommands commands() override
    {
        const auto zooming = [this](float factor) {
            return [this, factor](const ViewScene&) { zoom.asked.push_back(factor); };
        };
        return {{"+", "zoom into the heatmap", zooming(1.25f)},
                {"-", "zoom out of the heatmap", zooming(0.8f)},
                {"0", "show all steps", zooming(0)},
                {"a", "heatmap of the block or of the warp", [this](const ViewScene&) { whole_block = !whole_block; }}};
    }
    void draw(ViewFrame& frame) override;

private:
    ShownAccess shown_of(const ViewFrame& frame, std::size_t number, const draw::Box& box);
    float draw_headings(ViewFrame& frame, std::vector<ShownAccess>& columns) const;
    float draw_diagrams(ViewFrame& frame, std::vector<ShownAccess>& columns, float top) const;
    void choose_warps(ViewFrame& frame, const ShownAccess& column, ImVec2 corner);
    void draw_pictures(ViewFrame& frame, std::vector<ShownAccess>& columns, float picture_top);
    void draw_heatmap_of(ViewFrame& frame, const ShownAccess& column, const HeatmapPanel& panel);

    HeatmapZoom zoom;
    bool whole_block = true;
    bool over_heatmap = false;
};

// The step of the access to shared memory, copies' writes among them, at or before `step`; else the first one after it.
std::optional<std::size_t> nearest_banked(const recording::WarpTrace& warp, std::size_t step)
{
    return nearest_step(warp, step, [&](std::size_t i) {
        return is_shared(warp.accesses[i].op) || model::copy_at(warp, i).has_value();
    });
}

std::vector<OwnedCell> owned_by_block(const recording::Recording& recording, const recording::BlockTrace& block)
{
    return cells_of_block(recording, linear_of(block.block, recording.launch.grid));
}

std::optional<recording::SharedTotals> copies_of_launch(const recording::Recording& recording)
{
    return model::copy_writes(recording);
}

ShownAccess BanksView::shown_of(const ViewFrame& frame, std::size_t number, const draw::Box& box)
{
    const StageColumn& stage = frame.columns[number];
    ShownAccess column{.stage = &stage, .focus = focus_on(frame, stage), .box = box};
    if (!column.focus.warp)
        return column;
    column.facts = &stage.memo<bank_facts>(*column.focus.block, column.focus.warp_index, whole_block);
    column.elements = &stage.memo<elements_of>();
    column.owned = &stage.memo<owned_by_block>(*column.focus.block);
    column.copies = &stage.memo<copies_of_launch>();
    column.step = step_shown(frame, stage, column.focus, nearest_banked);
    const RungFigures* rung = frame.board.find(stage.slug);
    if (rung != nullptr && rung->parameters == stage.recording->parameters)
        column.counted = counted_at(rung, stage.recording->problem);
    if (const auto copy = column.step ? model::copy_at(*column.focus.warp, *column.step) : std::nullopt)
        column.picture = bank_picture(*copy);
    else if (column.step)
        column.picture = bank_picture(column.access().op, pattern_of(column.access()));
    return column;
}

// The headings of all columns; returns the place below.
float BanksView::draw_headings(ViewFrame& frame, std::vector<ShownAccess>& columns) const
{
    float below = 0;
    for (const ShownAccess& column : columns) {
        if (column.focus.warp && !column.ready()) { // no lane goes to shared memory
            draw::global_request(frame, *column.stage, column.focus, column.box);
            continue;
        }
        const Message said = column.ready() ? headline(column) : Message{"banks.no_accesses"};
        below = std::max(below, draw::stage_headline(frame, *column.stage, said, column.box));
        if (column.ready())
            for (Messages& paragraph : in_words(frame.theme, column))
                frame.explain(paragraph);
    }
    if (columns.size() > 1 && columns[0].focus.warp && columns[1].focus.warp)
        frame.explain(differences(frame.theme, columns[0], columns[1]));
    const float top = columns.front().box.min.y + below;
    for (const ShownAccess& column : columns)
        if (!column.focus.warp)
            Prose(frame.theme).strong(column.focus.why).draw({column.box.min.x, top}, column.box.width());
    return top;
}

// Why the access takes so many wavefronts, where banks are idle, or on a line below where there is no room for it.
void draw_callouts(const Theme& theme, const std::vector<BankDiagram>& diagrams)
{
    const float margin = theme.px(6);
    for (const BankDiagram& diagram : diagrams) {
        Prose stacked(theme), row(theme), shortest(theme);
        for (const Message& message : diagram.picture.callout) {
            stacked.write(message).break_line();
            row.write(message).gap();
        }
        const auto room = idle_box(diagram, [&](const draw::Box& box) {
            const float width = box.width() - 2 * margin;
            return width >= theme.px(100) && stacked.height(width) + margin <= box.height();
        });
        if (!room) {
            if (!diagram.picture.callout.empty())
                shortest.write(diagram.picture.callout.front());
            const Prose& fitting = row.width() <= diagram.box.width() ? row : shortest;
            fitting.draw({diagram.box.min.x, diagram.box.max.y + theme.px(3)}, fitting.width() + 1);
            continue;
        }
        const float width = std::min(room->width() - 2 * margin, stacked.width()), height = stacked.height(width + 1);
        stacked.draw_on_plate({room->min.x + margin, (room->min.y + room->max.y - height) / 2}, width);
    }
}

// As high at every step of these warps, so that what stands below keeps its place. Returns the place below.
float BanksView::draw_diagrams(ViewFrame& frame, std::vector<ShownAccess>& columns, float top) const
{
    const Theme& theme = frame.theme;
    std::size_t rows = 1, most = 1;
    for (const ShownAccess& column : columns) {
        rows = std::max(rows, column.picture.rows.size());
        most = std::max(most, column.ready() ? column.facts->most_wavefronts : 1);
    }
    const float line = draw::line_height(theme.text) + theme.px(6);
    const float height = bank_diagram_height(theme, most, columns.front().box.max.y - top - line);
    std::vector<BankDiagram> diagrams;
    for (const ShownAccess& column : columns) {
        if (!column.ready())
            continue;
        const draw::Box box{{column.box.min.x, top}, {column.box.max.x, top + height}};
        diagrams.push_back({column.picture, frame.theme, box, frame.selection.lane, rows,
                            &column == &columns.front() ? frame.marks : nullptr});
        ImGui::PushID(static_cast<int>(column.stage->number));
        if (const auto lane = draw_bank_diagram(diagrams.back())) {
            if (ImGui::IsItemClicked())
                frame.selection.lane = *lane;
            frame.point_out(describe_lane(column, *lane));
        }
        ImGui::PopID();
    }
    draw_callouts(theme, diagrams);
    return top + height + line;
}

// Whose accesses are shown, in the corner above the names of the lines.
void BanksView::choose_warps(ViewFrame& frame, const ShownAccess& column, ImVec2 corner)
{
    const Theme& theme = frame.theme;
    const std::size_t warps = column.focus.block->warps.size();
    const std::string all = counted(warps, "warp"), alone = fmt::format("warp {}", frame.selection.warp);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme.px(4), 0});
    ImGui::SetCursorScreenPos(corner);
    if (draw::choice(theme, {all.c_str(), whole_block, {}}, frame.hint))
        whole_block = true;
    ImGui::SameLine(0, theme.px(4));
    if (draw::choice(theme, {alone.c_str(), !whole_block, {}}, frame.hint))
        whole_block = false;
    ImGui::PopStyleVar();
}

// What the colours say, for the inspector.
Messages heat_legend(const Theme& theme, uint64_t worst)
{
    Messages legend{{"banks.heatmap", {{"none", Swatch{conflict_colour(theme, 0, worst)}}}}};
    if (worst > 0)
        legend.push_back(
            {"banks.heatmap_worst", {{"colour", Swatch{conflict_colour(theme, worst, worst)}}, {"conflicts", worst}}});
    return legend;
}

void BanksView::draw_heatmap_of(ViewFrame& frame, const ShownAccess& column, const HeatmapPanel& panel)
{
    ImGui::PushID(static_cast<int>(column.stage->number));
    const auto hit = draw_heatmap(panel, zoom);
    over_heatmap = over_heatmap || ImGui::IsItemHovered();
    if (hit) {
        const HeatRow& row = panel.facts.map.rows[hit->row];
        const Index step = index(hit->step), line = index(row.line);
        frame.point_out(hit->cell ? Message{"banks.heatmap_cell",
                                            {{"stage", column.stage->slug},
                                             {"step", step},
                                             {"line", line},
                                             {"accesses", hit->cell->totals.instructions},
                                             {"wavefronts", hit->cell->totals.wavefronts},
                                             {"conflicts", hit->cell->totals.conflicts}}}
                                  : Message{"banks.heatmap_empty",
                                            {{"stage", column.stage->slug}, {"step", step}, {"line", line}}});
        const bool moved = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left).x != 0;
        if (ImGui::IsItemDeactivated() && !moved) {
            frame.selection.step = hit->step;
            frame.selection.line = row.line;
            if (hit->cell)
                frame.selection.warp = worst_warp(*column.focus.block, row, hit->step, frame.selection.warp);
        }
    }
    ImGui::PopID();
}

void BanksView::draw_pictures(ViewFrame& frame, std::vector<ShownAccess>& columns, float picture_top)
{
    const float top = draw_diagrams(frame, columns, picture_top);
    HeatmapExtent extent;
    extent.label_width = draw::measure(frame.theme.text, "32 warps warp 00").x + frame.theme.px(20);
    for (const ShownAccess& column : columns)
        if (column.ready())
            include(extent, frame.theme, *column.facts);
    frame.explain(heat_legend(frame.theme, extent.worst));
    for (const ShownAccess& column : columns) {
        if (!column.ready())
            continue;
        // Cells are marked for the first stage alone: the marks do not say whose they are.
        const bool is_first = &column == &columns.front();
        const HeatmapPanel panel{
            *column.facts, *column.focus.recording, frame.theme,          {{column.box.min.x, top}, column.box.max},
            extent,        column.focus.step,       column.stage->number, is_first ? frame.marks : nullptr};
        if (is_first)
            for (const float factor : std::exchange(zoom.asked, {}))
                zoom_heatmap(panel, zoom, factor);
        draw_heatmap_of(frame, column, panel);
        mark_picture(frame.marks, column.stage->slug, {column.box.min.x, picture_top}, column.box.max);
    }
    const auto first = std::ranges::find_if(columns, [](const ShownAccess& column) { return column.ready(); });
    choose_warps(frame, *first, {first->box.min.x, top});
}

void BanksView::draw(ViewFrame& frame)
{
    const ImGuiWindowFlags flags = over_heatmap ? ImGuiWindowFlags_NoScrollWithMouse : 0;
    over_heatmap = false;
    ImGui::BeginChild("banks view", {0, 0}, false, flags);
    const std::vector<draw::Box> places = draw::columns(frame.theme, frame.columns.size());
    std::vector<ShownAccess> columns;
    for (std::size_t i = 0; i < frame.columns.size(); ++i)
        columns.push_back(shown_of(frame, i, places[i]));
    if (columns.front().ready())
        frame.hint = plain(describe_lane(columns.front(), frame.selection.lane));
    const float top = draw_headings(frame, columns);
    if (std::ranges::any_of(columns, [](const ShownAccess& column) { return column.ready(); }))
        draw_pictures(frame, columns, top);
    zoom.asked.clear(); // of a stage without a heatmap
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_banks_view()
{
    return std::make_unique<BanksView>();
}

} // namespace viz
