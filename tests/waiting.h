// Waits for another thread or process. No test result depends on the speed of the machine.
#pragma once

#include <chrono>
#include <thread>

namespace test {

// A condition that is still false after this time is considered hung; no machine is that slow.
inline constexpr std::chrono::minutes hang{3};

// Waits until the condition is true. Returns false if it hangs.
template <class Condition>
bool happens(Condition condition, std::chrono::milliseconds between_looks = std::chrono::milliseconds(1))
{
    const auto give_up = std::chrono::steady_clock::now() + hang;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > give_up)
            return false;
        std::this_thread::sleep_for(between_looks);
    }
    return true;
}

} // namespace test
