// The user's position in a quiz: a plain value that is written as one line of text. The questions are made again from
// the seed.
//     seed=17 concepts=banks,padding count=10 at=3 right=2 chosen=1 title="Bank conflicts and swizzles"
#pragma once

#include "app/learn/quiz.h"

#include "base/field_words.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace app {

struct QuizPlace {
    QuizWanted wanted;
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
