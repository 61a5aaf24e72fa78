// The user's files that make up a CUDA file: the file itself and its includes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace traced {

struct OwnFile {
    std::string name; // as written in the #include: "common/check.h"
    std::filesystem::path path;
    std::string text;
};

// Returns the names after #include, in order, including those that a condition excludes.
std::vector<std::string> includes_in(std::string_view text);

// Returns the quoted and bracketed texts of all directives, and each of their words. The compiler may open a file with
// any of these names, through __has_include("NAME"), or through a macro that expands to the name or quotes it. Does not
// find names that a macro pastes together.
std::vector<std::string> names_in_directives(std::string_view text);

// Returns whether a compiler may read the file. It must be a regular file, no larger than a source may be. Other files
// may be endless or may block their reader.
bool is_source(const std::filesystem::path& file);
bool is_no_source(const std::filesystem::path& file); // the path exists, and is neither a source nor a folder

// Returns `root`, and then each file once that it includes directly or indirectly. Looks for a file next to the
// including file, next to `root`, and in the folders. The compiler itself looks for all others: files of the toolkit
// and of the system, and missing ones. Libraries with more than a few hundred files are not returned completely.
std::vector<OwnFile> own_files(const std::filesystem::path& root, const std::string& text,
                               const std::vector<std::string>& folders);

} // namespace traced
