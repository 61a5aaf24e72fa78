// This machine's processor: its name, loops on all of its cores, signs of life during long work, and crash notes.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace kernels {

std::string processor_name(); // "AMD EPYC 9654"; "CPU" if unknown

// Calls work(i) for each i below `count`, in no particular order, on as many threads as there are cores. Rethrows the
// first exception, and skips the calls that have not started by then.
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

// Signs of life during long work that cannot report progress, such as compiling.

// Calls `sign` at once and then every `interval`, from a thread of its own, while the object lives. Calls stop after
// `longest`: work that takes longer hangs, and must be seen to hang. An empty function is not called.
class Heartbeat {
public:
    using Duration = std::chrono::steady_clock::duration;
    explicit Heartbeat(std::function<void()> sign, Duration interval = std::chrono::seconds(1),
                       Duration longest = std::chrono::minutes(10));

private:
    std::jthread thread_;
};

// While a CrashNote exists, a fault that ends this process writes the sentence to standard error. The parent process
// then knows which library crashed. If several threads have a CrashNote, the sentence of the latest one is written.
inline constexpr std::string_view crash_mark = "A fault ended it: ";
class CrashNote {
public:
    explicit CrashNote(const std::string& sentence);
    ~CrashNote();
    CrashNote(const CrashNote&) = delete;
    CrashNote& operator=(const CrashNote&) = delete;

private:
    const std::string line_;
};

// Interface of a backend that has long calls without progress.
class GivesSigns {
public:
    virtual ~GivesSigns() = default;
    // Sets the function that later calls invoke from time to time, possibly from other threads. An empty function means
    // none. Call it only between two calls to the backend.
    virtual void give_signs(std::function<void()> sign) = 0;
};

} // namespace kernels
