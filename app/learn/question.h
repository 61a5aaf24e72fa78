// A question to be answered by looking, and its answer. Plain values: words are made of them last (assets/text/quiz.md).
#pragma once

#include "app/workspace/patch.h"

#include "viz/text/message.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace app {

struct AnswerChoice {
    viz::Message label;
    viz::Messages
        explains; // the assumption that gives this answer, and what is wrong with it; of the right one why it is right
};

struct QuizQuestion {
    std::string kind;  // see question_kinds()
    std::string topic; // slug of its main row of concepts
    viz::Messages ask;
    std::vector<AnswerChoice> choices;
    std::size_t answer = 0; // its place in `choices`
    Patch asked, shown;     // what the window shows until it is answered; and what shows the answer
    // Instead of a choice one of these may be clicked in the picture.
    uint32_t lanes = 0;                                  // mask; 0: a lane is no answer
    std::vector<std::pair<uint32_t, uint32_t>> elements; // (row, col) of C; empty: an element is no answer
    // The picture waits for the answer, unless that may be clicked in it: then it is another one, which does not tell.
    bool covers_picture() const { return lanes == 0 && elements.empty(); }
};

} // namespace app
