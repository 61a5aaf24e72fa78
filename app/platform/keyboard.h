// From GLFW's callbacks to chords and dropped files, queued until the frame takes them.
#pragma once

#include "app/state/commands.h"

#include <filesystem>
#include <vector>

struct GLFWwindow;

namespace app {

// Must be made before Dear ImGui installs its own callbacks, which then call these. Lives as long as the window.
class Keyboard {
public:
    explicit Keyboard(GLFWwindow* window);
    Keyboard(const Keyboard&) = delete;
    Keyboard& operator=(const Keyboard&) = delete;

    std::vector<KeyChord> take_chords();
    std::vector<std::filesystem::path> take_dropped_files();

    struct Pressed { // a key, as GLFW numbers them and names modifiers, or a character
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
    bool repeating_ = false; // GLFW sends a key before its character, and only the key says that it repeats
};

} // namespace app
