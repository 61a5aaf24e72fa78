// From the keys of a page, as KeyboardEvent.key names them, to those of ImGui and of the commands.
#pragma once

#include "app/serve/protocol.h"
#include "app/workspace/commands.h"

#include <imgui.h>

#include <optional>
#include <string_view>

namespace app {

// Tells ImGui by which numbers it finds its keys in ImGuiIO::KeysDown.
void map_keys(ImGuiIO& io);
void set_modifiers(ImGuiIO& io, const Modifiers& modifiers);

int key_number(std::string_view key); // in ImGuiIO::KeysDown; -1: ImGui has no use for it
int button_number(int button);        // of the mouse, beside those

std::optional<KeyChord> chord_of(const KeyStroke& stroke); // none: it is no key by itself, such as Shift
char32_t character_of(const KeyStroke& stroke);            // that it types; 0: none

} // namespace app
