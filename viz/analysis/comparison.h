// Two rungs side by side: what each does per multiplication, and what it takes on the GPU. Pure functions.
#pragma once

#include "viz/analysis/useful_work.h"
#include "viz/speed.h"

#include "recording/recording.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace viz {

enum class Measure : uint8_t {
    speed,
    results_per_thread,
    threads_per_block,
    shared_loads, // from here to `products`: of warps, per 1,000 multiplications
    shared_stores,
    wavefronts,
    conflicts,
    requests,
    sectors,
    barriers,
    copies, // asynchronous: cp.async and TMA
    shuffles,
    products, // on the tensor cores
    registers,
    local_bytes,
    shared_bytes,
    blocks_per_sm,
    occupancy, // 0..1
};
inline constexpr std::size_t measure_count = 18;

struct MeasureInfo {
    const char* name;  // "bank conflicts"
    bool cost = false; // fewer are better, all else being equal
    const char* unit = "";
};
const MeasureInfo& info(Measure measure);

// Whether it is per 1,000 multiplications: what multiplies nothing has none of these.
inline bool per_multiplication(Measure measure)
{
    return measure >= Measure::shared_loads && measure <= Measure::products;
}

enum class Computes : uint8_t { products, sums, neither };
Computes computes(const recording::Recording& recording);

struct KernelFigures {
    std::array<std::optional<double>, measure_count> values;
    recording::Reason why_missing; // of those that only a GPU's driver knows
    UsefulWork work;               // mostly edge: no figure is per multiplication
    std::optional<double> operator[](Measure measure) const { return values[static_cast<std::size_t>(measure)]; }
};

// All but the speed. Launch totals where a recording has them; barriers, copies, shuffles and products from the recorded block.
KernelFigures figures_of(const recording::Recording& recording, const recording::BlockTrace& block);

// Multiplications of the launch; and of one block, whose slice of K is as thick as that of the others. 0 where it
// computes something else.
double multiplications(const recording::Recording& recording);
double multiplications(const recording::Recording& recording, const recording::BlockTrace& block);

struct ComparedRung {
    std::string slug;
    const recording::Recording& recording;
    KernelFigures figures;
    Speed speed; // one measured here and a shipped one are not compared
};

} // namespace viz
