// What the window remembers between runs.
#pragma once

#include "app/state/commands.h"
#include "app/workspace/patch.h"

#include "base/fields.h"

#include <filesystem>
#include <string>
#include <vector>

namespace app {

// Another worker than this program, to be chosen in the window: see WorkerChoice.
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

// Lengths in pixels at scale 1.
struct Settings {
    bool light = false;
    float scale = 1;                  // the user's, on top of the monitor's: 0.5 ... 3
    Panels panels;                    // as they were last: which are open, and how wide
    bool welcomed = false;            // the first page has been seen
    bool motion = true;               // words fly; else they are drawn where they arrive
    std::vector<NamedWorker> workers; // `most_workers` at most
    std::vector<std::string> recent;  // files that were opened, the latest first; `most_recent` at most
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

void remember(Settings& settings, const std::filesystem::path& opened); // as the latest of the recent files

std::filesystem::path settings_path(); // settings.json in config_folder(); empty when there is none

// A missing or broken file, and a value out of its range, give the defaults.
Settings load_settings(const std::filesystem::path& path);

// Replaces the file as a whole. Gives a sentence that says why it could not; empty: it did, or there is nowhere to.
std::string save_settings(const Settings& settings, const std::filesystem::path& path) noexcept;

} // namespace app
