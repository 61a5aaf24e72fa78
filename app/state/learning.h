// Where the person is in a lesson or a quiz and what the window showed before; and going through it: its steps and questions, what
// is answered, and what a step asks the person to do.
#pragma once

#include "app/learn/learned.h"
#include "app/learn/quiz_place.h"
#include "app/learn/tutor.h"
#include "app/workspace/workspace.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace app {

class Session;
class Snapshot;
struct State;

struct OpenLesson {
    const Lesson* lesson = nullptr;
    std::size_t step = 0;
    std::optional<Workspace> mine; // what the person had made of the window, when they went back to the lesson
    std::set<std::size_t> done;    // steps whose deed was done
};

struct OpenQuiz : QuizPlace {            // whose `chosen` is the number of choices after a wrong click
    const Lesson* lesson = nullptr;      // that it was asked after, or null
    bool taken_up = false;               // as it was left: the window is there already
    std::vector<QuizQuestion> questions; // empty: they are being made
    std::string failure;                 // why there are none
    viz::Selection asked;                // when the question was put: a click changes it
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

inline constexpr const char* questions_about_anything = "Questions about anything"; // title of a quiz

struct Learning {
    std::unique_ptr<Tutor> tutor;
    Learned progress;
    std::filesystem::path kept_in; // the file of the progress; empty: it is not kept
    std::optional<OpenLesson> lesson;
    std::optional<OpenQuiz> quiz;
    std::optional<Workspace> before; // a lesson or a quiz was opened; it is shown again when that is closed
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

void open_lesson(Session& session, State& state, const Lesson& lesson);
void take_up_lesson(State& state, const Lesson& lesson, std::size_t step); // where the window is
void show_lesson_step(Session& session, State& state, std::size_t step);   // of the open lesson
void close_lesson(Session& session, State& state);

// The step after this one (-1: before) of the open lesson; or, once it is answered, the next question.
void next_of_learning(Session& session, State& state, int by);

// A quiz, as a rule with seed 0: then its questions are new ones.
void start_quiz(State& state, std::string title, QuizWanted wanted);
// The lesson after the one that the open quiz was asked about; null: there is none.
const Lesson* lesson_after_quiz(const State& state);
void take_up_quiz(State& state, QuizPlace place);                // as it was left
void ask(Session& session, State& state);                        // puts the question at hand
void answer(Session& session, State& state, std::size_t chosen); // keeps the progress, and shows how it is
void next_question(Session& session, State& state);
void close_quiz(Session& session, State& state);

// Each frame: takes a quiz that was made, a lane or an element that was clicked for an answer, and a deed that was done.
void follow_learning(const Snapshot& snapshot, Session& session, State& state);

} // namespace app
