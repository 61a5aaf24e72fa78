// Questions about the order of things: k-tiles, barriers, copies under way.
#pragma once

#include "app/learn/quiz.h"

#include <vector>

namespace app {

std::vector<QuestionKind> time_questions();

} // namespace app
