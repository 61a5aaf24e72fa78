// The rows of what a learner must be able to see, each with its lesson, its view and the kinds of question about it: docs/concepts.md.
#pragma once

#include <string>

namespace app {

std::string concept_table(); // Markdown, the whole page

} // namespace app
