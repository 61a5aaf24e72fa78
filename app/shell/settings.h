// What the window remembers between runs.
#pragma once

#include <filesystem>

namespace app {

// Lengths in pixels at scale 1.
struct Settings {
    bool light = false;
    float scale = 1;        // the user's, on top of the monitor's: 0.5 ... 3
    float ladder_width = 0; // 150 ... 420; 0: a share of the window's width
    float source_width = 0; // 220 ... 900; likewise
    bool ladder_open = true, source_open = true;
    friend bool operator==(const Settings&, const Settings&) = default;
};

// $XDG_CONFIG_HOME/gemmscope/settings.json, or ~/.config/gemmscope/settings.json; empty when neither is set.
std::filesystem::path settings_path();

// A missing or broken file, and a value out of its range, give the defaults.
Settings load_settings(const std::filesystem::path& path);

// Replaces the file as a whole. Failing to remember a panel's width is not worth a message: false, and nothing else.
bool save_settings(const Settings& settings, const std::filesystem::path& path) noexcept;

} // namespace app
