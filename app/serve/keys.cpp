#include "app/serve/keys.h"

#include <array>
#include <utility>

namespace app {

namespace {

struct NamedKey {
    std::string_view name;
    ImGuiKey imgui; // ImGuiKey_COUNT: ImGui does not use the key
    std::optional<Key> key;
};

constexpr std::array<NamedKey, 22> named_keys{{
    {"ArrowLeft", ImGuiKey_LeftArrow, Key::left},
    {"ArrowRight", ImGuiKey_RightArrow, Key::right},
    {"ArrowUp", ImGuiKey_UpArrow, Key::up},
    {"ArrowDown", ImGuiKey_DownArrow, Key::down},
    {"Home", ImGuiKey_Home, Key::home},
    {"End", ImGuiKey_End, Key::end},
    {"PageUp", ImGuiKey_PageUp, Key::page_up},
    {"PageDown", ImGuiKey_PageDown, Key::page_down},
    {"Tab", ImGuiKey_Tab, Key::tab},
    {"Escape", ImGuiKey_Escape, Key::escape},
    {"Enter", ImGuiKey_Enter, Key::enter},
    {"Backspace", ImGuiKey_Backspace, Key::backspace},
    {"Delete", ImGuiKey_Delete, Key::remove},
    {" ", ImGuiKey_Space, std::nullopt},
    {"Insert", ImGuiKey_Insert, std::nullopt},
    {"a", ImGuiKey_A, std::nullopt},
    {"c", ImGuiKey_C, std::nullopt},
    {"v", ImGuiKey_V, std::nullopt},
    {"x", ImGuiKey_X, std::nullopt},
    {"y", ImGuiKey_Y, std::nullopt},
    {"z", ImGuiKey_Z, std::nullopt},
    {"F1", ImGuiKey_COUNT, Key::f1},
}};

constexpr int first_number = 300; // index in KeysDown; other backends use lower indices

const NamedKey* find_key(std::string_view name)
{
    for (const NamedKey& one : named_keys)
        if (one.name == name)
            return &one;
    return nullptr;
}

// Returns the character of a UTF-8 text that consists of one character. Returns 0 for any other text.
char32_t only_character(std::string_view text)
{
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const std::size_t length = text.empty() ? 0 : byte(0) < 0x80 ? 1 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
    if (length == 0 || text.size() != length)
        return 0;
    char32_t character = length == 1 ? byte(0) : byte(0) & (0x7fu >> length);
    for (std::size_t i = 1; i < length; ++i)
        character = character << 6 | (byte(i) & 0x3fu);
    return character >= 0x20 ? character : 0;
}

} // namespace

void map_keys(ImGuiIO& io)
{
    for (std::size_t i = 0; i < named_keys.size(); ++i)
        if (named_keys[i].imgui != ImGuiKey_COUNT)
            io.KeyMap[named_keys[i].imgui] = first_number + static_cast<int>(i);
}

void set_modifiers(ImGuiIO& io, const Modifiers& modifiers)
{
    io.KeyCtrl = modifiers.control;
    io.KeyShift = modifiers.shift;
    io.KeyAlt = modifiers.alt;
}

int key_number(std::string_view key)
{
    const NamedKey* const found = find_key(key);
    return found == nullptr || found->imgui == ImGuiKey_COUNT
               ? -1
               : first_number + static_cast<int>(found - named_keys.data());
}

int button_number(int button)
{
    return -2 - button;
}

std::optional<KeyChord> chord_of(const KeyStroke& stroke)
{
    const Modifiers& modifiers = stroke.modifiers;
    KeyChord chord{
        .control = modifiers.control, .shift = modifiers.shift, .alt = modifiers.alt, .repeated = stroke.repeated};
    const NamedKey* const named = find_key(stroke.key);
    if (named != nullptr && named->key)
        chord.key = *named->key;
    else if (stroke.key.size() >= 2 && stroke.key.size() <= 3 && stroke.key[0] == 'F' && stroke.key[1] >= '1' &&
             stroke.key[1] <= '9') // F2 to F12
        chord.key = static_cast<Key>(static_cast<int>(Key::f1) + std::min(std::stoi(stroke.key.substr(1)), 12) - 1);
    else
        chord.character = only_character(stroke.key);
    if (chord.key == Key::character && chord.character == 0)
        return std::nullopt;
    if (chord.key == Key::character && !modifiers.control && !modifiers.alt)
        chord.shift = false;
    return chord;
}

char32_t character_of(const KeyStroke& stroke)
{
    return stroke.modifiers.control || stroke.modifiers.alt ? 0 : only_character(stroke.key);
}

} // namespace app
