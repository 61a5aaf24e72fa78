// The values that a parameter can have, side by side: one is chosen by a click, or by pulling over them, which shows at once
// what becomes of launch, tiles and occupancy. What cannot be is grey and says why.
#pragma once

#include "app/state/state.h"
#include "app/tasks/parameter_facts.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct StripValue {
    int value = 0;
    std::string label;
    std::string why_not; // empty: it can be chosen
    std::string with;    // what else then changes: "BM 64, BN 64"
};

struct ParameterStrip {
    std::string name, meaning; // "BK", "slice of K per phase"
    int now = 0;
    std::vector<StripValue> values; // ascending
    // What a value makes of the stage, and what there is now; none: it is not known before it is compiled.
    std::function<std::optional<ParameterFacts>(std::size_t)> facts;
    std::optional<uint32_t> registers =
        {}; // of a thread, as it is now; none: not known. Of another value only a compiler says them.
};

// A line of what a value changes: what there is now, and what there would be.
struct StripChange {
    std::string what, now, then;
};
// `same`: both are one value. `registers`: see ParameterStrip.
std::vector<StripChange> changes_of(const ParameterFacts& now, const ParameterFacts& then, bool same,
                                    std::optional<uint32_t> registers);

// Below the button that was drawn last, which opens it. The value that was chosen: by a click, the end of a pull, or the wheel
// over the button.
std::optional<std::size_t> draw_parameter_strip(State& state, const ParameterStrip& strip, bool open);

} // namespace app
