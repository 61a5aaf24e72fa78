#include "app/learn/learning_progress.h"

#include "app/data/config_folder.h"
#include "app/data/fields_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace app {

void LearningProgress::add(const std::string& topic, bool right)
{
    Answered& answered = answered_[topic];
    ++answered.asked;
    answered.right += right ? 1 : 0;
    answered.in_a_row = right ? answered.in_a_row + 1 : 0;
}

Mastery LearningProgress::of(const std::string& topic) const
{
    const auto found = answered_.find(topic);
    return found == answered_.end()      ? Mastery::untouched
           : found->second.in_a_row >= 2 ? Mastery::known
                                         : Mastery::begun;
}

LearningProgress LearningProgress::load(const std::filesystem::path& file)
try {
    if (file.empty())
        return {};
    auto progress = from_named_json<LearningProgress>(read_json(file));
    for (auto& [topic, answered] : progress.answered_)
        answered.right = std::min(answered.right, answered.asked);
    return progress;
} catch (const std::exception&) {
    return {};
}

std::string LearningProgress::save(const std::filesystem::path& file) const noexcept
try {
    if (!file.empty())
        write_whole(file, to_named_json(*this).dump(2) + "\n");
    return "";
} catch (const std::exception& error) {
    return error.what();
}

std::filesystem::path LearningProgress::usual_path()
{
    const std::filesystem::path folder = config_folder();
    return folder.empty() ? folder : folder / "progress.json";
}

} // namespace app
