// What a question is made from: recordings, random numbers determined by a seed, a recorded access, and answers. The
// numbers are the same on every machine.
#pragma once

#include "app/learn/example_recordings.h"
#include "app/learn/question.h"

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
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

// A randomly chosen recorded access that a question is about.

struct ChosenAccess {
    RecordingPtr recording;
    Patch place; // patch that shows the access
    const recording::Access* access = nullptr;
    const recording::Array* array = nullptr;
    viz::Message line() const;                  // for example "vectorized, line 70: As.store(k, row, a_part[n].x)"
    viz::Value element_of(uint32_t lane) const; // first element of the lane, for example "As(3, 5)"
    viz::Value lanes() const;                   // elements per lane: "lanes 0-15 As(0, 0) and lanes 16-31 As(0, 8)"
    bool lists_all() const; // false: lanes() names only some lanes, because there are too many elements
    std::optional<viz::Message> layout() const; // positions of the array's elements; empty: no formula describes them
};

using AccessFilter = std::function<bool(const recording::Access&)>;

// Chooses an access of block (0,0). Each kind of access (line, array, width) has the same probability. Returns nothing
// if there is no such access.
std::optional<ChosenAccess> choose_access(QuestionContext& context, const Patch& place, const AccessFilter& filter);

// Chooses a lane of the mask.
uint32_t choose_lane(QuestionContext& context, uint32_t mask);

// Returns a patch that shows a stage with its defaults in a view.
Patch placed(std::string_view stage, std::string_view view);

// Returns a question whose picture and answer are both shown by `place`.
QuizQuestion question_about(std::string topic, const Patch& place);

} // namespace app
