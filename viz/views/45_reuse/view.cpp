// Reuse: how often a block reads each element of A and B, from where, and the arithmetic intensity that follows.
#include "viz/view.h"

#include "viz/analysis/timeline.h"
#include "viz/draw/columns.h"
#include "viz/text/templates.h"
#include "viz/views/45_reuse/intensity_table.h"
#include "viz/views/45_reuse/reads_picture.h"

#include <algorithm>
#include <cmath>

namespace viz {

std::unique_ptr<View> make_reuse_view();

namespace {

Message legend_of(const Theme& theme, const BlockReuse& reuse, const Phase& now)
{
    const std::string block = block_name(*reuse.recording, *reuse.block);
    const auto colour = [&](ReadState state) { return Swatch{reads_colour(theme, state)}; };
    const Message when =
        now.count == 1
            ? Message{"reuse.at_step", {{"step", index(now.first)}}}
            : Message{"reuse.in_phase", {{"first", index(now.first)}, {"last", index(now.first + now.count - 1)}}};
    return {"reuse.legend",
            {{"block", block},
             {"now", colour(ReadState::now)},
             {"when", when},
             {"done", colour(ReadState::done)},
             {"later", colour(ReadState::later)}}};
}

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
    bool settled() const override { return blocks[0].settled() && blocks[1].settled(); }
    void draw(ViewFrame& frame) override;

private:
    void draw_stage(ViewFrame& frame, const Subject& subject, BlockReuse& shown, const draw::Box& box);
    float draw_operand(ViewFrame& frame, const Subject& subject, const BlockReuse& shown, const OperandReuse& operand,
                       draw::Box box, const Phase& now) const;

    BlockReuse blocks[2];
    std::optional<Provenance> counted_from; // what the last frame showed
};

float ReuseView::draw_operand(ViewFrame& frame, const Subject& subject, const BlockReuse& shown,
                              const OperandReuse& operand, draw::Box box, const Phase& now) const
{
    const Theme& theme = frame.theme;
    const std::string& name = shown.recording->arrays[operand.array].name;
    const bool both = shown.reuse->shared_bytes > 0;
    const float top = box.min.y, line = draw::measure(theme.text, "0").y + theme.px(4);
    const float height = (box.height() - line * (both ? 2.0f : 1.0f) - theme.px(10)) / (both ? 2.0f : 1.0f);
    float y = top;
    for (int part = 0; part < (both ? 2 : 1); ++part) {
        const bool shared = part == 1;
        const Message title =
            shared ? Message{"reuse.from_shared", {{"array", name}, {"reads", number(operand.from_shared())}}}
                   : Message{"reuse.from_global", {{"array", name}, {"reads", number(operand.from_global())}}};
        y += Prose(theme).write(title).draw(ImGui::GetWindowDrawList(), {box.min.x, y}, box.width()) + theme.px(2);
        const ReadsPicture picture{
            operand, shared, now.first, now.first + now.count - 1, theme, &shown == &blocks[0] ? frame.marks : nullptr};
        ImGui::PushID(operand.array);
        const auto cell = draw_reads(picture, {{box.min.x + 1, y}, {box.max.x, y + height}});
        ImGui::PopID();
        if (cell) {
            const std::size_t at = std::size_t{cell->row} * operand.band.cols + cell->col;
            frame.hint = plain(Message{"reuse.element",
                                       {{"stage", subject.slug},
                                        {"array", name},
                                        {"row", index(operand.band.row + cell->row)},
                                        {"col", index(operand.band.col + cell->col)},
                                        {"global", operand.global[at]},
                                        {"shared", operand.shared[at]}}});
        }
        y += reads_height(operand, theme, {box.width() - 1, height}) + theme.px(8);
    }
    return y - top;
}

void ReuseView::draw_stage(ViewFrame& frame, const Subject& subject, BlockReuse& shown, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    float y = box.min.y + stage_heading(theme, subject).draw(list, box.min, box.width()) + theme.px(2);
    const Focus focus = focus_on(subject, frame.first, frame.selection);
    if (focus.block)
        shown.update(subject, focus);
    if (!focus.block || !shown.known || !shown.reuse) {
        const std::string words = !focus.block  ? focus.why
                                  : shown.known ? plain(Message{"reuse.no_operands", {{"stage", subject.slug}}})
                                                : plain(Message{"reuse.working"});
        Prose(theme).strong(words).draw(list, {box.min.x, y}, box.width());
        return;
    }
    y += Prose(theme).write(reuse_messages(shown)).draw(list, {box.min.x, y}, box.width()) + theme.px(4);
    const std::vector<Phase> all = focus.warp ? phases(*shown.recording, *focus.warp) : std::vector<Phase>();
    // Without tiles there is but one phase; the step alone says more.
    Phase now{.first = focus.step, .count = 1};
    if (!all.empty() && shown.reuse->shared_bytes > 0)
        now = phase_at(all, focus.step);
    y += Prose(theme).write(legend_of(theme, shown, now)).draw(list, {box.min.x, y}, box.width()) + theme.px(6);
    const RungFacts* rung = frame.board != nullptr ? frame.board->find(shown.recording->stage) : nullptr;
    if (rung != nullptr && rung->parameters != shown.recording->parameters)
        rung = nullptr;
    if (rung != nullptr && !rung->counted.empty())
        counted_from = rung->counted.back().from;
    y += draw_intensities(list, theme, shown, rung,
                          {{box.min.x, y}, {std::min(box.max.x, box.min.x + theme.px(760)), y}}) +
         theme.px(10);
    const float gap = theme.px(20), width = (box.width() - gap) / 2;
    const float bottom = std::max(box.max.y, y + theme.px(180));
    float height = 0;
    for (const OperandReuse& operand : shown.reuse->operands) {
        const float x = box.min.x + (width + gap) * static_cast<float>(operand.array);
        height = std::max(height, draw_operand(frame, subject, shown, operand, {{x, y}, {x + width, bottom}}, now));
    }
    ImGui::SetCursorScreenPos({box.min.x, y + height - 1});
    ImGui::Dummy({1, 1});
}

void ReuseView::draw(ViewFrame& frame)
{
    counted_from.reset();
    ImGui::BeginChild("reuse view", {0, 0}, false);
    draw::in_columns(frame.theme, frame.second != nullptr, 0, [&](int i, const draw::Box& box) {
        draw_stage(frame, i == 0 ? frame.first : *frame.second, blocks[i], box);
    });
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_reuse_view()
{
    return std::make_unique<ReuseView>();
}

} // namespace viz
