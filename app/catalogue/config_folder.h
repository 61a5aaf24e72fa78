// Where gemmscope keeps what it remembers from run to run.
#pragma once

#include <filesystem>
#include <string_view>

namespace app {

// $XDG_CONFIG_HOME/gemmscope, or ~/.config/gemmscope; empty when neither is set. It need not exist.
std::filesystem::path config_folder();

// $XDG_DATA_HOME/gemmscope, or ~/.local/share/gemmscope: what a person made and may want to keep; empty and not there as above.
std::filesystem::path data_folder();

// In it, a person's own stages and other CUDA files; GEMMSCOPE_STAGES names another folder.
std::filesystem::path own_stages_folder();

// In it, what saved states and such bring along: files that other people made. A state unpacks here and nowhere else.
std::filesystem::path unpacked_folder();
bool is_unpacked(const std::filesystem::path& file);

// Writes a file there, or anywhere, as a whole; makes its folder first. Throws kernels::Error.
void write_kept(const std::filesystem::path& file, std::string_view text);

} // namespace app
