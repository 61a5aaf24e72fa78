// Waiting for what another thread or process does. No verdict depends on how fast the machine is.
#pragma once

#include <chrono>
#include <thread>

namespace test {

// What has not happened by then hangs: no machine is that slow.
inline constexpr std::chrono::minutes hang{10};

// False where it hangs.
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
