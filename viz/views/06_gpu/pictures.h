// Pictures of the GPU view: its SMs, the inside of one SM, its memory levels, measured latencies, and the roofs that
// its factors give. Each function adds panels that fill the box.
#pragma once

#include "viz/analysis/gpu_levels.h"
#include "viz/figure/figure.h"

#include <string>
#include <vector>

namespace viz {

// The input of all pictures.
struct GpuPicture {
    const Theme& theme;
    const recording::GpuProperties& gpu;
    const recording::GpuMeasurement* measured = nullptr;
    const TypedGpu& typed; // the calculator's values: of this GPU, or of another one
    bool other = false;    // `typed` belongs to another GPU
};

// The data at a memory level, beside the capacity of the level.
struct LevelContents {
    struct Part {
        std::string name;
        double bytes = 0;
    };
    std::string level; // name of the level
    double room = 0;
    std::vector<Part> parts;
    Colour colour = 0;
    Rich tip;
};

// Returns the name of the GPU that the values belong to, and whether the calculator has another one.
std::string owner_of(const GpuPicture& picture);

// Adds all SMs, in groups if these are known.
void add_sm_map(Figure& figure, const GpuPicture& picture, const Box& box);

// Adds the four schedulers with their lanes, tensor core and registers, above shared memory and L1. Where words have no
// room inside, a column at the left has the names (inside.cpp).
void add_sm_inside(Figure& figure, const GpuPicture& picture, const Box& box);

// Adds a row for each level, the one nearest to the SM first, with bars for the data in it. Marks "level:NAME" and
// "share:PART".
void add_levels(Figure& figure, const GpuPicture& picture, const std::vector<LevelContents>& kept, const Box& box);

// Adds up to three charts side by side, each only if it was measured and fits. The first shows the cycles of a load
// from global memory by the size of the array. The second shows the cycles of a load from shared memory by the number
// of lanes that request different words of one bank. The third is the roofline with its ridge. Marks "latency:BYTES",
// "conflict:WAYS", "ridge".
void add_charts(Figure& figure, const GpuPicture& picture, const Box& box);

// Returns the height of the table, or 0 if it was not measured.
float chain_table_height(const GpuPicture& picture);

// Adds a table of the cycles with data from L1, L2 and DRAM (columns). Each row adds one instruction: load, load, add,
// store. Marks "chain:BYTES:INSTRUCTIONS".
void add_chain_table(Figure& figure, const GpuPicture& picture, const Box& box);

} // namespace viz
