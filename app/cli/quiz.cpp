// Implements 'gemmscope quiz': questions in the terminal, on a sheet, as JSON, and the answers that were handed in.
#include "app/learn/quiz.h"
#include "app/cli/command.h"
#include "app/data/recordings.h"
#include "app/learn/lessons.h"
#include "app/learn/question.h"
#include "app/learn/quiz_file.h"
#include "app/platform/sheet.h"

#include "viz/text/templates.h"

#include <fmt/ranges.h>

#include <algorithm>
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

// Asks the questions in the terminal and returns the answers that were given.
std::vector<GivenAnswer> ask_in_terminal(const std::vector<QuizQuestion>& quiz)
{
    std::vector<GivenAnswer> given;
    for (const QuizQuestion& question : quiz) {
        write_out("\nQuestion {} of {} · {}\n{}\n", given.size() + 1, quiz.size(), question.topic,
                  viz::plain(question.ask));
        for (std::size_t i = 0; i < question.choices.size(); ++i)
            write_out("  {}  {}\n", i + 1, viz::plain(question.choices[i].label));
        const auto chosen = typed_choice(question.choices.size());
        if (!chosen)
            break;
        given.push_back(given_answer(question, *chosen - 1));
        const AnswerChoice& answer = question.choices[question.answer];
        const bool is_right = given.back().is_right();
        if (!is_right)
            write_out("No. {} The answer is {}. ", viz::plain(question.choices[*chosen - 1].explains),
                      viz::plain(answer.label));
        write_out("{}{}\nSee it: {}\n", is_right ? "Right. " : "", viz::plain(answer.explains),
                  command_of(question.shown));
    }
    write_out("\n{} of {} right.\n", std::ranges::count_if(given, &GivenAnswer::is_right), given.size());
    return given;
}

struct QuizOptions {
    QuizRequest wanted;
    std::string course;                         // empty: any
    std::filesystem::path file;                 // quiz file that fixes the questions; empty: none
    std::filesystem::path write;                // quiz file to write instead; empty: none
    std::filesystem::path sheet;                // HTML file to write instead; empty: none
    SheetOptions look;                          // options of the sheet
    std::filesystem::path save;                 // file for the answers that are given; empty: none
    std::vector<std::filesystem::path> collect; // files of answers to evaluate instead; empty: none
};

void fields(OptionList& option, QuizOptions& options)
{
    QuizRequest& wanted = options.wanted;
    option("--course", options.course, "about what a course teaches, see 'lessons'");
    option("--concept", wanted.concepts, "about these concepts, see 'lessons --json'");
    option("--stage", wanted.stage, "about this stage");
    option("--kind", wanted.kinds, "of these kinds");
    option("--seed", wanted.seed, "the same seed asks the same; default 1");
    option("--count", wanted.count, "how many; default 10", between(std::size_t{1}, most_questions));
    option("--file", options.file, "a file that pins stage, questions and seed");
    option("--write", options.write, "write such a file instead", typed("FILE.json"));
    CLI::Option& sheet =
        option("--sheet", options.sheet, "write a sheet to print and hand out instead", typed("FILE.html"));
    option("--pictures", options.look.pictures, "the sheet has pictures", needs(sheet));
    option("--answers", options.look.answers, "the sheet has the answers", needs(sheet));
    option("--save", options.save, "write the answers that are given here into a file, to hand in", typed("FILE.json"),
           excludes("--sheet"));
    option("--collect", options.collect, "evaluate such files instead: who has how many right, and which concepts",
           excludes("--sheet"), excludes("--save"));
}

// Prints how many answers of each file are right, and how many about each concept.
int print_collected(const std::vector<std::filesystem::path>& files, Output& out)
{
    std::vector<std::vector<GivenAnswer>> all;
    Table people("answers", "file=:< | right | asked | wrong=wrong about:<");
    for (const std::filesystem::path& file : files) {
        const std::vector<GivenAnswer>& given = all.emplace_back(read_answers(file));
        std::string wrong;
        for (const GivenAnswer& one : given)
            if (!one.is_right())
                wrong += (wrong.empty() ? "" : ", ") + one.topic;
        people.add(
            {file.filename().string(), std::ranges::count_if(given, &GivenAnswer::is_right), given.size(), wrong});
    }
    out.print(std::move(people));
    Table concepts("concepts", "concept=:< | right | asked");
    for (const AnsweredConcept& about : by_concept(all))
        concepts.add({about.topic, about.right, about.asked});
    out.print(std::move(concepts));
    return 0;
}

// Returns for example "Questions about banks, padding".
std::string title_of_sheet(const QuizRequest& wanted)
{
    std::vector<std::string> names;
    for (const std::string& slug : wanted.concepts) {
        const Concept* found = find_concept(slug);
        names.push_back(found == nullptr ? slug : found->name);
    }
    return names.empty() || names.size() > 5 ? "Questions" : fmt::format("Questions about {}", fmt::join(names, ", "));
}

int write_quiz_sheet(const std::vector<QuizQuestion>& quiz, const QuizRequest& wanted, const QuizOptions& options)
{
    SheetOptions look = options.look;
    look.title = title_of_sheet(wanted);
    look.command = fmt::format("gemmscope quiz --seed {} --count {}{}{}{}{}", wanted.seed, wanted.count,
                               options.file.empty() ? "" : " --file " + options.file.filename().string(),
                               options.course.empty() ? "" : " --course " + options.course,
                               wanted.concepts.empty() || !options.course.empty()
                                   ? ""
                                   : fmt::format(" --concept {}", fmt::join(wanted.concepts, " ")),
                               wanted.stage.empty() ? "" : " --stage " + wanted.stage);
    write_sheet(quiz, look, options.sheet);
    write_out("Written: {}, {} questions{}{}.\n", options.sheet.string(), quiz.size(),
              look.pictures ? ", with pictures" : "", look.answers ? ", with the answers" : "");
    return 0;
}

// Prints the questions and answers as JSON, or asks them in the terminal one after another.
int run_quiz(const QuizOptions& options, Output& out)
{
    if (!options.collect.empty())
        return print_collected(options.collect, out);
    QuizRequest wanted = options.file.empty() ? options.wanted : read_quiz_file(options.file);
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
    if (!options.sheet.empty())
        return write_quiz_sheet(quiz, wanted, options);
    if (out.is_text()) {
        const std::vector<GivenAnswer> given = ask_in_terminal(quiz);
        if (!options.save.empty())
            write_answers(given, options.save);
        return 0;
    }
    nlohmann::json list = nlohmann::json::array();
    for (const QuizQuestion& question : quiz)
        list.push_back(to_json(question));
    out.print(table_of_members("quiz", list));
    return 0;
}

} // namespace

const Subcommand quiz_command = {
    "quiz", "questions about recordings, new ones for each seed; a sheet of them; with --json their answers too",
    declare<run_quiz>};

} // namespace app
