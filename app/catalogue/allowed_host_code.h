// Which host code a person has allowed to run: a file of content hashes, so that a text that was changed is asked about again.
//
// Host code of a file is native code, which runs with all rights of the user; see docs/any-kernel.md. The session and the command
// line ask here before they hand over a task that runs it.
#pragma once

#include <filesystem>
#include <string_view>

namespace app {

// "allowed" in data_folder(); empty where there is none.
std::filesystem::path allowed_host_code_file();

// Whether this text was allowed. A file that another user owns or can write says nothing.
bool may_run_host_code(std::string_view text, const std::filesystem::path& file = allowed_host_code_file());

// From now on, also in other windows and at other starts. Throws kernels::Error where that cannot be kept.
void allow_host_code(std::string_view text, const std::filesystem::path& file = allowed_host_code_file());

} // namespace app
