// Admits one call at a time into a backend. Calls that the user waits for go first: a later lane interrupts an earlier
// one. shared_backend() makes a backend whose calls are admitted in this way.
#pragma once

#include "app/engine/lane.h"

#include "backend.h"
#include "error.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace app {

class DeviceScheduler {
public:
    // Holds a turn and leaves it on destruction.
    class Pass {
    public:
        explicit Pass(DeviceScheduler& turns) : turns_(&turns) {}
        Pass(Pass&& other) noexcept : turns_(std::exchange(other.turns_, nullptr)) {}
        Pass& operator=(Pass&&) = delete;
        ~Pass()
        {
            if (turns_ != nullptr)
                turns_->leave();
        }

    private:
        DeviceScheduler* turns_;
    };

    // Keeps earlier lanes out during its lifetime. A task with many steps needs it: otherwise an earlier lane would
    // enter between two steps, and its work would be interrupted and lost at the next step.
    class Claim {
    public:
        Claim(DeviceScheduler& turns, Lane lane) : turns_(turns), lane_(lane)
        {
            const std::lock_guard lock(turns_.mutex_);
            ++turns_.waiting(lane_);
        }
        Claim(const Claim&) = delete;
        Claim& operator=(const Claim&) = delete;
        ~Claim()
        {
            {
                const std::lock_guard lock(turns_.mutex_);
                --turns_.waiting(lane_);
            }
            turns_.changed_.notify_all();
        }

    private:
        DeviceScheduler& turns_;
        Lane lane_;
    };

    // Asks an earlier lane that is inside to stop, waits until the backend is free and no later lane waits, and enters.
    // A later lane requests a stop through `own`. Returns nothing if `stop` was requested first.
    std::optional<Pass> enter(Lane lane, std::stop_source own, std::stop_token stop)
    {
        std::unique_lock lock(mutex_);
        if (inside_ && *inside_ < lane)
            own_.request_stop();
        ++waiting(lane);
        const bool turn = changed_.wait(lock, stop, [&] { return !inside_ && !later_waits(lane); });
        --waiting(lane);
        if (!turn) {
            lock.unlock();
            changed_.notify_all(); // an earlier lane may have waited for this one
            return std::nullopt;
        }
        inside_ = lane;
        own_ = std::move(own);
        return Pass(*this);
    }

    // Runs `work` in a turn of the lane, and repeats it if a later lane interrupted it. Returns false if `stop` was
    // requested first. `work` receives the token that asks it to stop and must then throw kernels::Cancelled.
    template <class Work>
    bool in_turn(Lane lane, const std::stop_token& stop, const Work& work)
    {
        while (!stop.stop_requested()) {
            std::stop_source own;
            const std::stop_callback pass_on(stop, [&own] { own.request_stop(); });
            const std::optional<Pass> pass = enter(lane, own, stop);
            if (!pass)
                return false;
            try {
                work(own.get_token());
                return true;
            } catch (const kernels::Cancelled&) {
            }
        }
        return false;
    }

private:
    std::size_t& waiting(Lane lane) { return waiting_[static_cast<std::size_t>(lane)]; }

    bool later_waits(Lane lane) const
    {
        return std::any_of(waiting_.begin() + static_cast<std::ptrdiff_t>(lane) + 1, waiting_.end(),
                           [](std::size_t count) { return count > 0; });
    }

    void leave()
    {
        {
            const std::lock_guard lock(mutex_);
            inside_.reset();
        }
        changed_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::optional<Lane> inside_;
    std::stop_source own_{std::nostopstate}; // of the call that is inside
    std::array<std::size_t, lane_count> waiting_{};
};

// A backend that several threads use in turns. Each call waits for its turn and is repeated if a later lane interrupted
// it. A task therefore need not know about tasks that run in parallel.

// State of one backend call. It waits for its turn and then is inside, which is reported again with each sign of life
// of the backend. After it returned it still holds its turn and may wait for another one. Finally it is over.
enum class TurnState { waiting, inside, returned, over };

// Creates the backend for the tasks of one lane. `backend` and `turns` must outlive it. `told` is called by the calling
// thread and by the threads of a backend that gives signs of life.
std::unique_ptr<kernels::Backend> shared_backend(
    kernels::Backend& backend, DeviceScheduler& turns, Lane lane,
    std::function<void(TurnState)> told = [](TurnState) {});

} // namespace app
