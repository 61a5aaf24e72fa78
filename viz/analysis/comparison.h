// Compares two rungs: what each does per multiplication, what it needs on the GPU, and which steps of the two match.
// Pure functions.
#pragma once

#include "viz/speed.h"

#include "recording/measured.h"
#include "recording/recording.h"
#include "recording/tiles.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

// The measures by which rungs are compared.
enum class Measure : uint8_t {
    speed,
    results_per_thread,
    threads_per_block,
    // From here to `products`: warp instructions and their costs, per 1,000 multiplications or per launch.
    shared_loads,
    shared_stores,
    wavefronts,
    conflicts,
    requests,
    sectors,
    barriers,
    copies, // asynchronous copies: cp.async and TMA
    shuffles,
    products, // tensor core instructions
    registers,
    local_bytes,
    shared_bytes,
    blocks_per_sm,
    occupancy,       // 0 to 1
    wavefronts_each, // per shared access
    sectors_each,    // per request to global memory
};
inline constexpr std::size_t measure_count = 20;

// The name and the unit of a measure.
struct MeasureInfo {
    const char* name;  // "bank conflicts"
    bool cost = false; // lower is better if everything else is equal
    const char* unit = "";
};
const MeasureInfo& info(Measure measure);

// Returns whether the measure is per 1,000 multiplications (or per launch, if the launch multiplies nothing).
inline bool per_multiplication(Measure measure)
{
    return measure >= Measure::shared_loads && measure <= Measure::products;
}

// Returns whether the measure is a ratio of two counts of one kernel. Such ratios are shown even if counts cannot be
// normalized.
inline bool is_ratio(Measure measure)
{
    return measure >= Measure::wavefronts_each;
}

// What a kernel computes. `unknown` is for a traced kernel whose arguments have no names.
enum class Computes : uint8_t { products, sums, neither, unknown };
Computes computes(const recording::Recording& recording);

// Normalization of counts: per 1,000 multiplications, or per launch.
enum class Per : uint8_t { multiplications, launch };

// Returns Per::launch if neither launch is known to multiply and both write a C of equal extents.
Per compared_per(const recording::Recording& first, const recording::Recording& second);

// How much of a launch's work contributes to C. Tiles at the edges extend beyond C, and their work there is counted
// too.
struct UsefulWork {
    recording::Tiles tiles;
    double share = 1; // M N K over the products of all whole tiles, above 0 and at most 1

    // Returns whether at least half of the work lies outside C. Counts per multiplication then describe the edge and
    // not the kernel.
    bool mostly_edge() const { return share <= 0.5; }
};
UsefulWork useful_work(const recording::Recording& recording);

// The values of all measures for one recording.
struct KernelFigures {
    std::array<std::optional<double>, measure_count> values;
    recording::Reason why_missing; // why values that only a GPU's driver has are missing
    UsefulWork work;               // if mostly_edge(), there are no values per multiplication
    // TMA, WMMA or wgmma move data that is in no lane's addresses. The costs of memory accesses are missing then.
    bool unseen = false;
    std::optional<double> operator[](Measure measure) const { return values[static_cast<std::size_t>(measure)]; }
};

// Returns all values but the speed. Uses launch totals if the recording has them. Barriers, copies, shuffles and
// products come from the recorded block and are therefore missing for Per::launch.
KernelFigures figures_of(const recording::Recording& recording, const recording::BlockTrace& block,
                         Per per = Per::multiplications);

// Returns the number of multiplications of the launch, or of one block. A block's slice of K counts as thick as the
// others. Returns 0 if the kernel computes something else.
double multiplications(const recording::Recording& recording);
double multiplications(const recording::Recording& recording, const recording::BlockTrace& block);

// One side of a comparison.
struct ComparedRung {
    std::string slug;
    const recording::Recording& recording;
    KernelFigures figures;
    Speed speed; // measured here or shipped; the two are not compared
    bool multiplies() const { return computes(recording) == Computes::products; }
};

// Returns first.speed / second.speed, which is above 1 if the first is faster. Returns nothing unless both speeds have
// the same origin and both rungs compute the same.
std::optional<double> speed_ratio(const ComparedRung& first, const ComparedRung& second);
// Up to this relative difference the speeds count as equal, because speeds vary that much from run to run.
inline constexpr double same_speed = 0.02;

// A warp with its recording.
struct WarpRef {
    const recording::Recording& recording;
    const recording::WarpTrace& warp;
};

// Returns `step` if both warps do the same there. Otherwise returns the second warp's step of the same kind and array
// ("As[1]" counts as "As") at the same relative position: for the last of 32 loads of Bs, the last of 8. Returns `step`
// if the second warp has no such step.
std::size_t matching_step(const WarpRef& first, std::size_t step, const WarpRef& second);

// Returns the second warp's step nearest to `near` that has the kind and array of the first warp's step, or nothing if
// there is none.
std::optional<std::size_t> nearest_like(const WarpRef& first, std::size_t step, const WarpRef& second,
                                        std::size_t near);

// Speed-ups are relative to this rung, the first one that multiplies.

inline constexpr std::string_view first_rung = "naive";

// Returns the ratio of two speeds. It is missing unless both have the same size, origin and device, because other
// ratios are meaningless.
recording::Measured<double> speedup_over_naive(const recording::Measured<double>& gflops,
                                               const recording::Measured<double>& of_naive);

} // namespace viz
