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
enum class Rank : std::size_t {
    ladder,    // times, again and again
    search,    // for parameters, or of what the GPU is made of: minutes, in many steps
    counters,  // asked for by a key: seconds
    recording, // without it there is nothing to see; never interrupted
};

class Gate {
public:
    // Leaves the gate when it goes out of scope.
    class Pass {
    public:
        explicit Pass(Gate& gate) : gate_(&gate) {}
        Pass(Pass&& other) noexcept : gate_(std::exchange(other.gate_, nullptr)) {}
        Pass& operator=(Pass&&) = delete;
        ~Pass()
        {
            if (gate_ != nullptr)
                gate_->leave();
        }

    private:
        Gate* gate_;
    };

    // As long as it lives, earlier ranks stay outside: for who comes in many steps, and would else be interrupted between
    // two of them by someone whose work is then thrown away.
    class Claim {
    public:
        Claim(Gate& gate, Rank rank) : gate_(gate), rank_(rank)
        {
            const std::lock_guard lock(gate_.mutex_);
            ++gate_.waiting(rank_);
        }
        Claim(const Claim&) = delete;
        Claim& operator=(const Claim&) = delete;
        ~Claim()
        {
            {
                const std::lock_guard lock(gate_.mutex_);
                --gate_.waiting(rank_);
            }
            gate_.changed_.notify_all();
        }

    private:
        Gate& gate_;
        Rank rank_;
    };

    // Asks an earlier rank that is inside to stop, waits until nobody is inside and no later rank waits, and enters.
    // `own` is asked to stop when a later rank comes. None when `stop` was requested first.
    std::optional<Pass> enter(Rank rank, std::stop_source own, std::stop_token stop)
    {
        std::unique_lock lock(mutex_);
        if (inside_ && *inside_ < rank)
            own_.request_stop();
        ++waiting(rank);
        const bool turn = changed_.wait(lock, stop, [&] { return !inside_ && !later_waits(rank); });
        --waiting(rank);
        if (!turn) {
            lock.unlock();
            changed_.notify_all(); // an earlier rank may have waited for this one
            return std::nullopt;
        }
        inside_ = rank;
        own_ = std::move(own);
        return Pass(*this);
    }

    // As a recording, for as long as it takes.
    Pass enter_first() { return *enter(Rank::recording, std::stop_source(std::nostopstate), {}); }

    // Works as that rank, and again when a later one interrupted it. False when `stop` was requested first. `work` takes
    // the token that asks it to stop, and then throws kernels::Cancelled.
    template <class Work>
    bool in_turn(Rank rank, const std::stop_token& stop, const Work& work)
    {
        while (!stop.stop_requested()) {
            std::stop_source own;
            const std::stop_callback pass_on(stop, [&own] { own.request_stop(); });
            const std::optional<Pass> pass = enter(rank, own, stop);
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
    std::size_t& waiting(Rank rank) { return waiting_[static_cast<std::size_t>(rank)]; }

    bool later_waits(Rank rank) const
    {
        return std::any_of(waiting_.begin() + static_cast<std::ptrdiff_t>(rank) + 1, waiting_.end(),
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
    std::optional<Rank> inside_;
    std::stop_source own_{std::nostopstate}; // of who is inside
    std::array<std::size_t, 4> waiting_{};   // by rank
};

} // namespace app
