#include "app/platform/settle.h"

#include "viz/text/templates.h"

#include "error.h"

#include <chrono>
#include <string>
#include <thread>

namespace app {

void settle(Shell& shell)
{
    using Clock = std::chrono::steady_clock;
    const auto patience = Clock::now() + std::chrono::seconds(20);
    SnapshotPtr now;
    do {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        shell.session().poll();
        now = shell.snapshot();
    } while (!now->settled() || (!now->measured() && Clock::now() < patience));
    for (const viz::StageColumn& column : now->columns)
        if (column.recording == nullptr)
            throw kernels::Error(viz::plain(column.status));
}

void set_step(Shell& shell, std::size_t step)
{
    shell.set_step(step);
    const std::size_t steps = shell.state().tracks.front().steps();
    if (step >= steps)
        throw kernels::Error("Step " + std::to_string(step) + " does not exist: the chosen warp has " +
                             std::to_string(steps) + " steps, counted from 0.");
}

} // namespace app
