// Names the origin of a number, and draws a mark for each origin. The marks differ in shape and not only in colour.
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

// The origin of a number, as the user sees it.
enum class NumberOrigin : uint8_t {
    measured, // timed
    recorded, // written by the instrumented kernel, or reported by the driver during that run
    derived,  // computed from recorded data
    counter,  // counted by the GPU's hardware counters
    shipped,  // shipped with gemmscope
};

std::string_view name(NumberOrigin origin); // "measured"

void draw_origin(Surface& surface, NumberOrigin origin, ImVec2 centre, float radius, Colour colour);
void draw_origin(ImDrawList& list, NumberOrigin origin, ImVec2 centre, float radius, Colour colour);

// Numbers of a view with the same origin. The window knows whether timed numbers were measured here or shipped; the
// view does not.
struct Numbers {
    enum class How : uint8_t {
        recorded,
        derived,
        timed,
        gpu,     // properties of the GPU, from the driver or from a measurement
        counted, // by the GPU's hardware counters
    };
    How how;
    std::string_view what;               // "wavefronts, conflicts"
    std::optional<Provenance> from = {}; // set for `counted`, and for `recorded` unless it is the recording shown
};

} // namespace viz
