#include "app/workspace/settings.h"

#include "app/data/config_folder.h"
#include "app/data/fields_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace app {

void remember(Settings& settings, const std::filesystem::path& opened)
{
    std::error_code ignored; // on an error the path stays relative
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
    const nlohmann::json json = read_json(path);
    if (!json.is_object())
        return settings;
    TolerantReader visit(json);
    fields(visit, settings);
    std::erase_if(settings.workers,
                  [](const NamedWorker& worker) { return worker.name.empty() || worker.command.empty(); });
    settings.workers.resize(std::min(settings.workers.size(), most_workers));
    settings.recent.resize(std::min(settings.recent.size(), most_recent));
    return settings;
} catch (const std::exception&) {
    return {};
}

std::string save_settings(const Settings& settings, const std::filesystem::path& path) noexcept
try {
    if (!path.empty())
        write_kept(path, to_named_json(settings).dump(4) + "\n");
    return "";
} catch (const std::exception& error) {
    return error.what();
}

} // namespace app
