// Where a concept is shown: with what is chosen, where that has what the view needs for it; else at a place of its own. Pure functions.
#pragma once

#include "app/learn/lessons.h"

#include "viz/board.h"

#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace app {

// Where its view shows it of a stage that has what is needed: as its row in assets/lessons/concepts.txt says, else at a step of the
// lesson about it. Null: there is no such step.
const Patch* own_place(const Concept& row);

// A step of a recorded block that the concept is about.
struct ConceptStep {
    uint32_t warp = 0;
    std::size_t step = 0;
};

struct ConceptPlace {
    bool keeps = true;               // what is chosen stays
    std::optional<ConceptStep> step; // likewise; none: any step shows it
    const Patch* own = nullptr;      // else the place to go to; where the choice stays, how its view is arranged
};

// `shown`: the recording of the first stage, null while there is none. `block`: of its recorded ones.
ConceptPlace concept_place(const Concept& row, const recording::Recording* shown, std::size_t block,
                           const viz::Board& board);

// What a place shows: "padded_b beside vectorized", "coalesced at 50x45x20", "transpose.gscope".
std::string shown_there(const Patch& place);

} // namespace app
