#include "app/cli/learn.h"

#include "app/catalogue/recordings.h"
#include "app/cli/tell.h"
#include "app/learn/concept_table.h"
#include "app/learn/lessons.h"
#include "app/learn/quiz_file.h"

#include "viz/text/templates.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <iostream>
#include <string>

namespace app {

namespace {

void say(const viz::Message& message)
{
    fmt::print("{}\n", viz::plain(message));
}

// The place of the choice that was typed, from 1; nothing at the end of the input, or after q.
std::optional<std::size_t> typed_choice(std::size_t choices)
{
    std::string line;
    while (true) {
        fmt::print("> ");
        std::fflush(stdout);
        if (!std::getline(std::cin, line) || line == "q")
            return {};
        std::size_t number = 0;
        const auto read = std::from_chars(line.data(), line.data() + line.size(), number);
        if (read.ec == std::errc() && read.ptr == line.data() + line.size() && number >= 1 && number <= choices)
            return number;
        say({"learn.type_a_number", {{"most", choices}}});
    }
}

int ask(const std::vector<QuizQuestion>& quiz)
{
    std::size_t right = 0, asked = 0;
    for (const QuizQuestion& question : quiz) {
        fmt::print("\n");
        say({"learn.question_of", {{"n", asked + 1}, {"all", quiz.size()}, {"concept", question.topic}}});
        fmt::print("{}\n", viz::plain(question.ask));
        for (std::size_t i = 0; i < question.choices.size(); ++i)
            fmt::print("  {}  {}\n", i + 1, viz::plain(question.choices[i].label));
        const auto chosen = typed_choice(question.choices.size());
        if (!chosen)
            break;
        ++asked;
        const bool is_right = *chosen - 1 == question.answer;
        right += is_right ? 1 : 0;
        if (is_right)
            say({"learn.right", {{"why", question.choices[question.answer].explains}}});
        else
            say({"learn.wrong",
                 {{"explains", question.choices[*chosen - 1].explains},
                  {"answer", question.choices[question.answer].label},
                  {"why", question.choices[question.answer].explains}}});
        say({"learn.see", {{"command", command_of(question.shown)}}});
    }
    fmt::print("\n");
    say({"learn.score", {{"right", right}, {"asked", asked}}});
    return 0;
}

} // namespace

int run_quiz(QuizOptions options)
{
    QuizWanted wanted = options.file.empty() ? options.wanted : read_quiz_file(options.file);
    if (!options.course.empty()) {
        const std::vector<std::string> concepts = shipped_lessons().concepts_of(options.course);
        wanted.concepts.insert(wanted.concepts.end(), concepts.begin(), concepts.end());
    }
    if (!options.write.empty()) {
        write_quiz_file(wanted, options.write);
        say({"learn.written", {{"file", options.write.string()}}});
        return 0;
    }
    Examples examples(shipped_folder());
    if (!wanted.stage.empty())
        kernels::find_stage(examples.ladder(), wanted.stage);
    const std::vector<QuizQuestion> quiz = make_quiz(examples, wanted);
    if (!options.json)
        return ask(quiz);
    nlohmann::json list = nlohmann::json::array();
    for (const QuizQuestion& question : quiz)
        list.push_back(to_json(question));
    fmt::print("{}\n", list.dump(2));
    return 0;
}

int list_lessons(bool json)
{
    const Lessons& lessons = shipped_lessons();
    if (!json) {
        for (const Course& course : lessons.courses()) {
            say({"learn.course", {{"slug", course.slug}}});
            for (const Lesson* lesson : course.lessons)
                fmt::print("  {:<28}{}\n", lesson->slug, lesson->title);
        }
        say({"learn.all_lessons"});
        for (const Lesson& lesson : lessons.all())
            fmt::print("  {:<28}{}\n", lesson.slug, lesson.title);
        return 0;
    }
    nlohmann::json list = nlohmann::json::array();
    for (const Lesson& lesson : lessons.all()) {
        nlohmann::json courses = nlohmann::json::object(), steps = nlohmann::json::array();
        for (const auto& [course, place] : lesson.courses)
            courses[course] = place;
        for (const LessonStep& step : lesson.steps)
            steps.push_back({{"title", step.title}, {"show", step.place ? text_of(*step.place) : ""}});
        list.push_back({{"slug", lesson.slug},
                        {"title", lesson.title},
                        {"covers", lesson.covers},
                        {"needs", lesson.needs},
                        {"courses", courses},
                        {"steps", steps}});
    }
    fmt::print("{}\n", list.dump(2));
    return 0;
}

int print_concepts()
{
    fmt::print("{}", concept_table());
    return 0;
}

} // namespace app
