// `gemmscope warps`: when the warps of one SM run and when they wait.
#pragma once

namespace CLI { // NOLINT(readability-identifier-naming): the library's
class App;
}

namespace app {

void add_warps_command(CLI::App& program, int& status);

} // namespace app
