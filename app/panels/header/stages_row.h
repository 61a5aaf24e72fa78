// The possible values of a parameter side by side. A click or a drag selects one. Dragging shows at once how the
// launch, the tiles and the occupancy change. Impossible values are gray and say why.
#pragma once

#include "app/engine/examine.h"
#include "app/panels/state.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct StripValue {
    int value = 0;
    std::string label;
    std::string why_not; // empty: the value is possible
    std::string with;    // other parameters that then change: "BM 64, BN 64"
};

struct ParameterStrip {
    std::string name, meaning; // for example "BK" and "slice of K per phase"
    int now = 0;
    std::vector<StripValue> values; // ascending
    // Returns what a value makes of the stage. Returns nothing if it is unknown before compilation.
    std::function<std::optional<ParameterFacts>(std::size_t)> facts;
    std::optional<uint32_t> registers =
        {}; // per thread, for the current value; empty: unknown. For other values they are known only after compiling
};

// Returns the values that are offered of a parameter, ascending: those of the built-in sets and, where these are powers
// of two, all powers of two from the smallest to twice the largest, so that one that cannot be chosen says why.
std::vector<int> offered_values(const kernels::ParameterSpec& spec);

// A line about the effect of a value: the current and the resulting figure.
struct StripChange {
    std::string what, now, then;
};
// Compares two values. `same`: both are the current value. `registers`: see ParameterStrip.
std::vector<StripChange> changes_of(const ParameterFacts& now, const ParameterFacts& then, bool same,
                                    std::optional<uint32_t> registers);

// Returns a sentence for each reason why values cannot be chosen, which names them: "BK 4, 16: needs a GPU."
std::vector<std::string> reasons_of(const ParameterStrip& strip);

// Draws the strip below the last drawn button, which opens it. Returns the value selected by a click, by the end of a
// drag, or with the wheel over the button.
std::optional<std::size_t> draw_parameter_strip(State& state, const ParameterStrip& strip, bool open);

} // namespace app
