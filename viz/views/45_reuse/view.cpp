// Reuse: how often a block reads each element of A and B, from where, and the arithmetic intensity that follows.
#include "viz/view.h"

#include "viz/analysis/timeline.h"
#include "viz/draw/columns.h"
#include "viz/text/figures.h"
#include "viz/views/45_reuse/reuse_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

std::unique_ptr<View> make_reuse_view();

namespace {

class ReuseView final : public View {
public:
    std::string_view name() const override { return "reuse"; }
    std::string_view title() const override { return "Reuse"; }
    ViewGroup group() const override { return ViewGroup::speed; }
    std::vector<Numbers> numbers() const override
    {
        std::vector<Numbers> all = {{Numbers::How::recorded, "accesses"}, {Numbers::How::derived, "reads per value"}};
        if (counted_from)
            all.push_back({Numbers::How::counted, "caches, DRAM", counted_from});
        return all;
    }
    bool settled() const override { return sides[0].settled() && sides[1].settled(); }
    void draw(ViewFrame& frame) override;

private:
    void draw_side(ViewFrame& frame, const Subject& subject, ReuseSide& side, const draw::Box& box);
    float draw_operand(ViewFrame& frame, const Subject& subject, const ReuseSide& side, const OperandReuse& operand,
                       draw::Box box, const Phase& now) const;

    ReuseSide sides[2];
    std::optional<Provenance> counted_from; // what the last frame showed
};

float ReuseView::draw_operand(ViewFrame& frame, const Subject& subject, const ReuseSide& side,
                              const OperandReuse& operand, draw::Box box, const Phase& now) const
{
    const Theme& theme = frame.theme;
    const std::string& name = side.recording->arrays[operand.array].name;
    const bool both = side.reuse->shared_bytes > 0;
    const float top = box.min.y, line = draw::measure(theme.text, "0").y + theme.px(4);
    const float height = (box.height() - line * (both ? 2.0f : 1.0f) - theme.px(10)) / (both ? 2.0f : 1.0f);
    float y = top;
    for (int part = 0; part < (both ? 2 : 1); ++part) {
        const bool shared = part == 1;
        Prose title(theme);
        title.code(name).say(shared ? " from shared memory: " : " from global memory: ");
        title.figure(fmt::format("{:.4g}", shared ? operand.from_shared() : operand.from_global()));
        y += title.draw(ImGui::GetWindowDrawList(), {box.min.x, y}, box.width()) + theme.px(2);
        const ReadsPicture picture{
            operand, shared, now.first, now.first + now.count - 1, theme, &side == &sides[0] ? frame.marks : nullptr};
        ImGui::PushID(operand.array);
        const auto cell = draw_reads(picture, {{box.min.x + 1, y}, {box.max.x, y + height}});
        ImGui::PopID();
        if (cell) {
            const std::size_t index = std::size_t{cell->row} * operand.band.cols + cell->col;
            frame.hint =
                fmt::format("{}: {}({}, {}) is read {} from global memory, {} from shared memory, by the lanes "
                            "of this block",
                            subject.slug, name, operand.band.row + cell->row, operand.band.col + cell->col,
                            counted(operand.global[index], "time"), counted(operand.shared[index], "time"));
        }
        y += reads_height(operand, theme, {box.width() - 1, height}) + theme.px(8);
    }
    return y - top;
}

void ReuseView::draw_side(ViewFrame& frame, const Subject& subject, ReuseSide& side, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    float y = box.min.y + stage_heading(theme, subject).draw(list, box.min, box.width()) + theme.px(2);
    const Focus focus = focus_on(subject, frame.first, frame.selection);
    if (focus.block)
        side.update(subject, focus);
    if (!focus.block || !side.known || !side.reuse) {
        const std::string words = !focus.block  ? focus.why
                                  : !side.known ? "Following the block's reads ..."
                                                : subject.slug + " reads no A and B, so there is nothing to reuse.";
        Prose(theme).strong(words).draw(list, {box.min.x, y}, box.width());
        return;
    }
    y += reuse_sentence(theme, side).draw(list, {box.min.x, y}, box.width()) + theme.px(4);
    const std::vector<Phase> all = focus.warp ? phases(*side.recording, *focus.warp) : std::vector<Phase>();
    // Without tiles there is but one phase; the step alone says more.
    Phase now{.first = focus.step, .count = 1};
    if (!all.empty() && side.reuse->shared_bytes > 0)
        now = phase_at(all, focus.step);
    Prose legend(theme);
    legend.say(fmt::format("What block {} reads:", block_name(*side.recording, *side.block))).gap();
    legend.swatch(reads_colour(theme, ReadState::now))
        .say(now.count == 1 ? fmt::format("at step {}", now.first)
                            : fmt::format("in this phase, steps {}-{}", now.first, now.first + now.count - 1));
    legend.gap().swatch(reads_colour(theme, ReadState::done)).say("earlier").gap();
    legend.swatch(reads_colour(theme, ReadState::later)).say("later. The figure is the reads of each element.");
    y += legend.draw(list, {box.min.x, y}, box.width()) + theme.px(6);
    const RungFacts* rung = frame.board != nullptr ? frame.board->find(side.recording->stage) : nullptr;
    if (rung != nullptr && rung->parameters != side.recording->parameters)
        rung = nullptr;
    if (rung != nullptr && !rung->counted.empty())
        counted_from = rung->counted.back().from;
    y += draw_intensities(list, theme, side, rung,
                          {{box.min.x, y}, {std::min(box.max.x, box.min.x + theme.px(760)), y}}) +
         theme.px(10);
    const float gap = theme.px(20), width = (box.width() - gap) / 2;
    const float bottom = std::max(box.max.y, y + theme.px(180));
    float height = 0;
    for (const OperandReuse& operand : side.reuse->operands) {
        const float x = box.min.x + (width + gap) * static_cast<float>(operand.array);
        height = std::max(height, draw_operand(frame, subject, side, operand, {{x, y}, {x + width, bottom}}, now));
    }
    ImGui::SetCursorScreenPos({box.min.x, y + height - 1});
    ImGui::Dummy({1, 1});
}

void ReuseView::draw(ViewFrame& frame)
{
    counted_from.reset();
    ImGui::BeginChild("reuse view", {0, 0}, false);
    draw::in_columns(frame.theme, frame.second != nullptr, 0, [&](int i, const draw::Box& box) {
        draw_side(frame, i == 0 ? frame.first : *frame.second, sides[i], box);
    });
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_reuse_view()
{
    return std::make_unique<ReuseView>();
}

} // namespace viz
