// Hierarchy: grid, block, warp and thread, with their numbers; and a calculator for launches typed by hand.
#include "viz/view.h"

#include "viz/draw/columns.h"
#include "viz/draw/matrix_picture.h"
#include "viz/text/templates.h"
#include "viz/views/05_hierarchy/launch_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace viz {

std::unique_ptr<View> make_hierarchy_view();

namespace {

using recording::warp_size;

class HierarchyView final : public View {
public:
    std::string_view name() const override { return "hierarchy"; }
    std::string_view title() const override { return "Hierarchy"; }
    ViewGroup group() const override { return ViewGroup::who; }
    std::vector<Numbers> numbers() const override { return {{Numbers::How::recorded, "launch, coordinates"}}; }
    std::vector<std::pair<std::string, std::string>> keys() const override
    {
        auto keys = PanZoom::keys();
        keys.push_back({"z and Z", "zoom in to the block, the warp, the thread; and out again"});
        keys.push_back({"n and N", "the next and the previous block of the plan"});
        keys.push_back({"e", "type a launch by hand, or back to the stage's"});
        keys.push_back({"y", "by hand: swap x and y"});
        return keys;
    }
    bool settled() const override
    {
        return by_hand ? typed_side.settled() : sides[0].settled() && (!comparing || sides[1].settled());
    }
    void draw(ViewFrame& frame) override;

private:
    void draw_buttons(ViewFrame& frame);
    void draw_fields(ViewFrame& frame);
    void draw_side(ViewFrame& frame, const Subject& subject, LaunchSide& side, const draw::Box& box);
    float draw_words(ViewFrame& frame, LaunchSide& side, const draw::Box& box) const;
    float draw_warp(ViewFrame& frame, LaunchSide& side, const draw::Box& box);
    float draw_about(ViewFrame& frame, LaunchSide& side, const draw::Box& box);
    void use_keys(LaunchSide& side);
    void step_in(LaunchSide& side, int by);
    void point_at(ViewFrame& frame, const Subject& subject, LaunchSide& side, const draw::Box& box);
    void select(ViewFrame& frame, LaunchSide& side, ThreadRef thread);
    void take_selection(const ViewFrame& frame);

    LaunchSide sides[2], typed_side;
    bool comparing = false, by_hand = false, swapped = false, focus_field = false;
    int level = 0; // zoomed to: the grid, the block, the warp, the thread
    char block_text[32] = "16x16", grid_text[32] = "2x3";
    TypedLaunch typed;
    std::optional<Selection> seen; // the last one, to notice that another view or a key changed it
    const recording::Recording* seen_recording = nullptr;
};

// The shared selection knows recorded blocks only; a thread of another block is remembered here until it changes.
void HierarchyView::take_selection(const ViewFrame& frame)
{
    const Selection& now = frame.selection;
    const recording::Recording* recording = frame.first.recording.get();
    const bool same = seen && seen->block == now.block && seen->warp == now.warp && seen->lane == now.lane &&
                      recording == seen_recording;
    seen = now;
    seen_recording = recording;
    if (same || !recording || now.block >= recording->blocks.size())
        return;
    const uint32_t threads = recording->launch.threads_per_block();
    const ThreadRef thread{linear_of(recording->blocks[now.block].block, recording->launch.grid),
                           std::min(now.warp * warp_size + now.lane, threads - 1)};
    for (LaunchSide& side : sides)
        side.selected = thread;
}

void HierarchyView::select(ViewFrame& frame, LaunchSide& side, ThreadRef thread)
{
    side.selected = thread;
    if (!side.recording)
        return;
    for (LaunchSide& other : sides)
        if (other.recording)
            other.selected = {std::min<uint64_t>(thread.block, other.plan.launch.grid.volume() - 1),
                              std::min(thread.thread, other.plan.launch.threads_per_block() - 1)};
    frame.selection.warp = thread.thread / warp_size;
    frame.selection.lane = thread.thread % warp_size;
    if (const auto recorded = recorded_block(*frame.first.recording, static_cast<uint32_t>(thread.block)))
        frame.selection.block = *recorded;
    const std::vector<Cell> cells = side.owned(thread);
    frame.selection.c = cells.empty() ? std::nullopt : std::optional(std::pair{cells[0].row, cells[0].col});
    seen = frame.selection;
}

void HierarchyView::draw_fields(ViewFrame& frame)
{
    const Theme& theme = frame.theme;
    const auto field = [&](const char* label, char* text, std::size_t size) {
        ImGui::SameLine(0, theme.px(14));
        ImGui::TextUnformatted(label);
        ImGui::SameLine();
        if (std::exchange(focus_field, false))
            ImGui::SetKeyboardFocusHere();
        ImGui::SetNextItemWidth(theme.px(90));
        ImGui::PushFont(theme.mono);
        ImGui::InputText(fmt::format("##{}", label).c_str(), text, size);
        ImGui::PopFont();
        mark_field(frame.marks, label);
    };
    field("block", block_text, sizeof block_text);
    field("grid", grid_text, sizeof grid_text);
    ImGui::SameLine(0, theme.px(14));
    if (draw::choice(theme, {"x and y swapped", swapped, {}}, frame.hint) || draw::typed('y'))
        swapped = !swapped;
    const TypedLaunch next = typed_launch(block_text, grid_text);
    typed.refusal = next.refusal;
    if (next.launch)
        typed.launch = next.launch;
}

void HierarchyView::draw_buttons(ViewFrame& frame)
{
    bool wanted = draw::typed('e') ? !by_hand : by_hand;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Launch");
    ImGui::SameLine();
    if (draw::choice(frame.theme, {"the stage's", !by_hand, {}}, frame.hint))
        wanted = false;
    mark_item(frame.marks, "launch of the stage");
    ImGui::SameLine();
    if (draw::choice(frame.theme, {"typed by hand", by_hand, {}}, frame.hint))
        wanted = true;
    mark_item(frame.marks, "launch typed");
    if (wanted != by_hand) {
        by_hand = wanted;
        focus_field = by_hand;
        level = 0;
    }
    if (by_hand)
        draw_fields(frame);
}

void HierarchyView::step_in(LaunchSide& side, int by)
{
    level = std::clamp(level + by, 0, 3);
    switch (level) {
    case 0: side.camera.show_all(); break;
    case 1: side.camera.show(rect_of_block(side.plan, side.selected.block)); break;
    case 2: side.camera.show(rect_of_warp(side.plan, side.selected)); break;
    default: side.camera.show(rect_of_thread(side.plan, side.selected), 0.3); break;
    }
}

void HierarchyView::use_keys(LaunchSide& side)
{
    side.camera.use_keys();
    if (draw::typed('0'))
        level = 0;
    const int by = (draw::typed('z') ? 1 : 0) - (draw::typed('Z') ? 1 : 0);
    if (by != 0)
        step_in(side, by);
}

void HierarchyView::point_at(ViewFrame& frame, const Subject& subject, LaunchSide& side, const draw::Box& box)
{
    side.camera.use_mouse();
    const ImGuiIO& io = ImGui::GetIO();
    const ImVec2 drag = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left);
    const bool clicked = ImGui::IsItemDeactivated() && drag.x == 0 && drag.y == 0;
    if (!box.holds(io.MousePos) || !(ImGui::IsItemHovered() || clicked))
        return;
    const auto [x, y] = side.camera.from_screen(io.MousePos);
    const auto hit = plan_hit(side.plan, {x, y});
    if (!hit)
        return;
    frame.hint = plain(point_messages(by_hand ? "by hand" : subject.slug, side, *hit));
    if (clicked)
        select(frame, side, {hit->block, hit->thread.value_or(0)});
}

float HierarchyView::draw_words(ViewFrame& frame, LaunchSide& side, const draw::Box& box) const
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    float y = box.min.y;
    const auto say = [&](const Prose& prose) { y += prose.draw(list, {box.min.x, y}, box.width()) + theme.px(3); };
    if (by_hand && typed.refusal)
        say(Prose(theme).write(Message{"hierarchy.not_a_launch", {{"why", *typed.refusal}}}));
    say(Prose(theme).write(launch_messages(theme, side)));
    say(Prose(theme).write(warp_messages(side)));
    if (by_hand)
        say(Prose(theme).write(swap_message(side)));
    say(Prose(theme).write(path_message(side)));
    if (side.recording && !recorded_block(*side.recording, static_cast<uint32_t>(side.selected.block)))
        say(Prose(theme).write(Message{"hierarchy.not_recorded"}));
    return y - box.min.y;
}

// The lanes of the selected warp: hollow where there is no thread, or a surplus one.
float HierarchyView::draw_warp(ViewFrame& frame, LaunchSide& side, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    const uint32_t warp = side.selected.thread / warp_size, threads = side.plan.launch.threads_per_block();
    const IdleSet* set = side.idle ? side.idle->of(side.selected.block) : nullptr;
    uint32_t mask = 0;
    for (uint32_t lane = 0; lane < warp_size; ++lane)
        if (const uint32_t thread = warp * warp_size + lane; thread < threads && !(set && set->idle[thread]))
            mask |= 1u << lane;
    const std::string title = plain(Message{"hierarchy.lanes", {{"warp", warp}}});
    const float label = draw::measure(theme.mono_bold, title).y + theme.px(3);
    draw::text(ImGui::GetWindowDrawList(), theme.mono_bold, box.min, theme.ink, title);
    const LaneStrip strip{mask, side.selected.thread % warp_size, warp_colour(theme, warp)};
    const ImVec2 place{box.min.x, box.min.y + label};
    if (const auto lane = draw_lane_strip(strip, theme, place, box.width())) {
        const uint32_t thread = warp * warp_size + *lane;
        frame.hint = plain(thread < threads ? Message{"hierarchy.lane",
                                                      {{"lane", *lane},
                                                       {"warp", warp},
                                                       {"thread", index(thread)},
                                                       {"surplus", (mask >> *lane & 1u) == 0}}}
                                            : Message{"hierarchy.no_thread", {{"lane", *lane}, {"warp", warp}}});
        if (ImGui::IsItemClicked() && thread < threads)
            select(frame, side, {side.selected.block, thread});
    }
    return label + lane_strip_height(theme, box.width());
}

// The words and the selected warp; returns the height.
float HierarchyView::draw_about(ViewFrame& frame, LaunchSide& side, const draw::Box& box)
{
    const float gap = frame.theme.px(4), words = draw_words(frame, side, box) + gap;
    return words + draw_warp(frame, side, {{box.min.x, box.min.y + words}, box.max}) + gap;
}

void HierarchyView::draw_side(ViewFrame& frame, const Subject& subject, LaunchSide& side, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    float y = box.min.y;
    if (!by_hand) {
        y += stage_heading(theme, subject).draw(list, {box.min.x, y}, box.width()) + theme.px(2);
        if (!subject.recording) {
            Prose(theme).strong(subject.status).draw(list, {box.min.x, y}, box.width());
            return;
        }
    }
    // In a low window the plan comes first, and the words can be scrolled to.
    const bool low = box.max.y - y < theme.px(440);
    if (!low)
        y += draw_about(frame, side, {{box.min.x, y}, box.max});
    const float tall = low ? theme.px(170) : theme.px(120);
    const draw::Box canvas{
        {std::round(box.min.x) + 2, std::round(y + name_height(theme))},
        {std::floor(box.max.x), low ? std::round(y) + tall : std::max(std::floor(box.max.y), std::round(y) + tall)}};
    ImGui::SetCursorScreenPos(canvas.min);
    ImGui::InvisibleButton("plan", {std::max(1.0f, canvas.width()), canvas.height()});
    mark_item(frame.marks, "plan");
    if (frame.marks)
        mark_item(frame.marks, "plan of " + typed_text(side.plan.launch.block) + (side.plan.swapped ? " swapped" : ""));
    const PlanPoint size = size_of(side.plan);
    side.camera.follow(canvas, size.x, size.y);
    use_keys(side);
    point_at(frame, subject, side, canvas);
    const LaunchPicture picture{side.plan,
                                side.warps,
                                side.idle ? &*side.idle : nullptr,
                                side.selected,
                                [&side](ThreadRef thread) { return side.element(thread); },
                                theme,
                                &side == &sides[1] ? nullptr : frame.marks};
    draw_launch(list, canvas, side.camera, picture);
    if (!low)
        return;
    const float below = canvas.max.y + theme.px(8);
    const float end = below + draw_about(frame, side, {{box.min.x, below}, box.max});
    ImGui::SetCursorScreenPos({box.min.x, end - 1});
    ImGui::Dummy({1, 1});
}

void HierarchyView::draw(ViewFrame& frame)
{
    ImGui::BeginChild("hierarchy view", {0, 0}, false, ImGuiWindowFlags_NoScrollWithMouse);
    comparing = frame.second && frame.second->recording;
    draw_buttons(frame);
    if (by_hand && typed.launch)
        typed_side.update(*typed.launch, swapped);
    for (int i = 0; i < 2; ++i)
        if (const Subject* subject = i == 0 ? &frame.first : frame.second; subject && subject->recording)
            sides[i].update(subject->recording);
    take_selection(frame);
    const int step = (draw::typed('n') ? 1 : 0) - (draw::typed('N') ? 1 : 0);
    if (LaunchSide& side = by_hand ? typed_side : sides[0]; step != 0 && side.plan.cols > 0) {
        const uint64_t blocks = side.plan.launch.grid.volume();
        select(frame, side,
               {(side.selected.block + blocks + static_cast<uint64_t>(step)) % blocks, side.selected.thread});
    }
    const bool two = frame.second && !by_hand;
    draw::in_columns(frame.theme, two, frame.theme.px(4), [&](int i, const draw::Box& box) {
        draw_side(frame, i == 0 ? frame.first : *frame.second, by_hand ? typed_side : sides[i], box);
    });
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_hierarchy_view()
{
    return std::make_unique<HierarchyView>();
}

} // namespace viz
