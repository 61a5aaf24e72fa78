#include "app/platform/keyboard.h"

#include <GLFW/glfw3.h>

#include <optional>
#include <utility>

namespace app {

namespace {

Keyboard& keyboard_of(GLFWwindow* window)
{
    return *static_cast<Keyboard*>(glfwGetWindowUserPointer(window));
}

std::optional<Key> named_key(int key)
{
    static constexpr std::pair<int, Key> names[] = {
        {GLFW_KEY_LEFT, Key::left},           {GLFW_KEY_RIGHT, Key::right},         {GLFW_KEY_UP, Key::up},
        {GLFW_KEY_DOWN, Key::down},           {GLFW_KEY_HOME, Key::home},           {GLFW_KEY_END, Key::end},
        {GLFW_KEY_PAGE_UP, Key::page_up},     {GLFW_KEY_PAGE_DOWN, Key::page_down}, {GLFW_KEY_TAB, Key::tab},
        {GLFW_KEY_ESCAPE, Key::escape},       {GLFW_KEY_ENTER, Key::enter},         {GLFW_KEY_KP_ENTER, Key::enter},
        {GLFW_KEY_BACKSPACE, Key::backspace}, {GLFW_KEY_DELETE, Key::remove}};
    if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12)
        return static_cast<Key>(static_cast<int>(Key::f1) + key - GLFW_KEY_F1);
    for (const auto& [code, name] : names)
        if (code == key)
            return name;
    return std::nullopt;
}

// Returns the meaning of Control+key or Alt+key in the user's keyboard layout. '+' may need Shift there, and the number
// pad has its own '+'.
char32_t character_of(int key, int scancode, bool shift)
{
    if (key == GLFW_KEY_KP_ADD)
        return U'+';
    if (key == GLFW_KEY_KP_SUBTRACT)
        return U'-';
    const char* name = glfwGetKeyName(key, scancode);
    if (name == nullptr || name[1] != '\0')
        return 0;
    const auto character = static_cast<char32_t>(static_cast<unsigned char>(*name));
    const bool letter = character >= U'a' && character <= U'z';
    return shift && letter ? character - U'a' + U'A' : character;
}

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

Keyboard::Keyboard(GLFWwindow* window)
{
    glfwSetWindowUserPointer(window, this);
    glfwSetKeyCallback(window, on_key);
    glfwSetCharCallback(window, on_character);
    glfwSetDropCallback(window, on_drop);
    glfwSetWindowRefreshCallback(window, on_refresh);
}

void Keyboard::on_key(GLFWwindow* window, int key, int scancode, int action, int mods)
{
    if (action == GLFW_RELEASE)
        return;
    Keyboard& keyboard = keyboard_of(window);
    if (action == GLFW_PRESS)
        keyboard.pressed_.push_back({key, mods, 0});
    keyboard.repeating_ = action == GLFW_REPEAT;
    KeyChord chord{.control = (mods & GLFW_MOD_CONTROL) != 0,
                   .shift = (mods & GLFW_MOD_SHIFT) != 0,
                   .alt = (mods & GLFW_MOD_ALT) != 0,
                   .repeated = keyboard.repeating_};
    if (const auto name = named_key(key))
        chord.key = *name;
    else if (chord.control || chord.alt)
        chord.character = character_of(key, scancode, chord.shift);
    if (chord.key != Key::character || chord.character != 0)
        keyboard.chords_.push_back(chord);
}

void Keyboard::on_character(GLFWwindow* window, unsigned int codepoint)
{
    Keyboard& keyboard = keyboard_of(window);
    keyboard.pressed_.push_back({0, 0, codepoint});
    keyboard.chords_.push_back({.character = codepoint, .repeated = keyboard.repeating_});
}

void Keyboard::on_refresh(GLFWwindow* window)
{
    keyboard_of(window).exposed_ = true;
}

void Keyboard::on_drop(GLFWwindow* window, int count, const char** paths)
{
    Keyboard& keyboard = keyboard_of(window);
    for (int i = 0; i < count; ++i)
        keyboard.files_.emplace_back(paths[i]);
}

} // namespace app

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <imgui.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace app {

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
                return; // the keys before it belong to this frame, so it waits for the next one
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
