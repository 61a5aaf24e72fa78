#include "app/learn/quiz_file.h"

#include "app/data/config_folder.h"
#include "app/data/fields_json.h"
#include "app/learn/lessons.h"

#include "viz/text/templates.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace app {

namespace {

using Json = nlohmann::json;

constexpr int known_format = 1;

QuizWanted wanted_from(const Json& json)
{
    require_format(json, known_format);
    auto wanted = from_named_json<QuizWanted>(json);
    if (const auto course = field_of<std::optional<std::string>>(json, "course"))
        wanted.concepts = shipped_lessons().concepts_of(*course);
    for (const std::string& kind : wanted.kinds)
        if (!is_question_kind(kind))
            throw kernels::Error(fmt::format("questions has \"{}\", which is no kind of question", kind));
    return wanted;
}

} // namespace

QuizWanted read_quiz_file(const std::filesystem::path& file)
try {
    return wanted_from(read_json(file));
} catch (const kernels::Error& error) {
    const std::string_view why = error.what();
    throw kernels::Error(
        fmt::format("The quiz {} cannot be read: {}{}", file.string(), why, why.ends_with('.') ? "" : "."));
}

void write_quiz_file(const QuizWanted& wanted, const std::filesystem::path& file)
{
    Json json = to_named_json(wanted);
    json["format"] = known_format;
    write_whole(file, json.dump(2) + "\n");
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
            {"level", name_of(question.level)},
            {"command", command_of(question.shown)}};
}

} // namespace app
