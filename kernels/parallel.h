// A parallel loop.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace kernels {

// Calls work(i) for each i below `count`, in no particular order, on as many threads as there are cores. Rethrows the
// first exception; calls that have not started by then are skipped.
template <class Work>
void in_parallel(uint64_t count, Work work)
{
    std::atomic<uint64_t> next = 0;
    std::mutex mutex;
    std::exception_ptr failure;
    const auto run = [&] {
        try {
            for (uint64_t i = next++; i < count; i = next++)
                work(i);
        } catch (...) {
            next = count;

            const std::lock_guard lock(mutex);
            if (!failure)
                failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> pool;
        const uint64_t cores = std::max(1u, std::thread::hardware_concurrency());
        for (uint64_t i = 0; i < std::min(cores, count); ++i)
            pool.emplace_back(run);
    }
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace kernels
