// A file in which a teacher fixes the questions of a quiz, and a quiz as JSON.
#pragma once

#include "app/learn/quiz.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>

namespace app {

// Reads {"format": 1, "stage": "vectorized", "course": "conflicts", "concepts": [], "questions": ["bank", "padding"],
// "seed": 7, "count": 10}. "questions" are kinds. Throws kernels::Error that names the file and the error.
QuizWanted read_quiz_file(const std::filesystem::path& file);
void write_quiz_file(const QuizWanted& wanted, const std::filesystem::path& file);

// Returns an object with question, choices, answer, concept, command and why, and for each choice its explanation.
nlohmann::json to_json(const QuizQuestion& question);

} // namespace app
