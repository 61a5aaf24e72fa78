#include "viz/views/70_faster/comparison_table.h"

#include "viz/draw/matrix_picture.h"
#include "viz/text/figures.h"
#include "viz/text/prose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

std::string number(Measure measure, double value)
{
    if (measure == Measure::occupancy)
        return fmt::format("{:.0f} %", value * 100);
    return value == 0 ? "0" : value == std::floor(value) ? thousands(static_cast<uint64_t>(value)) : thousands(value);
}

class Painter {
public:
    Painter(const ComparisonTable& what, const draw::Box& place)
        : table(what), theme(what.theme), list(ImGui::GetWindowDrawList()), box(place), y(place.min.y)
    {
        line = std::ceil(draw::measure(theme.mono, "0").y);
        names = draw::measure(theme.text, "spilled bytes per thread").x + theme.px(10);
        numbers = draw::measure(theme.mono, "000,000").x + theme.px(8);
    }

    void heading(const char* words)
    {
        y += y == box.min.y ? 0 : theme.px(6);
        draw::text(list, theme.text, {box.min.x, y}, theme.ink_quiet, words);
        y += std::ceil(draw::measure(theme.text, "0").y + theme.px(2));
    }

    void pair(Measure measure, std::string& hint)
    {
        const std::optional<double> values[2] = {table.first.figures[measure], table.second.figures[measure]};
        const double most = std::max(values[0].value_or(0), values[1].value_or(0));
        const float height = 2 * line + theme.px(5);
        const MeasureInfo& about = info(measure);
        draw::text(list, theme.text, {box.min.x, y + line / 2}, theme.ink, about.name);
        for (int i = 0; i < 2; ++i)
            bar(measure, values[i], most, i);
        ImGui::SetCursorScreenPos({box.min.x, y});
        ImGui::PushID(static_cast<int>(measure));
        ImGui::InvisibleButton("pair", {std::max(1.0f, box.width()), height});
        ImGui::PopID();
        if (ImGui::IsItemHovered())
            hint = fmt::format("{}: {} in {}, {} in {}", about.name, words(measure, table.first), table.first.slug,
                               words(measure, table.second), table.second.slug);
        y += height;
    }

    float height() const { return y - box.min.y; }

private:
    static std::string why_missing(Measure measure, const ComparedRung& rung)
    {
        if (per_multiplication(measure))
            return "multiplies nothing";
        return measure == Measure::speed ? rung.speed.origin : rung.figures.why_missing;
    }

    static std::string words(Measure measure, const ComparedRung& rung)
    {
        const auto value = rung.figures[measure];
        return value ? number(measure, *value) : why_missing(measure, rung);
    }

    void bar(Measure measure, std::optional<double> value, double most, int side)
    {
        const float top = y + static_cast<float>(side) * line, left = box.min.x + names + numbers;
        const float room = std::max(theme.px(20), box.max.x - left);
        if (!value) {
            draw::text(list, theme.text, {box.min.x + names, top}, theme.ink_faint,
                       why_missing(measure, side == 0 ? table.first : table.second));
            return;
        }
        const std::string text = number(measure, *value);
        draw::text_right(list, theme.mono, {left - theme.px(8), top}, theme.ink, text);
        const float length = most == 0 ? 0 : std::round(room * static_cast<float>(*value / most));
        const draw::Box place{{left, top + theme.px(2)},
                              {left + std::max(length, *value > 0 ? 1.0f : 0.0f), top + line - theme.px(1)}};
        list->AddRectFilled(place.min, place.max, theme.accent(side == 0 ? Accent::first : Accent::second));
        mark(table.marks, fmt::format("bar:{} {}", info(measure).name, side == 0 ? "first" : "second"), place.min,
             place.max);
    }

    const ComparisonTable& table;
    const Theme& theme;
    ImDrawList* list;
    draw::Box box;
    float y, line = 0, names = 0, numbers = 0;
};

float draw_remark(const ComparisonTable& table, ImVec2 at, float width)
{
    Prose remark(table.theme);
    remark.say(
        "Accesses are counted as the source says them; the compiler may merge some, or keep values in registers.");
    return remark.draw(ImGui::GetWindowDrawList(), at, width) + table.theme.px(4);
}

} // namespace

float draw_comparison(const ComparisonTable& table, const draw::Box& box, std::string& hint)
{
    Painter painter(table, box);
    const char* heading = nullptr;
    for (std::size_t i = 0; i < measure_count; ++i) {
        const auto measure = static_cast<Measure>(i);
        heading = info(measure).heading != nullptr ? info(measure).heading : heading;
        const auto a = table.first.figures[measure], b = table.second.figures[measure];
        if ((a && b && *a == 0 && *b == 0) || (!a && !b && per_multiplication(measure)))
            continue;
        if (heading != nullptr)
            painter.heading(heading);
        heading = nullptr;
        painter.pair(measure, hint);
    }
    return painter.height() +
           draw_remark(table, {box.min.x, box.min.y + painter.height() + table.theme.px(4)}, box.width());
}

BlockMapping mapping_of(const recording::Recording& recording, const recording::BlockTrace& block, uint32_t warp,
                        uint32_t lane)
{
    // Slices of K beside each other: C belongs to the first one's threads.
    const uint32_t linear = linear_of({block.block.x, block.block.y, 0}, recording.launch.grid);
    BlockMapping mapping;
    std::vector<Cell> all, of_warp, of_thread;
    for (const OwnedCell& owned : cells_of_block(recording, linear)) {
        all.push_back(owned.cell);
        if (owned.thread / recording::warp_size == warp)
            of_warp.push_back(owned.cell);
        if (owned.thread == warp * recording::warp_size + lane)
            of_thread.push_back(owned.cell);
    }
    mapping.tile = bounds(all).value_or(CellRect{0, 0, 0, 0});
    mapping.warp_results = of_warp.size();
    mapping.thread_results = of_thread.size();
    mapping.warp = cover(std::move(of_warp));
    mapping.thread = cover(std::move(of_thread));
    for (std::vector<CellRect>* cells : {&mapping.warp, &mapping.thread})
        for (CellRect& rect : *cells) {
            rect.row -= mapping.tile.row;
            rect.col -= mapping.tile.col;
        }
    return mapping;
}

Prose mapping_words(const MappingPicture& picture)
{
    const BlockMapping& mapping = picture.mapping;
    Prose words(picture.theme);
    words.code(picture.slug).say(fmt::format(": block {} x {}", mapping.tile.rows, mapping.tile.cols)).gap();
    words.swatch(draw::mix(picture.theme.panel, picture.accent, 0.5f)).say("warp: " + thousands(mapping.warp_results));
    words.gap().swatch(picture.accent).say("lane: " + counted(mapping.thread_results, "result"));
    return words;
}

float draw_mapping(const MappingPicture& picture, const draw::Box& box)
{
    const Theme& theme = picture.theme;
    const BlockMapping& mapping = picture.mapping;
    if (mapping.tile.rows == 0 || mapping.tile.cols == 0)
        return 0;
    ImDrawList* list = ImGui::GetWindowDrawList();
    MatrixFrame frame{{box.min.x + 1, std::round(box.min.y)}, 1, plain_shape(mapping.tile.rows, mapping.tile.cols)};
    frame.cell = std::min({box.width() / static_cast<float>(mapping.tile.cols),
                           box.height() / static_cast<float>(mapping.tile.rows), theme.px(12)});
    draw_matrix(list, frame, theme);
    fill_cells(list, frame, mapping.warp, draw::mix(theme.panel, picture.accent, 0.5f), 1);
    fill_cells(list, frame, mapping.thread, picture.accent, 2);
    return frame.box().height();
}

} // namespace viz
