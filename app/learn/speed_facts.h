// Figures as measured, and of the GPU.
#pragma once

#include "app/learn/shown_facts.h"

namespace app {

Facts speed_facts();

} // namespace app
