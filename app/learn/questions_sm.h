// Questions about what fits an SM, and how a launch fills the GPU.
#pragma once

#include "app/learn/quiz.h"

#include <vector>

namespace app {

std::vector<QuestionKind> sm_questions();

} // namespace app
