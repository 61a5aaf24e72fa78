// A question that the user answers by looking at the picture, and its answer. Plain values; texts are made from them
// last (assets/text/quiz.md).
#pragma once

#include "app/learn/lessons.h"
#include "app/workspace/patch.h"

#include "viz/text/message.h"

#include "error.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace app {

struct AnswerChoice {
    viz::Message label;
    viz::Messages explains; // the assumption behind a wrong answer and its error, or why the answer is right
};

struct QuizQuestion {
    std::string kind;  // see question_kinds()
    std::string topic; // slug of its main concept
    viz::Messages ask;
    std::vector<AnswerChoice> choices;
    std::size_t answer = 0; // index in `choices`
    Level level = Level::beginner;
    Patch asked, shown;    // what the window shows before and after the answer
    bool is_drawn = false; // the picture of `asked` does not tell the answer, so it is drawn
    // Instead of a choice the user may click one of these in the picture.
    uint32_t lanes = 0;                                  // mask; 0: clicking a lane is no answer
    std::vector<std::pair<uint32_t, uint32_t>> elements; // (row, col) of C; empty: clicking an element is no answer
    // Returns whether the picture stays covered until the answer. If the answer can be clicked in the picture, the
    // picture is visible, but it is another one that does not reveal the answer.
    bool covers_picture() const { return !is_drawn && lanes == 0 && elements.empty(); }
};

// The limits on the number of questions in a quiz, for files, commands and saved states.

inline constexpr std::size_t most_questions = 500;

inline std::size_t checked_question_count(std::size_t count)
{
    if (count < 1 || count > most_questions)
        throw kernels::Error(fmt::format("A quiz has 1 to {} questions, not {}.", most_questions, count));
    return count;
}

} // namespace app
