// Runs a computation on another thread, so that the window never waits for it. An abandoned computation runs to its
// end, and its result is dropped.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <future>
#include <optional>
#include <utility>
#include <vector>

namespace viz {

// Smaller recordings are processed within the frame and not on another thread.
inline constexpr std::size_t accesses_in_frame = 20'000, elements_in_frame = 300'000;

// A computation that runs on another thread, and its abandoned predecessors.
template <class Result>
class Background {
public:
    // Starts the function and abandons the previous one. If `quick`, take() runs the function on the caller's thread.
    template <class Function>
    void start(Function function, bool quick = false)
    {
        drop();
        work = std::async(quick ? std::launch::deferred : std::launch::async, std::move(function));
    }

    void drop()
    {
        std::erase_if(outdated, finished);
        if (work.valid())
            outdated.push_back(std::move(work));
    }

    // Returns the result once, when it is ready. Otherwise returns nothing.
    std::optional<Result> take()
    {
        return work.valid() && finished(work) ? std::optional<Result>(work.get()) : std::nullopt;
    }

    bool busy() const { return work.valid(); }
    bool running() const { return work.valid() && !finished(work); }

private:
    static bool finished(const std::future<Result>& future)
    {
        return future.wait_for(std::chrono::seconds(0)) != std::future_status::timeout;
    }

    std::future<Result> work;
    std::vector<std::future<Result>> outdated; // kept because the destructor of a future waits for its function
};

} // namespace viz
