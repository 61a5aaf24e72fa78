// The figures in a lesson's text. Each has a name and is computed from the recordings, counters and measurements of the
// patch that the step shows. The name of a figure of the second stage ends with _2.
#pragma once

#include "app/learn/example_recordings.h"
#include "app/learn/lessons.h"

#include "viz/text/message.h"
#include "viz/text/templates.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace app {

// A name that a lesson may use and its meaning; fact_names() sorts by name.
struct FactName {
    std::string name, meaning;
};
std::vector<FactName> fact_names();

// Returns the arguments of the step's text. Throws kernels::Error that names the missing figure and the reason.
std::vector<viz::Argument> facts_of(const LessonStep& step, const Lessons& lessons, ExampleRecordings& examples);

// Returns the step's text with its figures. If a figure is missing, returns a sentence that names it.
std::vector<viz::Run> words_of(const LessonStep& step, const Lessons& lessons, ExampleRecordings& examples);

// The types from here on describe how the figures are computed.

// One stage of a patch.
struct FactContext {
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
    std::function<viz::Value(const FactContext&)> value; // throws kernels::Error if the figure is missing
};

struct Facts {
    std::map<std::string, Fact, std::less<>> by_name;

    void add(const std::string& name, const char* meaning, std::function<viz::Value(const FactContext&)> value)
    {
        by_name.emplace(name, Fact{meaning, std::move(value)});
    }
};

// Each function is defined in its own source.
void add_access_facts(Facts& facts); // figures of the step
void add_launch_facts(Facts& facts); // figures of the recorded stage
void add_speed_facts(Facts& facts);  // measured figures, and figures of the GPU

} // namespace app
