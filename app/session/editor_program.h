// A person's own editor, opened on a line of a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace app {

// The shell's command: of $VISUAL, else `code`, else what the desktop opens files with. Empty: there is none of them.
// `has`: whether there is such a program.
std::string editor_command(const std::string& visual, const std::function<bool(const std::string&)>& has,
                           const std::filesystem::path& file, uint32_t line);

// Starts it and does not wait. False where there is none.
bool open_in_editor(const std::filesystem::path& file, uint32_t line);

} // namespace app
