// A value that is computed once, on another thread than the window.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <stop_token>
#include <thread>
#include <utility>

namespace app {

template <class T>
class Background {
public:
    // `make` must not throw. `made` is called on the same background thread once get() returns the value.
    Background(std::function<T(std::stop_token)> make, std::function<void()> made)
        : value_(promise_.get_future()),
          thread_([this, make = std::move(make), made = std::move(made)](std::stop_token stop) {
              promise_.set_value(make(std::move(stop)));
              made();
          })
    {
    }

    // Returns null while the value is being computed.
    const T* get() const
    {
        return value_.wait_for(std::chrono::seconds(0)) == std::future_status::ready ? &value_.get() : nullptr;
    }

    const T& wait() const { return value_.get(); }

private:
    std::promise<T> promise_;
    std::shared_future<T> value_;
    std::jthread thread_; // last, because it uses the other members
};

} // namespace app
