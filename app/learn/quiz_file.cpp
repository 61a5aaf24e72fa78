#include "app/learn/quiz_file.h"

#include "app/data/config_folder.h"
#include "app/data/fields_json.h"
#include "app/learn/lessons.h"

#include "viz/text/templates.h"

#include "error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace app {

namespace {

using Json = nlohmann::json;

constexpr int known_format = 1;

QuizRequest wanted_from(const Json& json)
{
    require_format(json, known_format);
    auto wanted = from_named_json<QuizRequest>(json);
    if (const auto course = field_of<std::optional<std::string>>(json, "course"))
        wanted.concepts = shipped_lessons().concepts_of(*course);
    for (const std::string& kind : wanted.kinds)
        if (!is_question_kind(kind))
            throw kernels::Error(fmt::format("questions has \"{}\", which is no kind of question", kind));
    return wanted;
}

constexpr int answers_format = 1;

struct AnswerFile {
    std::vector<GivenAnswer> answers;
};
void fields(auto& visit, kernels::Like<AnswerFile> auto& file)
{
    visit("answers", file.answers);
}

void refuse_unknown(const char* word, const std::vector<std::string>& parts, bool (*is_known)(std::string_view))
{
    for (const std::string& one : parts)
        if (!is_known(one))
            throw kernels::Error(
                fmt::format("\"{}={}\" has \"{}\", which there is not.", word, fmt::join(parts, ","), one));
}

} // namespace

QuizRequest read_quiz_file(const std::filesystem::path& file)
try {
    return wanted_from(read_json(file));
} catch (const kernels::Error& error) {
    const std::string_view why = error.what();
    throw kernels::Error(
        fmt::format("The quiz {} cannot be read: {}{}", file.string(), why, why.ends_with('.') ? "" : "."));
}

void write_quiz_file(const QuizRequest& wanted, const std::filesystem::path& file)
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

GivenAnswer given_answer(const QuizQuestion& question, std::size_t chosen)
{
    return {viz::plain(question.ask), question.topic, chosen, question.answer};
}

void write_answers(const std::vector<GivenAnswer>& answers, const std::filesystem::path& file)
{
    nlohmann::json json = to_named_json(AnswerFile{answers});
    json["format"] = answers_format;
    write_whole(file, json.dump(2) + "\n");
}

std::vector<GivenAnswer> read_answers(const std::filesystem::path& file)
try {
    const nlohmann::json json = read_json(file);
    require_format(json, answers_format);
    return from_named_json<AnswerFile>(json).answers;
} catch (const kernels::Error& error) {
    throw kernels::Error(fmt::format("The answers {} cannot be read: {}", file.string(), error.what()));
}

std::vector<AnsweredConcept> by_concept(const std::vector<std::vector<GivenAnswer>>& files)
{
    std::map<std::string, AnsweredConcept> found;
    for (const auto& answers : files)
        for (const GivenAnswer& given : answers) {
            AnsweredConcept& about = found[given.topic];
            about.topic = given.topic;
            ++about.asked;
            about.right += given.is_right() ? 1 : 0;
        }
    std::vector<AnsweredConcept> concepts;
    for (auto& [topic, about] : found)
        concepts.push_back(std::move(about));
    std::ranges::stable_sort(concepts, {}, [](const AnsweredConcept& about) {
        return static_cast<double>(about.right) / static_cast<double>(about.asked);
    });
    return concepts;
}

std::string text_of(const QuizPlace& place)
{
    std::vector<kernels::Word> words = kernels::words_of_fields(place);
    const std::vector<Course> courses = shipped_lessons().courses();
    const auto course = std::ranges::find_if(
        courses, [&](const Course& one) { return shipped_lessons().concepts_of(one.slug) == place.wanted.concepts; });
    if (course != courses.end() && !place.wanted.concepts.empty())
        *std::ranges::find(words, "concepts", &kernels::Word::name) = {"course", course->slug};
    return kernels::text_of(words);
}

QuizPlace parse_quiz_place(std::string_view text)
{
    std::vector<kernels::Word> words = kernels::words_of(text);
    for (kernels::Word& word : words)
        if (word.name == "course")
            word = {"concepts", fmt::format("{}", fmt::join(shipped_lessons().concepts_of(word.value), ","))};
    auto place = kernels::fields_of_words<QuizPlace>(words, "A quiz");
    refuse_unknown("concepts", place.wanted.concepts,
                   [](std::string_view slug) { return find_concept(slug) != nullptr; });
    refuse_unknown("kinds", place.wanted.kinds, is_question_kind);
    if (place.right > place.at + (place.chosen ? 1 : 0))
        throw kernels::Error("A quiz cannot have more right answers than questions that were answered.");
    return place;
}

} // namespace app
