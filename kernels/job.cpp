#include "job.h"

#include "error.h"
#include "kernel_sources.h"
#include "recording/check.h"
#include "recording/disk.h"

#include <fmt/format.h>

#include <algorithm>

namespace kernels {

Type type_of(const Job& job)
{
    return job.stage->type(job.parameters);
}

Types types_of(const Job& job)
{
    return {type_of(job), job.stage->type_of_c(job.parameters)};
}

std::string_view source_text(const Stage& stage, std::string_view file)
{
    return stage.text != nullptr && file == stage.file ? std::string_view(*stage.text) : kernel_sources::file(file);
}

double tolerance(const Job& job)
{
    return tolerance(job.stage->operation, job.problem, types_of(job));
}

recording::Recording describe_launch(const Job& job, const recording::Device& device)
{
    const Stage& stage = *job.stage;
    recording::Recording result;
    result.arrays = arrays(stage, job.parameters, job.problem);
    result.stage = stage.slug;
    result.parameters = named(stage, job.parameters);
    result.inputs = job.inputs;
    result.problem = used_part(stage.operation, job.problem); // vectors have M = K = 1 whatever size was requested
    result.launch = stage.launch(job.parameters, job.problem);
    const std::vector<std::string_view> files = source_files(stage);
    result.sources.clear();
    for (const std::string_view file : files)
        result.sources.push_back({std::string(file), std::string(source_text(stage, file))});
    result.body = static_cast<uint32_t>(std::find(files.begin(), files.end(), stage.body_file) - files.begin());
    result.device = device;
    result.recorded_at = recording::utc_now();
    try {
        recording::check_planned(result);
    } catch (const Error& reason) {
        throw Error(
            fmt::format("A launch of {} at this size cannot be recorded: {}. Choose a smaller size: the pattern "
                        "repeats.",
                        stage.slug, reason.what()));
    }
    return result;
}

} // namespace kernels
