// Converts GLFW's callbacks to key chords and dropped files. Queues them until the next frame.
#pragma once

#include "app/state/commands.h"

#include <filesystem>
#include <vector>

struct GLFWwindow;

namespace app {

// Must be created before Dear ImGui installs its callbacks, which then call these. Must live as long as the window.
class Keyboard {
public:
    explicit Keyboard(GLFWwindow* window);
    Keyboard(const Keyboard&) = delete;
    Keyboard& operator=(const Keyboard&) = delete;

    std::vector<KeyChord> take_chords();
    std::vector<std::filesystem::path> take_dropped_files();

    struct Pressed { // a key with GLFW's key and modifier codes, or a character
        int key = 0, modifiers = 0;
        unsigned character = 0;
    };
    std::vector<Pressed> take_pressed();

private:
    static void on_key(GLFWwindow* window, int key, int scancode, int action, int mods);
    static void on_character(GLFWwindow* window, unsigned int codepoint);
    static void on_drop(GLFWwindow* window, int count, const char** paths);

    std::vector<KeyChord> chords_;
    std::vector<Pressed> pressed_;
    std::vector<std::filesystem::path> files_;
    bool repeating_ = false; // GLFW sends a key before its character, and only the key event says that it repeats
};

} // namespace app
