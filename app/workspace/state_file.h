// What the window shows, in a file that opens it again: a .gstate. A patch as text, with the files that it shows packed in.
#pragma once

#include "app/workspace/patch.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace app {

struct SavedState {
    Patch patch;
    std::optional<std::string> packed, packed_second; // the bytes of the patch's files
    friend bool operator==(const SavedState&, const SavedState&) = default;
};

inline constexpr std::size_t largest_packed = std::size_t{4} << 20;

// The command that opens the window there; without a file that lies nowhere.
std::string command_of(const SavedState& state);

std::string name_of(const SavedState& state); // for its file: "vectorized_swizzled_banks"

// JSON, with a checksum. from_text() throws kernels::Error in words that go behind a file's name: "it was written by a newer gemmscope".
std::string to_text(const SavedState& state);
SavedState from_text(std::string_view text);

// With its files packed in where they are small enough, unless it stays on this machine. Writes the whole or nothing; throws
// kernels::Error.
void write_state(SavedState state, const std::filesystem::path& path, bool packs = true);

// Its files are where they were, or, where one is another by now or gone, unpacked into `folder`. Throws kernels::Error, a
// sentence that says what to do.
SavedState read_state(const std::filesystem::path& path, const std::filesystem::path& folder);

bool is_state_file(const std::filesystem::path& path); // by its name

} // namespace app
