// The files of a person's own that a CUDA file is made of: itself, and what it includes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace traced {

struct OwnFile {
    std::string name; // as the #include has it: "common/check.h"
    std::filesystem::path path;
    std::string text;
};

// What follows #include, in order, also where a condition leaves it out.
std::vector<std::string> includes_in(std::string_view text);

// `root` first, then each file once that it or one of those includes, and that lies beside the file that includes it, beside
// `root`, or in one of the folders. Others are the compiler's: of the toolkit, of the system, or missing. Of a library with more
// than a few hundred files the rest is left out.
std::vector<OwnFile> own_files(const std::filesystem::path& root, const std::string& text,
                               const std::vector<std::string>& folders);

} // namespace traced
