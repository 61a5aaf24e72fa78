// The answers that a person gave to a quiz, as a file that is handed in, and what a teacher sees of several such files.
#pragma once

#include "app/learn/quiz.h"

#include "base/fields.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace app {

struct GivenAnswer {
    std::string question;               // its text
    std::string topic;                  // slug of its main concept
    std::size_t chosen = 0, answer = 0; // indices of choices
    bool is_right() const { return chosen == answer; }
};
void fields(auto& visit, kernels::Like<GivenAnswer> auto& given)
{
    visit("question", given.question);
    visit("concept", given.topic);
    visit("chosen", given.chosen);
    visit("answer", given.answer);
}

GivenAnswer given_answer(const QuizQuestion& question, std::size_t chosen);

// {"format": 1, "answers": [{"question": "...", "concept": "banks", "chosen": 2, "answer": 1}]}. Throw kernels::Error
// that names the file.
void write_answers(const std::vector<GivenAnswer>& answers, const std::filesystem::path& file);
std::vector<GivenAnswer> read_answers(const std::filesystem::path& file);

// How often a concept was asked about and answered right.
struct AnsweredConcept {
    std::string topic;
    std::size_t asked = 0, right = 0;
};
// Returns the concepts of all files together, the one with the fewest right answers first.
std::vector<AnsweredConcept> by_concept(const std::vector<std::vector<GivenAnswer>>& files);

} // namespace app
