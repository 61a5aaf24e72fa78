// What is known of the GPU here, or of the one that the shipped figures come from; and measuring the one here.
#pragma once

#include "app/catalogue/gpu.h"
#include "app/worker/task_queue.h"

#include "viz/board.h"

namespace app {

class GpuFigures {
public:
    explicit GpuFigures(TaskQueue& queue) : queue_(queue) {}

    // `shipped`: of another GPU, or why there is nothing.
    void machine_found(const MachineFacts& machine, const ReadGpu& shipped);
    void measure(); // in the background; nothing where there is no GPU
    void stop();    // does not wait
    bool receive(const Report& report);

    viz::GpuState state() const;

private:
    void take(const ProbeResult& result);
    void know(recording::GpuMeasurement measured, bool shipped);

    TaskQueue& queue_;
    bool found_ = false, here_ = false; // the machine was found; it has a GPU
    recording::Measured<recording::GpuProperties> properties_;
    recording::Measured<recording::GpuMeasurement> measured_;
    recording::Reasons not_here_, failed_;
    Ticket measuring_ = 0, saving_ = 0;
    Progress progress_;
};

} // namespace app
