// The pictures of the view of the GPU: its SMs, what is inside one, its levels of memory, what waiting costs as it was measured, and
// the roofs that its factors make. Each adds its panels to a figure and fills the box.
#pragma once

#include "viz/analysis/gpu_levels.h"
#include "viz/figure/figure.h"

#include <string>
#include <vector>

namespace viz {

struct GpuPicture {
    const Theme& theme;
    const recording::GpuProperties& gpu;
    const recording::GpuMeasurement* measured = nullptr;
    const TypedGpu& typed; // by which the calculator goes: this GPU, or another
    bool other = false;    // it is another
};

// What is kept at a level of memory, against the room there.
struct LevelContents {
    struct Part {
        std::string name;
        double bytes = 0;
    };
    std::string level; // its name
    double room = 0;
    std::vector<Part> parts;
    Colour colour = 0;
    Rich tip;
};

// All SMs, by groups where they are known.
void add_sm_map(Figure& figure, const GpuPicture& picture, const Box& box);

// Four schedulers with their lanes, tensor core and registers, above shared memory and L1.
void add_sm_inside(Figure& figure, const GpuPicture& picture, const Box& box);

// A row for each level, nearest first, and in it bars of what is kept there. Marks "level:NAME" and "share:PART".
void add_levels(Figure& figure, const GpuPicture& picture, const std::vector<LevelContents>& kept, const Box& box);

// Draws up to three charts side by side, as many as have room, each only where it was measured. The first has the cycles of a load from
// global memory over the bytes of the array. The second has the cycles of a load from shared memory over the number of lanes that want
// different words of one bank. The third is the roofline with its ridge. Marks "latency:BYTES", "conflict:WAYS", "ridge".
void add_charts(Figure& figure, const GpuPicture& picture, const Box& box);

// So high; 0 where it was not measured.
float chain_table_height(const GpuPicture& picture);

// Rows: load, load, add, store, one more each; columns: cycles where the data come from L1, L2, DRAM. Marks
// "chain:BYTES:INSTRUCTIONS".
void add_chain_table(Figure& figure, const GpuPicture& picture, const Box& box);

} // namespace viz
