// Commands for learning: questions, and the list of lessons.
#pragma once

#include "app/learn/quiz.h"

#include <filesystem>
#include <string>

namespace app {

struct QuizOptions {
    QuizWanted wanted;
    std::string course;          // empty: any
    std::filesystem::path file;  // that pins what is asked; empty: none
    std::filesystem::path write; // such a file is written instead; empty: no
    bool json = false;
};

// With JSON the questions and their answers; else they are asked in the terminal, one after another.
int run_quiz(QuizOptions options);

// With courses, concepts and steps.
int list_lessons(bool json);
int print_concepts(); // docs/concepts.md

} // namespace app
