#include "app/learn/quiz_file.h"

#include "app/catalogue/checked_json.h"
#include "app/catalogue/config_folder.h"
#include "app/learn/lessons.h"
#include "app/learn/quiz_count.h"

#include "viz/text/templates.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string_view>

namespace app {

namespace {

using Json = nlohmann::json;

std::vector<std::string> texts(const Fields& fields, const char* name)
{
    std::vector<std::string> list;
    if (fields.has(name))
        for (const Json& one : fields.list(name)) {
            if (!one.is_string())
                throw kernels::Error(fmt::format("{} has something that is no text", name));
            list.push_back(one.get<std::string>());
        }
    return list;
}

QuizWanted wanted_from(const Fields& fields)
{
    if (fields.whole<int>("format", 1, 1000) != 1)
        throw kernels::Error("format is of another gemmscope");
    QuizWanted wanted{.concepts = texts(fields, "concepts"), .kinds = texts(fields, "questions")};
    if (fields.has("course"))
        wanted.concepts = shipped_lessons().concepts_of(fields.text("course"));
    wanted.stage = fields.text_or_none("stage");
    wanted.seed = fields.whole<uint32_t>("seed");
    wanted.count = fields.has("count") ? fields.whole<std::size_t>("count", 1, most_questions) : wanted.count;
    for (const std::string& kind : wanted.kinds)
        if (!is_question_kind(kind))
            throw kernels::Error(fmt::format("questions has \"{}\", which is no kind of question", kind));
    return wanted;
}

} // namespace

QuizWanted read_quiz_file(const std::filesystem::path& file)
try {
    const Json json = read_json(file);
    return wanted_from(Fields(json));
} catch (const kernels::Error& error) {
    const std::string_view why = error.what();
    throw kernels::Error(
        fmt::format("The quiz {} cannot be read: {}{}", file.string(), why, why.ends_with('.') ? "" : "."));
}

void write_quiz_file(const QuizWanted& wanted, const std::filesystem::path& file)
{
    Json json{{"format", 1},
              {"seed", wanted.seed},
              {"count", wanted.count},
              {"concepts", wanted.concepts},
              {"questions", wanted.kinds}};
    if (!wanted.stage.empty())
        json["stage"] = wanted.stage;
    write_kept(file, json.dump(2) + "\n");
}

Json to_json(const QuizQuestion& question)
{
    Json choices = Json::array(), explains = Json::array();
    for (const AnswerChoice& choice : question.choices) {
        choices.push_back(viz::plain(choice.label));
        explains.push_back(viz::plain(choice.explains));
    }
    return {{"question", viz::plain(question.ask)},
            {"choices", choices},
            {"answer", question.answer},
            {"explains", explains},
            {"concept", question.topic},
            {"kind", question.kind},
            {"command", command_of(question.shown)}};
}

} // namespace app
