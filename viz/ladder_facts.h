// Facts about every rung of the ladder and about the GPU, beyond the stages shown. Plain values, made by the session.
#pragma once

#include "viz/analysis/counted.h"
#include "viz/analysis/launches.h"
#include "viz/analysis/roofline.h"
#include "viz/analysis/shapes.h"
#include "viz/analysis/warp_times.h"

#include "recording/gpu.h"
#include "recording/measured.h"
#include "recording/recording.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace model {
struct PatternRow; // kernels/model/pattern_file.h
}

namespace viz {

struct RandomShapes;    // viz/analysis/random_shapes.h
struct CacheHints;      // viz/analysis/cache_hints.h
struct MeasuredPattern; // viz/analysis/access_pattern.h

// The speed at one size.
struct SpeedAt {
    recording::Problem problem;
    double gflops = 0;
    // Relative error of C against a float64 product of the FP32 operands. It includes the rounding to the element type.
    std::optional<double> total_error = {};
};

// Facts about one rung of the ladder or one library.
struct StageFacts {
    std::string slug, idea;
    std::string type = "fp32";                        // element type of A and B
    bool library = false;                             // a cuBLAS baseline, which has only a speed
    std::vector<recording::Measured<SpeedAt>> speeds; // known speeds, ascending by size
    recording::Measured<SpeedAt> speed;               // at LadderFacts::timed, or at the nearest size that has a speed
    recording::Measured<Traffic> traffic;             // from a recording with these parameters
    std::optional<ReuseTile> tile;
    // A launch of many blocks, recorded only as totals and placements. Null if none with these parameters is shipped.
    std::shared_ptr<const recording::Recording> launch;
    std::shared_ptr<const recording::Recording> tall; // like `launch`, but with few tiles of C and a long K
    std::vector<recording::Parameter> parameters;
    // The first kernel that the stage launches at LadderFacts::timed. Without a driver, its register count is unknown.
    std::optional<recording::LaunchedKernel> launched;
    std::vector<HardwareFigures> counted; // GPU counter values, ascending by size
    // Counts of the launch shown if it was counted on this machine, otherwise of a large launch.
    std::optional<CountedRun> run;
    recording::Reasons not_counted; // why `counted` has no values at the size shown; empty if they were never requested
    std::string builds_on = {};     // slug of the rung whose source this one changes; empty if there is none
};

// Returns the counters of the largest counted launch, or null if there is none or `rung` is null.
inline const HardwareFigures* largest_counted(const StageFacts* rung)
{
    return rung == nullptr || rung->counted.empty() ? nullptr : &rung->counted.back();
}

// Returns the counters of the launch of that size, or null if there is none or `rung` is null.
inline const HardwareFigures* counted_at(const StageFacts* rung, const recording::Problem& problem)
{
    return rung == nullptr ? nullptr : figures_at(rung->counted, problem);
}

// The GPU whose figures are shown, and the progress of its measurement.
struct GpuState {
    // Of the GPU in this machine, or without one of the GPU that measured the shipped figures.
    recording::Measured<recording::GpuProperties> properties;
    recording::Measured<recording::GpuMeasurement> measured; // on the GPU in `properties`
    bool here = false;                                       // the GPU is in this machine and can be measured
    recording::Reasons not_here;                             // why `here` is false
    bool measuring = false;
    std::size_t done = 0, steps = 0;
    std::string step;          // what is being measured now
    recording::Reasons failed; // why the last measurement ended early
};

// Facts about all rungs and the GPU.
struct LadderFacts {
    std::vector<StageFacts> rungs; // in ladder order, followed by the libraries
    recording::Problem timed;      // the size at which speeds are compared
    GpuState gpu;
    std::shared_ptr<const LibraryKernels> library;     // null: nobody looked for them
    std::shared_ptr<const Shapes> shapes;              // likewise
    std::shared_ptr<const RandomShapes> random_shapes; // likewise
    std::shared_ptr<const WatchedStages> warps;        // likewise
    std::shared_ptr<const CacheHints> cache_hints;     // likewise
    bool counting = false;                             // the GPU's counters of a stage are being read
    std::shared_ptr<const MeasuredPattern> pattern;    // last requested one; null: none, or there is no GPU
    const StageFacts* find(const std::string& slug) const
    {
        for (const StageFacts& rung : rungs)
            if (rung.slug == slug)
                return &rung;
        return nullptr;
    }
    // Returns the rung of the recording's stage if it has the recording's parameters, otherwise null.
    const StageFacts* of(const recording::Recording& recording) const
    {
        const StageFacts* const rung = find(recording.stage);
        return rung != nullptr && rung->parameters == recording.parameters ? rung : nullptr;
    }
    // Returns the instruction counts for the recording, or null if it was not counted.
    const CountedRun* run_of(const recording::Recording& recording) const
    {
        const StageFacts* const rung = of(recording);
        return rung != nullptr && rung->run ? &*rung->run : nullptr;
    }
};

// Actions that a view requests. The window carries them out after the frame.
struct Requests {
    std::optional<std::string> stage;       // slug of the stage to show
    std::optional<recording::Index3> block; // block to select; recorded in full if this machine can do so
    bool measure_gpu = false, stop_measuring = false;
    bool count = false;                               // count the shown stages' launches on the GPU
    std::shared_ptr<const model::PatternRow> pattern; // pattern to measure on the GPU; null: none
};

} // namespace viz
