// Registers and shuffles: what each lane of a warp holds, what it multiplies, and how values move between lanes.
#include "viz/view.h"

#include "viz/analysis/tiling.h"
#include "viz/analysis/values.h"
#include "viz/draw/columns.h"
#include "viz/draw/focus.h"
#include "viz/draw/heading.h"
#include "viz/draw/numbers.h"
#include "viz/draw/prose.h"
#include "viz/text/figures.h"
#include "viz/views/40_registers/fragment_pictures.h"
#include "viz/views/40_registers/register_messages.h"
#include "viz/views/40_registers/type_errors.h"
#include "viz/views/40_registers/warp_pictures.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace viz {

std::unique_ptr<View> make_registers_view();

namespace {

using recording::BlockTrace;
using recording::Recording;

bool adds_whole_k(const Recording& recording, const BlockTrace& block)
{
    const uint32_t K = recording.arrays[0].cols;
    const Elements elements(recording.arrays[0]);
    uint32_t least = K, end = 0;
    for (const recording::WarpTrace& warp : block.warps)
        for (const recording::Access& access : warp.accesses)
            for (uint32_t lane = 0;
                 access.array == 0 && recording::has_addresses(access) && lane < recording::warp_size; ++lane)
                if (const auto cell = takes_part(access, lane) ? elements.at(access.offset[lane]) : std::nullopt) {
                    least = std::min(least, cell->col);
                    end = std::max(end, cell->col + access.width / recording.arrays[0].element_bytes);
                }
    return least == 0 && end >= K;
}

// Of a block, at one place in time. What is found with their help keeps them: no address stands for another block's.
using Contents = std::shared_ptr<SharedContents>;

Contents contents_of(const Recording& recording, const BlockTrace& block)
{
    return std::make_shared<SharedContents>(recording, block);
}

struct ColumnSums : RunningSums {
    explicit ColumnSums(const RecordingPtr& recording) : RunningSums(*recording) {}
};

struct HeldFragments {
    std::optional<Fragments> fragments;
    RegisterUse use;
};

HeldFragments held_at(const Recording& recording, const Contents& contents, const BlockTrace& block, uint32_t warp,
                      std::size_t step)
{
    const std::vector<Phase> all = phases(recording, block.warps[warp]);
    HeldFragments held{FragmentFinder(*contents, recording, block, warp, all).at(step), {}};
    held.use = register_use(recording, block, warp, held.fragments);
    if (held.fragments && phase_at(all, step).kind == PhaseKind::store)
        held.fragments->loaded = {}; // none is needed any more: what its register holds now is not known
    return held;
}

// What one stage holds in registers at a step. Good for one frame.
struct HeldValues {
    const Recording& recording;
    const recording::WarpTrace& warp;
    uint32_t warp_index;
    std::size_t step;
    const std::vector<Elements>& elements;
    SharedContents& contents; // at any time
    RunningSums& sums;        // of C
    const std::vector<Phase>& phases;
    const std::optional<Fragments>& fragments;
    const RegisterUse& use;
    bool whole_k; // the block adds up all of K: its sums begin with k = 0

    const SharedContents& contents_now() const
    {
        contents.advance_to(contents.order().tick(warp_index, step));
        return contents;
    }
    bool stored() const { return phase_at(phases, step).kind == PhaseKind::store; }

    // The sums so far have the products of all k below: not known in the midst of a k-tile's products.
    std::optional<uint32_t> added_up_to() const
    {
        const Phase& now = phase_at(phases, step);
        const bool midst =
            now.kind != PhaseKind::compute && std::ranges::any_of(phases, [&](const Phase& before) {
                return before.first < now.first && before.kind == PhaseKind::compute && before.k_tile == now.k_tile;
            });
        if (!whole_k || !fragments)
            return {};
        return stored() ? std::optional(recording.arrays[0].cols) : midst ? std::nullopt : std::optional(fragments->k);
    }
};

HeldValues held_values(const StageColumn& column, const Focus& focus)
{
    const Contents& contents = column.memo<contents_of>(*focus.block);
    const HeldFragments& held = column.memo<held_at>(contents, *focus.block, focus.warp_index, focus.step);
    return {*focus.recording,
            *focus.warp,
            focus.warp_index,
            focus.step,
            column.memo<elements_of>(),
            *contents,
            column.tool<ColumnSums>(),
            column.memo<phases>(*focus.warp),
            held.fragments,
            held.use,
            column.memo<adds_whole_k>(*focus.block)};
}

// Where tensor cores, ldmatrix or shuffles bring operands to registers, the next such step of the warp, or of another one
// where this one does nothing but copy; else the step that is selected.
Focus moving_step(const Focus& selected)
{
    const auto moves = [](const recording::Access& access) { return register_step(access) != RegisterStep::fragments; };
    if (moves(selected.access()))
        return selected;
    const auto at = [&](uint32_t warp, std::size_t from) -> std::optional<Focus> {
        const auto& accesses = selected.block->warps[warp].accesses;
        const auto begin = accesses.begin() + static_cast<std::ptrdiff_t>(std::min(from, accesses.size()));
        const auto found = std::find_if(begin, accesses.end(), moves);
        if (found == accesses.end())
            return {};
        Focus focus = selected;
        focus.warp = &selected.block->warps[warp];
        focus.warp_index = warp;
        focus.step = static_cast<std::size_t>(found - accesses.begin());
        return focus;
    };
    for (const std::size_t from : {selected.step, std::size_t{0}})
        if (const auto found = at(selected.warp_index, from))
            return *found;
    for (uint32_t warp = 0; warp < selected.block->warps.size(); ++warp)
        if (const auto found = at(warp, 0))
            return *found;
    return selected;
}

class RegistersView final : public View {
public:
    std::string_view name() const override { return "registers"; }
    std::string_view title() const override { return "Registers"; }
    ViewGroup group() const override { return ViewGroup::inside; }
    std::vector<Numbers> numbers() const override
    {
        return {{Numbers::How::recorded, "accesses, registers per thread"},
                {Numbers::How::derived, "values in registers"}};
    }
    void draw(ViewFrame& frame) override;

private:
    struct Part : StagePart {
        Focus focus;
        HeldValues values;
    };

    void draw_stage(ViewFrame& frame, const StageColumn& stage, draw::Box box);
    void open_on_shuffle(ViewFrame& frame);
    static void draw_errors(const Part& part, const draw::Box& box);
    static draw::Box above_errors(const Part& part);
    std::optional<uint32_t> draw_picture(Part& part);
    std::optional<uint32_t> draw_products(Part& part);
    std::optional<uint32_t> draw_passing(Part& part);
    static std::optional<std::pair<std::string, std::string>> wmma_value(const Part& part, std::ptrdiff_t matrix,
                                                                         const Cell& at);

    RecordingPtr opened; // looked through for a step to begin with
};

std::optional<uint32_t> RegistersView::draw_products(Part& part)
{
    const Theme& theme = part.theme();
    const HeldValues& values = part.values;
    const FragmentPicture picture{part,
                                  *values.fragments,
                                  values.recording,
                                  values.sums,
                                  values.added_up_to(),
                                  values.stored(),
                                  values.use.elsewhere()};
    const draw::Box box = part.box;
    const bool beside = box.width() > theme.px(620);
    const float gap = theme.px(14);
    draw::Box warp = box;
    if (beside)
        warp.max.x = box.min.x + (box.width() - gap) * 0.5f;
    else
        warp.max.y = box.min.y + box.height() * 0.6f;
    const auto lane = draw_warp_products(picture, warp);
    const draw::Box own = beside ? draw::Box{{warp.max.x + gap, box.min.y}, box.max}
                                 : draw::Box{{box.min.x, warp.max.y + theme.px(12)}, box.max};
    draw_lane_products(picture, own);
    return lane && ImGui::IsItemClicked() ? lane : std::nullopt;
}

// The shuffle, and below it who holds the slices of A and B that are passed on.
std::optional<uint32_t> RegistersView::draw_passing(Part& part)
{
    const Theme& theme = part.theme();
    draw::Box box = part.box;
    const float half = (box.height() - theme.px(16)) / 2;
    const auto lane = draw_shuffle(part, part.focus.access(), {box.min, {box.max.x, box.min.y + half}});
    const auto held = held_for_shuffles(part.values.recording, part.values.warp, part.values.phases, part.focus.step);
    box.min.y += half + theme.px(16);
    const float middle = box.min.x + box.width() * 0.3f;
    draw_held(part, held, true, {box.min, {middle - theme.px(20), box.max.y}});
    draw_held(part, held, false, {{middle, box.min.y}, box.max});
    return lane;
}

// Of the tile of A or B that the warp loaded last: lane i of the load stands for row i. Which lane holds it, WMMA does not say.
std::optional<std::pair<std::string, std::string>> RegistersView::wmma_value(const Part& part, std::ptrdiff_t matrix,
                                                                             const Cell& at)
{
    const recording::Recording& recording = part.values.recording;
    const auto& accesses = part.values.warp.accesses;
    const SharedContents& contents = part.values.contents_now();
    const auto origin_in = [&](const recording::Access& load) -> std::optional<Origin> {
        const recording::Array& array = recording.arrays[load.array];
        const uint64_t place = load.offset[at.row % recording::warp_size] + uint64_t{at.col} * array.element_bytes;
        const auto cell = part.values.elements[load.array].at(place);
        if (!cell || at.row >= recording::warp_size || !takes_part(load, at.row))
            return {};
        if (array.space == recording::Space::shared)
            return contents.at(load.array, *cell);
        return Origin{Origin::Kind::element, load.array, *cell, 0};
    };
    for (std::size_t i = part.focus.step + 1; i-- > 0 && matrix < 2;) {
        if (accesses[i].op != recording::Op::tile_load)
            continue;
        const auto origin = origin_in(accesses[i]);
        if (!origin || origin->kind != Origin::Kind::element || origin->array != static_cast<std::size_t>(matrix))
            continue;
        const RungFigures* rung = part.frame.board.find(recording.stage);
        const auto known =
            rounded_value_of(recording, origin->array, origin->cell, rung != nullptr ? rung->type : std::string());
        if (!known)
            return {};
        return std::pair{short_value(recording, double{*known}), brief_value(recording, double{*known})};
    }
    return {};
}

std::optional<uint32_t> RegistersView::draw_picture(Part& part)
{
    const recording::Access& access = part.focus.access();
    const recording::Recording& recording = part.values.recording;
    const MmaShape shape = shape_of(recording);
    switch (register_step(access)) {
    case RegisterStep::shuffle: return draw_passing(part);
    case RegisterStep::matrix_load: {
        const recording::Array& tile = recording.arrays[access.array];
        const SharedContents& contents = part.values.contents_now();
        const auto value = [&](const Cell& cell) -> std::string {
            const Origin held = contents.at(access.array, cell);
            const auto known =
                held.kind == Origin::Kind::element ? value_of(recording, held.array, held.cell) : std::nullopt;
            return known ? short_value(recording, double{*known}) : "";
        };
        return draw_matrix_load(part, {access, tile, part.values.elements[access.array], value}, part.box);
    }
    case RegisterStep::product:
        if (!knows_operands(recording))
            return std::nullopt;
        if (!is_wmma(part.values.warp))
            return draw_mma(part, shape, false, above_errors(part));
        break;
    case RegisterStep::group_product: return draw_mma(part, shape, true, above_errors(part));
    case RegisterStep::fragments: break;
    }
    if (part.values.fragments)
        return draw_products(part);
    if (!is_wmma(part.values.warp))
        return std::nullopt;
    const auto value = [&](std::ptrdiff_t matrix, const Cell& at) { return wmma_value(part, matrix, at); };
    const draw::Box corner = draw_wmma(part, shape, value, part.box);
    draw_errors(part, corner);
    return std::nullopt;
}

// What the type of A and B costs in accuracy, beside the other types.
void RegistersView::draw_errors(const Part& part, const draw::Box& box)
{
    const Board& board = part.frame.board;
    if (const RungFigures* rung = board.find(part.values.recording.stage))
        draw_type_errors(part, type_errors(board), rung->type, box);
}

// Below the fragments, where these leave room: they are as wide as they can be. The box that is left for them.
draw::Box RegistersView::above_errors(const Part& part)
{
    const float strip = part.theme().px(112);
    draw::Box fragments = part.box;
    if (part.frame.comparing() || fragments.height() < 4 * strip)
        return fragments;
    fragments.max.y -= strip + part.theme().px(10);
    draw_errors(part, {{fragments.min.x, part.box.max.y - strip}, part.box.max});
    return fragments;
}

void RegistersView::draw_stage(ViewFrame& frame, const StageColumn& stage, draw::Box box)
{
    const Theme& theme = frame.theme;
    const Focus selected = focus_on(frame, stage);
    if (!selected.warp) {
        Prose(theme).strong(selected.why).draw(box.min, box.width());
        return;
    }
    const Focus focus = moving_step(selected);
    const HeldValues values = held_values(stage, focus);
    const ShownStep shown{values.recording,     values.warp,   focus.warp_index, focus.step,
                          frame.selection.lane, values.phases, values.fragments, values.use.elsewhere()};
    box.min.y += draw::stage_headline(frame, stage, headline(shown), box);
    if (focus.warp != selected.warp || focus.step != selected.step)
        frame.explain({{"registers.shown_instead", {{"step", index(focus.step)}, {"warp", index(focus.warp_index)}}}});
    Messages step = step_messages(shown);
    const uint32_t line = focus.access().line;
    step.push_back({"registers.line", {{"line", index(line)}, {"source", source_line(values.recording, line)}}});
    frame.explain(step);
    frame.explain(use_messages(values.use));
    if (values.fragments)
        frame.explain({{"registers.legend",
                        {{"a", Swatch{fragment_colour(theme, true)}},
                         {"b", Swatch{fragment_colour(theme, false)}},
                         {"lane", Swatch{theme.accent(stage.number)}}}}});
    else if (register_step(focus.access()) == RegisterStep::shuffle)
        frame.explain({{"registers.held"}});
    Part part{{frame, stage, box}, focus, values};
    const float bar = draw_register_bar(part, values.use);
    part.box.min.y += bar + (bar > 0 ? theme.px(10) : 0);
    part.box.max.y -= 1;
    const RegisterStep kind = register_step(focus.access());
    const bool drawn = kind == RegisterStep::product ? knows_operands(values.recording)
                                                     : values.fragments || kind != RegisterStep::fragments;
    mark_picture(frame.marks, "registers:" + stage.slug, box.min, drawn ? part.box.max : part.box.min);
    if (const auto lane = draw_picture(part))
        frame.selection.lane = *lane;
}

// A stage that passes values by shuffles begins with one: its first steps fill registers, and show nothing here.
void RegistersView::open_on_shuffle(ViewFrame& frame)
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

void RegistersView::draw(ViewFrame& frame)
{
    open_on_shuffle(frame);
    draw::in_columns(frame, "registers view", 0,
                     [&](std::size_t i, const draw::Box& box) { draw_stage(frame, frame.columns[i], box); });
}

} // namespace

std::unique_ptr<View> make_registers_view()
{
    return std::make_unique<RegistersView>();
}

} // namespace viz
