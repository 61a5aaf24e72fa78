#include "viz/views/01_flow/facts.h"

#include "viz/analysis/owner_map.h"
#include "viz/analysis/timeline.h"
#include "viz/text/figures.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace viz {

namespace {

// Of the ring that begins at tile `first`, returns the slot whose memory the warp touched last, or the first slot.
std::size_t slot_in_use(const recording::WarpTrace& warp, std::size_t step, std::size_t first, std::size_t slots)
{
    for (std::size_t i = std::min(step + 1, warp.accesses.size()); i-- > 0;) {
        const recording::Access& access = warp.accesses[i];
        if (has_addresses(access) && access.array >= first && access.array < first + slots)
            return access.array;
    }
    return first;
}

constexpr std::size_t few_accesses = 10'000; // largest number of accesses of a block that are processed within a frame
constexpr uint32_t lines_shown = 32;         // lines of global memory: as many as one access of a warp can touch

// Adds a word that holds an element of the array. It extends the run that ends before it, or begins a new run.
void add_word(std::vector<HeldWords>& held, const WordPlace& place, std::size_t array)
{
    if (!held.empty() && held.back().first.row == place.row && held.back().array == array &&
        held.back().first.word + held.back().words == place.word)
        ++held.back().words;
    else
        held.push_back({place, 1, 1, array});
}

// Joins equal rows, because large areas are drawn faster.
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

// Returns " = 0.4312", or nothing.
Rich value_words(const FlowFacts& facts, std::size_t array, const Cell& cell)
{
    const auto value = facts.value_now(array, cell);
    return value ? rich(" = {}", exact_value(facts.recording(), *value)) : Rich();
}

// Returns "A(2, 4) = 0.4312".
Rich held_words(const FlowFacts& facts, std::size_t array, const Cell& cell)
{
    return rich("{}{}", element_name(facts.recording().arrays[array].name, {cell}), value_words(facts, array, cell));
}

// Returns the turns in which a lane's words move.
Value::List turns_of(const FlowFacts& facts, uint32_t lane)
{
    std::set<int> turns;
    for (const Transfer& transfer : facts.transfers.transfers)
        if (transfer.lane == lane)
            turns.insert(transfer.turn);
    Value::List said;
    for (const int turn : turns)
        said.emplace_back(index(turn + 1));
    return said;
}

constexpr float lane_count = 32;

float scene_label_room(const Theme& theme)
{
    return std::round(draw::measure(theme.mono, "A").y + theme.px(4));
}

// Returns the width of the names of rows, which can be longer than As and Bs.
float gutter_width(const recording::Recording& recording, const MemoryRows& rows, const Theme& theme, float room)
{
    float width = theme.px(54);
    for (const RowBand& band : rows.bands())
        width =
            std::max(width, draw::measure(theme.mono_bold, recording.arrays[band.array].name + " 0").x + theme.px(10));
    return std::min(width, room * 0.2f);
}

// Wraps a vector into about as many rows as a row has elements.
MapShape shape_of(const recording::Array& array)
{
    if (array.rows != 1 || array.cols <= 32)
        return plain_shape(array.rows, array.cols);
    MapShape shape{1, 32, true, array.cols};
    while (array.cols / shape.cols > 2 * shape.cols)
        shape.cols *= 2;
    shape.rows = (array.cols + shape.cols - 1) / shape.cols;
    return shape;
}

} // namespace

void MemoryRows::add(uint8_t array, uint64_t first, uint32_t rows)
{
    bands_.push_back({array, first, rows, rows_});
    rows_ += rows;
}

MemoryRows MemoryRows::of_shared(const recording::Recording& recording, const recording::WarpTrace& warp,
                                 std::size_t step)
{
    MemoryRows result;
    for (std::size_t array = 0; array < recording.arrays.size();) {
        if (recording.arrays[array].space != recording::Space::shared) {
            ++array;
            continue;
        }
        const RingPlace ring = ring_place(recording, array);
        const auto slots = static_cast<std::size_t>(ring.stage == 0 ? ring.stages : 1);
        const std::size_t shown = slot_in_use(warp, step, array, slots);
        result.add(static_cast<uint8_t>(shown), 0,
                   static_cast<uint32_t>((recording.arrays[shown].bytes + row_bytes - 1) / row_bytes));
        array += slots;
    }
    return result;
}

MemoryRows MemoryRows::of_lines(const recording::Recording& recording, const StepWays& transfers, uint32_t least)
{
    std::set<std::pair<uint8_t, uint64_t>> lines;
    for (const Transfer& transfer : transfers.transfers)
        for (const Endpoint& end : {transfer.from, transfer.to})
            if (!end.in_lane)
                lines.emplace(end.array, end.offset / row_bytes);
    const auto before = [&](std::pair<uint8_t, uint64_t> at) { return std::pair(at.first, at.second - 1); };
    const auto end = [&](uint8_t array) { return (recording.arrays[array].bytes + row_bytes - 1) / row_bytes; };
    for (bool grew = true; grew && !lines.empty() && lines.size() < least;) {
        grew = false;
        // Extends each run of lines at its end. If that is impossible, extends the first run at its beginning.
        for (const auto& [array, line] : std::set(lines))
            if (lines.size() < least && line + 1 < end(array))
                grew = lines.emplace(array, line + 1).second || grew;
        if (!grew && lines.begin()->second > 0)
            grew = lines.insert(before(*lines.begin())).second;
    }
    MemoryRows result;
    for (const auto& [array, line] : lines)
        if (!result.bands_.empty() && result.bands_.back().array == array &&
            result.bands_.back().first + result.bands_.back().rows == line)
            ++result.bands_.back().rows, ++result.rows_;
        else
            result.add(array, line, 1);
    return result;
}

const RowBand* MemoryRows::band_of(uint32_t row) const
{
    const auto found = std::ranges::find_if(
        bands_, [&](const RowBand& band) { return row >= band.top && row < band.top + band.rows; });
    return found == bands_.end() ? nullptr : &*found;
}

std::optional<WordPlace> MemoryRows::place(uint8_t array, uint64_t offset) const
{
    const uint64_t row = offset / row_bytes;
    for (const RowBand& band : bands_)
        if (band.array == array && row >= band.first && row < band.first + band.rows)
            return WordPlace{band.top + static_cast<uint32_t>(row - band.first),
                             static_cast<uint32_t>(offset % row_bytes / 4)};
    return {};
}

std::optional<WordPlace> MemoryRows::place(const Endpoint& end) const
{
    return end.in_lane ? std::nullopt : place(end.array, end.offset);
}

bool MemoryRows::covers(const Endpoint& end, uint32_t bytes, const WordPlace& word) const
{
    const auto first = place(end);
    return first && first->row == word.row && word.word >= first->word && word.word < first->word + bytes / 4;
}

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

uint32_t FlowFacts::lanes_that_want(const WordPlace& word) const
{
    uint32_t lanes = 0;
    for (const Transfer& transfer : transfers.transfers)
        if (rows.covers(transfer, word))
            lanes |= 1u << transfer.lane;
    return lanes;
}

std::optional<std::pair<std::size_t, Cell>> FlowFacts::cell_at(const WordPlace& word) const
{
    const RowBand* const band = rows.band_of(word.row);
    const auto cell = band != nullptr ? elements(band->array).at(band->offset_of(word)) : std::nullopt;
    return cell ? std::optional(std::pair{std::size_t{band->array}, *cell}) : std::nullopt;
}

void FlowFacts::find_slice()
{
    const auto at = static_cast<std::size_t>(&phase() - phases.data());
    const auto computes = compute_phase_of(phases, at);
    if (lines_below || !computes || computes == compute_phase_)
        return;
    compute_phase_ = computes;
    const Phase& phase = phases[*computes];
    const std::size_t last = std::min(phase.first + phase.count, warp_->accesses.size()) - 1;
    tiling->contents().advance_to(tiling->contents().order().tick(warp_index_, last));
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
                const auto cell = elements(band.array).at((band.first + row) * row_bytes + word * 4);
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
            access.op == recording::Op::global_store && access.array == array_C)
            for (const Cell& cell :
                 cells_of_access(access, elements(array_C), recording_->arrays[array_C].element_bytes))
                stored.push_back(cell);
    std::ranges::sort(stored);
}

void FlowFacts::move_to(std::size_t step, uint32_t lane, double seconds, bool moving)
{
    SharedContents& contents = tiling->contents(); // they depend on all warps of the block
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
    highlight = highlight_of(*tiling, warp_index_, step, lane);
    const uint32_t thread = warp_index_ * recording::warp_size + lane;
    results = tiling->owned_by(thread, thread + 1);
    thread_tile = cover(results);
}

Rich element_words(const FlowFacts& facts, std::size_t array, const Cell& cell)
{
    const auto source = facts.source_of(array, cell);
    Rich held;
    if (source)
        held = source->first != array ? rich(" {}", held_words(facts, source->first, source->second))
                                      : value_words(facts, array, cell);
    return rich("`{}`{}", element_name(facts.recording().arrays[array].name, {cell}), held);
}

Rich word_words(const FlowFacts& facts, const WordPlace& place)
{
    const RowBand* const band = facts.rows.band_of(place.row);
    if (band == nullptr)
        return {};
    const Index word = index(band->offset_of(place) / 4), bank = index(place.word);
    const auto shown = facts.cell_at(place);
    if (!shown)
        return rich("padding · word {} · bank {}", word, bank);
    const Rich element = element_words(facts, shown->first, shown->second);
    return facts.lines_below ? rich("{} · sector {} of its line", element, index(place.word / 8))
                             : rich("{} · word {} · bank {}", element, word, bank);
}

Rich lane_words(const FlowFacts& facts, const Focus& focus, uint32_t lane)
{
    const recording::Recording& recording = facts.recording();
    const recording::Access& access = focus.access();
    if (!has_addresses(access) || access.width == 0 || access.array >= recording.arrays.size())
        return {};
    if (!takes_part(access, lane))
        return rich("Lane {} takes no part.", index(lane));
    const recording::Array& array = recording.arrays[access.array];
    const std::vector<Cell> cells = cells_of_lane(access, facts.elements(access.array), array.element_bytes, lane);
    std::vector<Rich> held;
    for (const Cell& cell : cells)
        if (const auto source = facts.source_of(access.array, cell);
            source && facts.value_now(source->first, source->second))
            held.push_back(held_words(facts, source->first, source->second));
    const Value::List turns = turns_of(facts, lane);
    return rich("Lane {} {} `{}`{}{}.", index(lane), verb_of(access.op), element_name(array.name, cells),
                facts.transfers.bank && !turns.empty() ? rich(" in wavefront {}", turns) : Rich(),
                held.empty() ? Rich() : rich(": {}", listed(std::move(held))));
}

FlowScene::FlowScene(const FlowFacts& facts, float zoom, const Theme& theme, const Box& box)
    : facts_(facts), recording_(facts.recording()), zoom_(zoom), operands_(recording_.arrays.size())
{
    const float gutter = gutter_width(recording_, facts.rows, theme, box.width()),
                lane_height = std::round(theme.px(22) * zoom_);
    // If there are few rows, the matrices get their room. The 32 lines that a warp can touch always keep their room, so
    // that the picture does not move between steps.
    const uint32_t rows = facts.lines_below && !few_rows() ? 32 : facts.rows.rows();
    const float wanted = static_cast<float>(rows) * highest_row(theme) + scene_label_room(theme);
    const float below = std::min(wanted, box.height() * 0.44f);
    const float between = std::min(theme.px(100) * zoom_, box.height() * 0.14f);
    const float above = box.height() - below - between - lane_height - theme.px(8);
    lanes_ = {{box.min.x + gutter, box.min.y + above}, {box.max.x, box.min.y + above + lane_height}};
    const float cell = std::floor((lanes_.max.x - lanes_.min.x) / lane_count);
    lanes_.max.x = lanes_.min.x + cell * lane_count;
    place_memory(theme, {{lanes_.min.x, lanes_.max.y + between}, {lanes_.max.x, box.max.y}});
    gutter_ = {{box.min.x, memory_.min.y}, {lanes_.min.x - theme.px(6), memory_.max.y}};
    const float split = box.min.x + box.width() * 0.52f;
    registers_ = {{split + theme.px(14), box.min.y}, {box.max.x, lanes_.min.y - theme.px(14)}};
    const Box above_lanes{box.min, {split, lanes_.min.y - theme.px(20)}};
    multiplies(recording_) && !map_shape(recording_).wrapped ? place_operands(theme, above_lanes)
                                                             : place_buffers(theme, above_lanes);
}

// Places buffers, or vectors, side by side, each as large as possible. Prefers those that the step touches and the
// kernel's outputs; others follow if there is room.
void FlowScene::place_buffers(const Theme& theme, const Box& box)
{
    constexpr std::size_t most = 4;
    std::set<std::size_t> shown; // ordered, so that places do not change between steps
    const auto add = [&](std::size_t array) {
        if (array < recording_.arrays.size() && recording_.arrays[array].space == recording::Space::global &&
            uint64_t{recording_.arrays[array].rows} * recording_.arrays[array].cols > 0 && shown.size() < most)
            shown.insert(array);
    };
    for (const Transfer& transfer : facts_.transfers.transfers)
        for (const Endpoint& end : {transfer.from, transfer.to})
            if (!end.in_lane)
                add(end.array);
    add(array_C);
    for (std::size_t array = 0; array < recording_.arrays.size(); ++array)
        add(array);
    const float gap = theme.px(24), label = scene_label_room(theme);
    const auto count = static_cast<float>(std::max<std::size_t>(shown.size(), 1));
    const float width = (box.width() - gap * (count - 1)) / count;
    float x = box.min.x;
    for (const std::size_t array : shown) {
        const MapShape shape = shape_of(recording_.arrays[array]);
        const auto rows = static_cast<float>(shape.rows), cols = static_cast<float>(shape.cols);
        const float fit = std::min(width / cols, (box.height() - label) / rows);
        const float cell = fit >= 2 ? std::floor(fit) : std::max(fit, 0.001f);
        operands_[array] = {{x, box.min.y + label}, cell, shape};
        x += width + gap;
    }
}

// Returns whether the matrices are so small that a warp touches few lines or fills few rows of banks.
bool FlowScene::few_rows() const
{
    constexpr uint64_t few = 8;
    uint64_t rows = 0;
    for (const recording::Array& array : recording_.arrays)
        if (facts_.lines_below == (array.space == recording::Space::global))
            rows += (array.bytes + row_bytes - 1) / row_bytes;
    return rows <= few;
}

// If there are few rows, each is high enough for a word's name and value.
float FlowScene::highest_row(const Theme& theme) const
{
    return std::round(theme.px(few_rows() ? 34.0f : 14.0f) * zoom_);
}

// Places A at the left, B above, and C at the corner.
void FlowScene::place_operands(const Theme& theme, const Box& box)
{
    const recording::Array &a = recording_.arrays[0], &c = recording_.arrays[2];
    const float label = scene_label_room(theme), gap = theme.px(10);
    const bool reads = a.cols > 0;
    const auto m = static_cast<float>(c.rows), n = static_cast<float>(c.cols);
    const auto k = static_cast<float>(reads ? a.cols : 0);
    // Elements are as wide and as high as the room allows, within limits.
    constexpr float most = 3; // of the sides of an element
    const auto fit = [](float room, float count) {
        const float side = room / count;
        return side >= 2 ? std::floor(side) : std::max(side, 0.01f);
    };
    const float across = fit(box.width() - gap - 2 * label, k + n), down = fit(box.height() - gap - label, k + m);
    const float cell = std::min(across, most * down), high = std::min(down, most * across), stretch = high / cell;
    const ImVec2 corner{std::round(box.min.x + label + cell * k + gap), std::round(box.min.y + label + high * k + gap)};
    operands_[2] = {corner, cell, plain_shape(c.rows, c.cols), stretch};
    if (!reads)
        return;
    const recording::Array& b = recording_.arrays[1];
    operands_[0] = {{corner.x - gap - cell * k, corner.y}, cell, plain_shape(a.rows, a.cols), stretch};
    operands_[1] = {{corner.x, corner.y - gap - high * k}, cell, plain_shape(b.rows, b.cols), stretch};
}

// Shows all rows if each gets two pixels. Otherwise shows as many as fit, around those that the step touches.
void FlowScene::place_memory(const Theme& theme, const Box& box)
{
    const float label = scene_label_room(theme), room = std::max(1.0f, box.height() - label);
    const uint32_t rows = std::max(facts_.lines_below && !few_rows() ? 32u : 1u, facts_.rows.rows());
    const float fit = room / static_cast<float>(rows);
    const bool whole_tiles =
        facts_.transfers.box || facts_.transfers.operands; // then no single words move, and tiles are shown whole
    row_height_ = std::clamp(fit, whole_tiles ? 0.5f : 2.0f, highest_row(theme));
    rows_shown_ = std::min(rows, static_cast<uint32_t>(room / row_height_));
    if (rows_shown_ < rows) {
        uint32_t first = rows, last = 0;
        for (const Transfer& transfer : facts_.transfers.transfers)
            for (const Endpoint& end : {transfer.from, transfer.to})
                if (const auto place = facts_.rows.place(end)) {
                    first = std::min(first, place->row);
                    last = std::max(last, place->row);
                }
        if (first <= last) {
            const uint32_t spare = rows_shown_ > last - first ? (rows_shown_ - (last - first)) / 2 : 0;
            first_row_ = std::min(first > spare ? first - spare : 0, rows - rows_shown_);
        }
    }
    const float top = std::round(box.min.y + label);
    memory_ = {{box.min.x, top}, {box.max.x, top + row_height_ * static_cast<float>(rows_shown_)}};
}

Box FlowScene::lane(uint32_t lane) const
{
    const float x = lanes_.min.x + word_width() * static_cast<float>(lane);
    return {{x, lanes_.min.y}, {x + word_width() - 1, lanes_.max.y}};
}

float FlowScene::row_top(uint32_t row) const
{
    const float y = memory_.min.y + row_height_ * (static_cast<float>(row) - static_cast<float>(first_row_));
    return row_height_ < 2 ? y : std::round(y); // rows begin at whole pixels
}

std::optional<Box> FlowScene::words(const WordPlace& place, uint32_t count) const
{
    if (place.row < first_row_ || place.row >= first_row_ + rows_shown_)
        return {};
    const float x = memory_.min.x + word_width() * static_cast<float>(place.word);
    const float end = std::min(memory_.max.x, x + word_width() * static_cast<float>(count));
    return Box{{x, row_top(place.row)}, {end - 1, row_top(place.row + 1) - 1}};
}

std::optional<Box> FlowScene::words(const Endpoint& first, uint32_t bytes) const
{
    const auto place = facts_.rows.place(first);
    return place ? words(*place, std::max(1u, bytes / 4)) : std::nullopt;
}

std::optional<Box> FlowScene::words(const HeldWords& held) const
{
    const float width = word_width(), left = memory_.min.x + width * static_cast<float>(held.first.word);
    const Box rows = rows_box(held.first.row, held.rows);
    if (rows.height() <= 0)
        return {};
    return Box{{left, rows.min.y}, {left + width * static_cast<float>(held.words), rows.max.y}};
}

Box FlowScene::rows_box(uint32_t row, uint32_t count) const
{
    const auto inside = [&](uint32_t of) { return std::clamp(row_top(of), memory_.min.y, memory_.max.y); };
    return {{memory_.min.x, inside(row)}, {memory_.max.x, inside(row + count)}};
}

std::optional<ImVec2> FlowScene::point(const Endpoint& end, uint32_t bytes) const
{
    if (end.in_lane)
        return lane(end.lane).middle();
    if (facts_.rows.place(end)) {
        const auto box = words(end, bytes);
        return box ? std::optional(box->middle()) : std::nullopt;
    }
    if (facts_.lines_below || end.array >= operands_.size())
        return {};
    const auto cell = facts_.elements(end.array).at(end.offset);
    if (!cell)
        return {};
    const MatrixFrame& frame = operands_[end.array];
    const Cell at = map_place(frame.shape, *cell);
    const uint32_t element = std::max(1u, recording_.arrays[end.array].element_bytes);
    return ImVec2{frame.corner.x + frame.cell * (static_cast<float>(at.col) + static_cast<float>(bytes / element) / 2),
                  frame.corner.y + frame.cell_height() * (static_cast<float>(at.row) + 0.5f)};
}

std::optional<uint32_t> FlowScene::lane_under(ImVec2 point) const
{
    if (!lanes_.holds(point))
        return {};
    return std::min(31u, static_cast<uint32_t>((point.x - lanes_.min.x) / word_width()));
}

std::optional<WordPlace> FlowScene::word_under(ImVec2 point) const
{
    if (!memory_.holds(point))
        return {};
    return WordPlace{first_row_ + static_cast<uint32_t>((point.y - memory_.min.y) / row_height_),
                     std::min(31u, static_cast<uint32_t>((point.x - memory_.min.x) / word_width()))};
}

} // namespace viz
