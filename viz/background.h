// A computation beside the frames. The window never waits for one: what is no longer wanted runs out by itself.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <future>
#include <optional>
#include <utility>
#include <vector>

namespace viz {

// What is looked through within the frame instead of beside it.
inline constexpr std::size_t accesses_in_frame = 20'000, elements_in_frame = 300'000;

template <class Result>
class Background {
public:
    // Whatever was started before is no longer wanted. What is `quick` is computed by take(), within the frame.
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

    // The result, once.
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
    std::vector<std::future<Result>> outdated; // a future's end waits for its function
};

} // namespace viz
