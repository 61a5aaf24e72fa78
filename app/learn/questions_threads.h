// Questions about who computes what.
#pragma once

#include "app/learn/quiz.h"

#include <vector>

namespace app {

std::vector<QuestionKind> thread_questions();

} // namespace app
