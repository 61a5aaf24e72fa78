#include "traced/builder.h"

#include "error.h"
#include "model/access_cost.h"
#include "model/recorded_copy.h"
#include "recording/check.h"
#include "recording/tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace traced {

namespace {

using recording::Access;
using recording::Op;
using recording::Space;

constexpr std::size_t output_array = 2, most_warps_known = 4096;

bool in_shared(const Step& step)
{
    switch (step.op) {
    case Op::tile_load:
    case Op::tile_store:
    case Op::bulk_load:
    case Op::bulk_store:
    case Op::matrix_multiply: return step.space == Space::shared;
    case Op::shared_load:
    case Op::shared_store:
    case Op::shared_atomic:
    case Op::matrix_load:
    case Op::matrix_store:
    case Op::async_store: return true;
    default: return false;
    }
}

bool of_tile(Op op)
{
    return op == Op::tile_load || op == Op::tile_store;
}

// Returns whether the step's addresses are memory addresses.
bool in_memory(const Step& step)
{
    switch (step.op) {
    case Op::tile_load:
    case Op::tile_store:
    case Op::global_load:
    case Op::global_store:
    case Op::global_atomic:
    case Op::async_load:
    case Op::bulk_load:
    case Op::bulk_store: return true;
    default: return in_shared(step);
    }
}

} // namespace

bool in_global(const Step& step)
{
    return in_memory(step) && !in_shared(step);
}

namespace {

bool writes_output(Op op)
{
    return op == Op::global_store || op == Op::global_atomic;
}

Access access_of(const Step& step, std::size_t array, uint32_t line)
{
    return {.op = step.op,
            .array = static_cast<uint8_t>(array),
            .width = step.width,
            .transposed = step.transposed,
            .line = line,
            .mask = step.mask,
            .instruction = step.instruction};
}

model::Pattern pattern_of(const Step& step)
{
    model::Pattern pattern{.width = step.width, .mask = step.mask, .offset = {}};
    for (int lane = 0; lane < model::lanes; ++lane)
        if (step.mask >> lane & 1)
            pattern.offset[lane] = step.address[lane];
    return pattern;
}

} // namespace

Builder::Builder(recording::Recording planned, std::vector<Place> places, std::span<const recording::Index3> blocks)
    : result_(std::move(planned))
{
    recording::check_planned(result_);
    std::ranges::sort(places, {}, &Place::first);
    for (const Place& place : places) {
        const recording::Array& array = result_.arrays.at(place.array);
        std::vector<Room>& rooms = array.space == Space::shared ? shared_ : global_;
        if (!rooms.empty())
            rooms.back().end = std::min(rooms.back().end, place.first);
        rooms.push_back({place.first, place.first + array.bytes, place.array});
    }
    const recording::Array& output = result_.arrays.at(output_array);
    result_.owner.assign(uint64_t{output.rows} * output.cols, recording::no_owner);
    for (const recording::Index3& block : blocks)
        if (chosen_.emplace(result_.launch.grid.number_of(block), result_.blocks.size()).second)
            result_.blocks.push_back({block, std::vector<recording::WarpTrace>(result_.launch.warps_per_block())});
}

void Builder::join(Builder after)
{
    for (std::size_t i = 0; i < result_.blocks.size(); ++i)
        for (std::size_t warp = 0; warp < result_.blocks[i].warps.size(); ++warp)
            if (std::vector<Access>& trace = after.result_.blocks[i].warps[warp].accesses; !trace.empty())
                result_.blocks[i].warps[warp].accesses = std::move(trace);
    for (std::size_t i = 0; i < result_.owner.size(); ++i)
        if (after.result_.owner[i] != recording::no_owner)
            result_.owner[i] = after.result_.owner[i];
    for (const auto& [line, totals] : after.lines_)
        lines_[line] += totals;
    elsewhere_ += after.elsewhere_;
}

void Builder::set_current(uint64_t block, uint32_t number)
{
    if (current_.warp != nullptr && current_.block == block && current_.number == number)
        return;
    if (warps_.size() > most_warps_known) // in a large launch most warps have ended
        std::erase_if(warps_, [](const auto& one) { return !one.second.reading; });
    current_ = {block, number, &warps_[block * result_.launch.warps_per_block() + number], nullptr};
    const auto chosen = chosen_.find(block);
    if (chosen == chosen_.end())
        return;
    current_.kept = &result_.blocks[chosen->second].warps[number].accesses;
    if (current_.kept->empty() && chosen->second > 0) // blocks usually make as many steps as the previous block
        current_.kept->reserve(result_.blocks[chosen->second - 1].warps[number].accesses.size());
}

void Builder::take(uint64_t block, uint32_t warp_number, const Step& step)
{
    set_current(block, warp_number);
    Warp& warp = *current_.warp;
    const uint32_t line = warp.line = step.line != 0 ? step.line : std::max(warp.line, 1u);
    if (step.op == Op::bulk_store && step.bytes > 0) {
        for (const Found& part : find(step))
            if (part.array == output_array)
                own(step, part);
        return;
    }
    count(step, line, warp);
    if (step.op == Op::constant_load)
        return;
    if (step.op == Op::async_load)
        warp.read = step;
    warp.reading = step.op == Op::async_load;
    if (!in_memory(step)) {
        if (current_.kept == nullptr)
            return;
        Found bare{.mask = step.mask};
        for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
            bare.offset[lane] = step.mask >> lane & 1 ? static_cast<uint32_t>(step.address[lane]) : 0;
        return keep(step, line, bare);
    }
    if (current_.kept == nullptr && !writes_output(step.op))
        return;
    uint32_t found = 0;
    const bool has_other_end = step.op != Op::bulk_store || !warp.lost_read;
    const auto use = [&](const Found& part) {
        found |= part.mask;
        if (part.array == output_array && writes_output(step.op))
            own(step, part);
        if (current_.kept != nullptr && has_other_end)
            keep(step, line, part);
    };
    if (Found all; all_in_one(step, all))
        use(all);
    else
        std::ranges::for_each(find(step), use);
    elsewhere_ += found != step.mask;
    // If one end of a bulk copy is outside all arrays, neither end is recorded.
    warp.lost_read = step.op == Op::bulk_load && found == 0;
    if (std::vector<Access>* const trace = current_.kept; trace != nullptr && step.op == Op::bulk_store && found == 0)
        while (has_other_end && !trace->empty() && trace->back().op == Op::bulk_load)
            trace->pop_back();
}

recording::Totals& Builder::totals_of_line(uint32_t line)
{
    LineTotals& recent = recent_lines_[line % recent_lines_.size()];
    if (recent.totals == nullptr || recent.line != line)
        recent = {line, &lines_[line]};
    return *recent.totals;
}

recording::AtomicRule Builder::rule_of(const Step& step)
{
    if ((step.op != Op::shared_atomic && step.op != Op::global_atomic) || step.instruction == 0 || !result_.executed ||
        step.instruction > result_.executed->instructions.size())
        return recording::AtomicRule::unknown;
    const auto [rule, is_new] = rules_.try_emplace({step.instruction, step.op});
    if (is_new)
        rule->second =
            recording::atomic_rule(step.op, step.width, result_.executed->instructions[step.instruction - 1].text);
    return rule->second;
}

void Builder::count(const Step& step, uint32_t line, Warp& warp)
{
    if (step.op == Op::async_store) { // the destination of a copy affects the cost of its read
        const Access read = access_of(warp.read, 0, line), write = access_of(step, 0, line);
        model::CopyPattern copy = model::copy_of(read, write);
        copy.from = pattern_of(warp.read).offset;
        copy.to = pattern_of(step).offset;
        totals_of_line(line).global_load += model::totals_of(model::copy_read(copy));
    } else if (step.op == Op::bulk_store) {
        recording::Totals& totals = totals_of_line(line);
        (step.space == Space::shared ? totals.bulk_load : totals.bulk_store) += {1, step.copied};
    } else if (step.op != Op::async_load && step.mask != 0 && recording::in_totals(step.op)) {
        totals_of_line(line) += costs_.totals_of(step.op, step.width, step.mask, step.address, rule_of(step));
    }
}

const std::vector<Builder::Room>& Builder::rooms_of(const Step& step) const
{
    return in_shared(step) ? shared_ : global_;
}

// Returns the offset of an address that is not below the range's start.
std::optional<uint32_t> Builder::offset_in(const Room& room, const Step& step, uint32_t lane) const
{
    const uint64_t offset = step.address[lane] - room.first;
    const recording::Array& array = result_.arrays[room.array];
    // The start of a box may be beyond the last row. Its width is unknown, so it counts as one byte.
    const uint64_t width = std::max<uint64_t>(1, step.width);
    if (offset > array.bytes || width > array.bytes - offset)
        return {};
    if (of_tile(step.op) && offset % array.element_bytes != 0)
        return {}; // the row would begin inside an element
    return static_cast<uint32_t>(offset);
}

// Returns whether all lanes of the step access one array, which is the usual case.
bool Builder::all_in_one(const Step& step, Found& found) const
{
    const std::vector<Room>& rooms = rooms_of(step);
    if (step.mask == 0 || of_tile(step.op))
        return false;
    const uint64_t some = step.address[static_cast<std::size_t>(std::countr_zero(step.mask))];
    const auto after = std::ranges::upper_bound(rooms, some, {}, &Room::first);
    const uint64_t width = std::max<uint64_t>(1, step.width);
    if (after == rooms.begin())
        return false;
    const Room& room = *(after - 1);
    if (result_.arrays[room.array].bytes < width || room.end == room.first)
        return false;
    const uint64_t last = std::min(result_.arrays[room.array].bytes - width, room.end - room.first - 1);
    std::array<uint64_t, recording::warp_size> offsets;
    uint64_t all_bits = 0; // no offset is larger than the OR of all offsets
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane) {
        const uint64_t active = 0 - uint64_t{step.mask >> lane & 1};
        offsets[lane] = (step.address[lane] - room.first) & active;
        all_bits |= offsets[lane];
        found.offset[lane] = static_cast<uint32_t>(offsets[lane]);
    }
    found.array = room.array;
    found.mask = step.mask;
    return all_bits <= last || *std::ranges::max_element(offsets) <= last;
}

// Returns the arrays that the step accesses. Lanes with different pointers can access several arrays.
std::vector<Builder::Found> Builder::find(const Step& step) const
{
    const std::vector<Room>& rooms = rooms_of(step);
    std::vector<Found> parts;
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane) {
        if ((step.mask >> lane & 1) == 0)
            continue;
        const auto after = std::ranges::upper_bound(rooms, step.address[lane], {}, &Room::first);
        if (after == rooms.begin())
            continue;
        const Room& room = *(after - 1);
        const std::optional<uint32_t> offset = offset_in(room, step, lane);
        if (!offset)
            continue;
        auto part = std::ranges::find(parts, room.array, &Found::array);
        if (part == parts.end())
            part = parts.insert(parts.end(), Found{.array = room.array});
        part->mask |= 1u << lane;
        part->offset[lane] = *offset;
    }
    if (parts.empty() && step.mask == 0)
        parts.push_back({.array = rooms.empty() ? 0 : rooms.front().array});
    return parts;
}

void Builder::keep(const Step& step, uint32_t line, const Found& found)
{
    if (kept_->fetch_add(1, std::memory_order_relaxed) >= recording::most_accesses)
        throw kernels::Error("The chosen blocks make more accesses than a recording has room for; choose fewer blocks "
                             "or a smaller size.");
    Access& access = current_.kept->emplace_back(access_of(step, found.array, line));
    access.mask = found.mask;
    access.offset = found.offset;
}

void Builder::own(const Step& step, const Found& found)
{
    const recording::Array& output = result_.arrays[output_array];
    const uint64_t first_thread =
        current_.block * result_.launch.threads_per_block() + current_.number * recording::warp_size;
    const uint64_t row_bytes = output.row_bytes();
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane) {
        if ((found.mask >> lane & 1) == 0)
            continue;
        const uint64_t bytes = step.bytes > 0 ? step.bytes : step.width;
        for (uint64_t byte = found.offset[lane]; byte < found.offset[lane] + bytes; byte += output.element_bytes) {
            const uint64_t row = byte / row_bytes, col = byte % row_bytes / output.element_bytes;
            if (row < output.rows && col < output.cols)
                result_.owner[row * output.cols + col] = static_cast<uint32_t>(first_thread + lane);
        }
    }
}

recording::Recording Builder::finish()
{
    for (const auto& [line, totals] : lines_)
        if (totals != recording::Totals{})
            result_.lines.push_back({line, totals});
    if (elsewhere_ > 0 && result_.executed)
        result_.executed->notes.push_back(fmt::format(
            "{} accesses were to memory that none of the arrays has: they are counted, and not shown.", elsewhere_));
    recording::name_atomic_rules(result_);
    return std::move(result_);
}

void guess_shape(recording::Array& array, std::size_t number, std::span<const recording::BlockTrace> blocks)
{
    std::map<uint32_t, uint64_t> widths, strides;
    uint32_t rows_of_tiles = 0; // the OR of the offsets at which rows begin
    for (const recording::BlockTrace& block : blocks)
        for (const recording::WarpTrace& warp : block.warps)
            for (const Access& access : warp.accesses) {
                if (access.array != number || !recording::has_addresses(access))
                    continue;
                for (const uint32_t offset : access.offset)
                    rows_of_tiles |= of_tile(access.op) ? offset : 0;
                if (access.width > 0) // unknown for bulk copies and for reads by tensor cores
                    ++widths[std::min<uint32_t>(access.width, 4)];
                for (uint32_t lane = 0; lane + 1 < recording::warp_size; ++lane)
                    if ((access.mask >> lane & 3) == 3 && access.offset[lane + 1] > access.offset[lane] &&
                        access.offset[lane + 1] - access.offset[lane] > 16)
                        ++strides[access.offset[lane + 1] - access.offset[lane]];
            }
    const auto most = [](const std::map<uint32_t, uint64_t>& counts) {
        return std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; });
    };
    array.element_bytes = widths.empty() ? 4 : most(widths)->first;
    if (rows_of_tiles % array.element_bytes != 0 || array.bytes % array.element_bytes != 0)
        array.element_bytes = 1;
    array.layout.clear();
    array.pitch = 0;
    array.rows = 1;
    array.cols = static_cast<uint32_t>(std::max<uint64_t>(1, array.bytes / array.element_bytes));
    if (strides.empty())
        return;
    const uint32_t pitch = most(strides)->first;
    if (pitch % array.element_bytes != 0 || pitch >= array.bytes)
        return;
    array.rows = static_cast<uint32_t>(array.bytes / pitch);
    array.cols = pitch / array.element_bytes;
}

namespace {

constexpr uint8_t array_of_c = 2; // index into Recording::arrays, as in device/views.h

model::Pattern pattern_of(const Access& access)
{
    model::Pattern pattern{.width = access.width, .mask = access.mask, .offset = {}};
    for (int lane = 0; lane < model::lanes; ++lane)
        pattern.offset[lane] = access.offset[lane];
    return pattern;
}

} // namespace

Recorder::Recorder(const recording::Launch& launch, const recording::Array& C,
                   std::span<const recording::Index3> blocks)
    : launch_(launch), element_bytes_(C.element_bytes), owner_(uint64_t{C.rows} * C.cols, recording::no_owner)
{
    for (const recording::Index3& block : blocks) {
        if (chosen_.emplace(launch.grid.number_of(block), traces_.size()).second)
            traces_.push_back({block, std::vector<recording::WarpTrace>(launch.warps_per_block())});
    }
}

void Recorder::take(uint64_t block, uint32_t warp, std::span<const Access> accesses, Counts& counts)
{
    for (const Access& access : accesses) {
        if (access.op == Op::async_load)
            counts.read = access;
        if (counts.lines.size() <= access.line)
            counts.lines.resize(access.line + 1);
        recording::Totals& totals = counts.lines[access.line];
        if (access.op == Op::async_store) // the destination of a copy affects the cost of its read
            totals.global_load += model::totals_of(model::copy_read(model::copy_of(counts.read, access)));
        else if (access.op != Op::async_load)
            totals += model::totals_of(access.op, pattern_of(access));
        if (access.op == Op::global_store && access.array == array_of_c && !is_second_)
            own(block, warp, access);
    }
    if (is_second_)
        return;
    if (const auto found = chosen_.find(block); found != chosen_.end()) {
        steps_ += accesses.size();
        if (steps_ > recording::most_accesses)
            throw kernels::Error(
                "The chosen blocks make more accesses than a recording has room for; choose fewer blocks "
                "or a smaller size.");
        std::vector<Access>& trace = traces_[found->second].warps[warp].accesses;
        trace.insert(trace.end(), accesses.begin(), accesses.end());
    }
}

void Recorder::own(uint64_t block, uint32_t warp, const Access& store)
{
    const uint64_t first_thread = block * launch_.threads_per_block() + warp * recording::warp_size;
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane) {
        if (!(store.mask >> lane & 1))
            continue;
        const uint64_t element = store.offset[lane] / element_bytes_;
        for (uint64_t i = 0; i < store.width / element_bytes_; ++i)
            if (element + i < owner_.size()) // a store outside of C is reported as an error elsewhere
                owner_[element + i] = static_cast<uint32_t>(first_thread + lane);
    }
}

void Recorder::merge(const Counts& counts)
{
    const std::lock_guard lock(mutex_);
    if (total_.size() < counts.lines.size())
        total_.resize(counts.lines.size());
    for (std::size_t line = 0; line < counts.lines.size(); ++line)
        total_[line] += counts.lines[line];
}

void Recorder::finish(recording::Recording& result)
{
    for (std::size_t line = 0; line < total_.size(); ++line)
        if (total_[line] != recording::Totals{})
            result.lines.push_back({static_cast<uint32_t>(line), total_[line]});
    result.owner = std::move(owner_);
    result.blocks = std::move(traces_);
    recording::number_tiles(result);
}

} // namespace traced
