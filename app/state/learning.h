// Where the person is in a lesson or a quiz, and what the window showed before.
#pragma once

#include "app/learn/learned.h"
#include "app/learn/quiz_place.h"
#include "app/learn/tutor.h"
#include "app/workspace/workspace.h"

#include <memory>
#include <optional>
#include <set>
#include <string>

namespace app {

struct OpenLesson {
    const Lesson* lesson = nullptr;
    std::size_t step = 0;
    Workspace before;              // the lesson was opened; it is shown again when that is closed
    std::optional<Workspace> mine; // what the person had made of the window, when they went back to the lesson
    std::set<std::size_t> done;    // steps whose deed was done
};

struct OpenQuiz {
    Workspace before;
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

// What the window is on its way to: its recordings may still have to be made.
struct Arrival {
    Workspace workspace;        // the arrival is dropped when other stages are chosen meanwhile
    std::optional<Patch> patch; // that says which block, warp and step it is; none: as the workspace has them
    bool plays = false;
};

struct Learning {
    std::unique_ptr<Tutor> tutor;
    Learned progress;
    std::optional<OpenLesson> lesson;
    std::optional<OpenQuiz> quiz;
    std::optional<Arrival> arrival;
    std::optional<Workspace> arrived; // what the window showed when it was there
    std::optional<double> stop_at;    // time at which playing ends by itself
    uint32_t quizzes = 0;             // that were started in this run

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
    bool waits() const { return arrival || (quiz && !quiz->is_made()); }
};

} // namespace app
