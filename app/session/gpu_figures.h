// What is known of the GPU here, or of the one that the shipped figures come from; and measuring the one here.
#pragma once

#include "app/catalogue/gpu.h"
#include "app/session/engine.h"

#include "viz/board.h"

namespace app {

class GpuFigures {
public:
    explicit GpuFigures(Engine& engine) : engine_(engine) {}

    // `shipped`: of another GPU, or why there is nothing.
    void machine_found(const MachineFacts& machine, const ReadGpu& shipped);
    void measure(); // in the background; nothing where there is no GPU
    void stop();    // does not wait
    void turn();

    viz::GpuState state() const;

private:
    void take(const ProbeResult& result);
    void know(recording::GpuMeasurement measured, bool shipped);

    Engine& engine_;
    bool found_ = false, here_ = false; // the machine was found; it has a GPU
    recording::Measured<recording::GpuProperties> properties_;
    recording::Measured<recording::GpuMeasurement> measured_;
    recording::Reasons not_here_, failed_;
    bool measuring_ = false;
    Progress progress_;
    std::optional<SaveTask> saving_;
};

} // namespace app
