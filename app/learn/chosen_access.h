// One recorded access that a question is about, drawn by lot.
#pragma once

#include "app/learn/lots.h"

#include <functional>
#include <optional>

namespace app {

struct ChosenAccess {
    RecordingPtr recording;
    Patch place; // of the access
    const recording::Access* access = nullptr;
    const recording::Array* array = nullptr;
    viz::Message line() const;                  // "vectorized, line 70: As.store(k, row, a_part[n].x)"
    viz::Value element_of(uint32_t lane) const; // "As(3, 5)"; its first one
    viz::Value lanes() const;                   // what its lanes touch: "lanes 0-15 As(0, 0) and lanes 16-31 As(0, 8)"
    bool lists_all() const;                     // else these are some of the lanes, for there are too many places
    std::optional<viz::Message> layout() const; // where the array's elements lie; nothing: no formula says it
};

using Wanted = std::function<bool(const recording::Access&)>;

// Of block (0,0); of each kind of access (line, array, width) one is as likely as of another. Nothing: there is no such access.
std::optional<ChosenAccess> choose_access(Lots& lots, const Patch& place, const Wanted& wanted);

// A lane of the mask.
uint32_t choose_lane(Lots& lots, uint32_t mask);

// A stage as it comes, in a view.
Patch placed(std::string_view stage, std::string_view view);

// A question that is asked at the place, which shows its answer too.
QuizQuestion question_about(std::string topic, const Patch& place);

} // namespace app
