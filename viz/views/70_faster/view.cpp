// Why is it faster: two rungs on one page. What changed in the source, who computes what, what each does per
// multiplication and takes of an SM, and what that bought.
#include "viz/view.h"

#include "viz/analysis/comparison_messages.h"
#include "viz/draw/focus.h"
#include "viz/text/prose.h"
#include "viz/views/70_faster/block_mapping.h"
#include "viz/views/70_faster/comparison_table.h"
#include "viz/views/70_faster/library_table.h"
#include "viz/views/70_faster/source_changes.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace viz {

std::unique_ptr<View> make_faster_view();

namespace {

// What is shown of one stage; kept until its recording, the block, the warp or the lane changes.
struct ComparedStage {
    std::shared_ptr<const recording::Recording> recording;
    const recording::BlockTrace* block = nullptr;
    uint32_t warp = 0, lane = 0;
    KernelFigures figures;
    BlockMapping mapping;

    void update(const Subject& subject, const Focus& focus, uint32_t wanted_lane)
    {
        const bool other = recording != subject.recording || block != focus.block;
        if (other) {
            recording = subject.recording;
            block = focus.block;
            figures = figures_of(*recording, *block);
        }
        if (other || warp != focus.warp_index || lane != wanted_lane) {
            warp = focus.warp_index;
            lane = wanted_lane;
            mapping = mapping_of(*recording, *block, warp, lane);
        }
    }
};

class FasterView final : public View {
public:
    std::string_view name() const override { return "faster"; }
    std::string_view title() const override { return "Why faster"; }
    ViewGroup group() const override { return ViewGroup::speed; }
    std::vector<Numbers> numbers() const override
    {
        return {{Numbers::How::recorded, "accesses"},
                {Numbers::How::derived, "their costs"},
                {Numbers::How::timed, "GFLOPS"}};
    }
    std::vector<std::pair<std::string, std::string>> keys() const override
    {
        return {{"k", "show or hide the comments in the changes"}};
    }
    bool compares() const override { return true; }
    void draw(ViewFrame& frame) override;

private:
    float draw_words(ViewFrame& frame, const ComparedRung& first, const ComparedRung& second, ImVec2 at, float width);
    float draw_figures(ViewFrame& frame, const ComparedRung& first, const ComparedRung& second, const draw::Box& box);
    float draw_changes(ViewFrame& frame, const ComparedRung& first, const ComparedRung& second, draw::Box box);

    const Messages& reservations_of(const ComparedRung& first, const ComparedRung& second);

    ComparedStage stages[2];
    // What `reservations_kept` is about: all their accesses are looked through, so it is kept.
    std::shared_ptr<const recording::Recording> reserved[2];
    Messages reservations_kept;
    SourceChanges changes;
    bool comments = false;
};

// Measured here where that is so for both; else as shipped, if both are; else what there is.
std::pair<KnownSpeed, KnownSpeed> speeds_of(const Subject& first, const Subject& second)
{
    const auto here = [](const Subject& subject) {
        const Speed& speed = subject.speed;
        return KnownSpeed{speed.gflops, speed.of_cublas, speed.gflops ? speed.origin : speed.why_missing, true};
    };
    const auto shipped = [](const Subject& subject) {
        return KnownSpeed{subject.shipped.gflops, subject.shipped.of_cublas, subject.shipped.origin, false};
    };
    if (!(first.speed.gflops && second.speed.gflops) && first.shipped.gflops && second.shipped.gflops)
        return {shipped(first), shipped(second)};
    const auto best = [&](const Subject& subject) {
        return !subject.speed.gflops && subject.shipped.gflops ? shipped(subject) : here(subject);
    };
    return {best(first), best(second)};
}

ComparedRung compared(const Subject& subject, const ComparedStage& stage, const KnownSpeed& speed)
{
    ComparedRung rung{subject.slug, *stage.recording, stage.figures, speed};
    rung.figures.values[static_cast<std::size_t>(Measure::speed)] = speed.gflops;
    return rung;
}

Value::List list_of(const Messages& messages)
{
    return {messages.begin(), messages.end()};
}

float FasterView::draw_words(ViewFrame& frame, const ComparedRung& first, const ComparedRung& second, ImVec2 at,
                             float width)
{
    const Theme& theme = frame.theme;
    Prose prose(theme);
    prose.write({"faster.heading",
                 {{"first_colour", Swatch{theme.first}},
                  {"first", first.slug},
                  {"second_colour", Swatch{theme.second}},
                  {"second", second.slug}}});
    prose.break_line();
    prose.write(what_it_bought(first, second));
    return prose.draw(ImGui::GetWindowDrawList(), at, width);
}

float FasterView::draw_figures(ViewFrame& frame, const ComparedRung& first, const ComparedRung& second,
                               const draw::Box& box)
{
    const Theme& theme = frame.theme;
    const float gap = theme.px(16), width = (box.width() - gap) / 2;
    const MappingPicture pictures[2] = {{first.slug, stages[0].mapping, theme.accent(Accent::first), theme},
                                        {second.slug, stages[1].mapping, theme.accent(Accent::second), theme}};
    const auto caption = [&](int i) { return std::move(Prose(theme).write(mapping_message(pictures[i]))); };
    const float words = std::max(caption(0).height(width), caption(1).height(width));
    float height = 0;
    for (int i = 0; i < 2; ++i) {
        const float x = box.min.x + static_cast<float>(i) * (width + gap), top = box.min.y + words + theme.px(3);
        caption(i).draw(ImGui::GetWindowDrawList(), {x, box.min.y}, width);
        const float drawn = draw_mapping(pictures[i], {{x, top}, {x + width, top + theme.px(100)}});
        height = std::max(height, words + theme.px(3) + drawn);
    }
    float y = box.min.y + height + theme.px(10);
    y += draw_comparison({first, second, theme, frame.marks}, {{box.min.x, y}, {box.max.x, y}}, frame.hint);
    y += theme.px(8);
    y += Prose(theme)
             .write(reservations_of(first, second))
             .draw(ImGui::GetWindowDrawList(), {box.min.x, y}, box.width());
    if (frame.board != nullptr) {
        const LibraryTable library{
            {frame.board->find(first.recording.stage), frame.board->find(second.recording.stage)},
            *frame.board,
            theme,
            frame.marks};
        y += theme.px(12);
        y += draw_library(library, {{box.min.x, y}, {box.max.x, y}});
    }
    return y - box.min.y;
}

const Messages& FasterView::reservations_of(const ComparedRung& first, const ComparedRung& second)
{
    if (reserved[0] != stages[0].recording || reserved[1] != stages[1].recording) {
        reserved[0] = stages[0].recording;
        reserved[1] = stages[1].recording;
        reservations_kept = reservations(first, second);
    }
    return reservations_kept;
}

float FasterView::draw_changes(ViewFrame& frame, const ComparedRung& first, const ComparedRung& second, draw::Box box)
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (draw::typed('k'))
        comments = !comments;
    changes.update(stages[1].recording, stages[0].recording, comments);
    const Message lines = changes.removed() + changes.added() == 0
                              ? Message{"faster.same_code", {{"file", first.recording.source().name}}}
                              : Message{"faster.lines",
                                        {{"added", changes.added()},
                                         {"plus", Value("+").as(Meaning::first)},
                                         {"removed", changes.removed()},
                                         {"minus", Value("\xe2\x88\x92").as(Meaning::second)}}};
    Prose prose(theme);
    prose.write({"faster.changes", {{"second", second.slug}, {"first", first.slug}, {"lines", lines}}});
    if (const auto settings = setting_changes(second.recording, first.recording); !settings.empty())
        prose.write({"faster.settings", {{"settings", list_of(settings)}}});
    if (const auto layouts = layout_changes(second.recording, first.recording); !layouts.empty())
        prose.write({"faster.layouts", {{"layouts", list_of(layouts)}}});
    float y = box.min.y + prose.draw(list, box.min, box.width()) + theme.px(4);
    if (first.recording.source().text == second.recording.source().text)
        return y - box.min.y;
    ImGui::SetCursorScreenPos({box.min.x, y});
    if (draw::choice(theme, {"comments", comments, {}}, frame.hint))
        comments = !comments;
    mark_item(frame.marks, "comments");
    y = ImGui::GetItemRectMax().y + theme.px(4);
    const float bottom = std::max(box.max.y, y + theme.px(200));
    changes.draw(theme, {{box.min.x, y}, {box.max.x, bottom}}, frame.marks);
    return bottom - box.min.y;
}

void FasterView::draw(ViewFrame& frame)
{
    const Theme& theme = frame.theme;
    ImGui::BeginChild("faster view", {0, 0}, false);
    const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    if (frame.second == nullptr || !frame.second->recording) {
        Prose(theme).write({"faster.nothing_to_compare"}).draw(ImGui::GetWindowDrawList(), corner, room.x);
        ImGui::EndChild();
        return;
    }
    const Subject* subjects[2] = {&frame.first, frame.second};
    for (int i = 0; i < 2; ++i) {
        const Focus focus = focus_on(*subjects[i], frame.first, frame.selection);
        if (!focus.block) {
            Prose(theme).strong(focus.why).draw(ImGui::GetWindowDrawList(), corner, room.x);
            ImGui::EndChild();
            return;
        }
        stages[i].update(*subjects[i], focus, frame.selection.lane);
    }
    const auto [speed, other_speed] = speeds_of(frame.first, *frame.second);
    const ComparedRung first = compared(frame.first, stages[0], speed);
    const ComparedRung second = compared(*frame.second, stages[1], other_speed);
    const float y = corner.y + draw_words(frame, first, second, corner, room.x) + theme.px(10);
    const bool beside = room.x > theme.px(760);
    const float gap = theme.px(24), width = beside ? std::floor((room.x - gap) / 2) : room.x;
    const float bottom = corner.y + room.y - theme.px(2);
    const float figures = draw_figures(frame, first, second, {{corner.x, y}, {corner.x + width, bottom}});
    const ImVec2 at = beside ? ImVec2{corner.x + width + gap, y} : ImVec2{corner.x, y + figures + theme.px(14)};
    const float height = draw_changes(frame, first, second, {at, {at.x + width, bottom}});
    ImGui::SetCursorScreenPos({corner.x, std::max(y + figures, at.y + height) - 1});
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_faster_view()
{
    return std::make_unique<FasterView>();
}

} // namespace viz
