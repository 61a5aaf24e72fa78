#include "app/engine/local_worker.h"

#include "app/engine/device_scheduler.h"

#include <sys/resource.h>
#include <unistd.h>

#include <utility>

namespace app {

namespace {

using Clock = std::chrono::steady_clock;

// Lowers the thread's priority. Without a GPU the stages run on the cores that draw the window. On a machine with two
// cores they occupied one of them, and frames were late. With low priority they use only the time that is left.
void step_aside()
{
    // Applies to this thread only. If the system refuses, frames are late.
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 10);
}

} // namespace

// Tracks the signs of life of one task while it runs.
class LocalWorker::Life {
public:
    Life(std::atomic<int64_t>& alive, const SteadyNow& now) : alive_(alive), now_(now) { sign(); }
    Life(const Life&) = delete;
    Life& operator=(const Life&) = delete;
    ~Life() { pause(); }
    void sign() { alive_ = now_().time_since_epoch().count(); }
    void pause() { alive_ = 0; }

private:
    std::atomic<int64_t>& alive_;
    const SteadyNow& now_;
};

LocalWorker::LocalWorker(const std::vector<kernels::Stage>& ladder, BackendFactories factories, WantedDevice wanted,
                         std::function<void()> found, SteadyNow now)
    : ladder_(ladder), now_(std::move(now)),
      machine_([factories = std::move(factories), wanted = std::move(wanted)](
                   const std::stop_token&) { return std::make_shared<const Machine>(open_machine(factories, wanted)); },
               std::move(found))
{
}

MachinePtr LocalWorker::machine() const
{
    const std::shared_ptr<const Machine>* found = machine_.get();
    return found == nullptr ? nullptr : *found;
}

std::optional<std::chrono::milliseconds> LocalWorker::quiet(Lane lane) const
{
    const int64_t alive = alive_[static_cast<std::size_t>(lane)];
    if (alive == 0)
        return std::nullopt;
    return std::chrono::duration_cast<std::chrono::milliseconds>(now_().time_since_epoch() - Clock::duration(alive));
}

Result LocalWorker::run(const Task& task, Lane lane, std::stop_token stop,
                        const std::function<void(const Progress&)>& progress)
{
    Life life(alive_[static_cast<std::size_t>(lane)], now_);
    const auto told = [&](const Progress& now) {
        life.sign();
        progress(now);
    };
    if (lane == Lane::files)
        return app::run(task, {ladder_, Machine(), std::move(stop), told});
    life.pause();
    Machine machine = *machine_.wait();
    life.sign();
    const std::shared_ptr<kernels::Backend> backend = std::exchange(machine.backend, nullptr);
    if (!uses_device(lane) || backend == nullptr)
        return app::run(task, {ladder_, machine, std::move(stop), told});
    if (lane == Lane::ladder && !machine.gpu())
        step_aside();
    machine.backend = shared_backend(*backend, turns_, lane, [&](TurnState state) {
        state == TurnState::waiting ? life.pause() : life.sign();
        if (state == TurnState::returned && backend->lost())
            lost_ = true;
    });
    // Keeps tasks of earlier lanes out between two calls of this one, because the next call would discard their work.
    std::optional<DeviceScheduler::Claim> claim;
    if (lane == Lane::search || lane == Lane::recording)
        claim.emplace(turns_, lane);
    return app::run(task, {ladder_, machine, std::move(stop), told});
}

} // namespace app
