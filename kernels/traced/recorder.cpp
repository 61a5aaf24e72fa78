#include "traced/recorder.h"

#include "error.h"
#include "model/access_cost.h"
#include "model/recorded_copy.h"
#include "recording/check.h"
#include "recording/tiles.h"

namespace traced {

namespace {

constexpr uint8_t array_of_c = 2; // index into Recording::arrays, as in device/views.h

using recording::Access;
using recording::Op;

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
            if (element + i < owner_.size()) // otherwise the store itself is a fault, and its error says where
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
