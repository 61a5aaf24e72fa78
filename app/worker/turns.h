// One call at a time into a backend; what a person waits for goes first.
#pragma once

#include "error.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace app {

// Who wants in. A later one interrupts an earlier one.
enum class Priority : std::size_t {
    ladder,    // times, again and again
    search,    // for parameters, or of what the GPU is made of: minutes, in many steps
    counters,  // asked for by a key: seconds
    recording, // without it there is nothing to see; never interrupted
};

class Turns {
public:
    // Leaves the turns when it goes out of scope.
    class Pass {
    public:
        explicit Pass(Turns& turns) : turns_(&turns) {}
        Pass(Pass&& other) noexcept : turns_(std::exchange(other.turns_, nullptr)) {}
        Pass& operator=(Pass&&) = delete;
        ~Pass()
        {
            if (turns_ != nullptr)
                turns_->leave();
        }

    private:
        Turns* turns_;
    };

    // As long as it lives, earlier priorities stay outside: for who comes in many steps, and would else be interrupted between
    // two of them by someone whose work is then thrown away.
    class Claim {
    public:
        Claim(Turns& turns, Priority priority) : turns_(turns), priority_(priority)
        {
            const std::lock_guard lock(turns_.mutex_);
            ++turns_.waiting(priority_);
        }
        Claim(const Claim&) = delete;
        Claim& operator=(const Claim&) = delete;
        ~Claim()
        {
            {
                const std::lock_guard lock(turns_.mutex_);
                --turns_.waiting(priority_);
            }
            turns_.changed_.notify_all();
        }

    private:
        Turns& turns_;
        Priority priority_;
    };

    // Asks an earlier priority that is inside to stop, waits until nobody is inside and no later priority waits, and enters.
    // `own` is asked to stop when a later priority comes. None when `stop` was requested first.
    std::optional<Pass> enter(Priority priority, std::stop_source own, std::stop_token stop)
    {
        std::unique_lock lock(mutex_);
        if (inside_ && *inside_ < priority)
            own_.request_stop();
        ++waiting(priority);
        const bool turn = changed_.wait(lock, stop, [&] { return !inside_ && !later_waits(priority); });
        --waiting(priority);
        if (!turn) {
            lock.unlock();
            changed_.notify_all(); // an earlier priority may have waited for this one
            return std::nullopt;
        }
        inside_ = priority;
        own_ = std::move(own);
        return Pass(*this);
    }

    // Works as that priority, and again when a later one interrupted it. False when `stop` was requested first. `work` takes
    // the token that asks it to stop, and then throws kernels::Cancelled.
    template <class Work>
    bool in_turn(Priority priority, const std::stop_token& stop, const Work& work)
    {
        while (!stop.stop_requested()) {
            std::stop_source own;
            const std::stop_callback pass_on(stop, [&own] { own.request_stop(); });
            const std::optional<Pass> pass = enter(priority, own, stop);
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
    std::size_t& waiting(Priority priority) { return waiting_[static_cast<std::size_t>(priority)]; }

    bool later_waits(Priority priority) const
    {
        return std::any_of(waiting_.begin() + static_cast<std::ptrdiff_t>(priority) + 1, waiting_.end(),
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
    std::optional<Priority> inside_;
    std::stop_source own_{std::nostopstate}; // of who is inside
    std::array<std::size_t, 4> waiting_{};   // by priority
};

} // namespace app
