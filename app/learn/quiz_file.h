// A quiz that a teacher hands out: a file that pins what is asked. And a quiz as JSON.
#pragma once

#include "app/learn/quiz.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>

namespace app {

// {"format": 1, "stage": "vectorized", "course": "conflicts", "concepts": [], "questions": ["bank", "padding"], "seed": 7,
// "count": 10}; "questions" are kinds. Throws kernels::Error naming the file and what is wrong with it.
QuizWanted read_quiz_file(const std::filesystem::path& file);
void write_quiz_file(const QuizWanted& wanted, const std::filesystem::path& file);

// An object with question, choices, answer, concept, command, why, and for each choice what it explains.
nlohmann::json to_json(const QuizQuestion& question);

} // namespace app
