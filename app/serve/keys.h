// Converts the keys of a page, as KeyboardEvent.key names them, to keys of ImGui and of the commands.
#pragma once

#include "app/serve/protocol.h"
#include "app/workspace/commands.h"

#include <imgui.h>

#include <optional>
#include <string_view>

namespace app {

// Sets the indices at which ImGui finds its keys in ImGuiIO::KeysDown.
void map_keys(ImGuiIO& io);
void set_modifiers(ImGuiIO& io, const Modifiers& modifiers);

int key_number(std::string_view key); // index in ImGuiIO::KeysDown; -1: ImGui does not use the key
int button_number(int button);        // number of a mouse button; differs from all key numbers

std::optional<KeyChord> chord_of(const KeyStroke& stroke); // empty: the key does nothing by itself, such as Shift
char32_t character_of(const KeyStroke& stroke);            // character that the key types; 0: none

} // namespace app
