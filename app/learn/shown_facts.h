// Inputs of the figures in a lesson.
#pragma once

#include "app/learn/example_recordings.h"

#include "viz/text/message.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace app {

// One stage of a patch.
struct Shown {
    ExampleRecordings& examples;
    const Patch& place;
    std::string slug;
    RecordingPtr recording;
    std::optional<std::size_t> step;

    const recording::BlockTrace& block() const { return recording->blocks.at(block_of(place, *recording)); }
    const recording::WarpTrace& warp() const { return block().warps.at(place.warp); }
    const recording::Access& access() const; // throws kernels::Error if the patch names no step
    const recording::Array& array() const;   // array of the access
};

struct Fact {
    const char* meaning;
    std::function<viz::Value(const Shown&)> value; // throws kernels::Error if the figure is missing
};

struct Facts {
    std::map<std::string, Fact, std::less<>> by_name;

    void add(const std::string& name, const char* meaning, std::function<viz::Value(const Shown&)> value)
    {
        by_name.emplace(name, Fact{meaning, std::move(value)});
    }
};

// Each function is defined in its own source.
void add_access_facts(Facts& facts); // figures of the step
void add_launch_facts(Facts& facts); // figures of the recorded stage
void add_speed_facts(Facts& facts);  // measured figures, and figures of the GPU

} // namespace app
