#include "app/workspace/patch.h"

#include "app/text/command_words.h"

#include "error.h"
#include "gemm/size.h"

#include "viz/text/figures.h"

#include <algorithm>

namespace app {

Patch parse_patch(std::string_view text)
{
    auto patch = kernels::fields_of_words<Patch>(kernels::words_of(text), "A place");
    if (patch.inputs == recording::Inputs::unknown)
        kernels::refuse_word({"inputs", "unknown"}, std::array<std::string_view, 2>{"random", "small"});
    return patch;
}

std::string text_of(const Patch& patch)
{
    return kernels::text_of(kernels::words_of_fields(patch));
}

std::string command_of(const Patch& patch)
{
    return "gemmscope --show " + quoted_for_shell(text_of(patch));
}

kernels::Job job_of(const Patch& patch, const std::vector<kernels::Stage>& ladder, std::size_t column)
{
    const kernels::Stage& stage = kernels::find_stage(ladder, patch.columns[column].stage);
    std::vector<std::string> assignments;
    for (const auto& [name, value] : patch.columns[column].parameters)
        assignments.push_back(name + "=" + value);
    const bool tiny = patch.tiny && stage.tiny;
    kernels::Job job{
        .stage = &stage,
        .parameters =
            kernels::parse_parameters(stage, assignments, tiny ? stage.tiny->parameters : stage.standard_parameters()),
        .inputs = patch.inputs.value_or(patch.tiny ? recording::Inputs::small : recording::Inputs::random)};
    const std::string size(kernels::facts(stage.operation).small_size);
    job.problem = kernels::parse_size(patch.size.empty() ? size : patch.size, stage.operation);
    if (tiny && patch.size.empty())
        job.problem = stage.tiny->problem;
    job.problem.alpha = patch.alpha;
    job.problem.beta = patch.beta;
    job.problem = kernels::used_part(stage.operation, job.problem);
    return job;
}

std::size_t block_of(const Patch& patch, const recording::Recording& recording)
{
    const auto found = std::ranges::find(recording.blocks, patch.block, &recording::BlockTrace::block);
    return found == recording.blocks.end() ? 0 : static_cast<std::size_t>(found - recording.blocks.begin());
}

std::optional<std::size_t> step_of(const Patch& patch, const recording::Recording& recording)
{
    if (recording.blocks.empty() || patch.warp >= recording.blocks[block_of(patch, recording)].warps.size())
        return {};
    const auto& accesses = recording.blocks[block_of(patch, recording)].warps[patch.warp].accesses;
    if (patch.step)
        return *patch.step < accesses.size() ? patch.step : std::nullopt;
    if (patch.at.empty() && patch.operation.empty())
        return {};
    std::size_t before = 0;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        const recording::Access& access = accesses[i];
        const bool fits =
            (patch.operation.empty() || recording::name(access.op) == patch.operation) &&
            (patch.at.empty() || viz::source_line(recording, access.line).find(patch.at) != std::string::npos);
        if (fits && before++ == patch.skip)
            return i;
    }
    return {};
}

} // namespace app
