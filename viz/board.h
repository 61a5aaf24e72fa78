// What is known beyond the two stages shown: of every rung of the ladder, and of the GPU. Plain values, made by the session.
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
struct MeasuredPattern; // viz/analysis/access_pattern.h

struct SpeedAt {
    recording::Problem problem;
    double gflops = 0;
    // Of C against float64 of the FP32 operands, relative: what the type costs in all.
    std::optional<double> total_error = {};
};

struct RungFigures {
    std::string slug, idea;
    std::string type = "fp32";                        // of A and B
    bool library = false;                             // cuBLAS: it has a speed, and nothing else
    std::vector<recording::Measured<SpeedAt>> speeds; // those that are known, ascending by size
    recording::Measured<SpeedAt> speed;               // at Board::timed, or as near to it as there is one
    recording::Measured<Traffic> traffic;             // of a recording with these parameters
    std::optional<ReuseTile> tile;
    // Of a launch of many blocks: totals and placements, nothing in full. Null: none is shipped with these parameters.
    std::shared_ptr<const recording::Recording> launch;
    std::shared_ptr<const recording::Recording> tall; // the same of few tiles of C and a long K
    std::vector<recording::Parameter> parameters;
    // The first kernel that it launches at Board::timed; without registers where no driver was asked.
    std::optional<recording::LaunchedKernel> launched;
    std::vector<HardwareFigures> counted; // by a GPU, ascending by size
    std::optional<CountedRun> run;        // of the launch shown where it was counted here, else of a large one
    recording::Reasons not_counted;       // why the size that is shown is not among them; empty: nobody has asked
};

// Of the largest launch that a GPU counted; null: there is none, or nothing is known of the rung.
inline const HardwareFigures* largest_counted(const RungFigures* rung)
{
    return rung == nullptr || rung->counted.empty() ? nullptr : &rung->counted.back();
}

// Of a launch of that size; null likewise.
inline const HardwareFigures* counted_at(const RungFigures* rung, const recording::Problem& problem)
{
    return rung == nullptr ? nullptr : figures_at(rung->counted, problem);
}

struct GpuState {
    recording::Measured<recording::GpuProperties>
        properties; // of the one here, else of the one that shipped figures have
    recording::Measured<recording::GpuMeasurement> measured; // of that one
    bool here = false;                                       // it is this machine's, and can be measured
    recording::Reasons not_here;                             // why it is not
    bool measuring = false;
    std::size_t done = 0, steps = 0;
    std::string step;          // what is being measured
    recording::Reasons failed; // why the last measurement ended before its end
};

struct Board {
    std::vector<RungFigures> rungs; // in the ladder's order, then the libraries
    recording::Problem timed;       // the size that speeds are compared at
    GpuState gpu;
    std::shared_ptr<const LibraryKernels> library;     // null: nobody looked for them
    std::shared_ptr<const Shapes> shapes;              // likewise
    std::shared_ptr<const RandomShapes> random_shapes; // likewise
    std::shared_ptr<const WatchedStages> warps;        // likewise
    bool counting = false;                             // the GPU's counters of a stage are being read
    std::shared_ptr<const MeasuredPattern> pattern;    // that was asked for last; null: none was, or there is no GPU
    const RungFigures* find(const std::string& slug) const
    {
        for (const RungFigures& rung : rungs)
            if (rung.slug == slug)
                return &rung;
        return nullptr;
    }
    // With the very parameters of a recording; null: another one, or none.
    const RungFigures* of(const recording::Recording& recording) const
    {
        const RungFigures* const rung = find(recording.stage);
        return rung != nullptr && rung->parameters == recording.parameters ? rung : nullptr;
    }
    // What ran of it; null: nobody counted that.
    const CountedRun* run_of(const recording::Recording& recording) const
    {
        const RungFigures* const rung = of(recording);
        return rung != nullptr && rung->run ? &*rung->run : nullptr;
    }
};

// What a view asks of the window. It is done after the frame.
struct Requests {
    std::optional<std::string> stage;       // to be shown: a slug
    std::optional<recording::Index3> block; // to be selected, and recorded in full where that can be done here
    bool measure_gpu = false, stop_measuring = false;
    bool count = false;                               // have the GPU count what the stages shown do
    std::shared_ptr<const model::PatternRow> pattern; // to be measured by the GPU; null: none
};

} // namespace viz
