// Where the person is in a lesson or a quiz, and what the window showed before.
#pragma once

#include "app/learn/learned.h"
#include "app/learn/quiz_place.h"
#include "app/learn/tutor.h"
#include "app/session/choice.h"

#include "viz/view.h"

#include <memory>
#include <optional>
#include <set>
#include <string>

namespace app {

// All that is shown, to come back to it.
struct Whereabouts {
    Choice choice;
    std::size_t view = 0;
    viz::Selection selection;
    std::string arranged; // within the view
    friend bool operator==(const Whereabouts&, const Whereabouts&) = default;
};

struct OpenLesson {
    const Lesson* lesson = nullptr;
    std::size_t step = 0;
    Whereabouts before;              // the lesson was opened; it is shown again when that is closed
    std::optional<Whereabouts> mine; // what the person had made of the window, when they went back to the lesson
    std::set<std::size_t> done;      // steps whose deed was done
};

struct OpenQuiz {
    Whereabouts before;
    std::string title;                   // what it is about
    QuizWanted wanted;                   // its questions are made again from it
    const Lesson* lesson = nullptr;      // that it was asked after, or null
    bool taken_up = false;               // as it was left: the window is there already
    std::vector<QuizQuestion> questions; // empty: they are being made
    std::string failure;                 // why there are none
    std::size_t at = 0, right = 0;
    std::optional<std::size_t> chosen; // of the question's choices; of a wrong click the number of choices
    viz::Selection asked;              // when the question was put: a click changes it
    bool is_made() const { return !questions.empty() || !failure.empty(); }
    bool over() const { return !questions.empty() && at >= questions.size(); }
    const QuizQuestion* question() const { return at < questions.size() ? &questions[at] : nullptr; }
};

// A place that the window is on its way to: its recordings may still have to be made.
struct Arriving {
    Place place;
    Choice choice; // that was made for it; whoever chooses another goes elsewhere
    bool plays = false;
    std::optional<viz::Selection> selection; // instead of the place's own step
    std::size_t view = 0;                    // that is arranged as the place has it
};

struct Learning {
    std::unique_ptr<Tutor> tutor;
    Learned progress;
    std::optional<OpenLesson> lesson;
    std::optional<OpenQuiz> quiz;
    std::optional<Arriving> arriving;
    std::optional<Whereabouts> arrived; // what the window showed when it was there
    std::optional<double> stop_at;      // time at which playing ends by itself
    bool first_page = false;            // C = A x B
    bool page = false;                  // courses, lessons, concepts
    uint32_t quizzes = 0;               // that were started in this run

    bool column() const { return lesson || quiz; }
    // While a question is open: figures that would tell are not shown.
    bool hides() const
    {
        return quiz && !quiz->chosen && (quiz->question() != nullptr || (quiz->taken_up && !quiz->is_made()));
    }
    // The ladder's speeds are among them.
    bool hides_speeds() const
    {
        const QuizQuestion* question = hides() ? quiz->question() : nullptr;
        return hides() && (question == nullptr || question->kind == "faster" || question->kind == "gflops");
    }
    // The window is not yet where it was sent.
    bool waits() const { return arriving || (quiz && !quiz->is_made()); }
};

} // namespace app
