#include "app/shell/settings.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace app {

namespace {

using Json = nlohmann::json;

void take(const Json& json, const char* name, float lowest, float highest, float& value)
{
    const auto found = json.find(name);
    if (found == json.end() || !found->is_number())
        return;
    const float read = found->get<float>();
    if (read >= lowest && read <= highest)
        value = read;
}

void take(const Json& json, const char* name, bool& value)
{
    const auto found = json.find(name);
    if (found != json.end() && found->is_boolean())
        value = found->get<bool>();
}

Json to_json(const Settings& settings)
{
    return {{"light", settings.light},
            {"scale", settings.scale},
            {"ladder_width", settings.ladder_width},
            {"source_width", settings.source_width},
            {"ladder_open", settings.ladder_open},
            {"source_open", settings.source_open}};
}

} // namespace

std::filesystem::path settings_path()
{
    if (const char* config = std::getenv("XDG_CONFIG_HOME"); config != nullptr && *config != '\0')
        return std::filesystem::path(config) / "gemmscope" / "settings.json";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
        return std::filesystem::path(home) / ".config" / "gemmscope" / "settings.json";
    return {};
}

Settings load_settings(const std::filesystem::path& path)
{
    Settings settings;
    std::ifstream file(path);
    const Json json = Json::parse(file, nullptr, false);
    if (!json.is_object())
        return settings;
    take(json, "light", settings.light);
    take(json, "scale", 0.5f, 3, settings.scale);
    take(json, "ladder_width", 150, 420, settings.ladder_width);
    take(json, "source_width", 220, 900, settings.source_width);
    take(json, "ladder_open", settings.ladder_open);
    take(json, "source_open", settings.source_open);
    return settings;
}

bool save_settings(const Settings& settings, const std::filesystem::path& path) noexcept
try {
    if (path.empty())
        return false;
    std::filesystem::create_directories(path.parent_path());
    const std::filesystem::path unfinished = path.string() + "." + std::to_string(getpid());
    {
        std::ofstream file(unfinished);
        file << to_json(settings).dump(4) << '\n';
        if (!file.flush())
            return false;
    }
    std::filesystem::rename(unfinished, path);
    return true;
} catch (...) {
    return false;
}

} // namespace app
