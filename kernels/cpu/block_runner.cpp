#include "cpu/block_runner.h"

#include "cpu_kernel.h"
#include "device/trace_probe.h"
#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace cpu {

namespace {

thread_local BlockRunner* running = nullptr; // of this operating-system thread

Dim3 position(uint64_t number, const recording::Index3& extent)
{
    const auto [x, y, z] = extent.place_of(number);
    return {x, y, z};
}

} // namespace

BlockRunner::BlockRunner(ThreadBody body, const recording::Launch& extent, const std::byte* arguments,
                         traced::Recorder* recorder)
    : extent_(extent), recorder_(recorder), fibers_(extent.threads_per_block(), body, arguments),
      copies_(extent.threads_per_block())
{
    for (uint32_t i = 0; i < extent.threads_per_block(); ++i)
        thread_index_.push_back(position(i, extent.block));
    running = this;
    gridDim = {extent.grid.x, extent.grid.y, extent.grid.z};
    blockDim = {extent.block.x, extent.block.y, extent.block.z};
}

BlockRunner::~BlockRunner()
{
    running = nullptr;
}

// Runs every thread up to its next barrier, warp by warp. When all threads have arrived, they pass the barrier.
void BlockRunner::run(uint64_t block)
{
    block_ = block;
    blockIdx = position(block, extent_.grid);
    state_.assign(extent_.threads_per_block(), State::running);
    for (bool unfinished = true; unfinished;) {
        unfinished = false;
        for (uint32_t warp = 0; warp < extent_.warps_per_block(); ++warp)
            unfinished |= run_warp(warp);
        for (State& state : state_)
            if (state == State::at_barrier)
                state = State::running;
    }
}

void BlockRunner::finish()
{
    if (recorder_)
        recorder_->merge(counts_);
}

bool BlockRunner::run_warp(uint32_t warp)
{
    const uint32_t first = warp * recording::warp_size;
    const uint32_t last = std::min(first + recording::warp_size, extent_.threads_per_block());
    for (;;) {
        if (run_lanes(first, last))
            hand_over(warp);
        else if (!meeting_.empty())
            release(first);
        else
            break;
    }
    hand_over(warp);
    return std::any_of(state_.begin() + first, state_.begin() + last,
                       [](State state) { return state != State::returned; });
}

// Runs each lane until it must wait. Returns true if a lane waits for room in the buffer.
bool BlockRunner::run_lanes(uint32_t first, uint32_t last)
{
    bool buffer_full = false;
    for (thread_ = first; thread_ < last; ++thread_) {
        if (state_[thread_] != State::running)
            continue;
        threadIdx = thread_index_[thread_];
        if (fibers_.resume(thread_))
            thread_returned();
        else if (state_[thread_] == State::running)
            buffer_full = true;
    }
    return buffer_full;
}

// A copy that the thread never waited for is useless, or was read too early.
void BlockRunner::thread_returned()
{
    state_[thread_] = State::returned;
    if (const AsyncCopy* copy = copies().left_over())
        throw kernels::Error(fmt::format("Thread {} returns while the asynchronous copy that it started in line {} may "
                                         "be under way. Commit it and wait for its group, or do not start it.",
                                         thread_, copy->line));
    copies().clear();
}

// Resumes the lanes whose collective is complete. Called when no lane of the warp can continue.
void BlockRunner::release(uint32_t first)
{
    const uint32_t released = meeting_.release();
    if (released == 0)
        throw kernels::Error(meeting_.explain([this, first](uint32_t lane) { return elsewhere(first + lane); }));
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        if ((released >> lane & 1) != 0)
            state_[first + lane] = State::running;
}

// Says what a thread does instead of reaching a collective.
std::string BlockRunner::elsewhere(uint32_t thread) const
{
    if (thread >= state_.size())
        return fmt::format("does not exist, as a block has {} threads", state_.size());
    return state_[thread] == State::returned ? "has returned" : "waits at __syncthreads";
}

void BlockRunner::hand_over(uint32_t warp)
{
    if (recorder_)
        recorder_->take(block_, warp, buffer_.entries(), counts_);
    buffer_.clear();
}

void BlockRunner::wait()
{
    state_[thread_] = State::at_barrier;
    fibers_.suspend();
}

void BlockRunner::meet(const Collective& collective, void* operands)
{
    const uint32_t lane = thread_ % recording::warp_size;
    if ((collective.lanes >> lane & 1) == 0)
        throw kernels::Error(fmt::format("Line {}: lane {} comes to a {} whose mask, {:08x}, leaves it out.",
                                         collective.line, lane, collective.name, collective.lanes));
    meeting_.arrive(lane, collective, operands);
    state_[thread_] = State::at_collective;
    fibers_.suspend();
}

void BlockRunner::access(const recording::Access& made, uint64_t offset, bool active)
{
    if (recorder_ == nullptr)
        return;
    const uint32_t lane = thread_ % recording::warp_size;
    buffer_.add(lane, made, offset, active);
    if (buffer_.full(lane))
        fibers_.suspend();
}

void wait_at_barrier()
{
    running->wait();
}

void meet(const Collective& collective, void* operands)
{
    running->meet(collective, operands);
}

AsyncCopies& async_copies()
{
    return running->copies();
}

void TraceProbe::access(recording::Op op, int array, uint64_t byte_offset, int width, bool active, int line,
                        bool transposed)
{
    using recording::Transposed;
    const Transposed said = transposed ? Transposed::yes : Transposed::no;
    running->access({.op = op,
                     .array = static_cast<uint8_t>(array),
                     .width = static_cast<uint8_t>(width),
                     .transposed = op == recording::Op::matrix_load ? said : Transposed::unknown,
                     .line = static_cast<uint32_t>(line),
                     .mask = 0,
                     .offset = {}},
                    byte_offset, active);
}

namespace {

// Shared by the operating-system threads of one launch.
struct Work {
    const Kernel& kernel;
    const recording::Launch& extent;
    std::span<const std::byte> arguments;
    traced::Recorder* recorder;
    std::stop_token stop;
    std::atomic<uint64_t> next_block = 0;
    std::atomic<bool> failed = false;
    std::mutex mutex{};
    std::exception_ptr failure{};
};

void run_blocks(Work& work)
{
    try {
        BlockRunner runner(work.recorder ? work.kernel.traced : work.kernel.plain, work.extent, work.arguments.data(),
                           work.recorder);
        for (;;) {
            const uint64_t block = work.next_block++;
            if (work.failed)
                return;
            if (block >= work.extent.grid.volume())
                return runner.finish();
            if (work.stop.stop_requested())
                throw kernels::Cancelled();
            runner.run(block);
        }
    } catch (...) {
        const std::lock_guard lock(work.mutex);
        work.failed = true;
        if (!work.failure)
            work.failure = std::current_exception();
    }
}

} // namespace

void launch(const Kernel& kernel, const recording::Launch& extent, std::span<const std::byte> arguments,
            traced::Recorder* recorder, std::stop_token stop)
{
    Work work{.kernel = kernel, .extent = extent, .arguments = arguments, .recorder = recorder, .stop = stop};
    constexpr uint64_t most_threads = 64; // each has the stacks and the shared memory of a block
    const uint64_t threads =
        std::min({std::max<uint64_t>(1, std::thread::hardware_concurrency()), most_threads, extent.grid.volume()});
    {
        std::vector<std::jthread> pool;
        for (uint64_t i = 0; i < threads; ++i)
            pool.emplace_back([&work] { run_blocks(work); });
    }
    if (work.failure)
        std::rethrow_exception(work.failure);
}

} // namespace cpu
