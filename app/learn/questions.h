// The kinds of questions by subject. Each function is defined in its own source, questions_*.cpp.
#pragma once

#include "app/learn/quiz.h"

#include <vector>

namespace app {

std::vector<QuestionKind> thread_questions(); // which thread computes what
std::vector<QuestionKind> memory_questions(); // banks and sectors: the cost of an access
std::vector<QuestionKind> time_questions();   // order in time: k-tiles, barriers, asynchronous copies
std::vector<QuestionKind> sm_questions();     // what fits on an SM, and how a launch fills the GPU
std::vector<QuestionKind> speed_questions();  // speeds and their reasons

} // namespace app
