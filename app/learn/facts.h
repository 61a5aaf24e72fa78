// The figures in a lesson's text. Each has a name and is computed from the recordings, counters and measurements of the
// patch that the step shows. For the second stage the name ends with _2.
#pragma once

#include "app/learn/example_recordings.h"
#include "app/learn/lessons.h"

#include "viz/text/message.h"
#include "viz/text/templates.h"

#include <string>
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

} // namespace app
