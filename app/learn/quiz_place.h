// How far a person is in a quiz: a plain value, as one line of text. Its questions are made again from the seed.
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
    std::size_t at = 0, right = 0;     // the question under way, from 0; answered rightly before it, or with it
    std::optional<std::size_t> chosen; // of its choices; none: it waits for an answer
    friend bool operator==(const QuizPlace&, const QuizPlace&) = default;
};

void fields(auto& visit, kernels::Like<QuizPlace> auto& place)
{
    using kernels::always_written;
    visit("seed", place.wanted.seed, always_written);
    visit("count", place.wanted.count, always_written, kernels::between(std::size_t{1}, most_questions));
    visit("concepts", place.wanted.concepts); // or course, which is all that it covers
    visit("stage", place.wanted.stage);
    visit("kinds", place.wanted.kinds);
    visit("at", place.at, kernels::between(std::size_t{0}, most_questions)); // there, the quiz is over
    visit("right", place.right);
    visit("chosen", place.chosen);
    visit("title", place.title);
}

std::string text_of(const QuizPlace& place);

// Throws kernels::Error that names the word it does not know, or the concept, the kind or the number that cannot be.
QuizPlace parse_quiz_place(std::string_view text);

} // namespace app
