#include "app/data/shipped_launches.h"

#include "recording/file.h"

#include <algorithm>
#include <utility>

namespace app {

namespace {

using RecordingPtr = std::shared_ptr<const recording::Recording>;

RecordingPtr read_if_there(const std::filesystem::path& path, const std::string& slug)
{
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown))
        return nullptr;
    try {
        auto result = std::make_shared<recording::Recording>(recording::read(path));
        return result->stage == slug ? result : nullptr;
    } catch (const std::exception&) { // showing the recording reports the error
        return nullptr;
    }
}

} // namespace

ShippedLaunches read_shipped_launches(const std::filesystem::path& folder, const std::vector<kernels::Stage>& ladder,
                                      std::stop_token stop)
{
    ShippedLaunches result;
    for (const kernels::Stage& stage : ladder) {
        if (stop.stop_requested() || folder.empty())
            break;
        const std::string slug(stage.slug);
        const RecordingPtr small = read_if_there(folder / (slug + ".gscope"), slug);
        const RecordingPtr large = read_if_there(folder / "launches" / (slug + ".gscope"), slug);
        if (small == nullptr && large == nullptr)
            continue;
        const RecordingPtr& counted = large != nullptr ? large : small;
        ShippedLaunch entry{.slug = slug, .parameters = counted->parameters};
        entry.launch = large;
        entry.resources = counted->resources;
        if (const RecordingPtr tall = read_if_there(folder / "launches" / (slug + "-tall.gscope"), slug);
            tall != nullptr && tall->parameters == entry.parameters)
            entry.tall = tall;
        entry.traffic = {viz::traffic_of(*counted), recording::provenance_of(*counted, true)};
        if (small != nullptr && small->parameters == entry.parameters)
            entry.tile = viz::reuse_tile(*small);
        result.stages.push_back(std::move(entry));
    }
    return result;
}

const ShippedLaunch* ShippedLaunches::find(std::string_view slug,
                                           const std::vector<recording::Parameter>& parameters) const
{
    const auto found = std::ranges::find_if(
        stages, [&](const ShippedLaunch& one) { return one.slug == slug && one.parameters == parameters; });
    return found == stages.end() ? nullptr : &*found;
}

} // namespace app
