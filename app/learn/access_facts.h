// Figures of the step.
#pragma once

#include "app/learn/shown_facts.h"

namespace app {

Facts access_facts();

} // namespace app
