#include "app/catalogue/recordings.h"
#include "app/cli/commands.h"
#include "app/learn/concept_table.h"
#include "app/learn/facts.h"
#include "app/learn/lessons.h"
#include "app/learn/quiz.h"
#include "app/learn/quiz_count.h"
#include "app/learn/quiz_file.h"
#include "app/text/tell.h"

#include "viz/text/templates.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

namespace app {

namespace {

void say(const viz::Message& message)
{
    write_out("{}\n", viz::plain(message));
}

// The place of the choice that was typed, from 1; nothing at the end of the input, or after q.
std::optional<std::size_t> typed_choice(std::size_t choices)
{
    std::string line;
    while (true) {
        write_out("> ");
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
        write_out("\n");
        say({"learn.question_of", {{"n", asked + 1}, {"all", quiz.size()}, {"concept", question.topic}}});
        write_out("{}\n", viz::plain(question.ask));
        for (std::size_t i = 0; i < question.choices.size(); ++i)
            write_out("  {}  {}\n", i + 1, viz::plain(question.choices[i].label));
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
    write_out("\n");
    say({"learn.score", {{"right", right}, {"asked", asked}}});
    return 0;
}

struct QuizOptions {
    QuizWanted wanted;
    std::string course;          // empty: any
    std::filesystem::path file;  // that pins what is asked; empty: none
    std::filesystem::path write; // such a file is written instead; empty: no
    bool json = false;
};

// With JSON the questions and their answers; else they are asked in the terminal, one after another.
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
    write_json(list);
    return 0;
}

int list_lessons(bool json)
{
    const Lessons& lessons = shipped_lessons();
    if (!json) {
        for (const Course& course : lessons.courses()) {
            say({"learn.course", {{"slug", course.slug}}});
            for (const Lesson* lesson : course.lessons)
                write_out("  {:<28}{}\n", lesson->slug, lesson->title);
        }
        say({"learn.all_lessons"});
        for (const Lesson& lesson : lessons.all())
            write_out("  {:<28}{}\n", lesson.slug, lesson.title);
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
    write_json(list);
    return 0;
}

int print_figures()
{
    for (const FactName& figure : fact_names())
        write_out("{:<28}{}\n", "{" + figure.name + "}", figure.meaning);
    return 0;
}

int print_concepts()
{
    write_out("{}", concept_table());
    return 0;
}

} // namespace

void add_learning_commands(CLI::App& program, int& status)
{
    const auto options = std::make_shared<QuizOptions>();
    CLI::App* quiz = program.add_subcommand(
        "quiz", "questions about recordings, new ones for each seed; with --json their answers too");
    quiz->add_option("--course", options->course, "about what a course teaches, see 'lessons'");
    quiz->add_option("--concept", options->wanted.concepts, "about these concepts, see 'lessons --json'");
    quiz->add_option("--stage", options->wanted.stage, "about this stage");
    quiz->add_option("--kind", options->wanted.kinds, "of these kinds");
    quiz->add_option("--seed", options->wanted.seed, "the same seed asks the same; default 1");
    quiz->add_option("--count", options->wanted.count, "how many; default 10")
        ->check(CLI::Range(std::size_t{1}, most_questions));
    quiz->add_option("--file", options->file, "a file that pins stage, questions and seed");
    quiz->add_option("--write", options->write, "write such a file instead")->type_name("FILE.json");
    quiz->add_flag("--json", options->json, "print JSON");
    quiz->callback([options, &status] { status = run_quiz(*options); });

    struct Listed {
        bool json = false, figures = false, concepts = false;
    };
    const auto listed = std::make_shared<Listed>();
    CLI::App* lessons = program.add_subcommand("lessons", "list the lessons and courses of the window");
    lessons->add_flag("--json", listed->json, "print JSON");
    lessons->add_flag("--figures", listed->figures,
                      "the figures that a lesson's text may have, for those who write one");
    lessons->add_flag("--concepts", listed->concepts, "the concepts as a table: lesson, view, kinds of question");
    lessons->callback([listed, &status] {
        status = listed->figures ? print_figures() : listed->concepts ? print_concepts() : list_lessons(listed->json);
    });
}

} // namespace app
