// Figures of the stage, as it was recorded.
#pragma once

#include "app/learn/shown_facts.h"

namespace app {

Facts launch_facts();

} // namespace app
