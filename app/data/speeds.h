// Speeds of stages and libraries on a GPU. `gemmscope bench --json` prints such rows. speeds.json holds the rows of the
// GPU that made the shipped recordings.
#pragma once

#include "app/data/shipped_file.h"

#include "viz/analysis/shapes.h"

#include "backend.h"
#include "base/fields.h"

#include <nlohmann/json_fwd.hpp>

#include <span>

namespace app {

struct TimedRow {
    std::string slug; // slug of a stage or a baseline
    kernels::Operation operation = kernels::Operation::gemm;
    kernels::ParameterValues parameters; // as timed; empty for a baseline
    recording::Problem problem;
    std::string type; // for example "fp32"
    bool right = false;
    double error = std::nan(""), total_error = std::nan(""); // NaN if the result was NaN, or if the error is unknown
    kernels::Timing timing;
    std::optional<double> gflops, of_cublas, // gflops: only for arithmetic; of_cublas: 1 is as fast as cuBLAS
        of_best,                             // share of the fastest of cuBLAS's algorithms, if they were tried
        of_peak;
    std::string missing;                            // sentence that says why nothing was measured
    std::string cublas_missing;                     // sentence that says why there is no share of cuBLAS
    uint32_t rows_timed = 0;                        // timed rows of C; 0: all
    std::vector<recording::LaunchedKernel> kernels; // kernels of cuBLAS, if requested
    std::string kernels_missing;                    // sentence that says why they are missing although requested
};
// Visits the fields except size and parameters, which the stage writes. A row with a wrong result has no speed.
void fields(auto& visit, kernels::Like<TimedRow> auto& row)
{
    using kernels::above_zero, kernels::may_be_missing, kernels::unless_empty;
    visit("stage", row.slug);
    visit("type", row.type, may_be_missing);
    visit("missing", row.missing, unless_empty);
    if (!row.missing.empty())
        return;
    visit("ok", row.right);
    visit("error", row.error, may_be_missing);
    visit("total_error", row.total_error, may_be_missing);
    visit("cublas_missing", row.cublas_missing, unless_empty);
    visit("rows_timed", row.rows_timed, unless_empty);
    visit("kernels", row.kernels, unless_empty);
    visit("kernels_missing", row.kernels_missing, unless_empty);
    if (row.right)
        visit("median_ms", row.timing.median_ms, above_zero);
    else
        visit("median_ms", row.timing.median_ms, may_be_missing);
    visit("low_ms", row.timing.low_ms, may_be_missing);
    visit("high_ms", row.timing.high_ms, may_be_missing);
    visit("samples", row.timing.samples, may_be_missing);
    visit("energy_missing", row.timing.energy.missing, unless_empty);
    if (!row.right) { // ignores speeds in the row of a wrong result
        std::optional<double> none;
        for (const char* const speed : {"gflops", "of_cublas", "of_peak"})
            visit(speed, none, kernels::any_number);
        return;
    }
    visit("gflops", row.gflops, above_zero);
    visit("of_cublas", row.of_cublas, above_zero);
    visit("of_peak", row.of_peak, above_zero);
    visit("of_best", row.of_best, above_zero, unless_empty);
    visit("joules", row.timing.energy.joules, above_zero, unless_empty);
    visit("energy_ms", row.timing.energy.ms, unless_empty);
}

// Omits the speed of a wrong result.
nlohmann::json to_json(const TimedRow& row, const Ladder& ladder);

// Parses a row. Returns nothing for a stage, a baseline or parameters that this gemmscope does not have. Throws
// kernels::Error.
std::optional<TimedRow> timed_row_from(const nlohmann::json& row, const Ladder& ladder);

// Returns the work of a launch divided by its energy. Returns nothing if the energy was not measured or there is no
// arithmetic.
std::optional<double> gflop_per_joule(const TimedRow& row);

// Returns whether the row has a right result from a GPU.
bool is_of_gpu(const TimedRow& row);

struct ShippedSpeeds {
    recording::Provenance from;
    std::optional<double> peak_gflops;   // peak of FP32
    std::optional<double> cublas_gflops; // speed of SGEMM
    std::vector<TimedRow> rows;
    std::vector<TimedRow> by_size; // the same stages at other sizes; may be empty
    recording::Reasons missing;    // why there are no speeds, or not all

    // Returns null if no row has these parameters.
    const TimedRow* find(std::string_view slug, const kernels::ParameterValues& parameters) const;
};

// Reads speeds.json of the folder. Never throws. Skips rows with a wrong result or without a measurement.
ShippedSpeeds read_speeds(const std::filesystem::path& folder, const Ladder& ladder);

// Returns the origin of a row, with its size and the number of runs that its median is taken from.
recording::Provenance provenance_of(const ShippedSpeeds& speeds, const TimedRow& row);

// Speeds of one amount of work in shapes from tall to flat, measured on a GPU: shapes.json. Its rows are those of
// speeds.h.

// Reads the shapes. Never throws. Treats stages, parameters and results like read_speeds.
viz::Shapes read_shapes(const std::filesystem::path& folder, const Ladder& ladder);

// Speeds at randomly drawn shapes, measured on a GPU in the same run as cuBLAS: random_shapes.json. Its rows are those
// of speeds.h, as `gemmscope bench --shapes` prints them. "seed" draws the same shapes again.

// Returns the "summary" of that file: an object for each stage that has a share of cuBLAS.
nlohmann::ordered_json shape_summaries(std::span<const TimedRow> rows);

// Reads the shapes. Never throws. Skips rows with a wrong result or without a share of cuBLAS.
viz::RandomShapes read_random_shapes(const std::filesystem::path& folder, const Ladder& ladder);

} // namespace app
