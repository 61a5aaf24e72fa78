// A recording with what follows from it and grows with it, derived where it is made or read, so that drawing never waits for it.
#pragma once

#include "app/tasks/context.h"

#include "viz/analysis/roofline.h"

#include <optional>

namespace app {

struct Recorded {
    RecordingPtr recording;
    viz::Traffic traffic;
    std::optional<viz::ReuseTile> tile;
};

Recorded derive(recording::Recording recording);

} // namespace app
