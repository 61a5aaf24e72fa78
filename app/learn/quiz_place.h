// How far a person is in a quiz: a plain value, as one line of text. Its questions are made again from the seed.
//     seed=17 concepts=banks,padding count=10 at=3 right=2 chosen=1 title="Bank conflicts and swizzles"
#pragma once

#include "app/learn/quiz.h"

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

std::string text_of(const QuizPlace& place);

// Throws kernels::Error that names the word it does not know, or the concept, the kind or the number that cannot be.
QuizPlace parse_quiz_place(std::string_view text);

} // namespace app
