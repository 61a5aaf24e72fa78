// The kinds of questions, by what they are about; each function is in a source of its own, questions_*.cpp.
#pragma once

#include "app/learn/quiz.h"

#include <vector>

namespace app {

std::vector<QuestionKind> thread_questions(); // who computes what
std::vector<QuestionKind> memory_questions(); // banks and sectors: what an access costs
std::vector<QuestionKind> time_questions();   // the order of things: k-tiles, barriers, copies under way
std::vector<QuestionKind> sm_questions();     // what fits an SM, and how a launch fills the GPU
std::vector<QuestionKind> speed_questions();  // how fast, and why

} // namespace app
