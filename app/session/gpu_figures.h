// Properties of this machine's GPU, or of the GPU of the shipped figures. Also measures this machine's GPU.
#pragma once

#include "app/catalogue/gpu.h"
#include "app/session/engine.h"

#include "viz/board.h"

namespace app {

class GpuFigures {
public:
    explicit GpuFigures(Engine& engine) : engine_(engine) {}

    // `shipped`: properties of another GPU, or why there are none.
    void machine_found(const MachineFacts& machine, const ReadGpu& shipped);
    void measure(); // measures in the background; does nothing without a GPU
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
