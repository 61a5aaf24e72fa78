// Stores the versions of user files on disk, so that they can be restored in a later session. Each source has one file
// in ".versions" inside the folder of the user's files.
#pragma once

#include "app/session/file_history.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace app {

// Returns the file that stores the versions of `source`. Depends on its whole path, because two files may have the same
// name.
std::filesystem::path kept_versions_file(const std::filesystem::path& folder, const std::filesystem::path& source);

// Serializes the versions of one source, without recordings.
std::string kept_versions_text(std::span<const FileVersionPtr> versions);

// Returns all stored versions, each source's oldest first. Skips damaged ones. Never throws.
std::vector<FileVersionPtr> read_kept_versions(const std::filesystem::path& folder);

} // namespace app
