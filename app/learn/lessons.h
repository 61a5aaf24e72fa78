// The lessons in assets/lessons/*.md, the courses made of them, and the concepts that they are about.
//
// A lesson is a file. It begins with lines between two "---" that describe it:
//     title: Shared memory has 32 banks     says what is learnt
//     level: beginner                  or intermediate, or advanced
//     minutes: 5                       time that the lesson takes
//     covers: banks, transposing       slugs of concepts
//     needs: thread_tile               concepts that the user should know
//     course: conflicts 20             a course of the lesson, and its position in it
//     next: values                     the lesson that follows; without it the next one of its first course
// Then its steps follow. Each has a "## Title" and lines about what the window shows and what to do:
//     show: stage=vectorized view=banks at="As.store("     a patch (workspace/patch.h); without it nothing changes
//     done: stepped                    the goal of the step: see `Goal`
// Then at most 60 words of Markdown follow, as in viz/text/templates.h. A figure is an argument such as {conflicts},
// which the program computes (facts.h).
#pragma once

#include "app/workspace/patch.h"

#include "viz/text/templates.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

// The goal of a lesson's step: show another stage, play, go to another step, play two compared stages, or change
// parameters. The last four goals are tasks that the program checks: shared-memory loads without conflicts by changing
// one parameter, no conflicts with 16-byte reads, no conflicts in a user's file, and nine tenths of cuBLAS's speed.
enum class Goal : uint8_t {
    none,
    stage,
    play,
    step,
    compare,
    parameter,
    free_loads,
    conflict_free,
    own_file,
    near_cublas
};
constexpr std::array<std::string_view, 10> names_of(Goal)
{
    return {"",          "stage",      "play",          "step",     "compare",
            "parameter", "free_loads", "conflict_free", "own_file", "near_cublas"};
}

struct LessonStep {
    std::string id; // id of its text: "banks.1"
    std::string title;
    std::optional<Patch> place; // empty: the window stays unchanged
    Patch of;                   // patch that its figures refer to: its own, or that of the previous step
    Goal goal = Goal::none;
};

// The level of a lesson or of a question.
enum class Level : uint8_t { beginner, intermediate, advanced };
constexpr std::array<std::string_view, 3> names_of(Level)
{
    return {"beginner", "intermediate", "advanced"};
}

struct Lesson {
    std::string slug, title;
    Level level = Level::beginner;
    int minutes = 0;  // 0: the file does not say how long it takes
    std::string next; // slug of the lesson that follows; empty: see Lessons::after()
    std::vector<std::string> covers, needs;
    std::vector<std::pair<std::string, int>> courses;
    std::vector<LessonStep> steps;
};

struct Concept {
    std::string slug, name, question, view;
    std::string needs;          // what the view needs from a stage: concepts.h
    std::optional<Patch> place; // where the view shows the concept, if no step of the lesson does
    std::string also;           // other words by which it is found
};

struct Course {
    std::string slug;
    std::vector<const Lesson*> lessons; // in order
};

class Lessons {
public:
    // Parses `files`, pairs of name and text. Throws kernels::Error that names the file and the line.
    explicit Lessons(const std::vector<std::pair<std::string, std::string>>& files);

    const std::vector<Lesson>& all() const { return lessons_; }
    const Lesson* find(std::string_view slug) const; // null: there is none
    std::vector<Course> courses() const;
    // Returns the concepts of a course's lessons. Throws kernels::Error for an unknown course.
    std::vector<std::string> concepts_of(std::string_view course) const;
    const Lesson* of_concept(std::string_view slug) const; // the first lesson that covers it
    // Returns the lesson that it names as the next, otherwise the next one of its first course. Null: it is the last,
    // or in no course.
    const Lesson* after(const Lesson& lesson) const;
    const viz::Templates& templates() const { return templates_; }

private:
    std::vector<Lesson> lessons_;
    viz::Templates templates_;
};

// A step of a lesson. lesson_at() parses it from text and counts from 1: "banks:2", or "banks" for the first step.
// Throws kernels::Error for a step that does not exist. With `clamps`, a step beyond the end becomes the last one.
struct LessonAt {
    const Lesson* lesson = nullptr;
    std::size_t step = 0; // from 0
};
LessonAt lesson_at(const std::string& text, bool clamps = false);
std::string text_of(const Lesson& lesson, std::size_t step);

std::string_view name_of(Level level);          // "beginner", as a lesson's file has it
std::string effort_words(const Lesson& lesson); // "beginner · 4 min"

// Return the built-in lessons and concepts. They are parsed once and then constant.
const Lessons& shipped_lessons();
const std::vector<Concept>& all_concepts();
const Concept* find_concept(std::string_view slug); // null: there is none

// Parses the comment at the beginning of a stage's source, which is the stage's own lesson.

// A paragraph. "Look at: ..." has the label "Look at"; other paragraphs have an empty label.
struct CommentParagraph {
    std::string label, text; // text on one line
};
std::vector<CommentParagraph> leading_comment(std::string_view source);

} // namespace app
