// The table of all concepts, each with its lesson, its view and the kinds of questions about it: docs/concepts.md.
#pragma once

#include <string>

namespace app {

std::string concept_table(); // the whole page as Markdown

} // namespace app
