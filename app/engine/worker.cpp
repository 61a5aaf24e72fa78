#include "app/engine/worker.h"

#include "app/engine/local_worker.h"
#include "app/engine/process_worker.h"

#include <fmt/format.h>

#include <utility>

namespace app {

std::unique_ptr<Worker> make_worker(const std::vector<kernels::Stage>& ladder, const WorkerChoice& choice,
                                    const std::optional<std::string>& backend, std::function<void()> wake)
{
    if (choice.make)
        return choice.make(std::move(wake));
    if (choice.in_process)
        return std::make_unique<LocalWorker>(ladder, choice.factories, WantedDevice{backend, choice.gpu},
                                             std::move(wake));
    ProcessOptions options{.command = choice.program, .wanted = {backend, choice.gpu}, .now = choice.now};
    if (choice.time_limit)
        options.patience = options.user_patience =
            std::chrono::milliseconds(static_cast<int64_t>(*choice.time_limit * 1000));
    if (choice.command.empty()) {
        options.greet_patience = std::chrono::seconds(30);
    } else {
        options.command = {"/bin/sh", "-c", choice.command};
        options.name = fmt::format("The worker '{}'", choice.command);
    }
    return std::make_unique<ProcessWorker>(ladder, std::move(options), std::move(wake));
}

} // namespace app
