// How fast stages and libraries are on a GPU: a row as `gemmscope bench --json` prints it, and speeds.json, which has those of
// the GPU that the shipped recordings come from.
#pragma once

#include "app/catalogue/shipped_file.h"

#include "backend.h"
#include "base/fields.h"

#include <cmath>

namespace app {

struct TimedRow {
    std::string slug; // of a stage or a baseline
    kernels::Operation operation = kernels::Operation::gemm;
    kernels::ParameterValues parameters; // as timed; none of a baseline
    recording::Problem problem;
    std::string type; // "fp32"
    bool right = false;
    double error = std::nan(""), total_error = std::nan(""); // NaN where the result was, or where it is not known
    kernels::Timing timing;
    std::optional<double> gflops, of_cublas, // gflops: of operations that are arithmetic; of_cublas: 1 is as fast
        of_best,                             // of the fastest of cuBLAS's algorithms, where they were tried
        of_peak;
    std::string missing;                            // why nothing was measured, as a sentence
    std::string cublas_missing;                     // why there is no share of cuBLAS, as a sentence
    uint32_t rows_timed = 0;                        // of C, where not all were
    std::vector<recording::LaunchedKernel> kernels; // of cuBLAS, where they were asked for
    std::string kernels_missing;                    // why there are none although they were, as a sentence
};
// But for its size and its parameters, which the stage says how to write. What is wrong has no speed.
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
    if (!row.right) { // not even where the row has one
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

// What is wrong has no speed.
nlohmann::json to_json(const TimedRow& row, const Ladder& ladder);

// Nothing of what this gemmscope has not: a stage or a baseline, or parameters of a stage. Throws kernels::Error.
std::optional<TimedRow> timed_row_from(const nlohmann::json& row, const Ladder& ladder);

// The work of one launch over its energy. Nothing where that was not measured, or where there is no arithmetic.
std::optional<double> gflop_per_joule(const TimedRow& row);

// Right, and not of a CPU.
bool is_of_gpu(const TimedRow& row);

struct ShippedSpeeds {
    recording::Provenance from;
    std::optional<double> peak_gflops;   // of FP32
    std::optional<double> cublas_gflops; // of SGEMM
    std::vector<TimedRow> rows;
    std::vector<TimedRow> by_size; // of the same stages at other sizes; may be none
    recording::Reasons missing;    // why there are none, or not all

    // Null: none with these parameters.
    const TimedRow* find(std::string_view slug, const kernels::ParameterValues& parameters) const;
};

// speeds.json of the folder. Never throws; what was wrong or could not be measured is left out.
ShippedSpeeds read_speeds(const std::filesystem::path& folder, const Ladder& ladder);

// Of the row: its size, and of how many runs it is the median.
recording::Provenance provenance_of(const ShippedSpeeds& speeds, const TimedRow& row);

} // namespace app
