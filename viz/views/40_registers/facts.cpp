#include "viz/views/40_registers/facts.h"

#include "viz/analysis/bank_picture.h"
#include "viz/analysis/occupancy.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace viz {

namespace {

using recording::BlockTrace;
using recording::Recording;

// The contents of a block's shared memory at one time. Derived values hold this pointer, so that no other block can get
// a cached address.
using Contents = std::shared_ptr<SharedContents>;

Contents contents_of(const Recording& recording, const BlockTrace& block)
{
    return std::make_shared<SharedContents>(recording, block);
}

struct ColumnSums : RunningSums {
    explicit ColumnSums(const RecordingPtr& recording) : RunningSums(*recording) {}
};

// Returns the selected step if tensor cores, ldmatrix or shuffles move operands at it. Otherwise returns the next such
// step of the warp, or else its first one, or else that of another warp. Without any, returns the selected step.
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

} // namespace

std::optional<RegisterStage> register_stage(const ViewScene& scene, const StageColumn& column)
{
    const Focus selected = focus_on(scene, column);
    if (!selected.warp)
        return {};
    const Focus focus = moving_step(selected);
    const Contents& contents = column.memo<contents_of>(*focus.block);
    const HeldFragments& held = column.memo<held_fragments>(contents, *focus.block, focus.warp_index, focus.step);
    return RegisterStage{column,
                         selected,
                         focus,
                         {*focus.recording, *focus.warp, focus.warp_index, focus.step, scene.selection.lane,
                          column.memo<phases>(*focus.warp), held.fragments, held.use.elsewhere()},
                         column.memo<elements_of>(),
                         *contents,
                         column.tool<ColumnSums>(),
                         held.use,
                         column.memo<adds_whole_k>(*focus.block)};
}

const SharedContents& RegisterStage::contents_now() const
{
    contents.advance_to(contents.order().tick(shown.warp_index, shown.step));
    return contents;
}

std::optional<uint32_t> RegisterStage::summed_up_to() const
{
    const Phase& now = phase_at(shown.phases, shown.step);
    const bool midst =
        now.kind != PhaseKind::compute && std::ranges::any_of(shown.phases, [&](const Phase& before) {
            return before.first < now.first && before.kind == PhaseKind::compute && before.k_tile == now.k_tile;
        });
    if (!whole_k || !shown.fragments)
        return {};
    return shown.stored() ? std::optional(recording().arrays[0].cols)
           : midst        ? std::nullopt
                          : std::optional(shown.fragments->k);
}

std::optional<double> RegisterStage::value_in_tile(uint8_t array, const Cell& cell) const
{
    const Origin held = contents_now().at(array, cell);
    return held.kind == Origin::Kind::element ? value_of(recording(), held.array, held.cell) : std::nullopt;
}

std::optional<double> RegisterStage::wmma_value(const LadderFacts& ladder_facts, std::size_t matrix,
                                                const Cell& cell) const
{
    const auto origin_in = [&](const recording::Access& load) -> std::optional<Origin> {
        const recording::Array& array = recording().arrays[load.array];
        const uint64_t place = load.offset[cell.row % recording::warp_size] + uint64_t{cell.col} * array.element_bytes;
        const auto loaded = elements[load.array].at(place);
        if (!loaded || cell.row >= recording::warp_size || !takes_part(load, cell.row))
            return {};
        if (array.space == recording::Space::shared)
            return contents_now().at(load.array, *loaded);
        return Origin{Origin::Kind::element, load.array, *loaded, 0};
    };
    for (std::size_t i = shown.step + 1; i-- > 0 && matrix < 2;) {
        if (shown.warp.accesses[i].op != recording::Op::tile_load)
            continue;
        const auto origin = origin_in(shown.warp.accesses[i]);
        if (!origin || origin->kind != Origin::Kind::element || origin->array != matrix)
            continue;
        const StageFacts* rung = ladder_facts.find(recording().stage);
        return rounded_value_of(recording(), origin->array, origin->cell, rung != nullptr ? rung->type : std::string());
    }
    return {};
}

MmaShape shape_of(const Recording& recording)
{
    return mma_shape(recording.arrays.empty() ? 2 : recording.arrays[0].element_bytes);
}

namespace {

Rich fragments_words(const ShownStep& shown)
{
    if (!shown.fragments)
        return rich("In this step lanes neither load operands one by one nor pass them on. Step on to a load of shared "
                    "memory, a shuffle or a tensor-core step: press Right, or click a line of the source.");
    const Fragments& fragments = *shown.fragments;
    const LaneFragment& mine = fragments.lanes[shown.lane];
    const std::size_t a = mine.a.size(), b = mine.b.size();
    const Index k = index(fragments.k), lane = index(shown.lane);
    const std::string of_a = element_name("A", mine.a), of_b = element_name("B", mine.b);
    if (a * b == 0)
        return rich("For k = **{}**, lane **{}** holds nothing: its results lie outside of C.", k, lane);
    if (shown.stored())
        return rich("Lane **{}** has added up all its products: **{}** {} stored. The last products, for k = **{}**, "
                    "were of `{}` and `{}`.",
                    lane, counted(a * b, "sum"), a * b == 1 ? "is" : "are", k, of_a, of_b);
    return joined(
        {rich("For k = **{}**, lane **{}** {} `{}` and `{}`. Its **{} + {}** values make **{}**, one for each result.",
              k, lane, fragments.complete ? "holds" : "will hold", of_a, of_b, a, b, counted(a * b, "product")),
         a * b > 1 ? rich("An outer product: row by row and column by column it would fetch **{}** values.", 2 * a * b)
                   : rich("An inner product: two values are fetched for one multiplication."),
         shown.elsewhere ? rich("They lie in local memory, and each is loaded once more where it is multiplied.")
                         : Rich(),
         rich("The warp loads them in **{}**, **{}** per lane.", counted(fragments.loads, "access", "accesses"),
              counted(fragments.bytes, "byte"))});
}

} // namespace

Rich given_words(const recording::Access& access, uint32_t lane)
{
    uint32_t receivers = 0;
    for (uint32_t to = 0; to < recording::warp_size; ++to)
        receivers |= takes_part(access, to) && access.offset[to] == lane ? 1u << to : 0;
    return receivers == 0 ? rich("No lane asks for the value of lane {}", index(lane))
                          : rich("Lane {} gives its value to {}", index(lane), lane_list(receivers));
}

namespace {

// `passed` is what the selected lane gets, if that is known.
Rich shuffle_words(const ShownStep& shown, const std::optional<PassedValue>& passed)
{
    const recording::Access& access = shown.access();
    const ShuffleFacts facts = shuffle_facts(access);
    std::vector<Rich> said{rich("**{}** {} a register of **{}**, without memory.", counted(facts.lanes, "lane"),
                                facts.lanes == 1 ? "reads" : "read", counted(facts.sources.size(), "lane"))};
    if (facts.most_asked > 1)
        said.push_back(rich("One is asked by up to **{}** at once: a broadcast.", facts.most_asked));
    said.push_back(rich("{}.", given_words(access, shown.lane)));
    if (!takes_part(access, shown.lane))
        return joined(std::move(said));
    const uint32_t from = access.offset[shown.lane];
    if (passed) {
        const auto value = value_of(shown.recording, passed->array, passed->cell);
        said.push_back(rich("Lane **{}** gets `{}`{} of lane **{}**.", index(shown.lane),
                            element_name(passed->array == array_A ? "A" : "B", {passed->cell}),
                            value ? rich(" = **{}**", exact_value(shown.recording, *value)) : Rich(), index(from)));
        return joined(std::move(said));
    }
    const auto held = held_for_shuffles(shown.recording, shown.warp, shown.phases, shown.step);
    said.push_back(rich("Lane **{}** gets a value of lane **{}**.", index(shown.lane), index(from)));
    if (from < held.size() && !held[from].a.empty())
        said.push_back(rich("That one holds `{}` and `{}`; which of these, the source line says.",
                            element_name("A", held[from].a), element_name("B", held[from].b)));
    return joined(std::move(said));
}

Rich matrix_load_words(const ShownStep& shown)
{
    const auto neighbours = [&] {
        switch (shown.access().transposed) {
        case recording::Transposed::yes: return rich("They are neighbours of a column: it is transposed (.trans).");
        case recording::Transposed::no: return rich("They are neighbours of a row.");
        default:
            return rich("Whether they are neighbours of a row or of a column (.trans) is not known. This recording is "
                        "older than the format that says it. Record it anew to see which lane gets which element.");
        }
    };
    return joined(
        {rich("*ldmatrix.* Every 8 lanes point at the 8 rows of a matrix, 16 bytes each. Then every lane gets "
              "two neighbours of each matrix, 4 bytes, in its next register."),
         neighbours(),
         rich("Four matrices in one instruction: lane **{}** points at row **{}** of matrix **{}**.", index(shown.lane),
              index(shown.lane % 8), index(shown.lane / 8))});
}

Rich product_words(const ShownStep& shown)
{
    if (is_wmma(shown.warp))
        return rich("*A WMMA product.* Its fragments are opaque: the interface does not say which lane holds which "
                    "element, and GPUs differ. So the picture has the elements and not their lanes. The stage "
                    "mma_ldmatrix shows the fragments of mma, whose layout is documented.");
    if (!knows_operands(shown.recording))
        return rich("The tensor cores multiply. Which lane holds which element follows from the types of A and B. This "
                    "kernel was traced without them.");
    const MmaShape shape = shape_of(shown.recording);
    const auto held = [&](MmaPart part, const char* name) {
        return element_name(name, held_by_lane(shape, part, shown.lane));
    };
    return rich(
        "*mma.m16n8k{}.* Lane **{}** holds `{}`; `{}`; sums `{}`. The layout is the PTX manual's. Which part of "
        "the tiles these are is not recorded with the step.",
        index(shape.depth), index(shown.lane), held(MmaPart::a, "A"), held(MmaPart::b, "B"), held(MmaPart::sums, "D"));
}

Rich group_product_words(const ShownStep& shown)
{
    const auto operands = group_operands(shown.recording, shown.warp, shown.step);
    if (!operands)
        return rich("*wgmma.* No lane holds A or B: the tensor cores read them from shared memory themselves.");
    const auto corner = [&](uint8_t array, const CellRect& cells) {
        return fmt::format("{} x {} of {} from ({}, {})", cells.rows, cells.cols, shown.recording.arrays[array].name,
                           cells.row, cells.col);
    };
    const uint32_t columns = operands->columns;
    const std::string registers = counted(columns / 2, "register");
    return joined(
        {rich("*wgmma.* No lane holds A or B: the tensor cores read `{}` and `{}` themselves (from the descriptors).",
              corner(operands->a, operands->a_cells), corner(operands->b, operands->b_cells)),
         operands->turned ? rich("They multiply the transposes: rows of the sums are columns of C. A warp holds 16 of "
                                 "these, in each 8 of the **{}** of C as below: **{}** per lane.",
                                 counted(columns, "row"), registers)
                          : rich("A warp holds 16 rows of the sums, in each 8 of the **{}** as below: **{}** per lane.",
                                 counted(columns, "column"), registers)});
}

Rich words_of_kind(const ShownStep& shown, const std::optional<PassedValue>& passed)
{
    switch (register_step(shown.access())) {
    case RegisterStep::shuffle: return shuffle_words(shown, passed);
    case RegisterStep::matrix_load: return matrix_load_words(shown);
    case RegisterStep::product: return product_words(shown);
    case RegisterStep::group_product: return group_product_words(shown);
    case RegisterStep::fragments: break;
    }
    return fragments_words(shown);
}

Rich fragments_headline(const ShownStep& shown)
{
    if (!shown.fragments)
        return is_wmma(shown.warp) ? rich("WMMA: which lane holds what, it does not say")
                                   : rich("No operands reach registers in this step");
    const LaneFragment &mine = shown.fragments->lanes[shown.lane], held = shown.fragments->held_by(shown.lane);
    const std::size_t values = mine.a.size() + mine.b.size(), here = held.a.size() + held.b.size();
    const std::size_t products = mine.a.size() * mine.b.size();
    const Index lane = index(shown.lane);
    if (shown.stored() && products > 0)
        return rich("Lane {}: **{}** {} complete, and stored", lane, counted(products, "sum"),
                    products == 1 ? "is" : "are");
    if (here < values)
        return rich("Lane {}: **{} of {}** loaded{} for **{}**", lane, here, counted(values, "value"),
                    shown.elsewhere ? " into local memory" : "", counted(products, "product"));
    return rich("Lane {}: **{}**{} {} **{}**", lane, counted(values, "value"),
                shown.elsewhere ? " in local memory" : "", values == 1 ? "makes" : "make",
                counted(products, "product"));
}

} // namespace

Rich headline(const ShownStep& shown)
{
    switch (register_step(shown.access())) {
    case RegisterStep::shuffle: {
        const ShuffleFacts facts = shuffle_facts(shown.access());
        return rich("**{}** {} registers of **{}**", counted(facts.lanes, "lane"), facts.lanes == 1 ? "reads" : "read",
                    counted(facts.sources.size(), "lane"));
    }
    case RegisterStep::matrix_load: return rich("ldmatrix: **4** matrices, a register of each lane for each");
    case RegisterStep::product:
        if (is_wmma(shown.warp))
            return rich("WMMA: which lane holds what, it does not say");
        if (!knows_operands(shown.recording))
            return rich("A product on the tensor cores: of which types is not recorded");
        return rich("mma.m16n8k{}: who holds what", index(shape_of(shown.recording).depth));
    case RegisterStep::group_product: return rich("wgmma: only sums lie in registers");
    case RegisterStep::fragments: break;
    }
    return fragments_headline(shown);
}

Rich step_words(const ShownStep& shown, const std::optional<PassedValue>& passed)
{
    const uint32_t line = shown.access().line;
    return joined(
        {rich("*Step {} of {}, warp {}:*", index(shown.step), shown.warp.accesses.size(), index(shown.warp_index)),
         words_of_kind(shown, passed), rich("Line {}: `{}`", index(line), source_line(shown.recording, line))});
}

namespace {

Rich local_words(const RegisterUse& use)
{
    if (!use.local)
        return {};
    if (*use.local == 0)
        return rich("Nothing lies in local memory.");
    const Value bytes = Value(counted(*use.local, "byte")).as(Meaning::conflict);
    if (!use.registers_left)
        return rich("**{}** per thread did not fit and were spilled to local memory.", bytes);
    const bool alike = use.fragments > 0 && *use.local == 4 * use.fragments;
    return joined(
        {rich("**{}** per thread lie in local memory{}.", bytes,
              alike ? rich(", as many as {} values of A and B take", use.fragments) : Rich()),
         rich("There are registers enough: **{}** are free. A register has no index: an array indexed by a number that "
              "the compiler does not know goes there.",
              most_registers - use.registers.value().value_or(0))});
}

} // namespace

Rich use_words(const RegisterUse& use)
{
    const Rich results =
        use.results == 0
            ? rich("None holds a result: this thread stores nothing of C.")
            : rich("**{}** {} of C{}.", use.results, use.results == 1 ? "holds its result" : "hold its results",
                   use.fragments > 0 && !use.elsewhere() ? rich(", **{}** what it multiplies for one k", use.fragments)
                                                         : Rich());
    std::vector<Rich> said{use.registers
                               ? rich("*Registers of a thread:* **{}** of {}.", *use.registers, most_registers)
                               : rich("*Registers of a thread:* {}.", in_short(use.registers.missing())),
                           results};
    if (const uint32_t known = use.results + (use.elsewhere() ? 0 : use.fragments);
        use.registers && *use.registers >= known)
        said.push_back(rich("The other **{}**: addresses, counters, values on their way; the recording does not say "
                            "which.",
                            *use.registers - known));
    if (use.moved)
        said.push_back(rich("That is what each thread starts with: the source moves registers between warps "
                            "(setmaxnreg)."));
    said.push_back(local_words(use));
    return joined(std::move(said));
}

std::vector<TypeError> type_errors(const LadderFacts& ladder_facts)
{
    std::vector<TypeError> errors;
    for (const StageFacts& rung : ladder_facts.rungs) {
        const bool known = std::ranges::find(errors, rung.type, &TypeError::type) != errors.end();
        const bool comparable = errors.empty() || (rung.speed && rung.speed->problem == errors.front().problem);
        if (rung.library && !known && comparable && rung.speed && rung.speed->total_error.value_or(0) > 0)
            errors.push_back({rung.type, *rung.speed->total_error, rung.speed->problem, rung.speed.from()});
    }
    std::ranges::stable_sort(errors, {}, &TypeError::error);
    return errors;
}

std::string loaded_rectangle(const StagePanels& panels, uint32_t matrix)
{
    const recording::Access& access = panels.stage.shown.access();
    const Elements& elements = panels.stage.elements[access.array];
    constexpr uint64_t last_in_row = 14; // offset in bytes of the last of eight elements of 2 bytes
    const auto first = elements.at(access.offset[matrix * 8]);
    const auto last = elements.at(uint64_t{access.offset[matrix * 8 + 7]} + last_in_row);
    if (!first || !last || last->row != first->row + 7 || last->col < first->col)
        return {};
    return fmt::format("{}({}..{}, {}..{})", panels.stage.recording().arrays[access.array].name, first->row, last->row,
                       first->col, last->col);
}

LabelLayer numbers_of(const Cell& extent, const Box& box)
{
    LabelLayer numbers;
    const float high = box.height() / static_cast<float>(extent.row),
                wide = box.width() / static_cast<float>(extent.col);
    for (uint32_t row = 0; row < extent.row; ++row)
        numbers.labels.push_back({.words = std::to_string(row),
                                  .at = {box.min.x, box.min.y + (static_cast<float>(row) + 0.5f) * high},
                                  .side = Label::Side::left,
                                  .mono = true});
    for (uint32_t col = 0; col < extent.col; ++col)
        numbers.labels.push_back({.words = std::to_string(col),
                                  .at = {box.min.x + (static_cast<float>(col) + 0.5f) * wide, box.min.y},
                                  .distance = 1,
                                  .side = Label::Side::above,
                                  .mono = true});
    return numbers;
}

} // namespace viz
