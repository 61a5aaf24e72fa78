#include "app/learn/learned.h"

#include "app/catalogue/checked_json.h"
#include "app/catalogue/config_folder.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace app {

void Learned::add(const std::string& topic, bool right)
{
    Answered& answered = answered_[topic];
    ++answered.asked;
    answered.right += right ? 1 : 0;
    answered.in_a_row = right ? answered.in_a_row + 1 : 0;
}

Mastery Learned::of(const std::string& topic) const
{
    const auto found = answered_.find(topic);
    return found == answered_.end()      ? Mastery::untouched
           : found->second.in_a_row >= 2 ? Mastery::known
                                         : Mastery::begun;
}

Learned Learned::load(const std::filesystem::path& file)
try {
    Learned progress;
    if (file.empty())
        return progress;
    const nlohmann::json json = read_json(file);
    for (const auto& [topic, value] : Fields(json).object("concepts")) {
        const Fields fields(value);
        Answered answered{fields.whole<uint32_t>("asked"), fields.whole<uint32_t>("right"),
                          fields.whole<uint32_t>("in_a_row")};
        answered.right = std::min(answered.right, answered.asked);
        progress.answered_[topic] = answered;
    }
    if (json.contains("read"))
        progress.read_ = json.at("read").get<std::set<std::string>>();
    return progress;
} catch (const std::exception&) {
    return {};
}

std::string Learned::save(const std::filesystem::path& file) const noexcept
try {
    nlohmann::json concepts = nlohmann::json::object();
    for (const auto& [topic, answered] : answered_)
        concepts[topic] = {{"asked", answered.asked}, {"right", answered.right}, {"in_a_row", answered.in_a_row}};
    if (!file.empty())
        write_kept(file, nlohmann::json{{"concepts", concepts}, {"read", read_}}.dump(2) + "\n");
    return "";
} catch (const std::exception& error) {
    return error.what();
}

std::filesystem::path Learned::usual_path()
{
    const std::filesystem::path folder = config_folder();
    return folder.empty() ? folder : folder / "progress.json";
}

} // namespace app
