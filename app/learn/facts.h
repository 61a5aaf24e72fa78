// The figures of a lesson's text: each has a name, and is computed from the recordings, counters and measurements of the place that
// the step shows. Of the second stage the name ends with _2.
#pragma once

#include "app/learn/examples.h"
#include "app/learn/lessons.h"

#include "viz/text/message.h"
#include "viz/text/templates.h"

#include <string>
#include <vector>

namespace app {

// Every name that a lesson may use, ascending, with what it is.
struct FactName {
    std::string name, meaning;
};
std::vector<FactName> fact_names();

// The arguments that the step's text has. Throws kernels::Error that names the figure which could not be had, and why.
std::vector<viz::Argument> facts_of(const LessonStep& step, const Lessons& lessons, Examples& examples);

// The step's text with its figures; where one could not be had, a sentence that says which.
std::vector<viz::Run> words_of(const LessonStep& step, const Lessons& lessons, Examples& examples);

} // namespace app
