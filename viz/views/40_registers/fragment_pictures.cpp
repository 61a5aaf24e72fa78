#include "viz/views/40_registers/fragment_pictures.h"

#include "viz/analysis/values.h"
#include "viz/draw/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace viz {

namespace {

// Rows of A and columns of B that the warp uses, without those between; places by value.
struct Axes {
    std::vector<uint32_t> rows, cols;

    explicit Axes(const Fragments& fragments)
    {
        std::set<uint32_t> all_rows, all_cols;
        for (const LaneFragment& lane : fragments.lanes) {
            for (const Cell& cell : lane.a)
                all_rows.insert(cell.row);
            for (const Cell& cell : lane.b)
                all_cols.insert(cell.col);
        }
        rows.assign(all_rows.begin(), all_rows.end());
        cols.assign(all_cols.begin(), all_cols.end());
    }
    static float place(const std::vector<uint32_t>& values, uint32_t value)
    {
        return static_cast<float>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
    }
};

class WarpPainter {
public:
    WarpPainter(const FragmentPicture& what, const draw::Box& place)
        : picture(what), theme(what.theme), list(ImGui::GetWindowDrawList()), axes(what.fragments)
    {
        strip = theme.px(14);
        label = std::ceil(draw::measure(theme.mono, "0").y + theme.px(3));
        corner = {std::round(place.min.x + strip + theme.px(6)), std::round(place.min.y + label + strip + theme.px(6))};
        const auto rows = static_cast<float>(std::max<std::size_t>(1, axes.rows.size()));
        const auto cols = static_cast<float>(std::max<std::size_t>(1, axes.cols.size()));
        width = (place.max.x - corner.x) / cols;
        height = (place.max.y - corner.y) / rows;
        width = width >= 12 ? std::floor(width) : width;
        height = height >= 12 ? std::floor(height) : height;
    }

    draw::Box area() const
    {
        return {corner,
                {corner.x + width * static_cast<float>(axes.cols.size()),
                 corner.y + height * static_cast<float>(axes.rows.size())}};
    }

    void draw()
    {
        const Fragments& fragments = picture.fragments;
        draw::text(list, theme.mono, {corner.x, corner.y - strip - label - theme.px(4)}, theme.ink,
                   fmt::format("B({}, columns)", fragments.k));
        draw_strips();
        for (const bool selected : {false, true})
            for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
                if (selected == (lane == picture.lane))
                    draw_lane(lane, selected);
    }

    // The row and column under the mouse.
    std::optional<Cell> under(ImVec2 mouse) const
    {
        if (!area().holds(mouse))
            return {};
        const auto row = static_cast<std::size_t>((mouse.y - corner.y) / height);
        const auto col = static_cast<std::size_t>((mouse.x - corner.x) / width);
        if (row >= axes.rows.size() || col >= axes.cols.size())
            return {};
        return Cell{axes.rows[row], axes.cols[col]};
    }

private:
    draw::Box row_box(uint32_t row) const
    {
        const float y = corner.y + height * Axes::place(axes.rows, row);
        return {{corner.x - strip - theme.px(4), y}, {corner.x - theme.px(4), y + height}};
    }
    draw::Box col_box(uint32_t col) const
    {
        const float x = corner.x + width * Axes::place(axes.cols, col);
        return {{x, corner.y - strip - theme.px(4)}, {x + width, corner.y - theme.px(4)}};
    }

    // What any lane holds, and over it what the selected one does.
    void draw_strips()
    {
        LaneFragment all;
        for (const uint32_t row : axes.rows)
            all.a.push_back({row, 0});
        for (const uint32_t col : axes.cols)
            all.b.push_back({0, col});
        const LaneFragment& mine = picture.fragments.lanes[picture.lane];
        for (const bool of_a : {true, false}) {
            const Colour full = fragment_colour(theme, of_a);
            draw_strip(of_a ? all.a : all.b, of_a, draw::mix(theme.panel, full, 0.3f));
            draw_strip(of_a ? mine.a : mine.b, of_a, full);
            const std::vector<Cell>& held = of_a ? mine.a : mine.b;
            if (held.empty())
                continue;
            const draw::Box first = of_a ? row_box(held.front().row) : col_box(held.front().col);
            mark(picture.marks, of_a ? "fragment A" : "fragment B", first.min, first.max);
        }
    }

    void draw_strip(const std::vector<Cell>& cells, bool of_a, Colour colour)
    {
        for (const auto& [first, last] : runs(cells, of_a ? &Cell::row : &Cell::col))
            list->AddRectFilled(of_a ? row_box(first).min : col_box(first).min,
                                of_a ? row_box(last).max : col_box(last).max, colour);
    }

    void draw_lane(uint32_t lane, bool selected)
    {
        const LaneFragment& fragment = picture.fragments.lanes[lane];
        const Colour colour = selected ? picture.accent : lane_colour(theme, lane);
        const auto rows = runs(fragment.a, &Cell::row), cols = runs(fragment.b, &Cell::col);
        if (rows.empty() || cols.empty())
            return;
        for (const auto& [top, bottom] : rows)
            for (const auto& [left, right] : cols) {
                const draw::Box run{{col_box(left).min.x, row_box(top).min.y},
                                    {col_box(right).max.x - 1, row_box(bottom).max.y - 1}};
                list->AddRectFilled(run.min, run.max, colour);
                if (selected)
                    list->AddRect(run.min, run.max, theme.ink, 0, 0, theme.px(1.5f));
                names.push_back({run, std::to_string(lane), ink_on(colour)});
            }
        mark(picture.marks, fmt::format("product of lane {}", lane),
             {col_box(cols.front().first).min.x, row_box(rows.front().first).min.y},
             {col_box(cols.front().second).max.x, row_box(rows.front().second).max.y});
    }

    // First and last of neighbours without a gap.
    static std::vector<std::pair<uint32_t, uint32_t>> runs(const std::vector<Cell>& cells, uint32_t Cell::*axis)
    {
        std::set<uint32_t> values;
        for (const Cell& cell : cells)
            values.insert(cell.*axis);
        std::vector<std::pair<uint32_t, uint32_t>> result;
        for (const uint32_t value : values) {
            if (!result.empty() && result.back().second + 1 == value)
                result.back().second = value;
            else
                result.emplace_back(value, value);
        }
        return result;
    }

public:
    void draw_names() const
    {
        for (const Name& name : names)
            draw::text_in(list, theme.mono, name.box, name.ink, name.text);
    }

private:
    struct Name {
        draw::Box box;
        std::string text;
        Colour ink = 0;
    };

    const FragmentPicture& picture;
    const Theme& theme;
    ImDrawList* list;
    Axes axes;
    ImVec2 corner;
    float strip = 0, label = 0, width = 1, height = 1;
    std::vector<Name> names;
};

bool holds(const LaneFragment& fragment, Cell product)
{
    const auto row = [&](const Cell& cell) { return cell.row == product.row; };
    const auto col = [&](const Cell& cell) { return cell.col == product.col; };
    return std::any_of(fragment.a.begin(), fragment.a.end(), row) &&
           std::any_of(fragment.b.begin(), fragment.b.end(), col);
}

} // namespace

Colour fragment_colour(const Theme& theme, bool of_a)
{
    return theme.lane_group[of_a ? 1 : 3];
}

std::optional<uint32_t> draw_warp_products(const FragmentPicture& picture, const draw::Box& box, const ViewFrame& frame)
{
    WarpPainter painter(picture, box);
    painter.draw();
    painter.draw_names();
    const draw::Box area = painter.area();
    ImGui::SetCursorScreenPos(area.min);
    ImGui::InvisibleButton("products", {std::max(1.0f, area.width()), std::max(1.0f, area.height())});
    if (!ImGui::IsItemHovered())
        return {};
    const auto product = painter.under(ImGui::GetMousePos());
    for (uint32_t lane = 0; product && lane < recording::warp_size; ++lane) {
        if (!holds(picture.fragments.lanes[lane], *product))
            continue;
        const uint32_t k = picture.fragments.k;
        frame.point_out(
            {"registers.product",
             {{"lane", index(lane)}, {"row", index(product->row)}, {"k", index(k)}, {"col", index(product->col)}}});
        return lane;
    }
    return {};
}

namespace {

// " = 3"; empty where it is not known.
std::string value_text(const FragmentPicture& picture, std::size_t array, const Cell& cell)
{
    const auto value = value_of(picture.recording, array, cell);
    return value ? " = " + short_value(picture.recording, *value) : "";
}

// What this k adds to the sum: "+ 15".
std::string product_text(const FragmentPicture& picture, const Cell& a, const Cell& b)
{
    const auto left = value_of(picture.recording, 0, a), right = value_of(picture.recording, 1, b);
    return left && right ? "+ " + short_value(picture.recording, double{*left} * double{*right}) : "";
}

} // namespace

float draw_lane_products(const FragmentPicture& picture, const draw::Box& box)
{
    const Theme& theme = picture.theme;
    const LaneFragment& fragment = picture.fragments.lanes[picture.lane];
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float line = std::ceil(draw::measure(theme.mono, "0").y + theme.px(4));
    const auto rows = static_cast<float>(fragment.a.size()), cols = static_cast<float>(fragment.b.size());
    if (fragment.a.empty() || fragment.b.empty())
        return 0;
    const float head =
        draw::measure(theme.mono, fmt::format("A({},{})", fragment.a.back().row, fragment.a.back().col)).x;
    const float width = std::floor((box.width() - head - theme.px(8)) / cols);
    const float height = std::floor((box.height() - line) / rows);
    if (width < 2 || height < 2)
        return 0;
    // One form for all: where the longest does not fit, a shorter one.
    const auto fits = [&](const char* form) {
        return std::all_of(fragment.b.begin(), fragment.b.end(), [&](const Cell& b) {
            return draw::measure(theme.mono, fmt::format(fmt::runtime(form), fragment.a.back().row, b.col)).x <=
                   width - 1;
        });
    };
    const char* form = fits("C({},{})") ? "C({},{})" : fits("{},{}") ? "{},{}" : "";
    const ImVec2 corner{std::round(box.min.x + head + theme.px(6)), std::round(box.min.y + line)};
    for (std::size_t j = 0; j < fragment.b.size(); ++j) {
        const Cell& b = fragment.b[j];
        const float x = corner.x + width * static_cast<float>(j);
        const draw::Box cell{{x, box.min.y}, {x + width - 1, box.min.y + line - 1}};
        list->AddRectFilled(cell.min, cell.max, fragment_colour(theme, false));
        const Colour ink = ink_on(fragment_colour(theme, false));
        const std::string name = fmt::format("B({},{})", b.row, b.col);
        if (!draw::text_in(list, theme.mono, cell, ink, name + value_text(picture, 1, b)) &&
            !draw::text_in(list, theme.mono, cell, ink, name))
            draw::text_in(list, theme.mono, cell, ink, std::to_string(b.col));
    }
    for (std::size_t i = 0; i < fragment.a.size(); ++i) {
        const Cell& a = fragment.a[i];
        const float y = corner.y + height * static_cast<float>(i);
        const draw::Box cell{{box.min.x, y}, {corner.x - 1, y + height - 1}};
        list->AddRectFilled(cell.min, cell.max, fragment_colour(theme, true));
        const auto known = value_of(picture.recording, 0, a);
        draw::named_value(list, theme, cell,
                          {fmt::format("A({},{})", a.row, a.col), known ? short_value(picture.recording, *known) : "",
                           ink_on(fragment_colour(theme, true))});
        for (std::size_t j = 0; j < fragment.b.size(); ++j) {
            const float x = corner.x + width * static_cast<float>(j);
            const draw::Box sum{{x, y}, {x + width - 1, y + height - 1}};
            list->AddRectFilled(sum.min, sum.max, picture.accent);
            draw::named_value(list, theme, sum,
                              {fmt::format(fmt::runtime(form), a.row, fragment.b[j].col),
                               product_text(picture, a, fragment.b[j]), ink_on(picture.accent)});
        }
    }
    return line + height * rows;
}

float draw_held(const std::array<LaneFragment, recording::warp_size>& held, bool of_a, uint32_t selected, Colour accent,
                const Theme& theme, const draw::Box& box)
{
    std::vector<Cell> all;
    for (const LaneFragment& lane : held)
        all.insert(all.end(), (of_a ? lane.a : lane.b).begin(), (of_a ? lane.a : lane.b).end());
    const auto extent = bounds(all);
    if (!extent)
        return 0;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float label = std::ceil(draw::measure(theme.mono_bold, "0").y + theme.px(4));
    draw::text(list, theme.mono_bold, box.min, theme.ink,
               fmt::format("{}({}..{}, {}..{})", of_a ? "A" : "B", extent->row, extent->row + extent->rows - 1,
                           extent->col, extent->col + extent->cols - 1));
    const float cell = std::floor(std::min(
        {box.width() / static_cast<float>(extent->cols), (box.height() - label) / static_cast<float>(extent->rows)}));
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        for (const Cell& element : of_a ? held[lane].a : held[lane].b) {
            const ImVec2 at{box.min.x + cell * static_cast<float>(element.col - extent->col),
                            box.min.y + label + cell * static_cast<float>(element.row - extent->row)};
            const draw::Box place{at, {at.x + cell, at.y + cell}};
            const Colour face = lane == selected ? accent : lane_colour(theme, lane);
            list->AddRectFilled(place.min, {place.max.x - 1, place.max.y - 1}, face);
            draw::text_in(list, theme.mono, place, ink_on(face), std::to_string(lane));
        }
    return label + cell * static_cast<float>(extent->rows);
}

} // namespace viz
