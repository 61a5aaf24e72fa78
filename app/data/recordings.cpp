#include "app/data/recordings.h"

#include "recording/file.h"
#include "recording/tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace app {

namespace {

std::filesystem::path program_folder()
{
    std::error_code unknown;
    return std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
}

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

std::filesystem::path shipped_folder()
{
    if (const char* folder = std::getenv("GEMMSCOPE_RECORDINGS"); folder != nullptr && *folder != '\0')
        return folder;
    const std::filesystem::path installed = program_folder() / "../share/gemmscope/recordings";
    std::error_code unknown;
    return std::filesystem::exists(installed, unknown) ? installed.lexically_normal() : SOURCE_TREE_RECORDINGS;
}

std::filesystem::path found_file(const std::filesystem::path& shipped, const std::filesystem::path& file)
{
    std::error_code ignored;
    const bool elsewhere = file.is_relative() && !std::filesystem::exists(file, ignored) &&
                           std::filesystem::exists(shipped / file, ignored);
    return elsewhere ? shipped / file : file;
}

std::filesystem::path shipped_size(const std::filesystem::path& folder, const kernels::Stage& stage,
                                   const recording::Problem& problem)
{
    const recording::Tiles tiles = recording::tiles_named(kernels::named(stage, stage.standard_parameters()));
    const std::string_view shape = problem == recording::ragged_problem(tiles) ? "ragged"
                                   : problem == recording::common_problem      ? "common"
                                                                               : "";
    std::filesystem::path file = folder / "sizes" / fmt::format("{}-{}.gscope", stage.slug, shape);
    std::error_code ignored;
    return !shape.empty() && std::filesystem::exists(file, ignored) ? file : std::filesystem::path();
}

recording::Recording read_shipped_recording(const std::filesystem::path& folder, const kernels::Stage& stage)
{
    const std::filesystem::path path = folder / fmt::format("{}.gscope", stage.slug);
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown))
        throw kernels::Unavailable(
            fmt::format("No recording of {} is shipped: {} is not there.", stage.slug, path.string()));
    recording::Recording result = recording::read(path);
    if (result.stage != stage.slug)
        throw kernels::Error(
            fmt::format("{} holds a recording of {} instead of {}. scripts/make-assets makes it anew on a "
                        "machine with a GPU.",
                        path.string(), result.stage, stage.slug));
    return result;
}

bool answers(const recording::Recording& recording, const kernels::Job& job)
{
    // A recording without this field was made before other inputs than random ones existed.
    const bool random = recording.inputs != recording::Inputs::small;
    if (random != (job.inputs == recording::Inputs::random))
        return false;
    return recording.stage == job.stage->slug && recording.problem == job.problem &&
           recording.parameters == kernels::named(*job.stage, job.parameters);
}

bool changed_since(const recording::Recording& recording, const kernels::Stage& stage)
{
    const kernels::Job job{&stage, stage.standard_parameters(), {}};
    return !recording::same_source(recording, kernels::describe_launch(job, {}));
}

std::filesystem::path traced_library(const std::filesystem::path& folder, std::string_view slug)
{
    std::filesystem::path file = folder / "programs" / (std::string(slug) + "_512.gscope");
    std::error_code ignored;
    return std::filesystem::exists(file, ignored) ? file : std::filesystem::path();
}

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
