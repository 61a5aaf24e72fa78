#include "viz/views/40_registers/fragment_pictures.h"

#include "viz/analysis/occupancy.h"
#include "viz/draw/matrix_picture.h"
#include "viz/draw/numbers.h"
#include "viz/text/templates.h"

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
        : picture(what), theme(what.part.theme()), marks(what.part.marks()), selected_lane(what.part.lane()),
          list(ImGui::GetWindowDrawList()), axes(what.fragments)
    {
        strip = theme.px(14);
        label = draw::row_height(theme, 3, theme.mono);
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
                if (selected == (lane == selected_lane))
                    draw_lane(lane, selected);
        const float edge = theme.px(2); // or the numbers of neighbours run together
        for (const Name& name : names)
            draw::text_in(list, theme.mono,
                          {{name.box.min.x + edge, name.box.min.y}, {name.box.max.x - edge, name.box.max.y}}, name.ink,
                          name.text);
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
        const LaneFragment &mine = picture.fragments.lanes[selected_lane],
                           held = picture.fragments.held_by(selected_lane);
        for (const bool of_a : {true, false}) {
            const Colour full = fragment_colour(theme, of_a);
            draw_strip(of_a ? all.a : all.b, of_a, mix(theme.panel, full, 0.3f));
            draw_strip(of_a ? mine.a : mine.b, of_a, mix(theme.panel, full, 0.55f)); // what it will have
            draw_strip(of_a ? held.a : held.b, of_a, full);
            const std::vector<Cell>& own = of_a ? mine.a : mine.b;
            if (own.empty())
                continue;
            const draw::Box first = of_a ? row_box(own.front().row) : col_box(own.front().col);
            mark(marks, of_a ? "fragment A" : "fragment B", first);
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
        const Colour colour = lane_colour(theme, lane);
        const auto rows = runs(fragment.a, &Cell::row), cols = runs(fragment.b, &Cell::col);
        if (rows.empty() || cols.empty())
            return;
        for (const auto& [top, bottom] : rows)
            for (const auto& [left, right] : cols) {
                const draw::Box run{{col_box(left).min.x, row_box(top).min.y},
                                    {col_box(right).max.x - 1, row_box(bottom).max.y - 1}};
                list->AddRectFilled(run.min, run.max, colour);
                if (selected)
                    list->AddRect(run.min, run.max, theme.ink, 0, 0, theme.px(2.5f));
                names.push_back({run, std::to_string(lane), ink_on(colour)});
            }
        mark(marks, fmt::format("product of lane {}", lane),
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

    struct Name {
        draw::Box box;
        std::string text;
        Colour ink = 0;
    };

    const FragmentPicture& picture;
    const Theme& theme;
    Marks* marks;
    uint32_t selected_lane;
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
    return draw::operand_colour(theme, of_a ? 0 : 1);
}

std::optional<uint32_t> draw_warp_products(const FragmentPicture& picture, const draw::Box& box)
{
    WarpPainter painter(picture, box);
    painter.draw();
    if (!draw::item("products", painter.area()))
        return {};
    const auto product = painter.under(ImGui::GetMousePos());
    for (uint32_t lane = 0; product && lane < recording::warp_size; ++lane) {
        if (!holds(picture.fragments.lanes[lane], *product))
            continue;
        const uint32_t k = picture.fragments.k;
        picture.part.frame.point_out(
            {"registers.product",
             {{"lane", index(lane)}, {"row", index(product->row)}, {"k", index(k)}, {"col", index(product->col)}}});
        return lane;
    }
    return {};
}

namespace {

// The products of one lane: its elements of A at the left, of B above, the sums between them.
class LanePainter {
public:
    LanePainter(const FragmentPicture& what, const draw::Box& where)
        : picture(what), theme(what.part.theme()), marks(what.part.marks()), selected_lane(what.part.lane()),
          list(ImGui::GetWindowDrawList()), box(where), fragment(what.fragments.lanes[selected_lane]),
          line(draw::row_height(theme, 4, theme.mono))
    {
        if (fragment.a.empty() || fragment.b.empty())
            return;
        const auto rows = static_cast<float>(fragment.a.size()), cols = static_cast<float>(fragment.b.size());
        const float head = draw::measure(theme.mono, name_of('A', fragment.a.back())).x;
        width = std::floor((box.width() - head - theme.px(8)) / cols);
        // Heads are as high as the rest where that leaves room for a name and a value.
        top = std::max(line, std::floor(std::min(box.height() / (rows + 1), 2 * line)));
        height = std::floor((box.height() - top) / rows);
        corner = {std::round(box.min.x + head + theme.px(6)), std::round(box.min.y + top)};
    }

    std::optional<Message> said; // of what is under the mouse, once it is drawn

    void draw()
    {
        if (width < 2 || height < 2)
            return;
        for (std::size_t j = 0; j < fragment.b.size(); ++j) {
            const float x = corner.x + width * static_cast<float>(j);
            draw_operand(1, fragment.b[j], {{x, box.min.y}, {x + width - 1, corner.y - 1}});
        }
        for (std::size_t i = 0; i < fragment.a.size(); ++i) {
            const float y = corner.y + height * static_cast<float>(i);
            draw_operand(0, fragment.a[i], {{box.min.x, y}, {corner.x - 1, y + height - 1}});
            for (std::size_t j = 0; j < fragment.b.size(); ++j) {
                const float x = corner.x + width * static_cast<float>(j);
                draw_sum({fragment.a[i].row, fragment.b[j].col}, {{x, y}, {x + width - 1, y + height - 1}});
            }
        }
    }

private:
    static std::string name_of(char matrix, const Cell& cell)
    {
        return fmt::format("{}({},{})", matrix, cell.row, cell.col);
    }

    // The name above the value, or the first of `alone` that fits.
    void write(const draw::Box& cell, Colour ink, const std::string& name, const std::string& value,
               std::initializer_list<std::string> alone) const
    {
        const float middle = (cell.min.y + cell.max.y) / 2;
        if (cell.height() >= 2 * line - theme.px(4) && !value.empty() &&
            draw::measure(theme.mono, name).x < cell.width()) {
            draw::text_in(list, theme.mono, {{cell.min.x, middle - line}, {cell.max.x, middle}}, ink, name);
            draw::text_in(list, theme.mono, {{cell.min.x, middle}, {cell.max.x, middle + line}}, ink, value);
            return;
        }
        const float edge = theme.px(1.5f); // or neighbours run together
        const draw::Box inner{{cell.min.x + edge, cell.min.y}, {cell.max.x - edge, cell.max.y}};
        for (const std::string& text : alone)
            if (!text.empty() && draw::text_in(list, theme.mono, inner, ink, text))
                return;
    }

    // What the lane holds in this cell, and its number.
    struct What {
        bool sum = false, held = false; // a sum, else an operand; it has been loaded
    };
    void point_at(const draw::Box& cell, const std::string& name, std::optional<double> value, What what)
    {
        if (!cell.holds(ImGui::GetMousePos()))
            return;
        const Quantity exact = exact_value(picture.recording, value.value_or(0));
        Messages number;
        if (value && what.sum)
            number.push_back({"registers.cell_sum", {{"value", exact}, {"k", index(picture.added_up_to.value_or(0))}}});
        else if (value)
            number.push_back({"registers.cell_value", {{"value", exact}}});
        said = Message{"registers.cell",
                       {{"lane", index(selected_lane)},
                        {"element", name},
                        {"does", Message{what.sum                         ? "registers.adds_up"
                                         : what.held && picture.elsewhere ? "registers.keeps"
                                         : what.held                      ? "registers.holds"
                                         : picture.stored                 ? "registers.multiplied_last"
                                                                          : "registers.will_hold"}},
                        {"value", number}}};
    }

    void draw_operand(std::size_t array, const Cell& element, const draw::Box& cell)
    {
        const LaneFragment now = picture.fragments.held_by(selected_lane);
        const bool held = std::ranges::find(array == 0 ? now.a : now.b, element) != (array == 0 ? now.a : now.b).end();
        const Colour own = fragment_colour(theme, array == 0), face = held ? own : mix(theme.panel, own, 0.25f);
        list->AddRectFilled(cell.min, cell.max, face);
        if (picture.elsewhere)
            list->AddRect(cell.min, cell.max, theme.warning, 0, 0, theme.px(1.5f));
        const auto value = value_of(picture.recording, array, element);
        const std::string name = name_of(array == 0 ? 'A' : 'B', element);
        const std::string words = value && held ? short_value(picture.recording, double{*value}) : "";
        write(cell, ink_on(face), name, words, {name, std::to_string(array == 0 ? element.row : element.col)});
        point_at(cell, name, value ? std::optional(double{*value}) : std::nullopt, {.sum = false, .held = held});
        if (!words.empty())
            mark(marks, "value " + name + " " + words, cell);
    }

    void draw_sum(const Cell& c, const draw::Box& cell)
    {
        list->AddRectFilled(cell.min, cell.max, picture.part.accent());
        std::optional<double> sum(std::in_place, 0); // GCC 12 warns of one that is not set
        if (picture.added_up_to && width > draw::measure(theme.mono, "-.0").x + theme.px(4)) // all or none
            sum = picture.sums.up_to(c, *picture.added_up_to);
        else
            sum.reset();
        const std::string name = name_of('C', c), value = sum ? short_value(picture.recording, *sum) : "";
        point_at(cell, name, sum, {.sum = true, .held = true});
        const std::string brief = sum ? brief_value(picture.recording, *sum) : "";
        write(cell, ink_on(picture.part.accent()), name, value, {value, brief, sum ? "" : name});
    }

    const FragmentPicture& picture;
    const Theme& theme;
    Marks* marks;
    uint32_t selected_lane;
    ImDrawList* list;
    draw::Box box;
    const LaneFragment& fragment;
    float line = 0, width = 0, height = 0, top = 0;
    ImVec2 corner;
};

} // namespace

void draw_lane_products(const FragmentPicture& picture, const draw::Box& box)
{
    const StagePart& part = picture.part;
    draw::Box room = box;
    if (picture.elsewhere) {
        const std::string said = plain(Message{"registers.operands_elsewhere"});
        draw::text(ImGui::GetWindowDrawList(), part.theme().text, box.min, part.theme().warning, said);
        const ImVec2 size = draw::measure(part.theme().text, said);
        mark(part.marks(), "local memory", box.min, {box.min.x + size.x, box.min.y + size.y});
        room.min.y += std::ceil(size.y + part.theme().px(4));
    }
    LanePainter painter(picture, room);
    painter.draw();
    if (ImGui::IsWindowHovered() && painter.said)
        part.frame.point_out(*painter.said);
}

float draw_held(const StagePart& part, const std::array<LaneFragment, recording::warp_size>& held, bool of_a,
                const draw::Box& box)
{
    const Theme& theme = part.theme();
    std::vector<Cell> all;
    for (const LaneFragment& lane : held)
        all.insert(all.end(), (of_a ? lane.a : lane.b).begin(), (of_a ? lane.a : lane.b).end());
    const auto extent = bounds(all);
    if (!extent)
        return 0;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float label = draw::row_height(theme, 4, theme.mono_bold);
    draw::text(list, theme.mono_bold, box.min, theme.ink,
               fmt::format("{}({}..{}, {}..{})", of_a ? "A" : "B", extent->row, extent->row + extent->rows - 1,
                           extent->col, extent->col + extent->cols - 1));
    const float cell = std::floor(std::min(box.width() / static_cast<float>(extent->cols),
                                           (box.height() - label) / static_cast<float>(extent->rows)));
    const MatrixFrame grid{{box.min.x, box.min.y + label}, cell, {}};
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        for (const Cell& element : of_a ? held[lane].a : held[lane].b) {
            const draw::Box place = grid.box_of({element.row - extent->row, element.col - extent->col, 1, 1});
            const Colour face = lane == part.lane() ? theme.ink : lane_colour(theme, lane);
            list->AddRectFilled(place.min, {place.max.x - 1, place.max.y - 1}, face);
            draw::text_in(list, theme.mono, place, ink_on(face), std::to_string(lane));
        }
    return label + cell * static_cast<float>(extent->rows);
}

float draw_register_bar(const StagePart& stage, const RegisterUse& use)
{
    if (!use.registers)
        return 0;
    const Theme& theme = stage.theme();
    const draw::Box& box = stage.box;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float height = theme.px(24);
    list->AddRectFilled(box.min, {box.max.x, box.min.y + height}, draw::empty_colour(theme));
    const uint32_t sums = std::min(use.results, *use.registers);
    const uint32_t operands = use.elsewhere() ? 0 : std::min(use.fragments, *use.registers - sums);
    struct Part {
        const char* name;
        uint32_t count;
        Colour colour;
    };
    float x = box.min.x;
    for (const Part& part :
         {Part{"results", sums, stage.accent()}, Part{"fragments", operands, fragment_colour(theme, false)},
          Part{"other", *use.registers - sums - operands, theme.barrier}}) {
        const float width = std::round(box.width() * static_cast<float>(part.count) / most_registers);
        const draw::Box place{{x, box.min.y}, {x + width, box.min.y + height}};
        list->AddRectFilled(place.min, {std::max(place.min.x, place.max.x - 1), place.max.y}, part.colour);
        if (!draw::text_in(list, theme.text, place, ink_on(part.colour), fmt::format("{} {}", part.name, part.count)))
            draw::text_in(list, theme.mono, place, ink_on(part.colour), std::to_string(part.count));
        mark(stage.marks(), fmt::format("registers:{}", part.name), place);
        x += width;
    }
    const std::string used = fmt::format("{} of {}", *use.registers, most_registers);
    const float room = box.max.x - theme.px(6) - x;
    const Index bytes = index(use.local.value_or(0));
    const Message words{use.registers_left ? "registers.bar_local" : "registers.bar_spilled", {{"bytes", bytes}}};
    const std::string local = bytes.value == 0 ? "" : plain(words);
    const bool full = draw::measure(theme.mono, used).x > room; // then the number stands on what is full
    const Colour ink = full ? ink_on(theme.barrier) : theme.ink_quiet;
    const ImVec2 end{box.max.x - theme.px(6), box.min.y + theme.px(4)};
    if (!local.empty())
        draw::text_right(list, theme.mono_bold, end, theme.warning, local);
    else
        draw::text_right(list, theme.mono, end, ink, used);
    list->AddRect(box.min, {box.max.x, box.min.y + height}, theme.border);
    return height;
}

} // namespace viz
