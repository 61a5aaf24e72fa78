// Versions of a person's files on disk, so that they can be gone back to on another day: a file for each source, in
// ".versions" of the folder of a person's own files.
#pragma once

#include "app/session/file_history.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace app {

// Where those of this source are kept. By its whole path: two files of one name are two.
std::filesystem::path kept_versions_file(const std::filesystem::path& folder, const std::filesystem::path& source);

// Of one source; without recordings.
std::string kept_versions_text(std::span<const FileVersionPtr> versions);

// All that are there, each source's oldest first. What is damaged is left out. Never throws.
std::vector<FileVersionPtr> read_kept_versions(const std::filesystem::path& folder);

} // namespace app
