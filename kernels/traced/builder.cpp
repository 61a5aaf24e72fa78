#include "traced/builder.h"

#include "error.h"
#include "model/access_totals.h"
#include "model/recorded_copy.h"
#include "recording/planned.h"

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

// Whether its addresses are of memory.
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

bool writes_output(Op op)
{
    return op == Op::global_store || op == Op::global_atomic;
}

Access access_of(const Step& step, std::size_t array)
{
    return {.op = step.op,
            .array = static_cast<uint8_t>(array),
            .width = step.width,
            .transposed = step.transposed,
            .line = step.line,
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
    for (const Place& place : places)
        (result_.arrays.at(place.array).space == Space::shared ? shared_ : global_).push_back(place);
    const recording::Array& output = result_.arrays.at(output_array);
    result_.owner.assign(uint64_t{output.rows} * output.cols, recording::no_owner);
    for (const recording::Index3& block : blocks)
        if (chosen_.emplace(result_.launch.grid.number_of(block), result_.blocks.size()).second)
            result_.blocks.push_back({block, std::vector<recording::WarpTrace>(result_.launch.warps_per_block())});
}

void Builder::take(uint64_t block, uint32_t warp_number, const Step& step)
{
    if (warps_.size() > most_warps_known) // of a large launch most have ended
        std::erase_if(warps_, [](const auto& one) { return !one.second.reading; });
    Warp& warp = warps_[block * result_.launch.warps_per_block() + warp_number];
    Step placed = step;
    placed.line = warp.line = step.line != 0 ? step.line : std::max(warp.line, 1u);
    if (placed.op == Op::bulk_store && placed.bytes > 0) {
        for (const Found& part : find(placed))
            if (part.array == output_array)
                own(block, warp_number, placed, part);
        return;
    }
    count(placed, warp);
    if (placed.op == Op::async_load)
        warp.read = placed;
    warp.reading = placed.op == Op::async_load;
    const auto chosen = chosen_.find(block);
    std::vector<Access>* trace =
        chosen == chosen_.end() ? nullptr : &result_.blocks[chosen->second].warps[warp_number].accesses;
    if (!in_memory(placed)) {
        if (trace == nullptr)
            return;
        Found bare{.mask = placed.mask};
        for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
            bare.offset[lane] = placed.mask >> lane & 1 ? static_cast<uint32_t>(placed.address[lane]) : 0;
        return keep(*trace, placed, bare);
    }
    if (trace == nullptr && !writes_output(placed.op))
        return;
    uint32_t found = 0;
    const bool has_other_end = placed.op != Op::bulk_store || !warp.lost_read;
    for (const Found& part : find(placed)) {
        found |= part.mask;
        if (part.array == output_array && writes_output(placed.op))
            own(block, warp_number, placed, part);
        if (trace != nullptr && has_other_end)
            keep(*trace, placed, part);
    }
    elsewhere_ += found != placed.mask;
    // A bulk copy of which one end lies in no array is no step.
    warp.lost_read = placed.op == Op::bulk_load && found == 0;
    if (trace != nullptr && placed.op == Op::bulk_store && found == 0)
        while (has_other_end && !trace->empty() && trace->back().op == Op::bulk_load)
            trace->pop_back();
}

void Builder::count(const Step& step, Warp& warp)
{
    if (step.op == Op::async_store) { // where a copy goes decides what its read costs
        const Access read = access_of(warp.read, 0), write = access_of(step, 0);
        model::CopyPattern copy = model::copy_of(read, write);
        copy.from = pattern_of(warp.read).offset;
        copy.to = pattern_of(step).offset;
        lines_[step.line].global_load += model::totals_of(model::copy_read(copy));
    } else if (step.op != Op::async_load && step.mask != 0 && recording::counted_as(step.op)) {
        lines_[step.line] += model::totals_of(step.op, pattern_of(step));
    }
}

std::optional<Builder::Found> Builder::array_of(const Step& step, uint32_t lane) const
{
    const std::vector<Place>& places = in_shared(step) ? shared_ : global_;
    const uint64_t address = step.address[lane];
    const auto after = std::ranges::upper_bound(places, address, {}, &Place::first);
    if (after == places.begin())
        return {};
    const Place& place = *(after - 1);
    const uint64_t offset = address - place.first;
    // A box may begin behind the last row: its width is not known, and it has one byte at least.
    const uint64_t bytes = result_.arrays[place.array].bytes, width = std::max<uint64_t>(1, step.width);
    if (offset > bytes || width > bytes - offset)
        return {};
    if (of_tile(step.op) && offset % result_.arrays[place.array].element_bytes != 0)
        return {}; // its rows begin within elements
    Found found{.array = place.array};
    found.offset[lane] = static_cast<uint32_t>(offset);
    return found;
}

// Mostly one part; lanes with pointers of their own can touch several arrays.
std::vector<Builder::Found> Builder::find(const Step& step) const
{
    std::vector<Found> parts;
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane) {
        if ((step.mask >> lane & 1) == 0)
            continue;
        const std::optional<Found> one = array_of(step, lane);
        if (!one)
            continue;
        auto part = std::ranges::find(parts, one->array, &Found::array);
        if (part == parts.end())
            part = parts.insert(parts.end(), Found{.array = one->array});
        part->mask |= 1u << lane;
        part->offset[lane] = one->offset[lane];
    }
    if (parts.empty() && step.mask == 0)
        parts.push_back({.array = (in_shared(step) ? shared_ : global_).empty()
                                      ? 0
                                      : (in_shared(step) ? shared_ : global_).front().array});
    return parts;
}

void Builder::keep(std::vector<Access>& trace, const Step& step, const Found& found)
{
    if (++kept_ > recording::most_accesses)
        throw kernels::Error("The chosen blocks make more accesses than a recording has room for; choose fewer blocks "
                             "or a smaller size.");
    Access access = access_of(step, found.array);
    access.mask = found.mask;
    access.offset = found.offset;
    trace.push_back(access);
}

void Builder::own(uint64_t block, uint32_t warp, const Step& step, const Found& found)
{
    const recording::Array& output = result_.arrays[output_array];
    const uint64_t first_thread = block * result_.launch.threads_per_block() + warp * recording::warp_size;
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
    return std::move(result_);
}

void guess_shape(recording::Array& array, std::size_t number, std::span<const recording::BlockTrace> blocks)
{
    std::map<uint32_t, uint64_t> widths, strides;
    uint32_t rows_of_tiles = 0; // where they begin, one bit pattern over another
    for (const recording::BlockTrace& block : blocks)
        for (const recording::WarpTrace& warp : block.warps)
            for (const Access& access : warp.accesses) {
                if (access.array != number || !recording::has_addresses(access))
                    continue;
                for (const uint32_t offset : access.offset)
                    rows_of_tiles |= of_tile(access.op) ? offset : 0;
                if (access.width > 0) // of bulk copies and of what tensor cores read it is not known
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

} // namespace traced
