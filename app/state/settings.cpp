#include "app/state/settings.h"

#include "app/catalogue/checked_json.h"
#include "app/catalogue/config_folder.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace app {

namespace {

using Json = nlohmann::json;

// Null where it is missing or of another kind.
const Json* find(const Json& json, const char* name, bool (Json::*is_of_kind)() const noexcept)
{
    const auto found = json.find(name);
    return found != json.end() && ((*found).*is_of_kind)() ? &*found : nullptr;
}

void take(const Json& json, const char* name, float lowest, float highest, float& value)
{
    const Json* found = find(json, name, &Json::is_number);
    const float read = found != nullptr ? found->get<float>() : value;
    if (read >= lowest && read <= highest)
        value = read;
}

void take(const Json& json, const char* name, bool& value)
{
    if (const Json* found = find(json, name, &Json::is_boolean))
        value = found->get<bool>();
}

// A short text that a window can show; those without one are left out.
std::string text_of(const Json& json, const char* name, std::size_t most)
{
    const Json* found = find(json, name, &Json::is_string);
    std::string text = found != nullptr ? found->get<std::string>() : "";
    return text.size() <= most ? text : "";
}

void take(const Json& json, const char* name, std::vector<NamedWorker>& value)
{
    if (const Json* found = find(json, name, &Json::is_array))
        for (const Json& one : *found)
            if (one.is_object() && value.size() < most_workers)
                if (NamedWorker worker{text_of(one, "name", 40), text_of(one, "command", 400)};
                    !worker.name.empty() && !worker.command.empty())
                    value.push_back(std::move(worker));
}

void take(const Json& json, const char* name, std::vector<std::string>& value)
{
    if (const Json* found = find(json, name, &Json::is_array))
        for (const Json& one : *found)
            if (one.is_string() && value.size() < most_recent)
                value.push_back(one.get<std::string>());
}

void take(const Json& json, const char* name, ChosenKeys& value)
{
    if (const Json* found = find(json, name, &Json::is_object))
        for (const auto& [id, keys] : found->items())
            if (keys.is_string() && keys.get<std::string>().size() <= 100)
                value[id] = keys.get<std::string>();
}

Json to_json(const Settings& settings)
{
    Json workers = Json::array();
    for (const NamedWorker& worker : settings.workers)
        workers.push_back({{"name", worker.name}, {"command", worker.command}});
    return {{"workers", workers},
            {"recent", settings.recent},
            {"keys", settings.keys},
            {"light", settings.light},
            {"scale", settings.scale},
            {"ladder_width", settings.ladder_width},
            {"source_width", settings.source_width},
            {"ladder_open", settings.ladder_open},
            {"motion", settings.motion},
            {"welcomed", settings.welcomed},
            {"card_open", settings.card_open},
            {"source_open", settings.source_open}};
}

} // namespace

void remember(Settings& settings, const std::filesystem::path& opened)
{
    std::error_code ignored; // a relative path will do then
    const std::filesystem::path whole = std::filesystem::absolute(opened, ignored);
    const std::string name = ignored ? opened.string() : whole.lexically_normal().string();
    std::erase(settings.recent, name);
    settings.recent.insert(settings.recent.begin(), name);
    settings.recent.resize(std::min(settings.recent.size(), most_recent));
}

std::filesystem::path settings_path()
{
    const std::filesystem::path folder = config_folder();
    return folder.empty() ? folder : folder / "settings.json";
}

Settings load_settings(const std::filesystem::path& path)
try {
    Settings settings;
    const Json json = read_json(path);
    if (!json.is_object())
        return settings;
    take(json, "light", settings.light);
    take(json, "scale", 0.5f, 3, settings.scale);
    take(json, "ladder_width", 150, 420, settings.ladder_width);
    take(json, "source_width", 220, 900, settings.source_width);
    take(json, "ladder_open", settings.ladder_open);
    take(json, "motion", settings.motion);
    take(json, "welcomed", settings.welcomed);
    take(json, "card_open", settings.card_open);
    take(json, "source_open", settings.source_open);
    take(json, "workers", settings.workers);
    take(json, "recent", settings.recent);
    take(json, "keys", settings.keys);
    return settings;
} catch (const std::exception&) {
    return {};
}

std::string save_settings(const Settings& settings, const std::filesystem::path& path) noexcept
try {
    if (!path.empty())
        write_kept(path, to_json(settings).dump(4) + "\n");
    return "";
} catch (const std::exception& error) {
    return error.what();
}

} // namespace app
