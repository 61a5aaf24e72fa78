// The hierarchy view: grid, block, warp and thread, with their numbers, and a calculator for typed launches.
#include "viz/analysis/sectors.h"
#include "viz/draw/focus.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/lane_strip.h"
#include "viz/figure/layout.h"
#include "viz/views/05_hierarchy/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <utility>

namespace viz {

std::unique_ptr<View> make_hierarchy_view();

namespace {

using recording::warp_size;

constexpr const char* button_label = "typed by hand";
constexpr const char* swap_label = "swap x and y";
constexpr float field_width = 90, after_field = 14; // pixels at scale 1

// Keys that were pressed in a field of the launch and are not part of its text.
struct KeysInFields {
    int swaps = 0, zoom = 0;
    bool leave = false;
};

// In the fields of a launch, a letter is a key and not text.
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

// Returns the lanes of the selected warp. A lane without a thread, or with a surplus thread, is hollow.
Panel lanes_panel(const Theme& theme, const LaunchSide& side, const Box& box)
{
    const uint32_t first = side.warp() * warp_size, threads = side.plan.launch.threads_per_block();
    LaneStrip strip{.id = side.name("lanes"),
                    .warp = side.warp(),
                    .threads = lanes_with_thread(side.plan.launch, side.warp()),
                    .chosen = side.lane(),
                    .colour = warp_colour(theme, side.warp()),
                    .of_chosen = theme.ink};
    for (uint32_t lane = 0; lane < warp_size; ++lane)
        if (first + lane < threads && !side.is_surplus({side.selected.block, first + lane}))
            strip.takes_part |= 1u << lane;
    strip.tip = [&side](uint32_t lane) { return lane_words(side, lane); };
    strip.click = [&side, first, threads](uint32_t lane) -> Action {
        if (first + lane >= threads)
            return {};
        return [&side, thread = first + lane](const ViewScene& scene) {
            side.select(scene, {side.selected.block, thread});
        };
    };
    return lane_strip(theme, strip, box);
}

// Returns the steps of the selected warp, one below another, if it executes both sides of a branch.
std::optional<Panel> branch_panel(const ViewFrame& frame, const LaunchSide& side, const Box& box)
{
    if (side.column == nullptr)
        return {};
    const Focus focus = focus_on(frame, *side.column);
    if (focus.warp == nullptr || !takes_both_sides(*focus.warp))
        return {};
    LaneSteps steps{
        .id = side.name("branch"), .title = "both sides of a branch, one after the other", .now = focus.step};
    for (const recording::Access& access : focus.warp->accesses)
        steps.steps.push_back(
            {fmt::format("line {} {}", access.line, access_name(*focus.recording, access)), access.mask});
    if (side.column->number == 0)
        steps.click = [](const ViewScene& scene, std::size_t step) { scene.selection.step = step; };
    return lane_steps(frame.theme, steps, box);
}

class HierarchyView final : public View {
public:
    std::string_view name() const override { return "hierarchy"; }
    std::string_view title() const override { return "Hierarchy"; }
    ViewGroup group() const override { return ViewGroup::who; }
    std::vector<Numbers> numbers() const override { return {{Numbers::How::recorded, "launch, coordinates"}}; }
    ViewCommands commands() override;
    Figure figure(const ViewFrame& frame, const Box& box) override;
    void draw_controls(ViewFrame& frame) override;

private:
    void set_by_hand(bool wanted);
    void swap() { swapped = swapped != by_hand; }
    bool take_typed(const ViewScene& scene);
    void draw_fields(ViewFrame& frame);
    std::vector<Box> add_stages(Figure& figure, const ViewFrame& frame, const Box& box);
    Box add_typed(Figure& figure, const Theme& theme, const Box& box);
    void add_side(Figure& figure, const ViewFrame& frame, const LaunchSide& side, const Box& box);
    void take_sides(const ViewScene& scene);
    std::vector<PanZoom*> cameras();
    void show_all();
    void go_to(int to);
    void step_in(const ViewScene& scene, int by);
    void step_block(const ViewScene& scene, int by);
    void select(const ViewScene& scene, LaunchSide& side, ThreadRef thread);
    void take_selection(const ViewScene& scene);

    std::array<LaunchPlace, most_columns> places;
    LaunchPlace typed_place;
    Plan plan_by_hand = typed_plan({.grid = {2, 3, 1}, .block = {16, 16, 1}}, false); // the last valid one
    std::vector<LaunchSide> sides; // the typed launch, or the columns, in this frame
    KeysInFields keys_in_fields;
    bool by_hand = false, swapped = false, focus_field = false;
    bool moved = false;       // another view or a key selected another thread
    std::size_t shown = 0;    // number of stages in the last frame
    std::string typed_beside; // the stage beside which the launch was typed
    int level = 0;            // zoom level: the grid, the block, the warp, the thread, one of its results
    char block_text[32] = "16x16", grid_text[32] = "2x3";
    std::optional<Rich> refusal;   // why the typed launch is invalid
    Box head{};                    // box of the fields and the button
    std::optional<Selection> seen; // the last selection, to notice changes by other views or keys
    const recording::Recording* seen_recording = nullptr;
};

ViewCommands HierarchyView::commands()
{
    ViewCommands all = PanZoom::commands([this] { return cameras(); });
    std::ranges::find(all, "0", &ViewCommand::key)->action = [this](const ViewScene&) { show_all(); };
    const ViewCommands own = {
        {"z", "zoom in: to the block, the warp, the thread, its result and the sum",
         [this](const ViewScene& scene) { step_in(scene, 1); }},
        {"Z", "zoom out again, one step", [this](const ViewScene& scene) { step_in(scene, -1); }},
        {"n", "the next block of the plan", [this](const ViewScene& scene) { step_block(scene, 1); }},
        {"N", "the previous block of the plan", [this](const ViewScene& scene) { step_block(scene, -1); }},
        {"e", "type a launch by hand, or back to the stage's", [this](const ViewScene&) { set_by_hand(!by_hand); }},
        {"y", "by hand: swap x and y", [this](const ViewScene&) { swap(); }}};
    all.insert(all.end(), own.begin(), own.end());
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

// Follows the shared selection, which contains only recorded blocks. A thread of another block is stored here, until
// the selection changes.
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
    ThreadRef thread{linear_of(recording->blocks[now.block].block, recording->launch.grid),
                     std::min(now.warp * warp_size + now.lane, threads - 1)};
    // Selects the thread of a newly selected element, even if its block was not recorded.
    const auto owner = now.c && !same_c ? owner_of(*recording, now.c->first, now.c->second) : std::nullopt;
    if (owner && owner->warp == now.warp && owner->lane == now.lane)
        thread = {owner->block, owner->thread};
    for (LaunchPlace& place : places) {
        moved = moved || place.selected != thread;
        place.selected = thread;
    }
}

void HierarchyView::select(const ViewScene& scene, LaunchSide& side, ThreadRef thread)
{
    side.selected = thread;
    if (!side.recording)
        return;
    for (LaunchSide& other : sides)
        other.selected = {std::min<uint64_t>(thread.block, other.plan.launch.grid.volume() - 1),
                          std::min(thread.thread, other.plan.launch.threads_per_block() - 1)};
    scene.selection.warp = thread.thread / warp_size;
    scene.selection.lane = thread.thread % warp_size;
    select_block(scene, static_cast<uint32_t>(thread.block));
    const std::vector<Cell> cells = side.owned(thread);
    scene.selection.c = cells.empty() ? std::nullopt : std::optional(std::pair{cells[0].row, cells[0].col});
    seen = scene.selection;
}

void HierarchyView::set_by_hand(bool wanted)
{
    if (wanted == by_hand)
        return;
    by_hand = wanted;
    focus_field = by_hand;
    level = 0;
}

// Makes the sides: of the typed launch alone, or of the columns.
void HierarchyView::take_sides(const ViewScene& scene)
{
    sides.clear();
    if (by_hand)
        sides.emplace_back(plan_by_hand, typed_place);
    else
        for (const StageColumn& column : scene.columns)
            sides.emplace_back(column, places[column.number]);
    for (LaunchSide& side : sides) {
        const auto& c = scene.selection.c;
        if (c && std::ranges::find(side.written, Cell{c->first, c->second}) != side.written.end())
            side.chosen = Cell{c->first, c->second};
        side.level = level;
        side.select = [this, &side](const ViewScene& at, ThreadRef thread) { select(at, side, thread); };
        side.go_to = [this](const ViewScene&, int to) { go_to(to); };
    }
}

void HierarchyView::step_in(const ViewScene& scene, int by)
{
    take_sides(scene);
    go_to(std::clamp(level + by, 0, by_hand ? 3 : 4));
}

void HierarchyView::step_block(const ViewScene& scene, int by)
{
    take_selection(scene);
    take_sides(scene);
    LaunchSide& side = sides.front();
    const uint64_t blocks = side.plan.launch.grid.volume();
    select(scene, side, {(side.selected.block + blocks + static_cast<uint64_t>(by)) % blocks, side.selected.thread});
}

// Zooms all sides to the same level.
void HierarchyView::go_to(int to)
{
    level = to;
    for (const LaunchSide& side : sides)
        switch (level) {
        case 0: side.camera.show_all(); break;
        case 1: side.camera.show(rect_of_block(side.plan, side.selected.block)); break;
        case 2: side.camera.show(rect_of_warp(side.plan, side.selected)); break;
        case 3: side.camera.show(rect_of_thread(side.plan, side.selected)); break;
        default:
            if (!side.written.empty())
                side.camera.show(rect_of_result(side, side.chosen.value_or(side.written.front())), 0.9);
            break;
        }
}

// Reads the fields. Returns whether the plan was transposed, which moves the target of the zoom.
bool HierarchyView::take_typed(const ViewScene& scene)
{
    if (std::exchange(keys_in_fields.leave, false))
        set_by_hand(!by_hand);
    const std::string& stage = scene.columns.front().recording->stage;
    if (std::exchange(typed_beside, stage) != stage)
        set_by_hand(false); // the user selected another stage
    if (!by_hand)
        return false;
    const TypedLaunch typed = typed_launch(block_text, grid_text);
    refusal = typed.refusal;
    const bool before = plan_by_hand.swapped;
    plan_by_hand = typed_plan(typed.launch.value_or(plan_by_hand.launch), swapped);
    return swapped != before;
}

Figure HierarchyView::figure(const ViewFrame& frame, const Box& box)
{
    bool moves = take_typed(frame);
    shown = frame.columns.size();
    take_selection(frame);
    take_sides(frame);
    if (by_hand) // otherwise this line is about the recording
        frame.hint = plain(path_words(sides.front()));
    Figure figure{.numbers = numbers()};
    const std::vector<Box> boxes =
        by_hand ? std::vector{add_typed(figure, frame.theme, box)} : add_stages(figure, frame, box);
    for (std::size_t i = 0; i < sides.size(); ++i)
        add_side(figure, frame, sides[i], boxes[i]);
    moves |= std::exchange(moved, false);
    if (moves && level > 0) // keeps the zoom target visible
        go_to(level);
    figure.settled = std::ranges::none_of(sides, [](const LaunchSide& side) { return side.camera.gliding(); });
    return figure;
}

// Adds the headlines. A single headline has the button beside it.
std::vector<Box> HierarchyView::add_stages(Figure& figure, const ViewFrame& frame, const Box& box)
{
    Box rest = head = box;
    if (!frame.comparing())
        rest.max.x -= draw::button_width(button_label) + frame.theme.px(12);
    std::vector<Box> boxes =
        add_headings(figure, frame, rest, [&](const StageColumn& stage) { return headline(sides[stage.number]); });
    boxes.back().max.x = box.max.x;
    return boxes;
}

// Adds the headline of the typed launch: between the fields and the button, or below them if it does not fit.
Box HierarchyView::add_typed(Figure& figure, const Theme& theme, const Box& box)
{
    head = box;
    const float row = ImGui::GetFrameHeight() + theme.px(6), gap = theme.px(12);
    float fields = draw::button_width(swap_label);
    for (const char* label : {"block", "grid"})
        fields += ImGui::CalcTextSize(label).x + ImGui::GetStyle().ItemSpacing.x + theme.px(field_width + after_field);
    Heading heading;
    if (refusal)
        heading.name = rich("**Not a launch:** {}", *refusal);
    else
        heading.headline = headline(sides.front());
    const Box beside{{box.min.x + fields + gap, box.min.y},
                     {box.max.x - draw::button_width(button_label) - gap, box.min.y + row}};
    const bool fits = heading_height(theme, heading, beside.width()) <= heading_height(theme, heading, box.width());
    const float top = fits ? box.min.y : box.min.y + row;
    const float height = heading_height(theme, heading, box.width());
    heading.box = fits ? beside : Box{{box.min.x, top}, {box.max.x, top + height}};
    figure.headings.push_back(std::move(heading));
    return {{box.min.x, std::max(box.min.y + row, top + height)}, box.max};
}

void HierarchyView::add_side(Figure& figure, const ViewFrame& frame, const LaunchSide& side, const Box& box)
{
    const Theme& theme = frame.theme;
    constexpr double most_stretch = 12; // of a thread's cell, so that the plan fills the box
    constexpr double nearest = 20000;   // in pixels: a thread with many results then shows one of them
    if (sides.size() > 1)
        figure.said.push_back(rich("**{}**", side.column->slug));
    std::ranges::move(paragraphs(theme, side), std::back_inserter(figure.said));
    const float path = path_height(theme), lanes = lane_strip_height(theme, box.width());
    figure.panels.push_back(path_panel(theme, side, {box.min, {box.max.x, box.min.y + path}}));
    figure.panels.push_back(lanes_panel(theme, side, {{box.min.x, box.max.y - lanes}, box.max}));
    const Box above{{box.min.x, box.min.y + path}, {box.max.x, box.max.y - lanes - theme.px(8)}};
    const std::vector<Box> parts = rows(above, {share_of_rest(0.3f), share_of_rest(0.7f)}, theme.px(12));
    auto below = branch_panel(frame, side, parts[1]);
    if (!below && side.column != nullptr)
        if (const std::vector<HostCall>& calls = side.column->memo<host_calls_of>(); !calls.empty())
            below = host_panel(theme, side.column->slug, calls, parts[1]);
    const Box plan = below ? parts[0] : above;
    if (below)
        figure.panels.push_back(std::move(*below));
    const PlanPoint size = size_of(side.plan);
    side.camera.follow(plan_box(theme, plan), size.x, size.y, {.stretch = most_stretch, .nearest = nearest});
    figure.panels.push_back(plan_panel(theme, side, plan));
}

void HierarchyView::draw_controls(ViewFrame& frame)
{
    if (by_hand)
        draw_fields(frame);
    if (frame.comparing() && !by_hand)
        return;
    ImGui::SetCursorScreenPos({head.max.x - draw::button_width(button_label), head.min.y - frame.theme.px(2)});
    if (draw::choice(frame.theme, {button_label, by_hand, {}}, frame.hint))
        set_by_hand(!by_hand);
    mark_item(frame.marks, "launch typed");
}

void HierarchyView::draw_fields(ViewFrame& frame)
{
    const Theme& theme = frame.theme;
    ImGui::SetCursorScreenPos(head.min);
    const auto field = [&](const char* label, char* text, std::size_t size) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(label);
        ImGui::SameLine();
        if (std::exchange(focus_field, false))
            ImGui::SetKeyboardFocusHere();
        ImGui::SetNextItemWidth(theme.px(field_width));
        ImGui::PushFont(theme.mono);
        ImGui::InputText(fmt::format("##{}", label).c_str(), text, size,
                         ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CallbackCharFilter, take_key,
                         &keys_in_fields);
        ImGui::PopFont();
        mark_field(frame.marks, label);
        ImGui::SameLine(0, theme.px(after_field));
    };
    field("block", block_text, sizeof block_text);
    field("grid", grid_text, sizeof grid_text);
    if (draw::choice(theme, {swap_label, swapped, {}}, frame.hint))
        swap();
    mark_item(frame.marks, swapped ? "x and y swapped" : "x and y as typed");
    if (std::exchange(keys_in_fields.swaps, 0) % 2 != 0)
        swap();
    if (const int by = std::exchange(keys_in_fields.zoom, 0); by != 0)
        step_in(frame, by);
}

} // namespace

std::unique_ptr<View> make_hierarchy_view()
{
    return std::make_unique<HierarchyView>();
}

} // namespace viz
