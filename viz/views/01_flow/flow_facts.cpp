#include "viz/views/01_flow/flow_facts.h"

#include <algorithm>
#include <set>
#include <utility>

namespace viz {

namespace {

constexpr std::size_t few_accesses = 10'000; // largest number of accesses of a block that are processed within a frame
constexpr uint32_t lines_shown = 32;         // lines of global memory: as many as one access of a warp can touch

// Adds a word that holds an element of the array, to the run that ends just before it or as a new run.
void add_word(std::vector<HeldWords>& held, const WordPlace& place, std::size_t array)
{
    if (!held.empty() && held.back().first.row == place.row && held.back().array == array &&
        held.back().first.word + held.back().words == place.word)
        ++held.back().words;
    else
        held.push_back({place, 1, 1, array});
}

// Merges equal rows, because large areas are drawn faster.
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

std::shared_ptr<BlockTiling> tiling_to_the_end(const RecordingPtr& recording, const recording::BlockTrace& block)
{
    auto made = std::make_shared<BlockTiling>(recording, block);
    made->contents().advance_to(made->contents().order().ticks());
    return made;
}

} // namespace

std::shared_ptr<BlockTiling> flow_tiling(const StageColumn& column, const recording::BlockTrace& block)
{
    const auto* made = column.memo_later<tiling_to_the_end>(access_count(block) <= few_accesses, block);
    return made == nullptr ? nullptr : *made;
}

FlowFacts::FlowFacts(const RecordingPtr& recording, const recording::BlockTrace& block, uint32_t warp,
                     std::shared_ptr<BlockTiling> of_block)
    : tiling(std::move(of_block)), phases(tiling->phases(warp)), recording_(recording), warp_(&block.warps[warp]),
      warp_index_(warp), sums_(*recording)
{
    finder_.emplace(tiling->contents(), *recording_, block, warp, phases);
    const uint32_t first = warp * recording::warp_size;
    warp_results = tiling->owned_by(first, first + recording::warp_size);
    std::ranges::sort(warp_results);
    in_registers = sums_in_registers(*recording_, *warp_);
}

std::optional<double> FlowFacts::sum_so_far(const Cell& c) const
{
    return added_up_to_ ? sums_.up_to(c, *added_up_to_) : std::nullopt;
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

void FlowFacts::find_slice()
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
    tiling->contents().advance_to(order.tick(warp_index_, last));
    std::vector<std::vector<Cell>> held = held_by(*tiling, tiling->touched_in(*computes, warp_index_));
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
    if (const auto& operands = transfers.operands) {
        add(operands->a, operands->a_cells);
        add(operands->b, operands->b_cells);
        join_rows(operand_words);
    }
}

void FlowFacts::find_stored()
{
    stored.clear();
    const Phase& now = phase();
    for (std::size_t step = now.first; now.kind == PhaseKind::store && step <= *step_; ++step)
        if (const recording::Access& access = warp_->accesses[step];
            access.op == recording::Op::global_store && access.array == 2)
            for (const Cell& cell : cells_of_access(access, tiling->elements()[2], recording_->arrays[2].element_bytes))
                stored.push_back(cell);
    std::ranges::sort(stored);
}

void FlowFacts::move_to(std::size_t step, uint32_t lane, double seconds, bool moving)
{
    SharedContents& contents = tiling->contents(); // the contents follow all warps of the block
    contents.advance_to(contents.order().tick(warp_index_, step));
    if (step_ != step) {
        began = moving && step_ ? seconds : -1e9;
        step_ = step;
        transfers = ways_of_step(*recording_, *warp_, step, tiling->bulk(warp_index_));
        lines_below = !tiling->uses_shared();
        rows = lines_below ? MemoryRows::of_lines(*recording_, transfers, lines_shown)
                           : MemoryRows::of_shared(*recording_, *warp_, step);
        find_slice();
        find_stored();
        fragments = finder_->at(step);
        operands_elsewhere = viz::operands_elsewhere(*recording_, fragments);
        added_up_to_ = in_registers ? viz::summed_up_to(*tiling, phases, phase(), fragments) : std::nullopt;
        contents.advance_to(contents.order().tick(warp_index_, step));
        find_held();
        find_operands();
        lane_.reset();
    }
    if (lane_ == lane)
        return;
    lane_ = lane;
    lit = lit_by(*tiling, warp_index_, step, lane);
    const uint32_t thread = warp_index_ * recording::warp_size + lane;
    results = tiling->owned_by(thread, thread + 1);
    thread_tile = cover(results);
}

} // namespace viz
