// Runs tasks in this process, on the machine that it finds; the calls into its backend take turns by the tasks' lanes.
#pragma once

#include "app/worker/background.h"
#include "app/worker/steady_now.h"
#include "app/worker/turns.h"
#include "app/worker/worker.h"

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <vector>

namespace app {

class LocalWorker final : public Worker {
public:
    // `found` is called, on another thread, when machine() is ready. `now`: the clock of quiet(), asked by several threads.
    LocalWorker(const std::vector<kernels::Stage>& ladder, BackendFactories factories, WantedDevice wanted,
                std::function<void()> found, SteadyNow now = std::chrono::steady_clock::now);

    MachinePtr machine() const override;

    // Tasks that use the device wait for the machine.
    Result run(const Task& task, Lane lane, std::stop_token stop,
               const std::function<void(const Progress&)>& progress) override;

    // How long what runs in the lane has given no sign of life: it told no progress, began and ended no call into the
    // backend, and nothing was heard from one that compiles. None where nothing runs, or waits for its turn at the device.
    std::optional<std::chrono::milliseconds> quiet(Lane lane) const;

    // The device does nothing any more, since a fault; only another process can use it again.
    bool lost() const { return lost_; }

private:
    class Life;

    const std::vector<kernels::Stage>& ladder_;
    SteadyNow now_;
    Turns turns_;
    std::array<std::atomic<int64_t>, lane_count> alive_{}; // the last sign of life, on the steady clock; 0: see quiet()
    std::atomic<bool> lost_ = false;
    Background<std::shared_ptr<const Machine>> machine_; // last: its thread uses the others
};

} // namespace app
