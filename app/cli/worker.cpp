#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/worker/serve.h"

#include <CLI/CLI.hpp>

#include <string>
#include <utility>

namespace app {

void add_worker_command(CLI::App& program, int& status)
{
    const auto run = [](const std::string& gpu) {
        Streams streams = take_standard_streams();
        serve(kernels::make_ladder(), {}, std::move(streams), gpu);
        return 0;
    };
    const auto [worker, gpu] = add_command<std::string>(
        program, status, "worker", "run tasks for another gemmscope over standard input and output: see --worker", run);
    add_gpu(*worker, *gpu);
}

} // namespace app
