// `gemmscope sources`: what published ladders claim, beside what a GPU gave here.
#pragma once

namespace CLI { // NOLINT(readability-identifier-naming): the library's
class App;
}

namespace app {

void add_sources_command(CLI::App& program, int& status);

} // namespace app
