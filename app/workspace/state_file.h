// Saves what the window shows in a .gstate file that restores it. The file holds a patch as text and the packed files
// that the patch shows.
#pragma once

#include "app/workspace/patch.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace app {

struct SavedState {
    Patch patch;
    std::optional<std::string> packed, packed_second; // content of the patch's files
    friend bool operator==(const SavedState&, const SavedState&) = default;
};

inline constexpr std::size_t largest_packed = std::size_t{4} << 20;

// Returns the command that opens the window with this state. Omits a file that exists only in packed form.
std::string command_of(const SavedState& state);

std::string name_of(const SavedState& state); // name for its file: "vectorized_swizzled_banks"

// Converts to and from JSON with a checksum. from_text() throws kernels::Error whose text continues a file name, for
// example "it was written by a newer gemmscope".
std::string to_text(const SavedState& state);
SavedState from_text(std::string_view text);

// Writes the state completely or not at all. Packs its files if they are small enough; `packs` is false for a state
// that stays on this machine. Throws kernels::Error.
void write_state(SavedState state, const std::filesystem::path& path, bool packs = true);

// Decides whether a file may be looked at. One that may not counts as not there.
using MayLook = std::function<bool(const std::filesystem::path&)>;

// Reads a state. Its files keep their paths. A file that changed or is gone is unpacked into `folder`. Without
// `may_look` all files may be looked at. Throws kernels::Error with a sentence that says what to do.
SavedState read_state(const std::filesystem::path& path, const std::filesystem::path& folder,
                      const MayLook& may_look = {});

bool is_state_file(const std::filesystem::path& path); // decides by the file name

} // namespace app
