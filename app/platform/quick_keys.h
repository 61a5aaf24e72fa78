// Keys that went down and up between two frames: ImGui 1.86 reads which keys are down, and would miss them in its fields. And
// the order of keys and characters that came between two frames, which it does not know.
#pragma once

#include "app/platform/keyboard.h"

#include <deque>
#include <vector>

struct GLFWwindow;

namespace app {

class QuickKeys {
public:
    // After the backend's new frame and before ImGui's: what was pressed since the frame before is down in this one, or, behind
    // what has to come first, in one of the next.
    void press(GLFWwindow* window, const std::vector<Keyboard::Pressed>& pressed);

    bool waits() const { return !queue_.empty(); }

private:
    std::deque<Keyboard::Pressed> queue_;
    std::vector<int> down_; // in the frame before, by this
};

} // namespace app
