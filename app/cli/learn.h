// Commands for learning: questions, and the list of lessons.
#pragma once

namespace CLI { // NOLINT(readability-identifier-naming): the library's
class App;
}

namespace app {

// quiz and lessons; `status` gets the exit status of the one that runs.
void add_learning_commands(CLI::App& program, int& status);

} // namespace app
