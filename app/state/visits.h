// The places that a person looked at, to go back and forward among them. Pure.
#pragma once

#include "app/state/learning.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace app {

class Visits {
public:
    // What is shown, each frame. Another choice or view is another place; steps, lanes and elements of one picture are one place
    // as long as no more than `pause` lies between them.
    void note(const Workspace& where, double seconds);

    // Where to go; nothing: there is none. What is shown then is no new place.
    std::optional<Workspace> back();
    std::optional<Workspace> forward();

    std::size_t size() const { return places_.size(); }

    static constexpr double pause = 3; // seconds
    static constexpr std::size_t most = 200;

private:
    std::vector<Workspace> places_; // oldest first
    std::size_t at_ = 0;
    double changed_ = 0;
    bool moved_ = false; // back or forward, and what is shown has not been noted since
};

} // namespace app
