// Reuse: how often a block reads each element of A and B, at each level, and what it touches meanwhile beside L1.
#include "viz/view.h"

#include "viz/analysis/comparison.h"
#include "viz/analysis/counted.h"
#include "viz/analysis/gpu_levels.h"
#include "viz/analysis/timeline.h"
#include "viz/draw/columns.h"
#include "viz/draw/heading.h"
#include "viz/draw/prose.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"
#include "viz/views/45_reuse/block_reuse.h"
#include "viz/views/45_reuse/reads_picture.h"
#include "viz/views/45_reuse/working_set_bars.h"

#include <algorithm>
#include <cmath>

namespace viz {

std::unique_ptr<View> make_reuse_view();

namespace {

Message legend_of(const Theme& theme, std::size_t column, const BlockReuse& reuse, const Phase& now)
{
    const std::string block = block_name(reuse.recording, reuse.block);
    const auto colour = [&](ReadState state) { return Swatch{reads_colour(theme, column, 0.7, state)}; };
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
    void draw(ViewFrame& frame) override;

private:
    struct Part : StagePart {
        BlockReuse shown;
        Phase now;
        double most_reads = 1;
        uint64_t l1_bytes = 0, most_bytes = 1;
    };

    void draw_stage(ViewFrame& frame, const StageColumn& stage, draw::Box box);
    void explain(const Part& part);
    void draw_levels(const Part& part, const draw::Box& box) const;
    void draw_level(const Part& part, const OperandReuse& operand, ReadLevel level, draw::Box box) const;

    std::optional<Provenance> counted_from; // what the last frame showed
};

std::vector<ReadLevel> levels_of(const Reuse& reuse)
{
    std::vector<ReadLevel> levels{ReadLevel::global};
    if (reuse.shared_bytes > 0)
        levels.push_back(ReadLevel::shared);
    if (reuse.uses(reuse.operands[0]) >= 1) // what only adds multiplies nothing
        levels.push_back(ReadLevel::used);
    return levels;
}

double most_reads(const Reuse& reuse)
{
    double most = 1;
    for (const OperandReuse& operand : reuse.operands)
        most = std::max({most, reuse.uses(operand), static_cast<double>(operand.most_global),
                         static_cast<double>(operand.most_shared)});
    return most;
}

std::optional<double> merged_share(const Board& board, const recording::Recording& recording)
{
    return merged_share(recording, counted_at(board.of(recording), recording.problem));
}

Message headline_of(const BlockReuse& shown, bool merged)
{
    const OperandReuse& a = shown.reuse.operands[0];
    const std::string& array = shown.recording.arrays[a.array].name;
    const Value loads = Value(rounded(a.from_global())).as(a.from_global() > 1.005 ? Meaning::conflict : Meaning::good);
    if (shown.reuse.shared_bytes == 0)
        return {"reuse.headline_global", {{"array", array}, {"times", loads}}};
    return {"reuse.headline_shared",
            {{"array", array},
             {"times", loads},
             {"shared", Value(rounded(a.from_shared())).as(Meaning::strong)},
             {"written", merged ? Messages{{"reuse.as_written"}} : Messages()}}};
}

// L1 and shared memory of an SM are one memory.
uint64_t l1_of(const Board& board)
{
    if (!board.gpu.properties)
        return 0;
    for (const MemoryLevel& level : memory_levels(*board.gpu.properties, nullptr))
        if (level.name == "L1")
            return level.bytes;
    return 0;
}

void ReuseView::explain(const Part& part)
{
    part.frame.explain(reuse_messages(part.shown));
    if (const auto merged = merged_share(part.frame.board, part.shown.recording))
        part.frame.explain({{"reuse.merged", {{"share", share(*merged)}}}});
    part.frame.explain({legend_of(part.frame.theme, part.stage.number, part.shown, part.now)});
    const RungFigures* rung = part.frame.board.of(part.shown.recording);
    if (const HardwareFigures* counted = largest_counted(rung))
        counted_from = counted->from;
    part.frame.explain(intensity_messages(part.shown, rung));
}

void ReuseView::draw_level(const Part& part, const OperandReuse& operand, ReadLevel level, draw::Box box) const
{
    const Theme& theme = part.theme();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::string& array = part.shown.recording.arrays[operand.array].name;
    const double reads = reads_at(part.shown.reuse, operand, level);
    const std::string number_of = plain(Message{"reuse.times", {{"times", rounded(reads)}}});
    const std::string title = array + " " + std::string(viz::name(level));
    const float number_left = box.max.x - draw::measure(theme.mono_bold, number_of).x;
    const bool whole = box.min.x + draw::measure(theme.text, title).x + theme.px(4) < number_left;
    draw::text(list, theme.text, box.min, theme.ink_quiet, whole ? title : array);
    const bool waste = level == ReadLevel::global && reads > 1.005;
    draw::text(list, theme.mono_bold, {number_left, box.min.y}, waste ? theme.warning : theme.ink, number_of);
    box.min.y += draw::row_height(theme, 3);
    const std::size_t last_step = part.now.first + part.now.count - 1;
    if (const auto cell =
            draw_reads({part, part.shown.reuse, operand, level, part.most_reads, part.now.first, last_step}, box)) {
        const std::size_t at = std::size_t{cell->row} * operand.band.cols + cell->col;
        const double used = part.shown.reuse.uses(operand);
        Messages multiplied;
        if (used >= 1)
            multiplied.push_back({"reuse.multiplied", {{"used", rounded(used)}}});
        part.frame.point_out(
            {"reuse.element",
             {{"stage", part.stage.slug},
              {"array", array},
              {"row", index(operand.band.row + cell->row)},
              {"col", index(operand.band.col + cell->col)},
              {"global", operand.global[at]},
              {"shared", operand.shared[at]},
              {"written",
               merged_share(part.frame.board, part.shown.recording) ? Messages{{"reuse.as_written"}} : Messages()},
              {"multiplied", multiplied}}});
    }
}

// A row for A and one for B, a column for each level.
void ReuseView::draw_levels(const Part& part, const draw::Box& box) const
{
    const std::vector<ReadLevel> levels = levels_of(part.shown.reuse);
    const float gap = part.frame.theme.px(12);
    const float width = (box.width() - gap * static_cast<float>(levels.size() - 1)) / static_cast<float>(levels.size());
    const float height = std::floor((box.height() - gap / 2) / 2);
    for (const OperandReuse& operand : part.shown.reuse.operands)
        for (std::size_t i = 0; i < levels.size(); ++i) {
            const float x = std::round(box.min.x + (width + gap) * static_cast<float>(i));
            const float y = box.min.y + (height + gap / 2) * static_cast<float>(operand.array);
            draw_level(part, operand, levels[i], {{x, y}, {std::round(x + width), y + height}});
        }
    mark_picture(part.frame.marks, part.stage.slug, box);
}

// Of the largest launch that was counted: of a small one L1 holds whatever is asked for.
Messages hits_said(const RungFigures* rung)
{
    if (const HardwareFigures* counted = largest_counted(rung); counted != nullptr)
        return {{"reuse.counted_at", {{"size", size_words(counted->problem)}, {"counted", how_had(counted->from)}}}};
    return rung != nullptr && !rung->not_counted.empty() ? in_sentences(rung->not_counted)
                                                         : Messages{{"reuse.count_it"}};
}

Message no_operands(const StageColumn& stage)
{
    const bool unknown = computes(*stage.recording) == Computes::unknown;
    return {unknown ? "reuse.operands_unknown" : "reuse.no_operands", {{"kernel", stage.slug}}};
}

void ReuseView::draw_stage(ViewFrame& frame, const StageColumn& stage, draw::Box box)
{
    const Theme& theme = frame.theme;
    const Focus focus = focus_on(frame, stage);
    const std::optional<Reuse>* known = focus.block ? reuse_in(stage, *focus.block) : nullptr;
    if (known == nullptr || !*known) {
        const Message said = !focus.block       ? Message{"reuse.no_block"}
                             : known != nullptr ? no_operands(stage)
                                                : Message{"reuse.working"};
        box.min.y += draw::stage_headline(frame, stage, said, box);
        if (!focus.block)
            Prose(theme).strong(focus.why).draw(box.min, box.width());
        return;
    }
    const BlockReuse shown{*stage.recording, *focus.block, **known};
    Part part{{frame, stage, box}, shown, {.first = focus.step, .count = 1}};
    // Without tiles there is but one phase; the step alone says more.
    const std::vector<Phase> all = focus.warp ? phases(shown.recording, *focus.warp) : std::vector<Phase>();
    if (!all.empty() && shown.reuse.shared_bytes > 0)
        part.now = phase_at(all, focus.step);
    part.l1_bytes = l1_of(frame.board);
    for (const StageColumn& other : frame.columns) { // all on one scale
        const Focus there = focus_on(frame, other);
        if (const auto* reuse = there.block ? reuse_in(other, *there.block) : nullptr; reuse != nullptr && *reuse) {
            part.most_reads = std::max(part.most_reads, most_reads(**reuse));
            part.most_bytes = std::max(part.most_bytes, most_of((*reuse)->working_set, part.l1_bytes));
        }
    }
    explain(part);
    box.min.y += draw::stage_headline(frame, stage,
                                      headline_of(shown, merged_share(frame.board, shown.recording).has_value()), box);
    const bool with_set = shown.reuse.working_set.k > 0;
    const float below = with_set ? working_set_height(theme) + theme.px(4) : 0;
    draw_levels(part, {box.min, {box.max.x, box.max.y - below}});
    const RungFigures* rung = frame.board.of(shown.recording);
    if (with_set)
        draw_working_set(
            {part, shown.reuse.working_set, part.l1_bytes, part.most_bytes, largest_counted(rung), hits_said(rung)},
            {{box.min.x, box.max.y - working_set_height(theme)}, box.max});
}

void ReuseView::draw(ViewFrame& frame)
{
    counted_from.reset();
    draw::in_columns(frame, "reuse view", 0,
                     [&](std::size_t i, const draw::Box& box) { draw_stage(frame, frame.columns[i], box); });
}

} // namespace

std::unique_ptr<View> make_reuse_view()
{
    return std::make_unique<ReuseView>();
}

} // namespace viz
