#include "app/session/local_worker.h"

#include "app/session/shared_backend.h"

#include <sys/resource.h>
#include <unistd.h>

#include <utility>

namespace app {

namespace {

// Of its turns at the device; none for a lane that does not use it.
std::optional<Priority> priority_of(Lane lane)
{
    switch (lane) {
    case Lane::files:
    case Lane::code: break;
    case Lane::ladder: return Priority::ladder;
    case Lane::search: return Priority::search;
    case Lane::counters: return Priority::counters;
    case Lane::recording: return Priority::recording;
    }
    return std::nullopt;
}

// Without a GPU the ladder is checked on the cores that draw the window: of two cores it took one, and frames came late. It
// takes what is left over instead.
void step_aside()
{
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 10); // this thread's; where it is refused, frames come late
}

} // namespace

LocalWorker::LocalWorker(const std::vector<kernels::Stage>& ladder, BackendFactories factories,
                         std::optional<std::string> wanted, std::function<void()> found)
    : ladder_(ladder), machine_([factories = std::move(factories), wanted = std::move(wanted)](
                                    const std::stop_token&) { return open_machine(factories, wanted); },
                                std::move(found))
{
}

const MachineFacts* LocalWorker::machine() const
{
    return machine_.get();
}

Result LocalWorker::run(const Task& task, Lane lane, std::stop_token stop,
                        const std::function<void(const Progress&)>& progress)
{
    if (lane == Lane::files)
        return app::run(task, {ladder_, Machine(), std::move(stop), progress});
    Machine machine = machine_.wait();
    const std::shared_ptr<kernels::Backend> backend = std::exchange(machine.backend, nullptr);
    const std::optional<Priority> priority = priority_of(lane);
    if (!priority || backend == nullptr)
        return app::run(task, {ladder_, machine, std::move(stop), progress});
    if (lane == Lane::ladder && !machine.gpu())
        step_aside();
    machine.backend = shared_backend(*backend, turns_, *priority);
    // Between two calls of a search no task of an earlier priority may enter: its work would be lost at the next call.
    std::optional<Turns::Claim> claim;
    if (lane == Lane::search || lane == Lane::recording)
        claim.emplace(turns_, *priority);
    return app::run(task, {ladder_, machine, std::move(stop), progress});
}

} // namespace app
