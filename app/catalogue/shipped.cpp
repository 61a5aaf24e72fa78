#include "app/catalogue/shipped.h"

#include "app/catalogue/shipped_file.h"
#include "app/cli/commands.h"
#include "app/shell/format.h"

#include "gemm/engine.h"
#include "measure/baseline.h"
#include "recording/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace app {

namespace {

using nlohmann::json;

constexpr const char* remedy = "scripts/make-assets makes it anew on a machine with a GPU.";

std::optional<double> positive(const json& row, const char* name)
{
    const json& value = row.at(name);
    if (value.is_null())
        return std::nullopt;
    const auto number = value.get<double>();
    if (!(number > 0) || !std::isfinite(number))
        throw kernels::Error(fmt::format("{} is not above zero", name));
    return number;
}

ShippedSpeed speed_of(const json& row, kernels::Operation operation)
{
    const std::optional<double> median = positive(row, "median_ms");
    if (!median)
        throw kernels::Error("median_ms is missing");
    return {.slug = row.at("stage").get<std::string>(),
            .parameters = {},
            .problem = kernels::used_part(operation, parse_size(row.at("size").get<std::string>(), {}, operation)),
            .median_ms = *median,
            .low_ms = row.value("low_ms", *median),
            .high_ms = row.value("high_ms", *median),
            .samples = row.value("samples", 0),
            .gflops = positive(row, "gflops"),
            .of_cublas = positive(row, "of_cublas")};
}

// None of what this gemmscope has not: a stage or a baseline, or parameters of a stage.
std::optional<ShippedSpeed> known_speed(const json& row, const std::vector<kernels::Stage>& ladder)
{
    const auto slug = row.at("stage").get<std::string>();
    const kernels::Baseline* baseline = kernels::find_baseline(slug);
    if (baseline != nullptr && baseline->needs_gpu())
        return speed_of(row, kernels::Operation::gemm);
    const auto stage = std::ranges::find(ladder, slug, &kernels::Stage::slug);
    if (stage == ladder.end())
        return std::nullopt;
    ShippedSpeed speed = speed_of(row, stage->operation);
    try {
        speed.parameters = parameters_of(row, *stage);
    } catch (const kernels::Error&) {
        return std::nullopt;
    }
    return speed;
}

} // namespace

// None of what was wrong, or could not be measured.
std::vector<ShippedSpeed> speeds_in(const json& rows, const std::vector<kernels::Stage>& ladder)
{
    std::vector<ShippedSpeed> result;
    for (const json& row : rows) {
        if (row.contains("missing") || !row.at("ok").get<bool>())
            continue;
        if (std::optional<ShippedSpeed> speed = known_speed(row, ladder))
            result.push_back(std::move(*speed));
    }
    return result;
}

namespace {

// Throws whatever a broken file leads to.
ShippedSpeeds parse_speeds(const json& file, const std::vector<kernels::Stage>& ladder)
{
    ShippedSpeeds speeds{.device = file.at("device").get<std::string>(),
                         .date = file.at("date").get<std::string>(),
                         .peak_gflops = positive(file, "peak_gflops").value_or(0),
                         .cublas_gflops = {},
                         .rows = speeds_in(file.at("rows"), ladder),
                         .by_size = {},
                         .missing = {}};
    if (file.contains("by_size"))
        speeds.by_size = speeds_in(file.at("by_size"), ladder);
    if (speeds.rows.empty())
        throw kernels::Error("it has no speed of any stage of this ladder");
    if (const ShippedSpeed* cublas = speeds.find("cublas_sgemm", {}))
        speeds.cublas_gflops = cublas->gflops;
    return speeds;
}

std::filesystem::path program_folder()
{
    std::error_code unknown;
    return std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
}

} // namespace

const ShippedSpeed* ShippedSpeeds::find(std::string_view slug, const kernels::ParameterValues& parameters) const
{
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const ShippedSpeed& row) {
        return row.slug == slug && row.parameters == parameters;
    });
    return found == rows.end() ? nullptr : &*found;
}

std::filesystem::path shipped_folder()
{
    if (const char* folder = std::getenv("GEMMSCOPE_RECORDINGS"); folder != nullptr && *folder != '\0')
        return folder;
    const std::filesystem::path installed = program_folder() / "../share/gemmscope/recordings";
    std::error_code unknown;
    return std::filesystem::exists(installed, unknown) ? installed.lexically_normal() : SOURCE_TREE_RECORDINGS;
}

ShippedSpeeds read_shipped_speeds(const std::filesystem::path& folder, const std::vector<kernels::Stage>& ladder)
{
    if (folder.empty())
        return {.missing = "No speeds are shipped."};
    ShippedSpeeds speeds;
    const std::string missing = read_shipped_file(folder / "speeds.json", "speeds",
                                                  [&](const json& file) { speeds = parse_speeds(file, ladder); });
    return missing.empty() ? speeds : ShippedSpeeds{.missing = missing};
}

std::string shipped_words(const ShippedSpeeds& speeds, const ShippedSpeed& speed, kernels::Operation operation)
{
    return fmt::format("shipped: {}, {}, size {}", speeds.device, speeds.date, size_text(speed.problem, operation));
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
        throw kernels::Error(fmt::format("{} holds a recording of {} instead of {}. {}", path.string(), result.stage,
                                         stage.slug, remedy));
    return result;
}

bool answers(const recording::Recording& recording, const kernels::Job& job)
{
    return recording.stage == job.stage->slug && recording.problem == job.problem &&
           recording.parameters == kernels::named(*job.stage, job.parameters);
}

std::string shipped_words(const recording::Recording& recording, const kernels::Stage& stage)
{
    const kernels::Job job{&stage, stage.standard_parameters(), {}};
    const bool same = recording::same_source(recording, kernels::describe_launch(job, {}));
    return fmt::format("recorded on {}, {}, shipped with gemmscope{}", recording.device.name,
                       recording.recorded_at.substr(0, 10), same ? "" : "; the stage's source has changed since");
}

} // namespace app
