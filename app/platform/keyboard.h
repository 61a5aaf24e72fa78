// Key presses and dropped files from GLFW, which are queued until the next frame. Also handles keys that the user
// presses and releases between two frames.
#pragma once

#include "app/workspace/commands.h"

#include <deque>
#include <filesystem>
#include <utility>
#include <vector>

struct GLFWwindow;

namespace app {

// Converts GLFW's callbacks to key chords and dropped files. Queues them until the next frame.

// Must be created before Dear ImGui installs its callbacks, which then call these. Must live as long as the window.
class Keyboard {
public:
    explicit Keyboard(GLFWwindow* window);
    Keyboard(const Keyboard&) = delete;
    Keyboard& operator=(const Keyboard&) = delete;

    std::vector<KeyChord> take_chords() { return std::exchange(chords_, {}); }
    std::vector<std::filesystem::path> take_dropped_files() { return std::exchange(files_, {}); }
    bool take_exposed() { return std::exchange(exposed_, false); } // the screen lost what the window showed

    struct Pressed { // a key with GLFW's key and modifier codes, or a character
        int key = 0, modifiers = 0;
        unsigned character = 0;
    };
    std::vector<Pressed> take_pressed() { return std::exchange(pressed_, {}); }

private:
    static void on_key(GLFWwindow* window, int key, int scancode, int action, int mods);
    static void on_character(GLFWwindow* window, unsigned int codepoint);
    static void on_refresh(GLFWwindow* window);
    static void on_drop(GLFWwindow* window, int count, const char** paths);

    std::vector<KeyChord> chords_;
    std::vector<Pressed> pressed_;
    std::vector<std::filesystem::path> files_;
    bool exposed_ = false;
    bool repeating_ = false; // GLFW sends a key before its character, and only the key event says that it repeats
};

} // namespace app

struct GLFWwindow;

namespace app {

// Handles keys that were pressed and released between two frames. ImGui 1.86 reads which keys are down and would miss
// them in its text fields. It also does not know the order of keys and characters between two frames.
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
