// Questions about banks and sectors: what an access costs.
#pragma once

#include "app/learn/quiz.h"

#include <vector>

namespace app {

std::vector<QuestionKind> memory_questions();

} // namespace app
