#include "cpu/block_runner.h"
#include "cpu_kernel.h"
#include "error.h"

#include <atomic>
#include <thread>

namespace cpu {

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
