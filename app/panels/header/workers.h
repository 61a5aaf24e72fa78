// Which worker runs the kernels: this program, or one of those that the settings remember.
#pragma once

#include "app/state/state.h"

#include <string>

namespace app {

class Workers {
public:
    // The button with the device's name, and the list that it opens.
    void draw(const Snapshot& snapshot, Session& session, State& state, const std::string& device, ImVec2 below);

private:
    void draw_list(Session& session, State& state);
    void draw_form(Session& session, State& state);

    char name_[41] = "", command_[401] = ""; // as typed
};

} // namespace app
