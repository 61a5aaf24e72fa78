// Handles keys that were pressed and released between two frames. ImGui 1.86 reads which keys are down and would miss
// them in its text fields. It also does not know the order of keys and characters between two frames.
#pragma once

#include "app/platform/keyboard.h"

#include <deque>
#include <vector>

struct GLFWwindow;

namespace app {

class QuickKeys {
public:
    // Reports the keys pressed since the last frame as down in this frame. Keys that must come after others are
    // reported in one of the next frames. Call it after the backend's new frame and before ImGui's.
    void press(GLFWwindow* window, const std::vector<Keyboard::Pressed>& pressed);

    bool waits() const { return !queue_.empty(); }

private:
    std::deque<Keyboard::Pressed> queue_;
    std::vector<int> down_; // keys that this class held down in the last frame
};

} // namespace app
