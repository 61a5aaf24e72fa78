// Runs tasks in this process on the machine it finds. The calls into its backend take turns according to the tasks'
// lanes.
#pragma once

#include "app/engine/background.h"
#include "app/engine/device_scheduler.h"
#include "app/engine/signs_of_life.h"
#include "app/engine/worker.h"

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <vector>

namespace app {

class LocalWorker final : public Worker {
public:
    // Calls `found` on another thread when machine() is ready. `now` is the clock of quiet(); several threads call it.
    LocalWorker(const std::vector<kernels::Stage>& ladder, BackendFactories factories, WantedDevice wanted,
                std::function<void()> found, SteadyNow now = std::chrono::steady_clock::now);

    MachinePtr machine() const override;

    // Tasks that use the device wait for the machine.
    Result run(const Task& task, Lane lane, std::stop_token stop,
               const std::function<void(const Progress&)>& progress) override;

    // Returns the time since the last sign of life of the lane's task. Signs of life are reported progress, the begin
    // and end of a backend call, and signs from a backend that compiles. Returns nothing if no task runs or the task
    // waits for its turn on the device.
    std::optional<std::chrono::milliseconds> quiet(Lane lane) const;

    // Returns true after a fault of the device. Only another process can use the device again.
    bool lost() const { return lost_; }

private:
    class Life;

    const std::vector<kernels::Stage>& ladder_;
    SteadyNow now_;
    DeviceScheduler turns_;
    // Last sign of life on the steady clock. 0: nothing runs or it waits, see quiet().
    std::array<std::atomic<int64_t>, lane_count> alive_{};
    std::atomic<bool> lost_ = false;
    Background<std::shared_ptr<const Machine>> machine_; // last, because its thread uses the other members
};

} // namespace app
