// Chooses the worker that runs the kernels, and its GPU: this program or one of the workers in the settings.
#pragma once

#include "app/panels/state.h"

#include <optional>
#include <string>
#include <vector>

namespace app {

class Workers {
public:
    // Draws the button with the device's name and the list that it opens.
    void draw(const Snapshot& snapshot, Session& session, State& state, const std::string& device, ImVec2 below);

private:
    // A line of the list: a worker, or one of its GPUs.
    struct Entry {
        std::string name;
        WorkerAt at;
        std::optional<std::size_t> remembered; // index in the settings
    };
    static std::vector<Entry> entries(const Snapshot& snapshot, const Session& session, const State& state);
    static void add_gpus(const Entry& worker, const Snapshot& snapshot, const Session& session, std::vector<Entry>& to);
    static void draw_list(const Snapshot& snapshot, Session& session, State& state);
    void draw_form(Session& session, State& state);

    std::string name_, command_; // as typed
};

} // namespace app
