// Where a number comes from: a word, and a mark that is told from the others by its shape.
#pragma once

#include "viz/text/known.h"
#include "viz/theme.h"

#include <cstdint>
#include <optional>
#include <string_view>

struct ImDrawList;
struct ImVec2;

namespace viz {

class Surface; // viz/figure/surface.h

enum class NumberOrigin : uint8_t {
    measured, // timed
    recorded, // written down while the instrumented kernel ran, or told by the driver then
    derived,  // computed from what was recorded
    counter,  // counted by the GPU itself
    shipped,  // comes with gemmscope
};

std::string_view name(NumberOrigin origin); // "measured"

void draw_origin(Surface& surface, NumberOrigin origin, ImVec2 centre, float radius, Colour colour);
void draw_origin(ImDrawList& list, NumberOrigin origin, ImVec2 centre, float radius, Colour colour);

// Numbers of a view that were had in one way. Whether timed here or shipped the view does not know: the window does.
struct Numbers {
    enum class How : uint8_t {
        recorded,
        derived,
        timed,
        gpu,     // of the GPU itself, as the driver says or as measured
        counted, // by its hardware counters
    };
    How how;
    std::string_view what;               // "wavefronts, conflicts"
    std::optional<Provenance> from = {}; // of `counted`; of `recorded` where it is not the recording that is shown
};

} // namespace viz
