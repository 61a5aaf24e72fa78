// Registers and shuffles: what each lane of a warp holds, what it multiplies, and how values move between lanes.
#include "viz/view.h"

#include "viz/analysis/tiling.h"
#include "viz/draw/columns.h"
#include "viz/draw/focus.h"
#include "viz/text/figures.h"
#include "viz/views/40_registers/fragment_pictures.h"
#include "viz/views/40_registers/warp_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>

namespace viz {

std::unique_ptr<View> make_registers_view();

namespace {

// Of one subject; kept until its recording, block, warp or step changes.
struct Side {
    std::shared_ptr<const recording::Recording> recording;
    const recording::BlockTrace* block = nullptr;
    const recording::WarpTrace* warp = nullptr;
    std::vector<Elements> elements;
    std::unique_ptr<SharedContents> contents;
    std::vector<Phase> phases;
    std::optional<std::size_t> step;
    std::optional<Fragments> fragments;
    RegisterUse use;

    void update(const Subject& subject, const Focus& focus)
    {
        if (recording != subject.recording || block != focus.block) {
            recording = subject.recording;
            block = focus.block;
            elements = elements_of(*recording);
            contents = std::make_unique<SharedContents>(*recording, *block);
            warp = nullptr;
        }
        if (warp == focus.warp && step == focus.step)
            return;
        if (warp != focus.warp)
            phases = viz::phases(*recording, *focus.warp);
        warp = focus.warp;
        step = focus.step;
        fragments = fragments_at(*contents, *recording, *block, focus.warp_index, phases, focus.step);
        use = register_use(*recording, *block, focus.warp_index, fragments);
    }
};

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
    // One subject while it is drawn.
    struct Part {
        ViewFrame& frame;
        const Subject& subject;
        Focus focus;
        Side& side;
        draw::Box box;
        WarpPicture warp;
    };

    void draw_side(ViewFrame& frame, const Subject& subject, Side& side, draw::Box box);
    Prose sentence(const Part& part) const;
    void say_fragments(Prose& prose, const Part& part) const;
    void say_shuffle(Prose& prose, const Part& part) const;
    std::optional<uint32_t> draw_picture(Part& part);
    std::optional<uint32_t> draw_products(Part& part);
    std::optional<uint32_t> draw_passing(Part& part);

    void open_on_shuffle(ViewFrame& frame);

    Side sides[2];
    std::shared_ptr<const recording::Recording> opened; // looked through for a step to begin with
};

void RegistersView::say_fragments(Prose& prose, const Part& part) const
{
    if (!part.side.fragments) {
        prose.say(
            "In this step lanes neither load operands one by one nor pass them on. Step to a load of shared memory, "
            "a shuffle, or a tensor-core step (Right, or click a line of the source).");
        return;
    }
    const Fragments& fragments = *part.side.fragments;
    const LaneFragment& mine = fragments.lanes[part.frame.selection.lane];
    const std::size_t a = mine.a.size(), b = mine.b.size();
    prose.say("For k = ").figure(std::to_string(fragments.k)).say(", lane ");
    prose.figure(std::to_string(part.frame.selection.lane)).say(" holds ");
    if (a * b == 0) {
        prose.say("nothing: its results lie outside of C.");
        return;
    }
    prose.code(cells_text("A", mine.a)).say(" and ").code(cells_text("B", mine.b)).say(": ");
    prose.figure(fmt::format("{} + {}", a, b)).say(" values for ");
    prose.figure(counted(a * b, "product")).say(", one for each of its results. ");
    if (a * b > 1)
        prose.say("An outer product: row by row and column by column it would fetch ")
            .figure(std::to_string(2 * a * b))
            .say(" values for them. ");
    else
        prose.say("An inner product: two values are fetched for one multiplication. ");
    prose.say("The warp loads them in ").figure(counted(fragments.loads, "access", "accesses"));
    prose.say(", ").figure(counted(fragments.bytes, "byte")).say(" per lane.");
}

void RegistersView::say_shuffle(Prose& prose, const Part& part) const
{
    const recording::Access& access = part.focus.access();
    const uint32_t lane = part.frame.selection.lane;
    const ShuffleFacts facts = shuffle_facts(access);
    prose.figure(counted(facts.lanes, "lane")).say(" read a register of ");
    prose.figure(counted(facts.sources.size(), "lane")).say(", without memory. ");
    if (facts.most_asked > 1)
        prose.say("One is asked by up to ").figure(std::to_string(facts.most_asked)).say(" at once: a broadcast. ");
    if (!takes_part(access, lane))
        return;
    const auto held = held_for_shuffles(*part.side.recording, *part.side.warp, part.side.phases, part.focus.step);
    const uint32_t from = access.offset[lane];
    prose.say("Lane ").figure(std::to_string(lane)).say(" gets a value of lane ").figure(std::to_string(from));
    if (from < held.size() && !held[from].a.empty())
        prose.say(", which holds ")
            .code(cells_text("A", held[from].a))
            .say(" and ")
            .code(cells_text("B", held[from].b))
            .say("; which of these, the source line says");
    prose.say(".");
}

Prose RegistersView::sentence(const Part& part) const
{
    const recording::Access& access = part.focus.access();
    const recording::Recording& recording = *part.side.recording;
    const uint32_t lane = part.frame.selection.lane;
    Prose prose(part.frame.theme);
    prose.strong(fmt::format("Step {} of {}, warp {}: ", part.focus.step, part.focus.warp->accesses.size(),
                             part.focus.warp_index));
    const MmaShape shape = mma_shape(recording.arrays.empty() ? 2 : recording.arrays[0].element_bytes);
    switch (register_step(access)) {
    case RegisterStep::shuffle: say_shuffle(prose, part); break;
    case RegisterStep::matrix_load:
        prose.strong("ldmatrix. ")
            .say("Every 8 lanes point at the 8 rows of a matrix, 16 bytes each; then every lane gets "
                 "two neighbours of each matrix, 4 bytes, in its next register");
        prose.say(
            access.transposed == recording::Transposed::yes ? ", here turned around (.trans): neighbours of a column. "
            : access.transposed == recording::Transposed::no
                ? ": neighbours of a row. "
                : ". Whether they are neighbours of a row or of a column (.trans) is not known: this recording is "
                  "older than the format that says it. Record it anew to see which lane gets which element. ");
        prose.say("Four matrices in one instruction: lane ").figure(std::to_string(lane)).say(" points at row ");
        prose.figure(std::to_string(lane % 8)).say(" of matrix ").figure(std::to_string(lane / 8)).say(".");
        break;
    case RegisterStep::product:
        if (is_wmma(*part.side.warp)) {
            prose.strong("A WMMA product. ")
                .say("Its fragments are opaque: the interface does not say which lane holds which element, and it "
                     "differs "
                     "between GPUs. So there is no picture; mma_ldmatrix shows the fragments of mma, whose layout is "
                     "documented.");
            break;
        }
        prose.strong(fmt::format("mma.m16n8k{}. ", shape.depth));
        prose.say("Lane ").figure(std::to_string(lane)).say(" holds ");
        prose.code(cells_text("A", held_by_lane(shape, MmaPart::a, lane))).say("; ");
        prose.code(cells_text("B", held_by_lane(shape, MmaPart::b, lane))).say("; sums ");
        prose.code(cells_text("D", held_by_lane(shape, MmaPart::sums, lane)));
        prose.say(
            ". The layout is the PTX manual's; which part of the tiles these are, is not recorded with the step.");
        break;
    case RegisterStep::group_product: {
        prose.strong("wgmma. ").say("No lane holds A or B: the tensor cores read ");
        if (const auto operands = group_operands(recording, *part.side.warp, part.focus.step)) {
            const auto corner = [&](uint8_t array, const CellRect& cells) {
                return fmt::format("{} x {} of {} from ({}, {})", cells.rows, cells.cols, recording.arrays[array].name,
                                   cells.row, cells.col);
            };
            prose.code(corner(operands->a, operands->a_cells))
                .say(" and ")
                .code(corner(operands->b, operands->b_cells));
            prose.say(
                " themselves (derived from the descriptors). A warp holds 16 rows of the sums, in each 8 of the ");
            prose.figure(counted(uint64_t{operands->b_cells.cols}, "column")).say(" as below: ");
            prose.figure(counted(uint64_t{operands->b_cells.cols} / 2, "register")).say(" per lane.");
        }
        break;
    }
    case RegisterStep::fragments: say_fragments(prose, part); break;
    }
    return prose;
}

std::optional<uint32_t> RegistersView::draw_products(Part& part)
{
    const Theme& theme = part.frame.theme;
    const FragmentPicture picture{*part.side.fragments, part.frame.selection.lane, part.warp.accent, theme,
                                  part.warp.marks};
    ImDrawList* list = ImGui::GetWindowDrawList();
    Prose legend(theme);
    legend.swatch(fragment_colour(theme, true)).say("column k of A").gap();
    legend.swatch(fragment_colour(theme, false)).say("row k of B").gap();
    legend.swatch(picture.accent).say("products of the selected lane").gap();
    legend.say("Numbers are lanes; click one to select it.");
    draw::Box box = part.box;
    box.min.y += legend.draw(list, box.min, box.width()) + theme.px(6);
    const bool beside = box.width() > theme.px(620);
    const float gap = theme.px(28);
    draw::Box warp = box;
    if (beside)
        warp.max.x = box.min.x + (box.width() - gap) * 0.5f;
    else
        warp.max.y = box.min.y + box.height() * 0.6f;
    const auto lane = draw_warp_products(picture, warp, part.frame.hint);
    const draw::Box own = beside ? draw::Box{{warp.max.x + gap, box.min.y}, box.max}
                                 : draw::Box{{box.min.x, warp.max.y + theme.px(12)}, box.max};
    draw_lane_products(picture, own);
    return lane && ImGui::IsItemClicked() ? lane : std::nullopt;
}

// The shuffle, and below it who holds the slices of A and B that are passed on.
std::optional<uint32_t> RegistersView::draw_passing(Part& part)
{
    const Theme& theme = part.frame.theme;
    draw::Box box = part.box;
    const float half = std::min((box.height() - theme.px(24)) / 2, theme.px(220));
    const auto lane = draw_shuffle(part.warp, {box.min, {box.max.x, box.min.y + half}}, part.frame.hint);
    const auto held = held_for_shuffles(*part.side.recording, *part.side.warp, part.side.phases, part.focus.step);
    box.min.y += half + theme.px(24);
    box.min.y += Prose(theme)
                     .say("Which lane holds which element, from the loads before:")
                     .draw(ImGui::GetWindowDrawList(), box.min, box.width()) +
                 theme.px(4);
    const float middle = box.min.x + box.width() * 0.3f;
    draw_held(held, true, part.warp.lane, part.warp.accent, theme, {box.min, {middle - theme.px(20), box.max.y}});
    draw_held(held, false, part.warp.lane, part.warp.accent, theme, {{middle, box.min.y}, box.max});
    return lane;
}

std::optional<uint32_t> RegistersView::draw_picture(Part& part)
{
    const recording::Access& access = part.focus.access();
    const recording::Recording& recording = *part.side.recording;
    const MmaShape shape = mma_shape(recording.arrays.empty() ? 2 : recording.arrays[0].element_bytes);
    switch (register_step(access)) {
    case RegisterStep::shuffle: return draw_passing(part);
    case RegisterStep::matrix_load: {
        const recording::Array& tile = recording.arrays[access.array];
        return draw_matrix_load(
            {part.warp, access.transposed, tile.element_bytes, tile, part.side.elements[access.array]}, part.box,
            part.frame.hint);
    }
    case RegisterStep::product:
        return is_wmma(*part.side.warp) ? std::nullopt : draw_mma(part.warp, shape, false, part.box, part.frame.hint);
    case RegisterStep::group_product: return draw_mma(part.warp, shape, true, part.box, part.frame.hint);
    case RegisterStep::fragments: break;
    }
    return part.side.fragments ? draw_products(part) : std::nullopt;
}

void RegistersView::draw_side(ViewFrame& frame, const Subject& subject, Side& side, draw::Box box)
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    box.min.y += stage_heading(theme, subject).draw(list, box.min, box.width()) + theme.px(2);
    const Focus focus = focus_on(subject, frame.first, frame.selection);
    if (!focus.warp) {
        Prose(theme).strong(focus.why).draw(list, box.min, box.width());
        return;
    }
    side.update(subject, focus);
    const Colour accent = theme.accent(subject.accent);
    Marks* marks = &subject == &frame.first ? frame.marks : nullptr;
    Part part{frame, subject, focus, side, box, {focus.access(), frame.selection.lane, accent, theme, marks}};
    part.box.min.y += sentence(part).draw(list, box.min, box.width()) + theme.px(2);
    Prose source(theme);
    source.say(fmt::format("Line {}: ", focus.access().line)).code(source_line(*side.recording, focus.access().line));
    part.box.min.y += source.draw(list, part.box.min, box.width()) + theme.px(8);
    part.box.min.y += register_sentence(theme, side.use).draw(list, part.box.min, box.width()) + theme.px(4);
    const float bar = draw_register_bar(side.use, accent, theme, {part.box.min, {box.max.x, part.box.min.y}}, marks);
    part.box.min.y += bar + theme.px(12);
    part.box.max.y = std::max(box.max.y - 1, part.box.min.y + theme.px(260)); // the view scrolls
    if (const auto lane = draw_picture(part))
        frame.selection.lane = *lane;
    ImGui::SetCursorScreenPos({box.min.x, part.box.max.y - 1});
    ImGui::Dummy({1, 1});
}

// A stage that passes values by shuffles begins with one: its first steps fill registers, and show nothing here.
void RegistersView::open_on_shuffle(ViewFrame& frame)
{
    const Focus focus = focus_on(frame.first, frame.first, frame.selection);
    if (frame.first.recording == opened || !focus.warp)
        return;
    opened = frame.first.recording;
    const auto& accesses = focus.warp->accesses;
    const auto is_shuffle = [](const recording::Access& access) { return access.op == recording::Op::shuffle; };
    const auto first = std::ranges::find_if(accesses, is_shuffle);
    const auto step = static_cast<std::size_t>(first - accesses.begin());
    if (first != accesses.end() && frame.selection.step < step)
        frame.selection.step = step;
}

void RegistersView::draw(ViewFrame& frame)
{
    open_on_shuffle(frame);
    ImGui::BeginChild("registers view", {0, 0}, false);
    draw::in_columns(frame.theme, frame.second != nullptr, 0, [&](int i, const draw::Box& box) {
        draw_side(frame, i == 0 ? frame.first : *frame.second, sides[i], box);
    });
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_registers_view()
{
    return std::make_unique<RegistersView>();
}

} // namespace viz
