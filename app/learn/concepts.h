// The concepts of the course: the table of all, and where each is shown.
#pragma once

#include "app/learn/lessons.h"

#include "viz/ladder_facts.h"

#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace app {

// Finds where a concept is shown: with the current choice if it has what the view needs, otherwise with a patch of the
// concept. Pure functions.

// Returns the patch with which the view can show the concept: the one of its row in assets/lessons/concepts.txt,
// otherwise a step of the lesson about it. Null if there is neither.
const Patch* own_place(const Concept& row);

// A step of a recorded block that shows the concept.
struct ConceptStep {
    uint32_t warp = 0;
    std::size_t step = 0;
};

struct ConceptPlace {
    bool keeps = true;               // the current choice stays
    std::optional<ConceptStep> step; // step to select if the choice stays; empty: any step shows the concept
    const Patch* own = nullptr;      // patch to show if the choice changes; if it stays, only its view options are used
};

// `shown` is the recording of the first stage. It is null until that recording exists. `block` is an index into the
// recorded blocks of `shown`.
ConceptPlace concept_place(const Concept& row, const recording::Recording* shown, std::size_t block,
                           const viz::LadderFacts& ladder_facts);

// Describes what a patch shows, for example "padded_b beside vectorized", "coalesced at 50x45x20" or
// "transpose.gscope".
std::string shown_there(const Patch& place);

// The table of all concepts, each with its lesson, its view and the kinds of questions about it: docs/concepts.md.

std::string concept_table(); // the whole page as Markdown

} // namespace app
