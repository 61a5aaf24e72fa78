// Questions about how fast, and why.
#pragma once

#include "app/learn/quiz.h"

#include <vector>

namespace app {

std::vector<QuestionKind> speed_questions();

} // namespace app
