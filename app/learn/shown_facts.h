// What a figure of a lesson is computed from.
#pragma once

#include "app/learn/examples.h"

#include "viz/text/message.h"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace app {

// One stage of a place.
struct Shown {
    Examples& examples;
    const Place& place;
    std::string slug;
    RecordingPtr recording;
    std::optional<std::size_t> step;

    const recording::BlockTrace& block() const { return recording->blocks.at(block_of(place, *recording)); }
    const recording::WarpTrace& warp() const { return block().warps.at(place.warp); }
    const recording::Access& access() const; // throws kernels::Error where the place names no step
    const recording::Array& array() const;   // of the access
};

struct Fact {
    const char* meaning;
    std::function<viz::Value(const Shown&)> value; // throws kernels::Error where it cannot be had
};
using Facts = std::map<std::string, Fact, std::less<>>;

} // namespace app
