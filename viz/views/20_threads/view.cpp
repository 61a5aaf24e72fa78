// Threads: who computes which element of C.
#include "viz/view.h"

#include "viz/draw/columns.h"
#include "viz/draw/focus.h"
#include "viz/draw/heading.h"
#include "viz/text/templates.h"
#include "viz/views/20_threads/dot_product.h"
#include "viz/views/20_threads/thread_side.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace viz {

std::unique_ptr<View> make_threads_view();

namespace {

using recording::Recording;

constexpr ColourBy all_colours[] = {ColourBy::block, ColourBy::warp, ColourBy::lane, ColourBy::sm};
constexpr const char* colour_names[] = {"block", "warp", "lane", "SM"};

// Whether there is an A and a B that C is the product of.
bool has_product(const Recording& recording)
{
    return recording.problem.K > 1 && recording.arrays.size() > 2 && recording.arrays[0].cols > 0 &&
           !map_shape(recording).wrapped;
}

bool sm_known(const ViewFrame& frame)
{
    const auto has = [](const StageColumn& stage) { return !stage.recording->placements.empty(); };
    return std::ranges::any_of(frame.columns, has);
}

class ThreadsView final : public View {
public:
    std::string_view name() const override { return "threads"; }
    std::string_view title() const override { return "Threads"; }
    ViewGroup group() const override { return ViewGroup::who; }
    std::vector<Numbers> numbers() const override { return {{Numbers::How::recorded, "accesses, owners, SMs"}}; }
    ViewCommands commands() override
    {
        const auto zooming = [this](double factor) {
            return [this, factor](const ViewScene&) { zoom_around(fitted_box, fitted_box.middle(), factor); };
        };
        const auto moving = [this](int rows, int cols) {
            return [=, this](const ViewScene&) { move_map(rows, cols); };
        };
        return {{"o", "colour by the next owner: block, warp, lane, SM", [this](const ViewScene&) { next_colour(); }},
                {"+", "zoom into the map", zooming(1.25)},
                {"-", "zoom out of the map", zooming(0.8)},
                {"0", "show the whole map", [this](const ViewScene&) { fitted = {}; }},
                {"z", "zoom to the selected block", [this](const ViewScene&) { to_block = true; }},
                {"h", "move the map left", moving(0, -1)},
                {";", "move the map right", moving(0, 1)},
                {"k", "move the map up", moving(-1, 0)},
                {"j", "move the map down", moving(1, 0)}};
    }
    bool settled() const override { return std::ranges::all_of(std::span(maps).first(shown), &ThreadMap::settled); }
    void draw(ViewFrame& frame) override;

private:
    float draw_buttons(ViewFrame& frame, const draw::Box& box, int per_row);
    bool buttons_inside(const ViewFrame& frame) const;
    void choose_colour(const ViewFrame& frame);
    void next_colour();
    void move_map(int rows, int cols);
    void explain(const ViewFrame& frame, const StageColumn& stage, const ThreadSide& side) const;
    void draw_side(ViewFrame& frame, const StageColumn& stage, draw::Box box);
    void draw_map(ViewFrame& frame, const StageColumn& stage, const ThreadSide& side, const draw::Box& box);
    void move_camera(const draw::Box& box, const ThreadSide& side);
    void zoom_around(const draw::Box& box, ImVec2 point, double factor);
    void fit(const draw::Box& box, const ThreadSide& side, const CellRect& what);
    void point_at(ViewFrame& frame, const ThreadSide& side, const draw::Box& box);

    std::array<ThreadMap, most_columns> maps;
    gl::Camera camera;
    MapShape fitted;        // the shape that the camera was last fitted to; empty: it is fitted anew
    draw::Box fitted_box{}; // the map's, in the last frame
    bool to_block = false;  // the camera goes to the selected block in the next frame
    bool whole = true;      // keep all of C in view when the size changes
    std::size_t shown = 0;  // stages, in the last frame
    bool comparing = false;
    ColourBy by = ColourBy::block;
    bool chosen = false; // by hand; until then one block is coloured by its warps
};

void ThreadsView::choose_colour(const ViewFrame& frame)
{
    if (!chosen)
        by = frame.columns.front().recording->launch.grid.volume() > 1 ? ColourBy::block : ColourBy::warp;
    if (by == ColourBy::sm && !sm_known(frame))
        by = ColourBy::block;
}

void ThreadsView::next_colour()
{
    chosen = true;
    by = static_cast<ColourBy>((static_cast<int>(by) + 1) % 4);
}

// By a part of what is seen; draw() keeps it in the map.
void ThreadsView::move_map(int rows, int cols)
{
    const double stride = 0.15 * fitted_box.width() / camera.cell;
    camera.row += rows * stride;
    camera.col += cols * stride;
    whole = false;
}

// Two narrow columns have no room for the buttons in their first rows: then they stand below the sum.
bool ThreadsView::buttons_inside(const ViewFrame& frame) const
{
    return comparing && has_product(*frame.columns.front().recording) && maps[0].shape().rows > 0;
}

// All four at the right of the box's first row, or so many in each row from its left on; returns the width.
float ThreadsView::draw_buttons(ViewFrame& frame, const draw::Box& box, int per_row)
{
    const bool sm = sm_known(frame);
    const float gap = frame.theme.px(4);
    float width = 0;
    for (const char* label : colour_names)
        width += draw::button_width(label) + gap;
    ImGui::SetCursorScreenPos({box.max.x - width + gap, box.min.y - frame.theme.px(2)});
    for (int i = 0; i < 4; ++i) {
        if (i % per_row > 0)
            ImGui::SameLine(0, gap);
        else if (per_row < 4)
            ImGui::SetCursorScreenPos(
                {box.min.x, box.min.y + static_cast<float>(i / per_row) * (ImGui::GetFrameHeight() + gap)});
        const bool refused = all_colours[i] == ColourBy::sm && !sm;
        const std::string why = refused ? plain(Message{"threads.no_sm"}) : std::string();
        if (draw::choice(frame.theme, {colour_names[i], by == all_colours[i], why}, frame.hint)) {
            by = all_colours[i];
            chosen = true;
        }
        if (ImGui::IsItemHovered() && !refused)
            frame.point_out(colour_message(all_colours[i]));
    }
    return width;
}

void ThreadsView::fit(const draw::Box& box, const ThreadSide& side, const CellRect& what)
{
    const bool all = what.rows == side.map.shape().rows && what.cols == side.map.shape().cols;
    const double room = all ? 1.0 : 0.8;
    camera.cell = std::min(box.width() * room / what.cols, box.height() * room / what.rows);
    camera.row = what.row + what.rows / 2.0;
    camera.col = what.col + what.cols / 2.0;
    if (all) { // from the top left corner, where the rulers are
        camera.row = box.height() / 2 / camera.cell;
        camera.col = box.width() / 2 / camera.cell;
    }
}

void ThreadsView::zoom_around(const draw::Box& box, ImVec2 point, double factor)
{
    const double dx = point.x - (box.min.x + box.max.x) / 2, dy = point.y - (box.min.y + box.max.y) / 2;
    const double col = camera.col + dx / camera.cell, row = camera.row + dy / camera.cell;
    const double least =
        std::min({0.5 * box.width() / std::max(1u, fitted.cols), 0.5 * box.height() / std::max(1u, fitted.rows), 1.0});
    camera.cell = std::clamp(camera.cell * factor, least, 200.0);
    camera.col = col - dx / camera.cell;
    camera.row = row - dy / camera.cell;
    whole = false;
}

void ThreadsView::move_camera(const draw::Box& box, const ThreadSide& side)
{
    const MapShape& shape = side.map.shape();
    const bool other = shape.rows != fitted.rows || shape.cols != fitted.cols;
    const bool resized = box.width() != fitted_box.width() || box.height() != fitted_box.height();
    if (other || (whole && resized)) {
        whole = true;
        fit(box, side, {0, 0, shape.rows, shape.cols});
    }
    fitted = shape;
    fitted_box = box;
    if (std::exchange(to_block, false)) {
        std::vector<Cell> places;
        for (const OwnedCell& cell : side.owned)
            places.push_back(map_place(shape, cell.cell));
        if (const auto rect = bounds(places)) {
            fit(box, side, *rect);
            whole = false;
        }
    }
    camera.row = std::clamp(camera.row, 0.0, std::max<double>(shape.rows, box.height() / 2 / camera.cell));
    camera.col = std::clamp(camera.col, 0.0, std::max<double>(shape.cols, box.width() / 2 / camera.cell));
}

void ThreadsView::point_at(ViewFrame& frame, const ThreadSide& side, const draw::Box& box)
{
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
        camera.col -= io.MouseDelta.x / camera.cell;
        camera.row -= io.MouseDelta.y / camera.cell;
        whole = false;
    }
    if (ImGui::IsItemHovered() && io.MouseWheel != 0)
        zoom_around(box, io.MousePos, std::pow(1.25, io.MouseWheel));
    const ImVec2 drag = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left);
    const bool clicked = ImGui::IsItemDeactivated() && drag.x == 0 && drag.y == 0;
    const auto place = place_under(box, camera, side.map.shape(), io.MousePos);
    const auto element = place ? map_element(side.map.shape(), *place) : std::nullopt;
    if (!element || !(ImGui::IsItemHovered() || clicked))
        return;
    const auto owner = owner_of(side.recording, element->row, element->col);
    const std::string name = element_name(side.recording.arrays[2].name, {*element});
    Messages hint{owner ? Message{"threads.point", {{"element", name}, {"owner", describe(*owner, side.recording)}}}
                        : Message{"threads.unowned", {{"element", name}}}};
    if (owner && !recorded_block(side.recording, owner->block))
        hint.push_back({"threads.not_recorded"});
    frame.point_out({"threads.pointed", {{"what", Value::Nested(hint.begin(), hint.end())}}});
    if (clicked)
        select_element(frame, *element, owner);
}

void ThreadsView::explain(const ViewFrame& frame, const StageColumn& stage, const ThreadSide& side) const
{
    if (comparing)
        frame.explain({{"threads.of_stage", {{"stage", stage.slug}}}});
    frame.explain(thread_messages(side, by));
    frame.explain(outlined(side));
    if (side.element && side.recording.arrays.size() > 2 && side.recording.problem.K > 1)
        frame.explain(sum_messages(side.recording, *side.element));
}

void ThreadsView::draw_map(ViewFrame& frame, const StageColumn& stage, const ThreadSide& side, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Recording& recording = side.recording;
    const std::optional<Cell>& element = side.element;
    const MapShape& shape = side.map.shape();
    const bool product = has_product(recording);
    const ImVec2 ruler = ruler_size(shape, theme);
    DotProductPlace place;
    place.map = {{std::round(box.min.x + ruler.x), std::round(box.min.y + ruler.y)},
                 {std::floor(box.max.x), std::floor(box.max.y)}};
    if (product)
        place = dot_product_place(theme, box, shape, recording);
    if (buttons_inside(frame) && stage.number == 0) {
        place.sum.max.y -= 2 * ImGui::GetFrameHeight() + theme.px(8);
        draw_buttons(frame, {{place.sum.min.x, place.sum.max.y + theme.px(6)}, {place.sum.max.x, box.max.y}}, 2);
    }
    const draw::Box& map = place.map;
    if (map.width() < 20 || map.height() < 20)
        return;
    draw::item("map", map);
    if (stage.number == 0) {
        mark_item(frame.marks, "map of C");
        move_camera(map, side);
    }
    point_at(frame, side, map);
    side.map.draw(list, map, camera, theme);
    const Colour accent = theme.accent(stage.number);
    side.map.draw_marks(list, map, camera, side.marks, theme, accent);
    if (!product || !element)
        return;
    const DotProduct what{{frame, stage, box},
                          *element,
                          owner_of(recording, element->row, element->col),
                          side.map.what_numbers_say(camera, theme),
                          side.marks,
                          camera};
    if (const auto k = draw_dot_product(list, what, place))
        frame.point_out({"threads.term",
                         {{"a", element_name("A", {{element->row, *k}})},
                          {"b", element_name("B", {{*k, element->col}})},
                          {"element", element_name("C", {*element})}}});
}

void ThreadsView::draw_side(ViewFrame& frame, const StageColumn& stage, draw::Box box)
{
    const Theme& theme = frame.theme;
    ThreadMap& map = maps[stage.number];
    map.show(stage, by, theme);
    if (map.shape().rows == 0) {
        const float y = box.min.y + draw::stage_heading(theme, stage).draw(box.min, box.width()) + theme.px(2);
        Prose(theme).write({"threads.too_large"}).draw({box.min.x, y}, box.width());
        return;
    }
    const ThreadSide side = thread_side(frame, stage, map);
    const float taken = comparing ? 0 : draw_buttons(frame, box, 4) + theme.px(12); // of the first row
    box.min.y += draw::stage_headline(frame, stage, headline(side), {box.min, {box.max.x - taken, box.max.y}});
    explain(frame, stage, side);
    mark_picture(frame.marks, stage.slug, box);
    draw_map(frame, stage, side, box);
}

// Views of accesses stay at another block, where this one's were not recorded.
Messages elsewhere(const ViewFrame& frame, uint32_t block)
{
    const Recording& recording = *frame.columns.front().recording;
    if (recorded_block(recording, block) || frame.selection.block >= recording.blocks.size())
        return {};
    return {{"threads.elsewhere", {{"block", block_name(recording, recording.blocks[frame.selection.block])}}}};
}

void ThreadsView::draw(ViewFrame& frame)
{
    shown = frame.columns.size();
    comparing = shown > 1;
    ImGui::BeginChild("threads view", {0, 0}, false, ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoScrollbar);
    if (frame.selection.c)
        if (const auto owner =
                owner_of(*frame.columns.front().recording, frame.selection.c->first, frame.selection.c->second))
            frame.hint =
                plain(Message{"threads.selected",
                              {{"element", element_name(frame.columns.front().recording->arrays[2].name,
                                                        {{frame.selection.c->first, frame.selection.c->second}})},
                               {"owner", describe(*owner, *frame.columns.front().recording)},
                               {"elsewhere", elsewhere(frame, owner->block)}}});
    choose_colour(frame);
    const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    float below = 0;
    if (comparing && !buttons_inside(frame)) {
        draw_buttons(frame, {corner, {corner.x + room.x, corner.y + room.y}}, 4);
        ImGui::SetCursorScreenPos(corner);
        below = ImGui::GetFrameHeight() + frame.theme.px(2);
    }
    draw::in_columns(frame.theme, frame.columns.size(), below,
                     [&](std::size_t i, const draw::Box& box) { draw_side(frame, frame.columns[i], box); });
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_threads_view()
{
    return std::make_unique<ThreadsView>();
}

} // namespace viz
