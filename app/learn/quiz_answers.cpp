#include "app/learn/quiz_answers.h"

#include "app/data/config_folder.h"
#include "app/data/fields_json.h"

#include "viz/text/templates.h"

#include "error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace app {

namespace {

constexpr int answers_format = 1;

struct AnswerFile {
    std::vector<GivenAnswer> answers;
};
void fields(auto& visit, kernels::Like<AnswerFile> auto& file)
{
    visit("answers", file.answers);
}

} // namespace

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

} // namespace app
