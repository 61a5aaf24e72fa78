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

} // namespace

Keyboard::Keyboard(GLFWwindow* window)
{
    glfwSetWindowUserPointer(window, this);
    glfwSetKeyCallback(window, on_key);
    glfwSetCharCallback(window, on_character);
    glfwSetDropCallback(window, on_drop);
}

std::vector<KeyChord> Keyboard::take_chords()
{
    return std::exchange(chords_, {});
}

std::vector<std::filesystem::path> Keyboard::take_dropped_files()
{
    return std::exchange(files_, {});
}

std::vector<Keyboard::Pressed> Keyboard::take_pressed()
{
    return std::exchange(pressed_, {});
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

void Keyboard::on_drop(GLFWwindow* window, int count, const char** paths)
{
    Keyboard& keyboard = keyboard_of(window);
    for (int i = 0; i < count; ++i)
        keyboard.files_.emplace_back(paths[i]);
}

} // namespace app
