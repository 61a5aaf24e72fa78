// What the window stores between runs: its settings, and saved states, which are files of their own.
#pragma once

#include "app/workspace/commands.h"
#include "app/workspace/patch.h"

#include "base/fields.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

// Saves what the window shows in a .gstate file that restores it. The file holds a patch as text and the packed files
// that the patch shows.

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

// Returns whether a file may be read. A file that may not be read counts as missing.
using MayLook = std::function<bool(const std::filesystem::path&)>;

// Reads a state. Its files keep their paths. A file that changed or is gone is unpacked into `folder`. Without
// `may_look` all files may be read. Throws kernels::Error with a sentence that says what to do.
SavedState read_state(const std::filesystem::path& path, const std::filesystem::path& folder,
                      const MayLook& may_look = {});

bool is_state_file(const std::filesystem::path& path); // decides by the file name

// Settings that the window stores between runs.

// A worker other than this program that the user can choose in the window: see WorkerChoice.
struct NamedWorker {
    std::string name, command;
    friend bool operator==(const NamedWorker&, const NamedWorker&) = default;
};
void fields(auto& visit, kernels::Like<NamedWorker> auto& worker)
{
    visit("name", worker.name, kernels::between(1u, 40u));
    visit("command", worker.command, kernels::between(1u, 400u));
}
inline constexpr std::size_t most_workers = 20;
inline constexpr std::size_t most_recent = 10;

// Lengths are in pixels at scale 1.
struct Settings {
    bool light = false;
    float scale = 1;                  // the user's factor on top of the monitor's scale: 0.5 ... 3
    Panels panels;                    // last state: which panels are open, and their widths
    bool welcomed = false;            // the first page was shown
    bool motion = true;               // animate words; otherwise draw them at their destination
    std::vector<NamedWorker> workers; // at most `most_workers`
    std::vector<std::string> recent;  // opened files, latest first, at most `most_recent`
    friend bool operator==(const Settings&, const Settings&) = default;
};
void fields(auto& visit, kernels::Like<Settings> auto& settings)
{
    visit("light", settings.light);
    visit("scale", settings.scale, kernels::between(0.5f, 3));
    visit("ladder_width", settings.panels.ladder_width, kernels::between(150, 420));
    visit("source_width", settings.panels.source_width, kernels::between(220, 900));
    visit("ladder_open", settings.panels.ladder);
    visit("source_open", settings.panels.source);
    visit("welcomed", settings.welcomed);
    visit("card_open", settings.panels.card);
    visit("motion", settings.motion);
    visit("workers", settings.workers);
    visit("recent", settings.recent);
}

void remember(Settings& settings, const std::filesystem::path& opened); // adds it as the latest recent file

std::filesystem::path settings_path(); // settings.json in config_folder(); empty if there is no such folder

// Loads the settings. Uses the defaults for a missing or damaged file and for values out of range.
Settings load_settings(const std::filesystem::path& path);

// Replaces the file as a whole. Returns a sentence that says why it failed. Returns an empty string on success and for
// an empty path.
std::string save_settings(const Settings& settings, const std::filesystem::path& path) noexcept;

} // namespace app
