#include "app/catalogue/recordings.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/learn/concept_table.h"
#include "app/learn/facts.h"
#include "app/learn/lessons.h"
#include "app/learn/quiz.h"
#include "app/learn/quiz_count.h"
#include "app/learn/quiz_file.h"

#include "viz/text/templates.h"

#include <CLI/CLI.hpp>
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
    Form form = Form::text;
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
    if (options.form == Form::text)
        return ask(quiz);
    nlohmann::json list = nlohmann::json::array();
    for (const QuizQuestion& question : quiz)
        list.push_back(to_json(question));
    Output out(options.form);
    out.print(table_of_members("quiz", list));
    out.end();
    return 0;
}

nlohmann::json to_json(const Lesson& lesson)
{
    nlohmann::json courses = nlohmann::json::object(), steps = nlohmann::json::array();
    for (const auto& [course, place] : lesson.courses)
        courses[course] = place;
    for (const LessonStep& step : lesson.steps)
        steps.push_back({{"title", step.title}, {"show", step.place ? text_of(*step.place) : ""}});
    return {{"slug", lesson.slug},   {"title", lesson.title}, {"covers", lesson.covers},
            {"needs", lesson.needs}, {"courses", courses},    {"steps", steps}};
}

Table titles_of(const std::vector<const Lesson*>& lessons)
{
    Table table("lessons", "slug=:< | title=:<");
    for (const Lesson* lesson : lessons)
        table.rows.push_back(to_json(*lesson));
    return table;
}

struct LessonsOptions {
    Form form = Form::text;
    bool figures = false, concepts = false;
};

int list_lessons(const LessonsOptions& options)
{
    const Lessons& lessons = shipped_lessons();
    Output out(options.form);
    if (options.concepts) {
        write_out("{}", concept_table());
        return 0;
    }
    if (options.figures) {
        Table table("figures", "name=:< | meaning=:<");
        for (const FactName& figure : fact_names())
            table.add({"{" + figure.name + "}", figure.meaning});
        out.print(std::move(table));
        out.end();
        return 0;
    }
    for (const Course& course : lessons.courses())
        out.say("{}\n{}", viz::plain(viz::Message{"learn.course", {{"slug", course.slug}}}),
                text_of(titles_of(course.lessons)));
    out.say("{}\n", viz::plain(viz::Message{"learn.all_lessons"}));
    std::vector<const Lesson*> all;
    for (const Lesson& lesson : lessons.all())
        all.push_back(&lesson);
    out.print(titles_of(all));
    out.end();
    return 0;
}

} // namespace

void add_quiz_command(CLI::App& program, int& status)
{
    const auto [quiz, options] = add_command<QuizOptions>(
        program, status, "quiz", "questions about recordings, new ones for each seed; with --json their answers too",
        run_quiz);
    quiz->add_option("--course", options->course, "about what a course teaches, see 'lessons'");
    quiz->add_option("--concept", options->wanted.concepts, "about these concepts, see 'lessons --json'");
    quiz->add_option("--stage", options->wanted.stage, "about this stage");
    quiz->add_option("--kind", options->wanted.kinds, "of these kinds");
    quiz->add_option("--seed", options->wanted.seed, "the same seed asks the same; default 1");
    quiz->add_option("--count", options->wanted.count, "how many; default 10")
        ->check(CLI::Range(std::size_t{1}, most_questions));
    quiz->add_option("--file", options->file, "a file that pins stage, questions and seed");
    quiz->add_option("--write", options->write, "write such a file instead")->type_name("FILE.json");
    add_form(*quiz, options->form);
}

void add_lessons_command(CLI::App& program, int& status)
{
    const auto [lessons, options] = add_command<LessonsOptions>(
        program, status, "lessons", "list the lessons and courses of the window", list_lessons);
    add_form(*lessons, options->form);
    lessons->add_flag("--figures", options->figures,
                      "the figures that a lesson's text may have, for those who write one");
    lessons->add_flag("--concepts", options->concepts, "the concepts as a table: lesson, view, kinds of question");
}

} // namespace app
