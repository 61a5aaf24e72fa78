// The data path view: the words that a step moves, their sources, destinations, order and cost.
#include "viz/draw/pan_zoom.h"
#include "viz/figure/draw_figure.h"
#include "viz/views/01_flow/flow_part.h"
#include "viz/views/01_flow/registers.h"
#include "viz/views/01_flow/ways.h"

#include <array>
#include <memory>
#include <utility>

namespace viz {

std::unique_ptr<View> make_flow_view();

namespace {

class FlowView final : public View {
public:
    std::string_view name() const override { return "flow"; }
    std::string_view title() const override { return "Data path"; }
    ViewGroup group() const override { return ViewGroup::flow; }
    std::vector<Numbers> numbers() const override
    {
        return {{Numbers::How::recorded, "accesses, owners"}, {Numbers::How::derived, "wavefronts, sectors"}};
    }
    bool shows_single_accesses() const override { return true; }
    ViewCommands commands() override
    {
        return PanZoom::commands([this] {
            std::vector<PanZoom*> shown;
            for (std::size_t i = 0; i < columns_; ++i)
                shown.push_back(&zoom_[i]);
            return shown;
        });
    }
    Figure figure(const ViewFrame& frame, const Box& box) override;

private:
    // What is shown of a stage. `facts` is null if nothing is shown; `why` gives the reason.
    struct Shown {
        Focus focus;
        FlowFacts* facts = nullptr;
        Rich why = {};
    };
    Shown shown_of(const ViewFrame& frame, const StageColumn& stage);
    Panel panel(const ViewFrame& frame, const StageColumn& stage, const Shown& shown, const Box& box);

    std::array<PanZoom, most_columns> zoom_;
    std::size_t columns_ = 0; // in the last frame
    // From the last frame. Only compared, never dereferenced.
    std::array<const recording::WarpTrace*, most_columns> last_{};
    double seconds_ = 0;                           // time of the last frame
    std::vector<std::unique_ptr<FlowPart>> parts_; // of this frame; its layers refer to them
};

FlowView::Shown FlowView::shown_of(const ViewFrame& frame, const StageColumn& stage)
{
    Shown shown{.focus = focus_on(frame, stage)};
    const Focus& focus = shown.focus;
    if (!focus.warp || focus.recording->arrays.size() < 3) {
        shown.why = rich("{}", focus.why);
        return shown;
    }
    const std::shared_ptr<BlockTiling> tiling = flow_tiling(stage, *focus.block);
    if (tiling == nullptr) {
        shown.why = rich("Following what this block does …");
        return shown;
    }
    shown.facts = &stage.tool<FlowFacts>(*focus.block, focus.warp_index, tiling);
    const bool same_warp = std::exchange(last_[stage.number], focus.warp) == focus.warp;
    shown.facts->move_to(focus.step, frame.selection.lane, frame.seconds, frame.motion.wanted && same_warp);
    return shown;
}

// Returns the lane under the mouse, or the lanes that request the word under it.
uint32_t lanes_pointed_at(const FlowScene& scene, const FlowFacts& facts)
{
    const ImVec2 mouse = ImGui::GetMousePos();
    if (const auto lane = scene.lane_under(mouse))
        return 1u << *lane;
    const auto word = scene.word_under(mouse);
    return word ? lanes_that_want(facts, *word) : 0;
}

Rich said_of_lane(const FlowPart& part)
{
    std::vector<Rich> said{lane_words(part.facts, part.focus, part.lane())};
    if (!said.front().empty() && takes_part(part.access(), part.lane()) && !part.facts.results.empty() &&
        part.facts.summed_up_to())
        said.push_back(sum_words(part.facts, part.facts.results.front()));
    if (part.frame.comparing())
        said.insert(said.begin(), rich("{}{}:", Swatch{part.accent()}, part.stage.slug));
    return joined(std::move(said));
}

Panel FlowView::panel(const ViewFrame& frame, const StageColumn& stage, const Shown& shown, const Box& box)
{
    PanZoom& zoom = zoom_[stage.number];
    zoom.follow(box, box.width(), box.height());
    Motion motion{.since = frame.seconds - shown.facts->began, .turns = shown.facts->transfers.turns};
    if (frame.motion.wanted)
        motion.played = frame.motion.shares[stage.number];
    parts_.push_back(std::make_unique<FlowPart>(
        FlowPart{frame, stage, shown.focus, *shown.facts,
                 FlowScene(*shown.facts, static_cast<float>(zoom.cell()), frame.theme,
                           {zoom.to_screen(0, 0), zoom.to_screen(box.width(), box.height())}),
                 motion}));
    FlowPart& part = *parts_.back();
    part.lit_lanes = draw::pointed_at(box) ? lanes_pointed_at(part.scene, part.facts) : 0;
    Panel panel{.id = stage.slug, .box = box, .camera = &zoom};
    add_matrices(panel.layers, part);
    add_registers(panel.layers, part);
    add_memory(panel.layers, part);
    add_ways(panel.layers, part);
    add_names_of_memory(panel.layers, part);
    add_lanes(panel.layers, part);
    add_values(panel.layers, part);
    if (zoom.cell() < 1.5) // at higher zoom there is no room, and words are the subject
        add_cost(panel.layers, part);
    return panel;
}

Figure FlowView::figure(const ViewFrame& frame, const Box& box)
{
    Figure figure;
    figure.numbers = numbers();
    columns_ = frame.columns.size();
    parts_.clear();
    std::vector<Shown> shown;
    for (const StageColumn& stage : frame.columns)
        shown.push_back(shown_of(frame, stage));
    const auto number = [&](const StageColumn& stage) {
        return static_cast<std::size_t>(&stage - frame.columns.data());
    };
    const std::vector<Box> places = add_headings(figure, frame, box, [&](const StageColumn& stage) {
        const Shown& one = shown[number(stage)];
        return one.facts != nullptr ? headline_of_step(*stage.recording, one.facts->transfers, one.focus.access())
                                    : one.why;
    });
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (shown[i].facts == nullptr)
            continue;
        figure.panels.push_back(panel(frame, frame.columns[i], shown[i], places[i]));
        const FlowPart& part = *parts_.back();
        figure.said.push_back(said_of_lane(part));
        // If no time passes, as in an exported picture, nothing moves.
        const bool moves = frame.motion.wanted && frame.seconds > seconds_;
        figure.settled = figure.settled && (!moves || part.motion.over(part.facts.transfers.turns));
    }
    seconds_ = frame.seconds;
    return figure;
}

} // namespace

std::unique_ptr<View> make_flow_view()
{
    return std::make_unique<FlowView>();
}

} // namespace viz
