#include "viz/views/01_flow/flow_facts.h"

#include <algorithm>
#include <set>
#include <utility>

namespace viz {

namespace {

constexpr std::size_t few_accesses = 10'000; // of a block that is prepared within a frame
constexpr uint32_t lines_shown = 32;         // of global memory: as many as a warp can touch

// One more word that holds an element of the array: of the run that ends before it, or of a new one.
void add_word(std::vector<HeldWords>& held, const WordPlace& place, std::size_t array)
{
    if (!held.empty() && held.back().first.row == place.row && held.back().array == array &&
        held.back().first.word + held.back().words == place.word)
        ++held.back().words;
    else
        held.push_back({place, 1, 1, array});
}

// Rows that are alike become one, as large areas are drawn faster.
void join_rows(std::vector<HeldWords>& held)
{
    std::vector<HeldWords> joined;
    for (const HeldWords& one : held)
        if (!joined.empty() && joined.back().array == one.array && joined.back().words == one.words &&
            joined.back().first.word == one.first.word && joined.back().first.row + joined.back().rows == one.first.row)
            ++joined.back().rows;
        else
            joined.push_back(one);
    held = std::move(joined);
}

} // namespace

bool FlowFacts::prepare(const std::shared_ptr<const recording::Recording>& recording,
                        const recording::BlockTrace& block)
{
    if (tiling && recording_ == recording && &tiling->block() == &block)
        return true;
    if (prepares_ != &block) {
        prepares_ = &block;
        background_.start(
            [recording, &block] {
                auto made = std::make_unique<BlockTiling>(recording, block);
                made->contents().advance_to(made->contents().order().ticks());
                return made;
            },
            access_count(block) <= few_accesses);
    }
    auto made = background_.take();
    if (!made)
        return false;
    prepares_ = nullptr;
    tiling = std::move(*made);
    if (recording_ != recording)
        sums_ = std::make_unique<RunningSums>(*recording);
    recording_ = recording;
    warp_ = nullptr;
    return true;
}

void FlowFacts::follow_warp(const Focus& focus)
{
    warp_ = focus.warp;
    phases = tiling->phases(focus.warp_index);
    finder_.emplace(tiling->contents(), *recording_, *focus.block, focus.warp_index, phases);
    lane_.reset();
    compute_phase_.reset();
    slice = {};
    const uint32_t first = focus.warp_index * recording::warp_size;
    warp_results = tiling->owned_by(first, first + recording::warp_size);
    std::ranges::sort(warp_results);
    in_registers = sums_in_registers(*recording_, *warp_);
}

std::optional<double> FlowFacts::sum_so_far(const Cell& c) const
{
    return added_up_to_ ? sums_->up_to(c, *added_up_to_) : std::nullopt;
}

std::optional<double> FlowFacts::value_now(std::size_t array, const Cell& cell) const
{
    if (array < array_C)
        return value_of(*recording_, array, cell);
    if (!std::ranges::binary_search(warp_results, cell))
        return {};
    const auto sum = sum_so_far(cell);
    if (!sum || !std::ranges::binary_search(stored, cell))
        return sum;
    const auto& [alpha, beta] = std::pair{recording_->problem.alpha, recording_->problem.beta};
    const auto old = value_of(*recording_, array_C, cell);
    return beta == 0 ? alpha * *sum : old ? std::optional(alpha * *sum + beta * double{*old}) : std::nullopt;
}

std::optional<std::pair<std::size_t, Cell>> FlowFacts::source_of(std::size_t array, const Cell& cell) const
{
    if (recording_->arrays[array].space == recording::Space::global)
        return std::pair{array, cell};
    const Origin origin = tiling->contents().at(static_cast<uint8_t>(array), cell);
    if (origin.kind != Origin::Kind::element)
        return {};
    return std::pair{std::size_t{origin.array}, origin.cell};
}

void FlowFacts::find_slice(std::size_t warp)
{
    const auto at = static_cast<std::size_t>(&phase() - phases.data());
    const auto computes = compute_phase_of(phases, at);
    if (lines_below || !computes || computes == compute_phase_)
        return;
    compute_phase_ = computes;
    const recording::WarpTrace& trace = *warp_;
    const BlockOrder& order = tiling->contents().order();
    const Phase& phase = phases[*computes];
    const std::size_t last = std::min(phase.first + phase.count, trace.accesses.size()) - 1;
    tiling->contents().advance_to(order.tick(static_cast<uint32_t>(warp), last));
    std::vector<std::vector<Cell>> held = held_by(*tiling, tiling->touched_in(*computes, warp));
    for (std::size_t i = 0; i < slice.size(); ++i)
        slice[i] = cover(std::move(held[i]));
}

void FlowFacts::find_held()
{
    held.clear();
    for (const RowBand& band : rows.bands())
        for (uint32_t row = 0; row < band.rows; ++row)
            for (uint32_t word = 0; word < 32; ++word) {
                const auto cell = tiling->elements()[band.array].at((band.first + row) * row_bytes + word * 4);
                if (const auto source = cell ? source_of(band.array, *cell) : std::nullopt)
                    add_word(held, {band.top + row, word}, source->first);
            }
    join_rows(held);
}

void FlowFacts::find_operands()
{
    operand_words.clear();
    const auto add = [&](uint8_t array, const CellRect& cells) {
        std::set<WordPlace> words;
        for (uint32_t row = cells.row; row < cells.row + cells.rows; ++row)
            for (uint32_t col = cells.col; col < cells.col + cells.cols; ++col)
                if (const auto place = rows.place(array, recording_->arrays[array].offset_of(row, col)))
                    words.insert(*place);
        for (const WordPlace& word : words)
            add_word(operand_words, word, array);
    };
    if (const auto& operands = ways.operands) {
        add(operands->a, operands->a_cells);
        add(operands->b, operands->b_cells);
        join_rows(operand_words);
    }
}

void FlowFacts::find_stored()
{
    stored.clear();
    const Phase& now = phase();
    for (std::size_t step = now.first; now.kind == PhaseKind::store && step <= step_; ++step)
        if (const recording::Access& access = warp_->accesses[step];
            access.op == recording::Op::global_store && access.array == 2)
            for (const Cell& cell : cells_of_access(access, tiling->elements()[2], recording_->arrays[2].element_bytes))
                stored.push_back(cell);
    std::ranges::sort(stored);
}

bool FlowFacts::update(const ShownStage& stage, const Focus& focus, uint32_t lane, double seconds, bool moving)
{
    const bool same_block = tiling && recording_ == stage.recording && &tiling->block() == focus.block;
    if (!prepare(stage.recording, *focus.block))
        return false;
    const bool same_warp = same_block && warp_ == focus.warp;
    const bool same_step = same_warp && step_ == focus.step && lane_.has_value();
    if (!same_warp)
        follow_warp(focus);
    if (same_step && lane_ == lane)
        return true;
    const std::size_t warp = focus.warp_index;
    SharedContents& contents = tiling->contents();
    const std::size_t now = contents.order().tick(warp, focus.step);
    if (!same_step) {
        step_ = focus.step;
        began = moving && same_warp ? seconds : -1e9;
        ways = ways_of_step(*recording_, *warp_, step_, tiling->bulk(warp));
        lines_below = !tiling->uses_shared();
        rows = lines_below ? MemoryRows::of_lines(*recording_, ways, lines_shown)
                           : MemoryRows::of_shared(*recording_, *warp_, step_);
        find_slice(warp);
        find_stored();
        fragments = finder_->at(step_);
        operands_elsewhere = viz::operands_elsewhere(*recording_, fragments);
        added_up_to_ = in_registers ? viz::added_up_to(*tiling, phases, phase(), fragments) : std::nullopt;
        contents.advance_to(now);
        find_held();
        find_operands();
    }
    lane_ = lane;
    lit = lit_by(*tiling, warp, step_, lane);
    const uint32_t thread = focus.warp_index * recording::warp_size + lane;
    results = tiling->owned_by(thread, thread + 1);
    thread_tile = cover(results);
    return true;
}

} // namespace viz
