// The one table of keys: it drives the handler and the help page.
#pragma once

#include "app/state/stroke.h"

namespace app {

class Shell;

Commands make_commands(Shell& shell);

} // namespace app
