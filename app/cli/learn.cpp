// Implements 'gemmscope quiz', 'gemmscope lessons' and 'gemmscope sources': learning material and published claims.
#include "app/cli/command.h"
#include "app/data/recordings.h"
#include "app/learn/concepts.h"
#include "app/learn/facts.h"
#include "app/learn/lessons.h"
#include "app/learn/question.h"
#include "app/learn/quiz.h"
#include "app/learn/quiz_file.h"
#include "app/session/claim_table.h"

#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <iostream>

namespace app {

namespace {

// Reads the number of a choice, from 1. Returns nothing at the end of the input and for "q".
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
        write_out("Type a number from 1 to {}, or q to stop.\n", choices);
    }
}

int ask(const std::vector<QuizQuestion>& quiz)
{
    std::size_t right = 0, asked = 0;
    for (const QuizQuestion& question : quiz) {
        write_out("\nQuestion {} of {} · {}\n{}\n", asked + 1, quiz.size(), question.topic, viz::plain(question.ask));
        for (std::size_t i = 0; i < question.choices.size(); ++i)
            write_out("  {}  {}\n", i + 1, viz::plain(question.choices[i].label));
        const auto chosen = typed_choice(question.choices.size());
        if (!chosen)
            break;
        ++asked;
        const AnswerChoice& answer = question.choices[question.answer];
        const bool is_right = *chosen - 1 == question.answer;
        right += is_right ? 1 : 0;
        if (!is_right)
            write_out("No. {} The answer is {}. ", viz::plain(question.choices[*chosen - 1].explains),
                      viz::plain(answer.label));
        write_out("{}{}\nSee it: {}\n", is_right ? "Right. " : "", viz::plain(answer.explains),
                  command_of(question.shown));
    }
    write_out("\n{} of {} right.\n", right, asked);
    return 0;
}

struct QuizOptions {
    QuizWanted wanted;
    std::string course;          // empty: any
    std::filesystem::path file;  // quiz file that fixes the questions; empty: none
    std::filesystem::path write; // quiz file to write instead; empty: none
};

void fields(OptionList& option, QuizOptions& options)
{
    QuizWanted& wanted = options.wanted;
    option("--course", options.course, "about what a course teaches, see 'lessons'");
    option("--concept", wanted.concepts, "about these concepts, see 'lessons --json'");
    option("--stage", wanted.stage, "about this stage");
    option("--kind", wanted.kinds, "of these kinds");
    option("--seed", wanted.seed, "the same seed asks the same; default 1");
    option("--count", wanted.count, "how many; default 10", between(std::size_t{1}, most_questions));
    option("--file", options.file, "a file that pins stage, questions and seed");
    option("--write", options.write, "write such a file instead", typed("FILE.json"));
}

// Prints the questions and answers as JSON, or asks them in the terminal one after another.
int run_quiz(const QuizOptions& options, Output& out)
{
    QuizWanted wanted = options.file.empty() ? options.wanted : read_quiz_file(options.file);
    if (!options.course.empty()) {
        const std::vector<std::string> concepts = shipped_lessons().concepts_of(options.course);
        wanted.concepts.insert(wanted.concepts.end(), concepts.begin(), concepts.end());
    }
    if (!options.write.empty()) {
        write_quiz_file(wanted, options.write);
        write_out("Written: {}. Whoever runs gemmscope quiz --file with it gets the same questions.\n",
                  options.write.string());
        return 0;
    }
    ExampleRecordings examples(shipped_folder());
    if (!wanted.stage.empty())
        kernels::find_stage(examples.ladder(), wanted.stage);
    const std::vector<QuizQuestion> quiz = make_quiz(examples, wanted);
    if (out.is_text())
        return ask(quiz);
    nlohmann::json list = nlohmann::json::array();
    for (const QuizQuestion& question : quiz)
        list.push_back(to_json(question));
    out.print(table_of_members("quiz", list));
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
    bool figures = false, concepts = false;
};

void fields(OptionList& option, LessonsOptions& options)
{
    option("--figures", options.figures, "the figures that a lesson's text may have, for those who write one");
    option("--concepts", options.concepts, "the concepts as a table: lesson, view, kinds of question");
}

int list_lessons(const LessonsOptions& options, Output& out)
{
    const Lessons& lessons = shipped_lessons();
    if (options.concepts) {
        write_out("{}", concept_table());
        return 0;
    }
    if (options.figures) {
        Table table("figures", "name=:< | meaning=:<");
        for (const FactName& figure : fact_names())
            table.add({"{" + figure.name + "}", figure.meaning});
        out.print(std::move(table));
        return 0;
    }
    for (const Course& course : lessons.courses())
        out.say("Course {}:\n{}", course.slug, text_of(titles_of(course.lessons)));
    out.say("All lessons:\n");
    std::vector<const Lesson*> all;
    for (const Lesson& lesson : lessons.all())
        all.push_back(&lesson);
    out.print(titles_of(all));
    return 0;
}

// Returns the table of one source's claims with the window's texts for the figures.
Table table_of(const std::vector<const ClaimRow*>& rows)
{
    Table table("claims", "kernel=:< | stage:< | against:< | claimed | theirs_here | ours | verdict=:<");
    for (const ClaimRow* const row : rows) {
        const Claim& claim = *row->claim;
        table.add({claim.kernel, claim.stage, claim.against, claimed_words(*row),
                   claim.ran_wrong ? "wrong" : figure_words(claim, row->theirs_here),
                   figure_words(claim, row->ours.value()), verdict_of(*row)});
    }
    return table;
}

void print(const ClaimTable& table, Output& out)
{
    out.say("{}\n", heading_of(table));
    for (std::size_t first = 0; first < table.rows.size();) {
        const ClaimSource& source = *table.rows[first].source;
        out.say("\n{}{}\n", source.name, source.gpu.empty() ? "" : " on " + source.gpu);
        std::vector<const ClaimRow*> rows;
        for (; first < table.rows.size() && table.rows[first].source == &source; ++first)
            rows.push_back(&table.rows[first]);
        out.print(table_of(rows));
    }
    for (const ClaimRow& row : table.rows)
        if (!row.gflops)
            out.say("{}: {}\n", row.claim->stage, viz::plain(viz::in_a_sentence(row.gflops.missing())));
}

struct SourcesOptions {
    bool page = false;
};

void fields(OptionList& option, SourcesOptions& options)
{
    option("--page", options.page, "print docs/sources.md", excludes("--json"), excludes("--csv"));
}

int show_claims(const SourcesOptions& options, Output& out)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const Claims claims = shipped_claims(ladder);
    const CataloguePtr catalogue = load_catalogue(shipped_folder(), ladder);
    const ClaimTable table = claim_table(claims, *catalogue, ladder);
    if (options.page) {
        write_out("{}", claim_page(table));
        return 0;
    }
    const nlohmann::json whole = to_json(table);
    if (out.is_text())
        print(table, out);
    else
        out.print(table_of_members("claims", whole.at("rows")));
    out.end(whole);
    return 0;
}

} // namespace

const Subcommand quiz_command = {
    "quiz", "questions about recordings, new ones for each seed; with --json their answers too", declare<run_quiz>};
const Subcommand lessons_command = {"lessons", "list the lessons and courses of the window", declare<list_lessons>};
const Subcommand sources_command = {"sources", "what published ladders claim, and what a GPU gave of it here",
                                    declare<show_claims>};

} // namespace app
