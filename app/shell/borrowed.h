// The second stage that a view of two gets where nobody chose one: the rung below, as long as the view is looked at.
#pragma once

#include "app/session/session.h"
#include "app/state/state.h"

#include <optional>
#include <utility>

namespace app {

class BorrowedStage {
public:
    // Once a frame: borrows, gives back, or learns that somebody chose.
    void follow(Session& session, State& state);

    bool any() const { return stages_.has_value(); }
    // What is borrowed is no part of a place that one comes back to.
    void take_from(Choice& choice) const;

private:
    std::optional<std::pair<std::size_t, std::size_t>> stages_; // the first stage and the second
};

} // namespace app
