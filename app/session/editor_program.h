// Opens a line of a file in the user's editor.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace app {

// Returns the shell command of the editor: $VISUAL, otherwise `code`, otherwise the desktop's default program. Returns
// an empty string if none exists. `has` tells whether a program exists.
std::string editor_command(const std::string& visual, const std::function<bool(const std::string&)>& has,
                           const std::filesystem::path& file, uint32_t line);

// Starts the editor without waiting for it. Returns false if there is none.
bool open_in_editor(const std::filesystem::path& file, uint32_t line);

} // namespace app
