#include "cuda/instruments.h"

#include "cuda/library.h"
#include "cuda/slots.h"
#include "error.h"
#include "processor.h"
#include "recording/tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace cuda {

namespace {

using recording::Op;

constexpr uint32_t most_replicas = 128; // about one per SM of current large GPUs
constexpr uint64_t most_trace_bytes = uint64_t{4} << 30;

template <class T>
std::vector<T> read_back(const Context& context, const Buffer& buffer)
{
    std::vector<T> result(buffer.bytes() / sizeof(T));
    if (!result.empty())
        context.download(result.data(), buffer, buffer.bytes());
    return result;
}

void add(Op op, const uint64_t* counters, recording::Totals& totals)
{
    const auto shared = [counters](recording::SharedTotals& sum) {
        sum.instructions += counters[0];
        sum.wavefronts += counters[1];
        sum.conflicts += counters[2];
    };
    const auto global = [counters](recording::GlobalTotals& sum) {
        sum.requests += counters[0];
        sum.sectors += counters[1];
    };
    switch (op) {
    case Op::global_load: return global(totals.global_load);
    case Op::global_store: return global(totals.global_store);
    case Op::shared_load: return shared(totals.shared_load);
    case Op::shared_store: return shared(totals.shared_store);
    default: return;
    }
}

struct NotTheSame : kernels::Error {
    NotTheSame()
        : Error("A warp made more or fewer accesses when it was recorded than when it was counted; the kernel does not "
                "do the same in every launch, so it cannot be recorded.")
    {
    }
};

} // namespace

ChosenBlocks::ChosenBlocks(const Context& context, const recording::Launch& launch,
                           std::span<const recording::Index3> blocks)
{
    if (blocks.empty())
        return;
    const recording::Index3& grid = launch.grid;
    std::vector<int> numbers(grid.volume(), -1);
    for (const recording::Index3& block : blocks) {
        if (block.x >= grid.x || block.y >= grid.y || block.z >= grid.z)
            throw kernels::Error(fmt::format("There is no block {},{},{}: the grid of this launch has {} x {} x {} "
                                             "blocks, counted from 0.",
                                             block.x, block.y, block.z, grid.x, grid.y, grid.z));
        int& number = numbers[grid.number_of(block)];
        if (number >= 0)
            continue;
        number = static_cast<int>(blocks_.size());
        blocks_.push_back(block);
    }
    numbers_ = Buffer(context, numbers.size() * sizeof(int));
    context.upload(numbers_, numbers.data(), numbers_.bytes());
}

Counter::Counter(const Context& context, const recording::Launch& launch, const ChosenBlocks& chosen, uint32_t lines)
    : context_(context), chosen_(chosen), lines_(lines + 1),
      replicas_(static_cast<uint32_t>(std::bit_ceil(std::min<uint64_t>(launch.grid.volume(), most_replicas)))),
      totals_(context, uint64_t{replicas_} * lines_ * counters_per_line * sizeof(uint64_t)),
      steps_(context, chosen.blocks().size() * launch.warps_per_block() * sizeof(uint32_t))
{
    context.fill(totals_, 0);
    context.fill(steps_, 0);
}

CountState Counter::state() const
{
    return {.totals = totals_.as<unsigned long long>(),
            .chosen = chosen_.numbers(),
            .steps = steps_.as<unsigned int>(),
            .lines = lines_,
            .replicas = replicas_,
            .lanes = 0,
            .step = 0,
            .known = {},
            .copied = 0,
            .copies = 0};
}

std::vector<recording::LineTotals> Counter::totals() const
{
    const std::vector<uint64_t> counters = read_back<uint64_t>(context_, totals_);
    std::vector<uint64_t> sums(uint64_t{lines_} * counters_per_line);
    for (std::size_t i = 0; i < counters.size(); ++i)
        sums[i % sums.size()] += counters[i];
    std::vector<recording::LineTotals> result;
    for (uint32_t line = 0; line < lines_; ++line) {
        recording::LineTotals entry{.line = line, .totals = {}};
        for (int op = 0; op < recording::access_op_count; ++op)
            add(static_cast<Op>(op), &sums[line * counters_per_line + op * counters_per_op], entry.totals);
        if (entry.totals != recording::Totals{})
            result.push_back(entry);
    }
    return result;
}

std::vector<uint32_t> Counter::steps() const
{
    return read_back<uint32_t>(context_, steps_);
}

Recorder::Recorder(const Context& context, const recording::Launch& launch, const ChosenBlocks& chosen,
                   std::vector<uint32_t> steps, const kernels::OperandShape& C)
    : context_(context), chosen_(chosen), launch_(launch), steps_(std::move(steps)),
      capacity_(steps_.empty() ? 0 : *std::max_element(steps_.begin(), steps_.end())), element_bytes_(C.element_bytes)
{
    const uint64_t slots = uint64_t{steps_.size()} * capacity_;
    const uint64_t trace_bytes = slots * slot_words * sizeof(uint32_t);
    if (trace_bytes > most_trace_bytes)
        throw kernels::Error(
            fmt::format("The {} chosen blocks make {} accesses, which is {} of recording; choose fewer "
                        "blocks or a smaller size.",
                        chosen.blocks().size(), slots, bytes_in_words(trace_bytes)));
    if (launch.grid.volume() * launch.block.volume() >= recording::no_owner)
        throw kernels::Error("This launch has more threads than a recording can number; choose a smaller size.");
    trace_ = Buffer(context, trace_bytes);
    overflow_ = Buffer(context, sizeof(uint32_t));
    owner_ = Buffer(context, C.elements() * sizeof(uint32_t));
    context.fill(trace_, 0xff);
    context.fill(overflow_, 0);
    context.fill(owner_, 0xff);
}

RecordState Recorder::state() const
{
    return {.chosen = chosen_.numbers(),
            .trace = trace_.as<unsigned int>(),
            .overflow = overflow_.as<unsigned int>(),
            .owner = owner_.as<unsigned int>(),
            .capacity = capacity_,
            .element_bytes = element_bytes_,
            .thread_in_grid = 0,
            .lane = 0,
            .step = 0};
}

void Recorder::finish(recording::Recording& result) const
{
    if (read_back<uint32_t>(context_, overflow_).at(0) != 0)
        throw NotTheSame();
    result.owner = read_back<uint32_t>(context_, owner_);
    result.blocks = traces();
    recording::number_tiles(result);
}

// Converts warp by warp in small pieces. A million accesses take 140 MiB twice. One core would be slow to clear and
// fault in so much memory at once.
std::vector<recording::BlockTrace> Recorder::traces() const
{
    const uint32_t warps = launch_.warps_per_block();
    std::vector<recording::BlockTrace> result;
    for (const recording::Index3& block : chosen_.blocks())
        result.push_back({block, std::vector<recording::WarpTrace>(warps)});
    std::mutex copying;
    kernels::in_parallel(steps_.size(), [&](uint64_t warp) {
        context_.enter();
        result[warp / warps].warps[warp % warps].accesses = trace_of(warp, copying);
    });
    return result;
}

std::vector<recording::Access> Recorder::trace_of(uint64_t warp, std::mutex& copying) const
{
    constexpr uint64_t slot_bytes = slot_words * sizeof(uint32_t);
    constexpr uint64_t piece = (uint64_t{4} << 20) / slot_bytes; // 4 MiB, which stays in the cache
    const uint64_t first = warp * capacity_;
    const uint64_t most = std::min(steps_[warp] + 1, capacity_); // one more than expected, to detect extra steps
    std::vector<recording::Access> result;
    result.reserve(steps_[warp]);
    std::vector<uint32_t> slots(std::min(most, piece) * slot_words);
    for (uint64_t done = 0; done < most; done += piece) {
        const std::span<uint32_t> some = std::span(slots).first(std::min(most - done, piece) * slot_words);
        {
            const std::lock_guard one_at_a_time(copying);
            context_.download(some.data(), trace_, some.size_bytes(), (first + done) * slot_bytes);
        }
        if (!append_steps(some, result))
            break;
    }
    if (result.size() != steps_[warp])
        throw NotTheSame();
    return result;
}

Placer::Placer(const Context& context, const recording::Launch& launch)
    : context_(context), times_(context, launch.grid.volume() * sizeof(BlockTimes))
{
    context.fill(times_, 0);
}

std::vector<recording::Placement> Placer::placements() const
{
    const std::vector<BlockTimes> times = read_back<BlockTimes>(context_, times_);
    uint64_t first = ~uint64_t{0};
    for (const BlockTimes& block : times)
        first = std::min<uint64_t>(first, block.start);
    std::vector<recording::Placement> result;
    result.reserve(times.size());
    // The timer's resolution is coarse: a short block may end in the tick in which it began.
    for (const BlockTimes& block : times)
        result.push_back({block.sm, block.start - first, std::max(block.end, block.start) - first});
    return result;
}

} // namespace cuda
