// The one table of keys: it drives the handler and the help page.
#pragma once

#include "app/state/stroke.h"

namespace app {

class Shell;

Commands make_commands(Shell& shell);

// The first page covers all that the others would change.
bool acts_over_first_page(const Command& command);

} // namespace app
