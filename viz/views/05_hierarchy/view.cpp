// Hierarchy: grid, block, warp and thread, with their numbers; and a calculator for launches typed by hand.
#include "viz/view.h"

#include "viz/analysis/sectors.h"
#include "viz/draw/columns.h"
#include "viz/draw/focus.h"
#include "viz/draw/heading.h"
#include "viz/draw/matrix_picture.h"
#include "viz/text/templates.h"
#include "viz/views/05_hierarchy/launch_canvas.h"
#include "viz/views/05_hierarchy/thread_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <utility>

namespace viz {

std::unique_ptr<View> make_hierarchy_view();

namespace {

using recording::warp_size;

// What was pressed in a field of the launch and is no part of it.
struct KeysInFields {
    int swaps = 0, zoom = 0;
    bool leave = false;
};

class HierarchyView final : public View {
public:
    std::string_view name() const override { return "hierarchy"; }
    std::string_view title() const override { return "Hierarchy"; }
    ViewGroup group() const override { return ViewGroup::who; }
    std::vector<Numbers> numbers() const override { return {{Numbers::How::recorded, "launch, coordinates"}}; }
    ViewCommands commands() override;
    bool settled() const override
    {
        const std::span<const LaunchPlace> seen = by_hand ? std::span(&typed_place, 1) : std::span(places).first(shown);
        return std::ranges::none_of(seen, [](const LaunchPlace& place) { return place.camera.gliding(); });
    }
    void draw(ViewFrame& frame) override;

private:
    void set_by_hand(bool wanted);
    float draw_button(ViewFrame& frame, const draw::Box& box);
    float draw_fields(ViewFrame& frame, const draw::Box& box);
    float draw_head(ViewFrame& frame, const StageColumn& stage, LaunchSide& side, const draw::Box& box);
    void draw_side(ViewFrame& frame, const StageColumn& stage, LaunchSide& side, draw::Box box);
    void draw_plan(ViewFrame& frame, LaunchSide& side, const draw::Box& box);
    void explain(const ViewFrame& frame, const StageColumn& stage, const LaunchSide& side) const;
    void draw_warp(ViewFrame& frame, LaunchSide& side, const draw::Box& box);
    float draw_path(ViewFrame& frame, LaunchSide& side, const draw::Box& box);
    void take_sides(const ViewScene& scene);
    void go_to(const ViewScene& scene, LaunchSide& side, int to);
    void step_in(const ViewScene& scene, int by);
    void step_block(const ViewScene& scene, int by);
    void show_all();
    void swap() { swapped = swapped != by_hand; }
    std::vector<PanZoom*> cameras();
    void point_at(ViewFrame& frame, LaunchSide& side, const draw::Box& box);
    void select(const ViewScene& scene, LaunchSide& side, ThreadRef thread);
    void take_selection(const ViewScene& scene);

    std::array<LaunchPlace, most_columns> places;
    LaunchPlace typed_place;
    LaunchPlan plan_by_hand;       // without columns: no launch was typed yet
    std::vector<LaunchSide> sides; // of this frame: the typed launch alone, or the columns
    KeysInFields keys_in_fields;
    bool zoom_again = false; // the plan was turned: to the same block, warp or thread
    bool comparing = false, by_hand = false, swapped = false, focus_field = false;
    std::size_t shown = 0;    // stages, in the last frame
    std::string typed_beside; // the stage at which somebody began to type
    int level = 0;            // zoomed to: the grid, the block, the warp, the thread, one of its results
    char block_text[32] = "16x16", grid_text[32] = "2x3";
    TypedLaunch typed;
    std::optional<Selection> seen; // the last one, to notice that another view or a key changed it
    const recording::Recording* seen_recording = nullptr;
};

ViewCommands HierarchyView::commands()
{
    ViewCommands all = PanZoom::commands([this] { return cameras(); });
    std::ranges::find(all, "0", &ViewCommand::key)->action = [this](const ViewScene&) { show_all(); };
    const auto add = [&](const char* key, const char* words, std::function<void(const ViewScene&)> action) {
        all.push_back({key, words, std::move(action)});
    };
    add("z", "zoom in: to the block, the warp, the thread, its result and the sum",
        [this](const ViewScene& scene) { step_in(scene, 1); });
    add("Z", "zoom out again, one step", [this](const ViewScene& scene) { step_in(scene, -1); });
    add("n", "the next block of the plan", [this](const ViewScene& scene) { step_block(scene, 1); });
    add("N", "the previous block of the plan", [this](const ViewScene& scene) { step_block(scene, -1); });
    add("e", "type a launch by hand, or back to the stage's", [this](const ViewScene&) { set_by_hand(!by_hand); });
    add("y", "by hand: swap x and y", [this](const ViewScene&) { swap(); });
    return all;
}

std::vector<PanZoom*> HierarchyView::cameras()
{
    if (by_hand)
        return {&typed_place.camera};
    std::vector<PanZoom*> all;
    for (LaunchPlace& place : std::span(places).first(shown))
        all.push_back(&place.camera);
    return all;
}

void HierarchyView::show_all()
{
    level = 0;
    for (PanZoom* camera : cameras())
        camera->show_all();
}

// Of a launch that was recorded.
ThreadResults results_of(const ViewFrame& frame, const LaunchSide& side)
{
    return {elements_of(side, frame.selection), *side.recording, plain(path_steps(side)[3].name), frame.theme,
            frame.marks};
}

// The shared selection knows recorded blocks only; a thread of another block is remembered here until it changes.
void HierarchyView::take_selection(const ViewScene& scene)
{
    const Selection& now = scene.selection;
    const recording::Recording* const recording = scene.columns.front().recording.get();
    const bool same_c = seen && seen->c == now.c && recording == seen_recording;
    const bool same = same_c && seen->block == now.block && seen->warp == now.warp && seen->lane == now.lane;
    seen = now;
    seen_recording = recording;
    if (same || now.block >= recording->blocks.size())
        return;
    const uint32_t threads = recording->launch.threads_per_block();
    // An element was chosen: its thread, also where the accesses of its block were not recorded.
    const auto owner = now.c && !same_c ? owner_of(*recording, now.c->first, now.c->second) : std::nullopt;
    if (owner && owner->warp == now.warp && owner->lane == now.lane) {
        for (LaunchPlace& place : places)
            place.selected = {owner->block, owner->thread};
        return;
    }
    const ThreadRef thread{linear_of(recording->blocks[now.block].block, recording->launch.grid),
                           std::min(now.warp * warp_size + now.lane, threads - 1)};
    for (LaunchPlace& place : places)
        place.selected = thread;
}

void HierarchyView::select(const ViewScene& scene, LaunchSide& side, ThreadRef thread)
{
    side.selected = thread;
    if (!side.recording)
        return;
    for (LaunchSide& other : sides)
        if (other.recording)
            other.selected = {std::min<uint64_t>(thread.block, other.plan.launch.grid.volume() - 1),
                              std::min(thread.thread, other.plan.launch.threads_per_block() - 1)};
    scene.selection.warp = thread.thread / warp_size;
    scene.selection.lane = thread.thread % warp_size;
    select_block(scene, static_cast<uint32_t>(thread.block));
    const std::vector<Cell> cells = side.owned(thread);
    scene.selection.c = cells.empty() ? std::nullopt : std::optional(std::pair{cells[0].row, cells[0].col});
    seen = scene.selection;
}

// These letters are no part of a launch: in its fields they are the keys that they are elsewhere.
int take_key(ImGuiInputTextCallbackData* data)
{
    KeysInFields& keys = *static_cast<KeysInFields*>(data->UserData);
    switch (data->EventChar) {
    case 'y': ++keys.swaps; return 1;
    case 'z': ++keys.zoom; return 1;
    case 'Z': --keys.zoom; return 1;
    case 'e': keys.leave = true; return 1;
    default: return 0;
    }
}

// The launch typed by hand; returns the width.
float HierarchyView::draw_fields(ViewFrame& frame, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    ImGui::SetCursorScreenPos(box.min);
    const auto field = [&](const char* label, char* text, std::size_t size) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(label);
        ImGui::SameLine();
        if (std::exchange(focus_field, false))
            ImGui::SetKeyboardFocusHere();
        ImGui::SetNextItemWidth(theme.px(90));
        ImGui::PushFont(theme.mono);
        ImGui::InputText(fmt::format("##{}", label).c_str(), text, size,
                         ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CallbackCharFilter, take_key,
                         &keys_in_fields);
        ImGui::PopFont();
        mark_field(frame.marks, label);
        ImGui::SameLine(0, theme.px(14));
    };
    field("block", block_text, sizeof block_text);
    field("grid", grid_text, sizeof grid_text);
    if (draw::choice(theme, {"swap x and y", swapped, {}}, frame.hint))
        swap();
    if (std::exchange(keys_in_fields.swaps, 0) % 2 != 0)
        swap();
    if (const int by = std::exchange(keys_in_fields.zoom, 0); by != 0)
        step_in(frame, by);
    mark_item(frame.marks, swapped ? "x and y swapped" : "x and y as typed");
    const TypedLaunch next = typed_launch(block_text, grid_text);
    typed.refusal = next.refusal;
    if (next.launch)
        typed.launch = next.launch;
    return ImGui::GetItemRectMax().x - box.min.x;
}

void HierarchyView::set_by_hand(bool wanted)
{
    if (wanted == by_hand)
        return;
    by_hand = wanted;
    focus_field = by_hand;
    level = 0;
}

// At the right of the first row; returns the width.
float HierarchyView::draw_button(ViewFrame& frame, const draw::Box& box)
{
    constexpr const char* label = "typed by hand";
    const float width = draw::button_width(label);
    ImGui::SetCursorScreenPos({box.max.x - width, box.min.y - frame.theme.px(2)});
    if (draw::choice(frame.theme, {label, by_hand, {}}, frame.hint))
        set_by_hand(!by_hand);
    mark_item(frame.marks, "launch typed");
    return width;
}

// The typed launch alone, or the columns.
void HierarchyView::take_sides(const ViewScene& scene)
{
    sides.clear();
    if (by_hand)
        sides.emplace_back(plan_by_hand, typed_place);
    else
        for (const StageColumn& column : scene.columns)
            sides.emplace_back(column, places[column.number]);
}

// All sides alike.
void HierarchyView::step_in(const ViewScene& scene, int by)
{
    take_sides(scene);
    const int to = std::clamp(level + by, 0, by_hand ? 3 : 4);
    for (LaunchSide& side : sides)
        go_to(scene, side, to);
}

void HierarchyView::step_block(const ViewScene& scene, int by)
{
    take_selection(scene);
    take_sides(scene);
    LaunchSide& side = sides.front();
    if (side.plan.cols == 0)
        return;
    const uint64_t blocks = side.plan.launch.grid.volume();
    select(scene, side, {(side.selected.block + blocks + static_cast<uint64_t>(by)) % blocks, side.selected.thread});
}

void HierarchyView::go_to(const ViewScene& scene, LaunchSide& side, int to)
{
    level = to;
    switch (level) {
    case 0: side.camera.show_all(); break;
    case 1: side.camera.show(rect_of_block(side.plan, side.selected.block)); break;
    case 2: side.camera.show(rect_of_warp(side.plan, side.selected)); break;
    case 3: side.camera.show(rect_of_thread(side.plan, side.selected), 0.8); break;
    default:
        if (const ThreadElements results = elements_of(side, scene.selection); !results.cells.empty())
            side.camera.show(
                rect_of_result(side.plan, side.selected, results, results.chosen.value_or(results.cells.front())), 0.9);
        break;
    }
}

void HierarchyView::point_at(ViewFrame& frame, LaunchSide& side, const draw::Box& box)
{
    side.camera.use_mouse();
    const ImGuiIO& io = ImGui::GetIO();
    const ImVec2 drag = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left);
    const bool clicked = ImGui::IsItemDeactivated() && drag.x == 0 && drag.y == 0;
    if (!box.holds(io.MousePos) || !(ImGui::IsItemHovered() || clicked))
        return;
    if (side.recording) {
        const draw::Box cell = side.camera.to_screen(rect_of_thread(side.plan, side.selected));
        if (const auto element = result_under(cell, results_of(frame, side), io.MousePos)) {
            const std::string name = element_name(side.recording->arrays[2].name, {*element});
            const uint32_t terms = products_of(*side.recording);
            frame.point_out(terms > 0 ? Message{"hierarchy.result", {{"element", name}, {"terms", terms}}}
                                      : Message{"hierarchy.result_alone", {{"element", name}}});
            if (clicked)
                frame.selection.c = {element->row, element->col};
            return;
        }
    }
    const auto [x, y] = side.camera.from_screen(io.MousePos);
    const auto hit = plan_hit(side.plan, {x, y});
    if (!hit)
        return;
    const Messages about = point_messages(side, *hit);
    frame.point_out({"hierarchy.pointed", {{"what", Value::Nested(about.begin(), about.end())}}});
    if (clicked)
        select(frame, side, {hit->block, hit->thread.value_or(0)});
}

// What was said above the plan once.
void HierarchyView::explain(const ViewFrame& frame, const StageColumn& stage, const LaunchSide& side) const
{
    if (comparing && !by_hand)
        frame.explain({{"hierarchy.of_stage", {{"stage", stage.slug}}}});
    frame.explain({path_message(side)});
    frame.explain(launch_messages(frame.theme, side));
    frame.explain(warp_messages(side));
    if (by_hand)
        frame.explain({swap_message(side)});
    if (side.recording && !recorded_block(*side.recording, static_cast<uint32_t>(side.selected.block)))
        frame.explain({{"hierarchy.not_recorded"}});
}

// From the grid to the element, one after the other; a click zooms there. Returns the height.
float HierarchyView::draw_path(ViewFrame& frame, LaunchSide& side, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::vector<PathStep> steps = path_steps(side);
    float pad = theme.px(8), gap = theme.px(14);
    const float height = std::ceil(draw::measure(theme.mono, "0").y + theme.px(6));
    std::vector<std::string> words, brief;
    for (const PathStep& step : steps) {
        words.push_back(plain(step.name));
        brief.push_back(step.number.empty() ? words.back() : step.number);
    }
    const auto too_wide = [&](const std::vector<std::string>& path) {
        float width = -gap;
        for (const std::string& one : path)
            width += draw::measure(theme.mono, one).x + 2 * pad + gap;
        return width > box.width();
    };
    const bool whole = !too_wide(words);
    if (!whole && too_wide(brief)) // closer together
        pad = theme.px(3), gap = theme.px(12);
    float x = box.min.x;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::string& text = whole ? words[i] : brief[i];
        const draw::Box chip{{x, box.min.y}, {x + draw::measure(theme.mono, text).x + 2 * pad, box.min.y + height}};
        const bool here = static_cast<int>(i) == level;
        list->AddRectFilled(chip.min, chip.max, here ? mix(theme.panel, theme.ink, 0.18f) : theme.panel, theme.px(4));
        draw::text_in(list, theme.mono, chip, here ? theme.ink : theme.ink_quiet, text);
        if (i + 1 < steps.size())
            draw::text(list, theme.mono,
                       {chip.max.x + (gap - draw::measure(theme.mono, ">").x) / 2, chip.min.y + theme.px(3)},
                       theme.ink_faint, ">");
        ImGui::PushID(static_cast<int>(i));
        if (draw::item("path", chip))
            frame.point_out(path_message(side));
        if (ImGui::IsItemClicked() && (i < 4 || side.recording))
            go_to(frame, side, static_cast<int>(i));
        if (side.has_marks())
            mark_item(frame.marks, fmt::format("path {}", i)), mark_item(frame.marks, "path:" + words[i]);
        ImGui::PopID();
        x = chip.max.x + gap;
    }
    return height + theme.px(4);
}

// The lanes of the selected warp: hollow where there is no thread, or a surplus one.
void HierarchyView::draw_warp(ViewFrame& frame, LaunchSide& side, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    const uint32_t warp = side.selected.thread / warp_size, threads = side.plan.launch.threads_per_block();
    const IdleSet* set = side.idle ? side.idle->of(side.selected.block) : nullptr;
    uint32_t mask = 0;
    for (uint32_t lane = 0; lane < warp_size; ++lane)
        if (const uint32_t thread = warp * warp_size + lane; thread < threads && !(set && set->idle[thread]))
            mask |= 1u << lane;
    const LaneStrip strip{plain(Message{"hierarchy.step_warp", {{"warp", warp}}}), mask,
                          side.selected.thread % warp_size, warp_colour(theme, warp),
                          lanes_with_thread(side.plan.launch, warp)};
    if (const auto lane = draw_lane_strip(strip, theme, box)) {
        const uint32_t thread = warp * warp_size + *lane;
        frame.point_out(thread < threads ? Message{"hierarchy.lane",
                                                   {{"lane", *lane},
                                                    {"warp", warp},
                                                    {"thread", index(thread)},
                                                    {"surplus", (mask >> *lane & 1u) == 0}}}
                                         : Message{"hierarchy.no_thread", {{"lane", *lane}, {"warp", warp}}});
        if (ImGui::IsItemClicked() && thread < threads)
            select(frame, side, {side.selected.block, thread});
    }
}

void HierarchyView::draw_plan(ViewFrame& frame, LaunchSide& side, const draw::Box& box)
{
    constexpr double most_stretch = 12; // of a thread's cell, so that the plan fills the room
    constexpr double nearest = 20000;   // pixels: one result of a thread that has many fills the view
    draw::item("plan", box);
    mark_item(frame.marks, "plan");
    if (frame.marks)
        mark_item(frame.marks, "plan of " + typed_text(side.plan.launch.block) + (side.plan.swapped ? " swapped" : ""));
    const PlanPoint size = size_of(side.plan);
    side.camera.follow(box, size.x, size.y, {.stretch = most_stretch, .nearest = nearest});
    if (std::exchange(zoom_again, false)) // what was zoomed to stays in sight
        go_to(frame, side, level);
    point_at(frame, side, box);
    LaunchPicture picture{side, {}, frame.theme, side.has_marks() ? frame.marks : nullptr};
    if (side.recording)
        picture.inside = [&](const draw::Box& thread) {
            draw_results(ImGui::GetWindowDrawList(), thread, results_of(frame, side));
        };
    draw_launch(ImGui::GetWindowDrawList(), box, picture);
}

// Returns the height.
float HierarchyView::draw_head(ViewFrame& frame, const StageColumn& stage, LaunchSide& side, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    const float gap = theme.px(12);
    const float taken = comparing && !by_hand ? 0 : draw_button(frame, box) + gap;
    if (!by_hand)
        return draw::stage_headline(frame, stage, headline(side), {box.min, {box.max.x - taken, box.max.y}});
    const float fields = draw_fields(frame, box) + gap, row = ImGui::GetFrameHeight() + theme.px(6);
    Prose said(theme);
    if (typed.refusal)
        said.write(Message{"hierarchy.not_a_launch", {{"why", *typed.refusal}}});
    else
        said.write_large(headline(side));
    const bool beside = said.width() + fields + taken <= box.width();
    const ImVec2 place{beside ? box.max.x - taken - said.width() : box.min.x, box.min.y + (beside ? 0 : row)};
    const float height = said.draw(ImGui::GetWindowDrawList(), place, beside ? said.width() + 1 : box.width());
    return beside ? row : row + height + theme.px(6);
}

void HierarchyView::draw_side(ViewFrame& frame, const StageColumn& stage, LaunchSide& side, draw::Box box)
{
    const Theme& theme = frame.theme;
    box.min.y += draw_head(frame, stage, side, box);
    if (side.plan.cols == 0)
        return; // nothing that could be launched was typed yet
    explain(frame, stage, side);
    if (by_hand) // else the line speaks of what was recorded
        frame.hint = plain(path_message(side));
    mark_picture(frame.marks, by_hand ? "typed" : stage.slug, box);
    box.min.y += draw_path(frame, side, box);
    const float lanes = lane_strip_height(theme, box.width());
    draw_warp(frame, side, {{box.min.x, box.max.y - lanes}, box.max});
    draw_plan(frame, side,
              {{std::round(box.min.x) + 2, std::round(box.min.y + name_height(theme))},
               {std::floor(box.max.x) - 2, std::floor(box.max.y - lanes - theme.px(8))}});
}

void HierarchyView::draw(ViewFrame& frame)
{
    ImGui::BeginChild("hierarchy view", {0, 0}, false,
                      ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoScrollbar);
    comparing = frame.comparing();
    if (std::exchange(keys_in_fields.leave, false))
        set_by_hand(!by_hand);
    if (std::exchange(typed_beside, frame.columns.front().recording->stage) != frame.columns.front().recording->stage)
        set_by_hand(false); // another stage was chosen
    if (by_hand) {          // before it is drawn, as of the frame before
        if (!typed.launch)
            typed = typed_launch(block_text, grid_text);
        const bool before = plan_by_hand.plan.swapped;
        if (typed.launch)
            plan_by_hand = typed_plan(*typed.launch, swapped);
        zoom_again = plan_by_hand.plan.swapped != before && level > 0;
    }
    shown = frame.columns.size();
    take_selection(frame);
    take_sides(frame);
    draw::in_columns(frame.theme, sides.size(), 0,
                     [&](std::size_t i, const draw::Box& box) { draw_side(frame, frame.columns[i], sides[i], box); });
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_hierarchy_view()
{
    return std::make_unique<HierarchyView>();
}

} // namespace viz
