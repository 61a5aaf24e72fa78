// What Ctrl+P finds.
#pragma once

#include "app/state/palette.h"

#include <vector>

namespace app {

class Shell;

// Of the moment: the parameters are those of the stages shown.
std::vector<Entry> palette_entries(Shell& shell);

} // namespace app
