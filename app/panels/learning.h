// State of a lesson or quiz and of what the window showed before it, and the functions that go through it: steps,
// questions, answers, and the goals of steps.
#pragma once

#include "app/learn/learning_progress.h"
#include "app/learn/lecture.h"
#include "app/learn/quiz_file.h"
#include "app/learn/quiz_worker.h"
#include "app/workspace/commands.h"
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
    std::optional<Workspace> mine; // the workspace as the user had changed it, kept while they are back in the lesson
    std::set<std::size_t> done;    // steps whose goal was reached
};

struct OpenQuiz : QuizPlace {            // `chosen` is the number of choices after a wrong click
    const Lesson* lesson = nullptr;      // lesson that offered the quiz, or null
    bool taken_up = false;               // restored, so the window is already in place
    std::vector<QuizQuestion> questions; // empty: they are being made
    std::string failure;                 // why there are none
    viz::Selection asked;                // selection when the question was asked; a click changes it
    bool is_made() const { return !questions.empty() || !failure.empty(); }
    bool over() const { return !questions.empty() && at >= questions.size(); }
    const QuizQuestion* question() const { return at < questions.size() ? &questions[at] : nullptr; }
};

// Target of a navigation whose recordings may not be available yet.
struct Arrival {
    Workspace workspace;        // dropped if the user chooses other stages meanwhile
    std::optional<Patch> patch; // determines the block, warp and step; empty: the workspace determines them
    bool plays = false;
};

inline constexpr const char* questions_about_anything = "Questions about anything"; // title of a quiz

// State of a window that belongs to a class (app/panels/classroom.h).
struct Classroom {
    std::shared_ptr<Seat> seat; // null: the window is in no class
    bool follows = true;        // for a follower: it shows the leader's place

    // The state after the last change by the program. A difference from it is a change by the user.
    struct Shown {
        Workspace at;
        bool plays = false;
    };
    std::optional<Shown> shown;
    int frames_after_input = 0;      // frames in which a change counts as one by the user
    uint64_t place_number = 0;       // number of the leader's place that was applied last
    std::optional<LedPlace> to_play; // playback to start once the place is shown
    std::optional<LedPlace> told;    // for a leader: the place that was last sent to the class
    bool shows_file = false;         // for a leader: the shown file is not available to the class
};

struct Learning {
    Classroom classroom;
    std::unique_ptr<QuizWorker> quiz_worker;
    LearningProgress progress;
    std::filesystem::path kept_in; // file that stores the progress; empty: it is not stored
    std::optional<OpenLesson> lesson;
    std::optional<OpenQuiz> quiz;
    std::optional<Workspace> before; // workspace before a lesson or quiz, restored when it is closed
    std::optional<Arrival> arrival;
    std::optional<Workspace> arrived; // what the window showed on arrival
    std::optional<double> stop_at;    // time at which playback stops by itself
    uint32_t quizzes = 0;             // quizzes started in this run

    // Returns the question that the class was asked. It has precedence over an own quiz. Null: none.
    const AskedQuestion* asked_of_class() const
    {
        return classroom.seat ? classroom.seat->lecture().question() : nullptr;
    }
    bool column() const { return lesson || quiz || asked_of_class() != nullptr; }
    // Returns whether figures that reveal the answer of an open question are hidden.
    bool hides() const
    {
        if (const AskedQuestion* asked = asked_of_class())
            return !asked->revealed;
        return quiz && !quiz->chosen && (quiz->question() != nullptr || (quiz->taken_up && !quiz->is_made()));
    }
    // Returns the open question; null: none, or the quiz is still being made.
    const QuizQuestion* open_question() const
    {
        const AskedQuestion* asked = asked_of_class();
        return !hides() ? nullptr : asked != nullptr ? &asked->question : quiz->question();
    }
    // Returns whether the ladder's speeds are hidden too.
    bool hides_speeds() const
    {
        const QuizQuestion* question = open_question();
        return hides() && (question == nullptr || question->kind == "faster" || question->kind == "gflops");
    }
    // Returns whether the window has not reached the target of a navigation, or a quiz or a step's text is being made.
    bool waits() const;
};

void open_lesson(Session& session, State& state, const Lesson& lesson);
void take_up_lesson(State& state, const Lesson& lesson, std::size_t step); // resumes it without moving the window
void show_lesson_step(Session& session, State& state, std::size_t step);   // of the open lesson
// Both end the lesson. leave_lesson() shows again what was shown before it; close_lesson() does so too, unless the user
// has chosen another kernel or view meanwhile.
void leave_lesson(Session& session, State& state);
void close_lesson(Session& session, State& state);

// Moves the open lesson by `by` steps. In a quiz, moves to the next question after an answer.
void next_of_learning(Session& session, State& state, int by);

// Starts a quiz. Seed 0 selects new questions.
void start_quiz(State& state, std::string title, QuizRequest wanted);
// Returns the lesson that follows the open quiz's lesson, or null.
const Lesson* lesson_after_quiz(const State& state);
void take_up_quiz(State& state, QuizPlace place); // restores it
void ask(Session& session, State& state);         // asks the current question
// Saves the progress and shows whether the answer is right.
void answer(Session& session, State& state, std::size_t chosen);
// Answers an open question if the key is the number of one of its choices. Returns whether it was.
bool answer_by_key(Session& session, State& state, const KeyChord& chord);
void next_question(Session& session, State& state);
void close_quiz(Session& session, State& state);

// Takes a finished quiz, a clicked lane or element that answers a question, and a reached goal. Call it in each frame.
void follow_learning(const Snapshot& snapshot, Session& session, State& state);

} // namespace app
