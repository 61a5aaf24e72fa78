// Pictures of the GPU view: its SMs, the inside of one SM, its memory levels, measured latencies, and the roofs that
// its factors produce. Each function adds its panels to a figure and fills the box.
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
    const TypedGpu& typed; // the calculator's input: this GPU, or another one
    bool other = false;    // `typed` is another GPU
};

// The data at a memory level, compared with the level's capacity.
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

// Adds all SMs, by groups if these are known.
void add_sm_map(Figure& figure, const GpuPicture& picture, const Box& box);

// Adds four schedulers with their lanes, tensor core and registers, above shared memory and L1.
void add_sm_inside(Figure& figure, const GpuPicture& picture, const Box& box);

// Adds a row for each level, nearest first, with bars for the data kept there. Marks "level:NAME" and "share:PART".
void add_levels(Figure& figure, const GpuPicture& picture, const std::vector<LevelContents>& kept, const Box& box);

// Adds up to three charts side by side, as many as fit, each only if it was measured. The first shows the cycles of a
// load from global memory by the bytes of the array. The second shows the cycles of a load from shared memory by the
// number of lanes that request different words of one bank. The third is the roofline with its ridge. Marks
// "latency:BYTES", "conflict:WAYS", "ridge".
void add_charts(Figure& figure, const GpuPicture& picture, const Box& box);

// Returns the height of the table, or 0 if it was not measured.
float chain_table_height(const GpuPicture& picture);

// Adds a table. Each row adds one instruction: load, load, add, store. Columns have the cycles if the data come from
// L1, L2, DRAM. Marks "chain:BYTES:INSTRUCTIONS".
void add_chain_table(Figure& figure, const GpuPicture& picture, const Box& box);

} // namespace viz
