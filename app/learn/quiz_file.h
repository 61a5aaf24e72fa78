// A quiz as files and text: the file in which a teacher fixes the questions, the questions as JSON, the answers that
// are handed in, and the position in a quiz as one line.
#pragma once

#include "app/learn/quiz.h"

#include "base/field_words.h"
#include "base/fields.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

// Reads {"format": 1, "stage": "vectorized", "course": "conflicts", "concepts": [], "questions": ["bank", "padding"],
// "seed": 7, "count": 10}. "questions" are kinds. Throws kernels::Error that names the file and the error.
QuizRequest read_quiz_file(const std::filesystem::path& file);
void write_quiz_file(const QuizRequest& wanted, const std::filesystem::path& file);

// Returns an object with question, choices, answer, concept, command and why, and for each choice its explanation.
nlohmann::json to_json(const QuizQuestion& question);

// The answers to a quiz, as a file that is handed in, and the evaluation of several such files.

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

// The user's position in a quiz: a plain value that is written as one line of text. The questions are made again from
// the seed.
//     seed=17 concepts=banks,padding count=10 at=3 right=2 chosen=1 title="Bank conflicts and swizzles"

struct QuizPlace {
    QuizRequest wanted;
    std::string title;
    // `at` is the current question, from 0. `right` counts the right answers, including that of the current question.
    std::size_t at = 0, right = 0;
    std::optional<std::size_t> chosen; // index in its choices; empty: not answered
    friend bool operator==(const QuizPlace&, const QuizPlace&) = default;
};

void fields(auto& visit, kernels::Like<QuizPlace> auto& place)
{
    using kernels::always_written;
    visit("seed", place.wanted.seed, always_written);
    visit("count", place.wanted.count, always_written, kernels::between(std::size_t{1}, most_questions));
    visit("concepts", place.wanted.concepts); // may also name a course, which stands for all its concepts
    visit("stage", place.wanted.stage);
    visit("kinds", place.wanted.kinds);
    visit("at", place.at, kernels::between(std::size_t{0}, most_questions)); // most_questions: the quiz is over
    visit("right", place.right);
    visit("chosen", place.chosen);
    visit("title", place.title);
}

std::string text_of(const QuizPlace& place);

// Parses the text. Throws kernels::Error that names an unknown word, or an invalid concept, kind or number.
QuizPlace parse_quiz_place(std::string_view text);

} // namespace app
