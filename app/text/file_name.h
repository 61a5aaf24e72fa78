// Makes file names from names of other things.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace app {

// Returns FOLDER/NAME.EXTENSION, with a number added if that file exists. The name may come from a file and contain
// anything. Every character that is no letter, digit, '-' or '_' becomes '_', and the name is cut after 100 characters.
std::filesystem::path free_path(const std::filesystem::path& folder, std::string_view name, std::string_view extension);

// Returns "Saved FILE."
std::string saved_notice(const std::filesystem::path& file);

} // namespace app
