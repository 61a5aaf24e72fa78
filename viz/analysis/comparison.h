// Two rungs side by side: what each does per multiplication, and what it takes on the GPU. Pure functions.
#pragma once

#include "viz/speed.h"

#include "recording/recording.h"
#include "recording/tiles.h"

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
    shared_loads, // from here to `products`: of warps, per 1,000 multiplications or of the launch
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
    occupancy,       // 0..1
    wavefronts_each, // of an access to shared memory
    sectors_each,    // of a request to global memory
};
inline constexpr std::size_t measure_count = 20;

struct MeasureInfo {
    const char* name;  // "bank conflicts"
    bool cost = false; // fewer are better, all else being equal
    const char* unit = "";
};
const MeasureInfo& info(Measure measure);

// Whether it is per 1,000 multiplications, or of a launch that multiplies nothing.
inline bool per_multiplication(Measure measure)
{
    return measure >= Measure::shared_loads && measure <= Measure::products;
}

// Of two counts of the same kernel: shown where nothing is known to count them by.
inline bool is_ratio(Measure measure)
{
    return measure >= Measure::wavefronts_each;
}

// Unknown: a trace of a kernel whose arguments nobody named.
enum class Computes : uint8_t { products, sums, neither, unknown };
Computes computes(const recording::Recording& recording);

// What counts are shown for: 1,000 multiplications, or the whole launch.
enum class Per : uint8_t { multiplications, launch };

// Launches that multiply nothing, as far as is known, and write a C of the same extents are compared as they are.
Per compared_per(const recording::Recording& first, const recording::Recording& second);

// How much of what a launch computes is in C: tiles at its edges reach beyond it, and what they do there is counted, too.
struct UsefulWork {
    recording::Tiles tiles;
    double share = 1; // M N K over what whole tiles would multiply: above 0, at most 1

    // Half or more of the work lies outside: what is counted per multiplication says more of the edge than of the kernel.
    bool mostly_edge() const { return share <= 0.5; }
};
UsefulWork useful_work(const recording::Recording& recording);

struct KernelFigures {
    std::array<std::optional<double>, measure_count> values;
    recording::Reason why_missing; // of those that only a GPU's driver knows
    UsefulWork work;               // mostly edge: no figure is per multiplication
    std::optional<double> operator[](Measure measure) const { return values[static_cast<std::size_t>(measure)]; }
};

// All but the speed. Launch totals where a recording has them; barriers, copies, shuffles and products from the recorded block,
// so these are missing for a launch.
KernelFigures figures_of(const recording::Recording& recording, const recording::BlockTrace& block,
                         Per per = Per::multiplications);

// Multiplications of the launch; and of one block, whose slice of K is as thick as that of the others. 0 where it
// computes something else.
double multiplications(const recording::Recording& recording);
double multiplications(const recording::Recording& recording, const recording::BlockTrace& block);

struct ComparedRung {
    std::string slug;
    const recording::Recording& recording;
    KernelFigures figures;
    Speed speed; // one measured here and a shipped one are not compared
    bool multiplies() const { return computes(recording) == Computes::products; }
};

// Of both speeds, where they are of one place and the two compute the same: above 1 the first is faster.
std::optional<double> speed_ratio(const ComparedRung& first, const ComparedRung& second);
inline constexpr double same_speed =
    0.02; // within this, neither is called faster: figures move that much from run to run

} // namespace viz
