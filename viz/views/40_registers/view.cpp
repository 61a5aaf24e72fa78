// The registers view: what each lane of a warp holds and multiplies, and how values move between lanes.
#include "viz/analysis/occupancy.h"
#include "viz/draw/matrix_picture.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/views/40_registers/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace viz {

std::unique_ptr<View> make_registers_view();

std::string StagePanels::named(std::string name) const
{
    return stage.column.number == 0 ? std::move(name) : fmt::format("{} of {}", name, stage.column.slug);
}

Panel& StagePanels::add(std::string_view name, const Box& box, std::string title, std::vector<Layer> layers)
{
    return figure.panels.emplace_back(Panel{.id = fmt::format("{} of {}", name, stage.column.slug),
                                            .box = box,
                                            .title = std::move(title),
                                            .layers = std::move(layers)});
}

namespace {

// Shows the registers of a thread as one bar, with marks such as "registers:results". Returns its height, or 0 if they
// are not known.
float add_register_bar(StagePanels& panels, const Box& box)
{
    const Theme& theme = panels.theme();
    const RegisterUse& use = panels.stage.use;
    if (!use.registers)
        return 0;
    const uint32_t sums = std::min(use.results, *use.registers);
    const uint32_t operands = use.elsewhere() ? 0 : std::min(use.fragments, *use.registers - sums);
    BarLayer bars{.name = panels.named("registers"), .most = most_registers, .stacked = true, .on_ground = true};
    BarLayer::Bar& bar = bars.bars.emplace_back();
    const auto add = [&](const char* name, uint32_t count, Colour colour) {
        bar.parts.push_back({.series = name,
                             .value = count,
                             .words = fmt::format("{} {}", name, count),
                             .colour = colour,
                             .brief = std::to_string(count),
                             .id = name});
    };
    add("results", sums, panels.accent());
    add("fragments", operands, draw::operand_colour(theme, 1));
    add("other", *use.registers - sums - operands, theme.barrier);
    bar.tip = [words = use_words(use)] { return words; };
    const float height = title_height(theme) + theme.px(24);
    Panel& panel =
        panels.add("registers", {box.min, {box.max.x, box.min.y + height}}, "registers of a thread", {std::move(bars)});
    panel.figure = rich("**{}** of {}", *use.registers, most_registers);
    if (const uint32_t local = use.local.value_or(0); local > 0)
        panel.figure =
            joined({panel.figure, rich("+ **{}** {}", Value(fmt::format("{} B", local)).as(Meaning::conflict),
                                       use.registers_left ? "in local memory" : "spilled")});
    return height + theme.px(10);
}

// Shows the error of the type of A and B beside those of other types. Marks "error of TYPE". Adds nothing if there is
// no room.
void add_errors(StagePanels& panels, const Box& box)
{
    const Theme& theme = panels.theme();
    const LadderFacts& ladder_facts = panels.frame.ladder_facts;
    const StageFacts* rung = ladder_facts.find(panels.stage.recording().stage);
    const std::vector<TypeError> errors = type_errors(ladder_facts);
    if (rung == nullptr || errors.empty())
        return;
    const double least = errors.front().error / std::sqrt(10.0);
    BarLayer bars{.axis = Axis{.least = least, .most = std::max(errors.back().error, 2 * least)}};
    for (const TypeError& one : errors)
        bars.bars.push_back(
            {.name = upper_case(one.type),
             .parts = {{.series = one.type,
                        .value = one.error,
                        .words = fmt::format("{:.1e}", one.error),
                        .colour = one.type == rung->type ? panels.accent() : mix(theme.panel, theme.ink, 0.3f),
                        .id = panels.named("error of " + one.type)}},
             .tip = [from = one.from] { return rich(how_had(from)); },
             .origin = origin_of(one.from)});
    if (box.height() < title_height(theme) + bars_height(theme, bars))
        return;
    const std::string titles[] = {
        fmt::format("error of C with each type, at {}, in powers of ten", size_words(errors.front().problem)),
        "error of C, in powers of ten"};
    panels.add("errors", box, draw::first_fitting(theme.text, box.width(), titles), {std::move(bars)});
}

// Shows how much one mma multiplies with elements of each size, all from as many bytes of A and B. Marks "products of
// BYTES".
void add_instruction_products(StagePanels& panels, const Box& box)
{
    const Theme& theme = panels.theme();
    const MmaShape shown = shape_of(panels.stage.recording());
    BarLayer bars{};
    for (const auto& [element_bytes, types] : {std::pair{4u, "TF32"}, {2u, "FP16, BF16"}, {1u, "INT8"}}) {
        const MmaShape shape = mma_shape(element_bytes);
        bars.bars.push_back(
            {.name = types,
             .parts = {{.series = "multiply-adds",
                        .value = shape.multiply_adds(),
                        .words = plain(rich("{} · k{}", shape.multiply_adds(), shape.depth)),
                        .colour = shape.depth == shown.depth ? panels.accent() : mix(theme.panel, theme.ink, 0.3f),
                        .id = panels.named(fmt::format("products of {}", element_bytes))}},
             .tip =
                 said_tip(rich("**{}** of {} bytes in a register: {} x {} x {} multiply-adds",
                               counted(shape.packed(), "element"), element_bytes, mma_rows, mma_cols, shape.depth))});
    }
    const std::string titles[] = {
        fmt::format("multiply-adds of one instruction, from {} bytes of A and B", shown.operand_bytes()),
        "multiply-adds of one instruction"};
    panels.add("products", box, draw::first_fitting(theme.text, box.width(), titles), {std::move(bars)});
}

constexpr float strip_height = 128; // of what is below the fragments, at scale 1

// Adds the errors below the fragments, if the fragments at full width leave room. Returns the box that remains for the
// fragments.
Box above_errors(StagePanels& panels, const Box& box)
{
    const float strip = panels.theme().px(strip_height);
    if (panels.frame.comparing() || box.height() < 4 * strip)
        return box;
    const std::vector<Box> bands = rows(box, {share_of_rest(), pixels(strip)}, panels.theme().px(10));
    add_errors(panels, bands[1]);
    return bands[0];
}

// Shows the fragments of mma. Of a kernel that is no rung, whose errors are not known, also what its type buys.
void add_product(StagePanels& panels, const Box& box)
{
    if (panels.frame.ladder_facts.find(panels.stage.recording().stage) != nullptr) {
        add_mma(panels, false, above_errors(panels, box), 0);
        return;
    }
    const float strip = panels.theme().px(strip_height);
    const bool roomy = !panels.frame.comparing() && box.height() >= 4 * strip;
    const Box below = add_mma(panels, false, box, roomy ? strip : 0);
    if (roomy)
        add_instruction_products(panels, below);
}

void add_stage(StagePanels panels, Box box)
{
    box.min.y += add_register_bar(panels, box);
    const RegisterStage& stage = panels.stage;
    switch (register_step(stage.shown.access())) {
    case RegisterStep::shuffle: return add_shuffle(panels, box);
    case RegisterStep::matrix_load: return add_matrix_load(panels, box);
    case RegisterStep::product:
        if (!knows_operands(stage.recording()))
            return;
        if (!is_wmma(stage.shown.warp))
            return add_product(panels, box);
        break;
    case RegisterStep::group_product: add_mma(panels, true, above_errors(panels, box), 0); return;
    case RegisterStep::fragments: break;
    }
    if (stage.shown.fragments)
        add_products(panels, box);
    else if (is_wmma(stage.shown.warp))
        add_errors(panels, add_wmma(panels, box));
}

Rich legend(const ViewFrame& frame, const RegisterStage& stage)
{
    if (stage.shown.fragments)
        return in_lines({rich("{}column k of A", Swatch{draw::operand_colour(frame.theme, 0)}),
                         rich("{}row k of B", Swatch{draw::operand_colour(frame.theme, 1)}),
                         rich("{}products of the selected lane", Swatch{frame.theme.accent(stage.column.number)}),
                         rich("Numbers are lanes; click one to select it.")});
    if (register_step(stage.shown.access()) == RegisterStep::shuffle)
        return rich("Which lane holds which element, from the loads before.");
    return {};
}

class RegistersView final : public View {
public:
    std::string_view name() const override { return "registers"; }
    std::string_view title() const override { return "Registers"; }
    ViewGroup group() const override { return ViewGroup::inside; }
    Figure figure(const ViewFrame& frame, const Box& box) override
    {
        open_on_shuffle(frame);
        Figure figure;
        figure.numbers = {{Numbers::How::recorded, "accesses, registers per thread"},
                          {Numbers::How::derived, "values in registers"}};
        std::vector<std::optional<RegisterStage>> stages;
        for (const StageColumn& column : frame.columns)
            stages.push_back(register_stage(frame, column));
        const std::vector<Box> places = add_headings(figure, frame, box, [&](const StageColumn& column) {
            const auto& stage = stages[column.number];
            return stage ? headline(stage->shown) : rich("{}", focus_on(frame, column).why);
        });
        for (const auto& stage : stages) {
            if (!stage)
                continue;
            explain(figure, frame, *stage);
            add_stage({figure, frame, *stage}, places[stage->column.number]);
        }
        return figure;
    }

private:
    static void explain(Figure& figure, const ViewFrame& frame, const RegisterStage& stage)
    {
        if (stage.shown_instead())
            figure.said.push_back(rich("*The picture shows step {} of warp {}*, the next that moves operands. The "
                                       "selected step moves none.",
                                       index(stage.shown.step), index(stage.shown.warp_index)));
        std::optional<PassedValue> passed;
        if (register_step(stage.shown.access()) == RegisterStep::shuffle)
            passed = stage.column.memo<passed_by_shuffle>(*stage.focus.block, stage.focus.warp_index,
                                                          stage.focus.step)[stage.shown.lane];
        figure.said.push_back(step_words(stage.shown, passed));
        figure.said.push_back(use_words(stage.use));
        figure.said.push_back(legend(frame, stage));
    }

    // A stage with shuffles opens at its first shuffle, because its first steps only fill registers.
    void open_on_shuffle(const ViewFrame& frame)
    {
        const Focus focus = focus_on(frame, frame.columns.front());
        if (!focus.warp || std::exchange(opened, frame.columns.front().recording) == frame.columns.front().recording)
            return;
        const auto& accesses = focus.warp->accesses;
        const auto shuffle = std::ranges::find(accesses, recording::Op::shuffle, &recording::Access::op);
        const auto step = static_cast<std::size_t>(shuffle - accesses.begin());
        if (shuffle != accesses.end() && frame.selection.step < step)
            frame.selection.step = step;
    }

    RecordingPtr opened; // the recording whose first step was chosen
};

} // namespace

std::unique_ptr<View> make_registers_view()
{
    return std::make_unique<RegistersView>();
}

} // namespace viz
