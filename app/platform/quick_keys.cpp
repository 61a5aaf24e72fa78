#include "app/platform/quick_keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <imgui.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace app {

namespace {

bool is_down(GLFWwindow* window, int left, int right)
{
    return glfwGetKey(window, left) == GLFW_PRESS || glfwGetKey(window, right) == GLFW_PRESS;
}

bool is_control_enter(const Keyboard::Pressed& pressed)
{
    return (pressed.modifiers & GLFW_MOD_CONTROL) != 0 &&
           (pressed.key == GLFW_KEY_ENTER || pressed.key == GLFW_KEY_KP_ENTER);
}

// Returns whether the key itself has an effect in a text field. For other keys only their characters have one.
bool edits(const Keyboard::Pressed& pressed)
{
    constexpr std::array keys = {GLFW_KEY_LEFT,      GLFW_KEY_RIGHT,  GLFW_KEY_UP,    GLFW_KEY_DOWN,
                                 GLFW_KEY_HOME,      GLFW_KEY_END,    GLFW_KEY_ENTER, GLFW_KEY_KP_ENTER,
                                 GLFW_KEY_BACKSPACE, GLFW_KEY_DELETE, GLFW_KEY_TAB,   GLFW_KEY_ESCAPE};
    return (pressed.modifiers & GLFW_MOD_CONTROL) != 0 || std::ranges::find(keys, pressed.key) != keys.end();
}

} // namespace

void QuickKeys::press(GLFWwindow* window, const std::vector<Keyboard::Pressed>& pressed)
{
    ImGuiIO& io = ImGui::GetIO();
    const std::vector<int> before = std::exchange(down_, {});
    for (const int key : before)
        io.KeysDown[key] = glfwGetKey(window, key) == GLFW_PRESS;
    io.KeyCtrl = is_down(window, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL);
    io.KeyShift = is_down(window, GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT);
    io.ClearInputCharacters(); // this class passes them on in the right order
    queue_.insert(queue_.end(), pressed.begin(), pressed.end());
    bool any_characters = false;
    while (!queue_.empty()) {
        const Keyboard::Pressed next = queue_.front();
        // Ctrl+Enter is a command. In a text field it would end the editing, and further characters would be lost.
        if (is_control_enter(next))
            io.KeysDown[GLFW_KEY_ENTER] = io.KeysDown[GLFW_KEY_KP_ENTER] = false;
        else if (next.character != 0) {
            if (!down_.empty())
                return; // a key came before it
            io.AddInputCharacter(next.character);
            any_characters = true;
        } else if (edits(next) && next.key >= 0 && next.key < static_cast<int>(std::size(io.KeysDown))) {
            const bool must_go_up = std::ranges::find(before, next.key) != before.end();
            if (any_characters || !down_.empty() || must_go_up)
                return;
            io.KeysDown[next.key] = true;
            io.KeyCtrl = io.KeyCtrl || (next.modifiers & GLFW_MOD_CONTROL) != 0;
            io.KeyShift = io.KeyShift || (next.modifiers & GLFW_MOD_SHIFT) != 0;
            down_.push_back(next.key);
        }
        queue_.pop_front();
    }
}

} // namespace app
