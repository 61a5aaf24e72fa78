// Properties of this machine's GPU, or of the GPU of the shipped figures. Also measures this machine's GPU.
#pragma once

#include "app/data/gpu.h"
#include "app/engine/engine.h"
#include "app/engine/probe.h"

#include "viz/analysis/access_pattern.h"
#include "viz/ladder_facts.h"

namespace app {

class GpuFigures {
public:
    explicit GpuFigures(Engine& engine) : engine_(engine) {}

    // `shipped`: properties of another GPU, or why there are none.
    void machine_found(const MachineFacts& machine, const ReadGpu& shipped);
    void measure(); // measures in the background; does nothing without a GPU
    void stop();    // does not wait
    // Of one instruction of a warp; whether it is another one than before. Of patterns that are dragged past only the last is measured.
    bool measure_pattern(const model::PatternRow& row);
    void turn();

    viz::GpuState state() const;
    std::shared_ptr<const viz::MeasuredPattern> pattern() const
    {
        return pattern_;
    } // null: there is no GPU, or no wish

private:
    void turn_pattern();
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
    std::optional<MeasurePatternsTask> wanted_pattern_;
    Engine::Clock::time_point pattern_due_;
    std::shared_ptr<const viz::MeasuredPattern> pattern_;
};

} // namespace app
