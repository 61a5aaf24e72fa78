// A randomly chosen recorded access that a question is about.
#pragma once

#include "app/learn/question_context.h"

#include <functional>
#include <optional>

namespace app {

struct ChosenAccess {
    RecordingPtr recording;
    Patch place; // patch that shows the access
    const recording::Access* access = nullptr;
    const recording::Array* array = nullptr;
    viz::Message line() const;                  // for example "vectorized, line 70: As.store(k, row, a_part[n].x)"
    viz::Value element_of(uint32_t lane) const; // first element of the lane, for example "As(3, 5)"
    viz::Value lanes() const;                   // elements per lane: "lanes 0-15 As(0, 0) and lanes 16-31 As(0, 8)"
    bool lists_all() const; // false: lanes() names only some lanes, because there are too many elements
    std::optional<viz::Message> layout() const; // positions of the array's elements; empty: no formula describes them
};

using Wanted = std::function<bool(const recording::Access&)>;

// Chooses an access of block (0,0). Each kind of access (line, array, width) has the same probability. Returns nothing
// if there is no such access.
std::optional<ChosenAccess> choose_access(QuestionContext& context, const Patch& place, const Wanted& wanted);

// Chooses a lane of the mask.
uint32_t choose_lane(QuestionContext& context, uint32_t mask);

// Returns a patch that shows a stage with its defaults in a view.
Patch placed(std::string_view stage, std::string_view view);

// Returns a question whose picture and answer are both shown by `place`.
QuizQuestion question_about(std::string topic, const Patch& place);

} // namespace app
