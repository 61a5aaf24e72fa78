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

// What stands in quotes or angle brackets in a directive of any kind, and each of its words: a compiler may come to open a file of
// that name, by __has_include("NAME") or by a macro that stands for it or quotes it. Not what a macro pastes together.
std::vector<std::string> names_in_directives(std::string_view text);

// Whether a compiler may be left to read it: it is a regular file, none that has no end or that makes its reader wait, and no
// larger than a source.
bool is_source(const std::filesystem::path& file);
bool is_no_source(const std::filesystem::path& file); // it is there, and is neither that nor a folder

// `root` first, then each file once that it or one of those includes, and that lies beside the file that includes it, beside
// `root`, or in one of the folders. Others are the compiler's: of the toolkit, of the system, or missing. Of a library with more
// than a few hundred files the rest is left out.
std::vector<OwnFile> own_files(const std::filesystem::path& root, const std::string& text,
                               const std::vector<std::string>& folders);

} // namespace traced
