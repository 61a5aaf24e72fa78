// Names of files that are made of names of other things.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace app {

// FOLDER/NAME.EXTENSION, with a number where that is taken. The name may come from a file and be anything: what is no letter,
// digit, '-' or '_' becomes '_', and what is longer than 100 characters is cut.
std::filesystem::path free_path(const std::filesystem::path& folder, std::string_view name, std::string_view extension);

// "Saved FILE."
std::string saved_notice(const std::filesystem::path& file);

} // namespace app
