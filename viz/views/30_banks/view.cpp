// Shared memory: how the 32 banks serve the current access, and what every shared access of the block costs.
#include "viz/view.h"

#include "viz/draw/columns.h"
#include "viz/draw/draw.h"
#include "viz/text/prose.h"
#include "viz/text/templates.h"
#include "viz/views/30_banks/bank_diagram.h"
#include "viz/views/30_banks/heatmap_panel.h"
#include "viz/views/30_banks/shown_access.h"

#include "model/recorded_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
    std::vector<std::pair<std::string, std::string>> keys() const override
    {
        return {{"+ and -", "zoom the heatmap"}, {"0", "show all steps"}, {"a", "heatmap of the block or of the warp"}};
    }
    void draw(ViewFrame& frame) override;

private:
    ShownAccess shown_of(ViewFrame& frame, const Subject& subject, BankFacts& kept) const;
    void draw_columns(ViewFrame& frame, std::vector<ShownAccess>& columns);
    float draw_diagrams(ViewFrame& frame, std::vector<ShownAccess>& columns, float y);
    float draw_heat_heading(ViewFrame& frame, std::vector<ShownAccess>& columns, float y);
    float draw_heatmaps(ViewFrame& frame, std::vector<ShownAccess>& columns, float y);

    BankFacts facts[2];
    HeatmapZoom zoom;
    bool whole_block = true;
    bool over_heatmap = false;
};

Prose prose_of(const Theme& theme, const auto& messages)
{
    return std::move(Prose(theme).write(messages));
}

// Why no step of a lane goes to shared memory.
Message why_no_banks(const Subject& subject)
{
    const bool has_tiles = std::ranges::any_of(subject.recording->arrays, [](const recording::Array& array) {
        return array.space == recording::Space::shared;
    });
    return has_tiles ? Message{"banks.no_lanes", {{"stage", subject.slug}}}
                     : Message{"banks.no_shared_memory", {{"stage", subject.slug}}};
}

// The step of the access to shared memory, copies' writes among them, at or before `step`; else the first one after it.
std::optional<std::size_t> nearest_banked(const recording::WarpTrace& warp, std::size_t step)
{
    return nearest_step(warp, step, [&](std::size_t i) {
        return is_shared(warp.accesses[i].op) || model::copy_at(warp, i).has_value();
    });
}

ShownAccess BanksView::shown_of(ViewFrame& frame, const Subject& subject, BankFacts& kept) const
{
    ShownAccess column;
    column.subject = &subject;
    column.focus = focus_on(subject, frame.first, frame.selection);
    column.facts = &kept;
    if (!column.focus.warp)
        return column;
    kept.update(subject, column.focus, whole_block);
    column.step = nearest_banked(*column.focus.warp, column.focus.step);
    if (const auto copy = column.step ? model::copy_at(*column.focus.warp, *column.step) : std::nullopt)
        column.picture = bank_picture(*copy);
    else if (column.step)
        column.picture = bank_picture(column.access().op, pattern_of(column.access()));
    else
        column.focus.why = plain(why_no_banks(subject));
    return column;
}

float BanksView::draw_diagrams(ViewFrame& frame, std::vector<ShownAccess>& columns, float y)
{
    std::size_t rows = 0;
    float height = 0;
    for (const ShownAccess& column : columns)
        rows = std::max(rows, column.picture.rows.size());
    for (const ShownAccess& column : columns) {
        if (!column.ready())
            continue;
        const BankDiagram diagram{column.picture, frame.theme, frame.selection.lane, rows};
        ImGui::PushID(&column);
        const auto hit = draw_bank_diagram(diagram, {column.x, y}, column.width);
        if (hit) {
            if (ImGui::IsItemClicked())
                frame.selection.lane = hit->lane;
            frame.hint = plain(describe_lane(column, hit->lane));
        }
        ImGui::PopID();
        height = std::max(height, bank_diagram_height(diagram));
    }
    return height;
}

float BanksView::draw_heat_heading(ViewFrame& frame, std::vector<ShownAccess>& columns, float y)
{
    const Theme& theme = frame.theme;
    const ShownAccess& first = columns.front();
    const float width = columns.back().x + columns.back().width - first.x;
    const uint64_t worst = std::max(facts[0].map.worst, columns.size() > 1 ? facts[1].map.worst : 0);
    Messages of_worst;
    if (worst > 0)
        of_worst.push_back(
            {"banks.heatmap_worst", {{"colour", Swatch{conflict_colour(theme, worst, worst)}}, {"conflicts", worst}}});
    Prose prose(theme);
    prose.write({"banks.heatmap", {{"none", Swatch{conflict_colour(theme, 0, worst)}}, {"worst", of_worst}}});
    const std::string alone = fmt::format("warp {} alone", frame.selection.warp);
    const float padding = 4 * ImGui::GetStyle().FramePadding.x + ImGui::GetStyle().ItemSpacing.x;
    const float buttons =
        std::ceil(ImGui::CalcTextSize("whole block").x + ImGui::CalcTextSize(alone.c_str()).x + padding);
    // At the right of the words, unless these would become a narrow column.
    const bool beside = width - buttons > theme.px(330);
    const float words_width = beside ? width - buttons - theme.px(16) : width;
    const float lowered = beside ? ImGui::GetStyle().FramePadding.y : 0;
    const float words = prose.draw(ImGui::GetWindowDrawList(), {first.x, y + lowered}, words_width) + theme.px(4);
    ImGui::SetCursorScreenPos(beside ? ImVec2{first.x + width - buttons, y} : ImVec2{first.x, y + words});
    if (draw::choice(theme, {"whole block", whole_block, {}}, frame.hint))
        whole_block = true;
    ImGui::SameLine();
    if (draw::choice(theme, {alone.c_str(), !whole_block, {}}, frame.hint))
        whole_block = false;
    const float frame_height = ImGui::GetFrameHeight();
    return (beside ? std::max(words + lowered, frame_height) : words + frame_height) + theme.px(4);
}

float BanksView::draw_heatmaps(ViewFrame& frame, std::vector<ShownAccess>& columns, float y)
{
    float height = 0, label = 0;
    uint64_t worst = 0;
    for (const ShownAccess& column : columns) {
        if (!column.ready())
            continue;
        label = std::max(label, heatmap_label_width(frame.theme, column.facts->names));
        worst = std::max(worst, column.facts->map.worst);
    }
    for (const ShownAccess& column : columns) {
        if (!column.ready())
            continue;
        const BankFacts& kept = *column.facts;
        // Cells are marked for the first stage alone: the marks do not say whose they are.
        const HeatmapPanel panel{kept.map,
                                 kept.names,
                                 kept.phases,
                                 frame.theme,
                                 frame.selection.step,
                                 worst,
                                 label,
                                 &column == &columns.front() ? frame.marks : nullptr};
        for (const auto& [key, factor] : {std::pair{'+', 1.25f}, {'=', 1.25f}, {'-', 0.8f}, {'0', 0.0f}})
            if (&column == &columns.front() && draw::typed(key))
                zoom_heatmap(panel, zoom, column.width, factor);
        ImGui::PushID(&column);
        const auto hit = draw_heatmap(panel, zoom, {column.x, y}, column.width);
        over_heatmap = over_heatmap || ImGui::IsItemHovered();
        if (hit) {
            const HeatRow& row = kept.map.rows[hit->row];
            const Index step = index(hit->step), line = index(row.line);
            frame.hint = plain(hit->cell ? Message{"banks.heatmap_cell",
                                                   {{"stage", column.subject->slug},
                                                    {"step", step},
                                                    {"line", line},
                                                    {"accesses", hit->cell->totals.instructions},
                                                    {"wavefronts", hit->cell->totals.wavefronts},
                                                    {"conflicts", hit->cell->totals.conflicts}}}
                                         : Message{"banks.heatmap_empty",
                                                   {{"stage", column.subject->slug}, {"step", step}, {"line", line}}});
            const bool moved = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left).x != 0;
            if (ImGui::IsItemDeactivated() && !moved) {
                frame.selection.step = hit->step;
                frame.selection.line = row.line;
            }
        }
        ImGui::PopID();
        height = std::max(height, heatmap_height(panel));
    }
    return height;
}

void BanksView::draw_columns(ViewFrame& frame, std::vector<ShownAccess>& columns)
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    float y = ImGui::GetCursorScreenPos().y;
    const float top = y;
    const auto section = [&](auto&& prose_of, float space) {
        float height = 0;
        for (const ShownAccess& column : columns)
            height = std::max(height, prose_of(column).draw(list, {column.x, y}, column.width));
        y += height + theme.px(space);
    };
    const float width = columns.back().x + columns.back().width - columns.front().x;
    const bool both = columns.size() > 1 && columns[0].focus.recording && columns[1].focus.recording;
    section([&](const ShownAccess& column) { return stage_heading(theme, *column.subject); }, 2);
    if (both) { // which has the figures of each in it
        Prose figures(theme);
        for (const Message& message : differences(theme, columns[0], columns[1]))
            figures.write(message).gap();
        y += figures.draw(list, {columns[0].x, y}, width) + theme.px(7);
    } else {
        section([&](const ShownAccess& column) { return stage_figures(theme, *column.subject); }, 7);
    }
    section(
        [&](const ShownAccess& column) {
            return column.ready() ? prose_of(theme, what_is_shown(column)) : Prose(theme).strong(column.focus.why);
        },
        4);
    const auto ready =
        std::find_if(columns.begin(), columns.end(), [](const ShownAccess& column) { return column.ready(); });
    if (ready != columns.end()) {
        const auto when_ready = [&](auto messages_of) {
            return [&theme, messages_of](const ShownAccess& column) {
                return column.ready() ? prose_of(theme, messages_of(column)) : Prose(theme);
            };
        };
        if (same_groups(columns))
            y += prose_of(theme, how_to_read(theme, *ready)).draw(list, {columns.front().x, y}, width) + theme.px(6);
        else
            section(when_ready([&](const ShownAccess& column) { return how_to_read(theme, column); }), 6);
        y += draw_diagrams(frame, columns, y) + theme.px(4);
        section(when_ready(outcome), 8);
        y += draw_heat_heading(frame, columns, y);
        y += draw_heatmaps(frame, columns, y) + theme.px(2);
        section(when_ready(conflict_sums), 4);
    }
    ImGui::SetCursorScreenPos({columns.front().x, top});
    ImGui::Dummy({1, y - top});
}

void BanksView::draw(ViewFrame& frame)
{
    if (draw::typed('a'))
        whole_block = !whole_block;
    const ImGuiWindowFlags flags = over_heatmap ? ImGuiWindowFlags_NoScrollWithMouse : 0;
    over_heatmap = false;
    ImGui::BeginChild("banks view", {0, 0}, false, flags);
    std::vector<ShownAccess> columns{shown_of(frame, frame.first, facts[0])};
    if (frame.second)
        columns.push_back(shown_of(frame, *frame.second, facts[1]));
    const std::vector<draw::Box> places = draw::columns(frame.theme, frame.second != nullptr);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        columns[i].x = places[i].min.x;
        columns[i].width = places[i].width();
    }
    if (columns.front().ready())
        frame.hint = plain(describe_lane(columns.front(), frame.selection.lane));
    draw_columns(frame, columns);
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_banks_view()
{
    return std::make_unique<BanksView>();
}

} // namespace viz
