// The lessons in assets/lessons/*.md, the courses through them and the concepts that they are about.
//
// A lesson is a file: lines between two "---" that say what it is,
//     title: Two words in one bank
//     covers: banks, transposing       slugs of concepts
//     needs: thread_tile               of concepts that ought to be known
//     course: conflicts 20             the courses that it belongs to, with its place in each
// then its steps, each a "## Title", lines that say what the window shows and what to do,
//     show: stage=vectorized view=banks at="As.store("     a place (place.h); without it nothing changes
//     done: stepped                    the step is done when the person has: see `Deed`
// and paragraphs of Markdown as in viz/text/templates.h. A figure is an argument, {conflicts}, which the program computes (facts.h).
#pragma once

#include "app/workspace/patch.h"

#include "viz/text/templates.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

// What a step may ask the person to do: another stage, play, another step, play two that are compared, other parameters. Or a task
// that the program checks: loads of shared memory without a conflict by one parameter alone, no conflict at all with reads of
// sixteen bytes, none in a file of one's own, nine tenths of cuBLAS.
enum class Deed : uint8_t {
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

struct LessonStep {
    std::string id; // "banks.1": of its text
    std::string title;
    std::optional<Patch> place; // nothing: the window stays as it is
    Patch of;                   // what its figures are of: its place, or that of the step before
    Deed deed = Deed::none;
};

struct Lesson {
    std::string slug, title;
    std::vector<std::string> covers, needs;
    std::vector<std::pair<std::string, int>> courses;
    std::vector<LessonStep> steps;
};

struct Concept {
    std::string slug, name, question, view;
    std::string needs;          // what the view needs of a stage to show it: concept_place.h
    std::optional<Patch> place; // its own, where the view shows it, if that is not a step of the lesson about it
};

struct Course {
    std::string slug;
    std::vector<const Lesson*> lessons; // in order
};

class Lessons {
public:
    // Of `files`, name and text. Throws kernels::Error that names the file and the line.
    explicit Lessons(const std::vector<std::pair<std::string, std::string>>& files);

    const std::vector<Lesson>& all() const { return lessons_; }
    const Lesson* find(std::string_view slug) const; // null: there is none
    std::vector<Course> courses() const;
    std::vector<std::string> concepts_of(std::string_view course) const; // throws kernels::Error for an unknown one
    const Lesson* of_concept(std::string_view slug) const;               // the first that covers it
    const Lesson* after(
        const Lesson& lesson) const; // the next one of its first course; null: it is the last, or in none
    const viz::Templates& templates() const { return templates_; }

private:
    std::vector<Lesson> lessons_;
    viz::Templates templates_;
};

// A step of a lesson as text has it, from 1: "banks:2"; the first one of "banks". Throws kernels::Error for one that there is not;
// `clamps`: a step beyond the end is the last one.
struct LessonAt {
    const Lesson* lesson = nullptr;
    std::size_t step = 0; // from 0
};
LessonAt lesson_at(const std::string& text, bool clamps = false);
std::string text_of(const Lesson& lesson, std::size_t step);

// Those that are built in; read once, they are constants of the program.
const Lessons& shipped_lessons();
const std::vector<Concept>& all_concepts();
const Concept* find_concept(std::string_view slug); // null: there is none

} // namespace app
