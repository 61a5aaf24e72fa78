// Inputs for making a question: recordings, and random numbers determined by a seed. The numbers are the same on every
// machine.
#pragma once

#include "app/learn/example_recordings.h"
#include "app/learn/question.h"

#include <concepts>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace app {

class QuestionContext {
public:
    QuestionContext(ExampleRecordings& examples, uint32_t seed) : examples_(examples), random_(seed) {}

    ExampleRecordings& examples() const { return examples_; }
    uint32_t below(std::size_t count) { return static_cast<uint32_t>(random_() % count); } // 0 ... count - 1
    template <class List>
    const auto& one_of(const List& list)
    {
        return *(std::begin(list) + below(std::size(list)));
    }

private:
    ExampleRecordings& examples_;
    std::mt19937 random_;
};

// Collects the possible answers. Of two answers with the same text the first one stays. The right answer always stays.
class Answers {
public:
    Answers(viz::Message right, viz::Messages why);
    Answers(std::integral auto figure, viz::Messages why) : Answers(label_of(figure), std::move(why)) {}

    Answers& wrong(viz::Message label, viz::Message explains);
    Answers& wrong(std::integral auto figure, viz::Message explains)
    {
        return wrong(label_of(figure), std::move(explains));
    }
    // Fills up to four answers with figures near the right one and less than `below`.
    Answers& fill(std::integral auto right, uint64_t below = 1ull << 40)
    {
        return fill_beside(static_cast<uint64_t>(right), below);
    }
    // Returns the question with the answers. Figures are sorted in ascending order, other answers are shuffled.
    QuizQuestion into(QuizQuestion question, QuestionContext& context);

private:
    static viz::Message label_of(viz::Value figure) { return {"quiz.figure", {{"figure", std::move(figure)}}}; }
    Answers& fill_beside(uint64_t right, uint64_t below);

    std::vector<AnswerChoice> choices_;
    std::vector<std::string> labels_;
};

} // namespace app
