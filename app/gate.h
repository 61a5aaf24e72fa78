// One call at a time into a backend, recordings first: a person waits for those.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace app {

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

    // Asks the background call that is inside to stop, waits until it has left, and enters.
    Pass enter_first()
    {
        std::unique_lock lock(mutex_);
        ++waiting_;
        if (background_)
            background_->request_stop();
        changed_.wait(lock, [this] { return !inside_; });
        --waiting_;
        inside_ = true;
        return Pass(*this);
    }

    // Enters when nobody is inside and no recording waits. `own` is asked to stop when one comes. None when `stop` was
    // requested first.
    std::optional<Pass> enter_background(std::stop_source own, std::stop_token stop)
    {
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, stop, [this] { return !inside_ && waiting_ == 0; }))
            return std::nullopt;
        inside_ = true;
        background_ = std::move(own);
        return Pass(*this);
    }

private:
    void leave()
    {
        {
            const std::lock_guard lock(mutex_);
            inside_ = false;
            background_.reset();
        }
        changed_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable_any changed_;
    bool inside_ = false;
    int waiting_ = 0;
    std::optional<std::stop_source> background_;
};

} // namespace app
