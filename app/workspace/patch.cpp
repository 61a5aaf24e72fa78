#include "app/workspace/patch.h"

#include "app/text/command_words.h"
#include "app/workspace/choice.h"

#include "error.h"
#include "gemm/size.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace app {

Patch parse_patch(std::string_view text)
{
    constexpr std::string_view of_parameters[] = {"parameter", "second", "of_third"}; // one word for each parameter
    const auto words = kernels::words_of(text);
    for (auto word = words.begin(); word != words.end(); ++word) {
        const auto like = [&](const kernels::Word& before) { return before.name == word->name; };
        const bool once = std::ranges::find(of_parameters, word->name) == std::end(of_parameters);
        if (once && std::any_of(words.begin(), word, like))
            throw kernels::Error(fmt::format("A place has {} twice. Write it once; a second stage is compare={}.",
                                             word->name, word->name == "stage" ? word->value : "STAGE"));
    }
    auto patch = kernels::fields_of_words<Patch>(words, "A place");
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

namespace {

// Returns the stage of a column with the parameters that the patch gives it.
ShownStage stage_of(const Patch& patch, const std::vector<kernels::Stage>& ladder, std::size_t column)
{
    const kernels::Stage& stage = kernels::find_stage(ladder, patch.columns[column].stage);
    std::vector<std::string> assignments;
    for (const auto& [name, value] : patch.columns[column].parameters)
        assignments.push_back(name + "=" + value);
    const bool tiny = patch.tiny && stage.tiny;
    return {&stage,
            kernels::parse_parameters(stage, assignments, tiny ? stage.tiny->parameters : stage.standard_parameters())};
}

// Returns the size that the window records for the stage of a column, without alpha and beta.
recording::Problem problem_of(const Patch& patch, const std::vector<kernels::Stage>& ladder, const ShownStage& own)
{
    const kernels::Operation operation = own.stage->operation;
    if (!patch.size.empty())
        return kernels::parse_size(patch.size, operation);
    if (patch.tiny && own.stage->tiny)
        return own.stage->tiny->problem;
    if (!kernels::facts(operation).uses_k)
        return kernels::parse_size(std::string(kernels::facts(operation).small_size), operation);
    std::vector<ShownStage> shown{own};
    for (std::size_t i = 0; i < patch.columns.size(); ++i)
        if (!patch.columns[i].stage.empty() && patch.columns[i].file.empty())
            shown.push_back(stage_of(patch, ladder, i));
    return whole_problem(shown);
}

} // namespace

kernels::Job job_of(const Patch& patch, const std::vector<kernels::Stage>& ladder, std::size_t column)
{
    const ShownStage own = stage_of(patch, ladder, column);
    kernels::Job job{.stage = own.stage,
                     .parameters = own.parameters,
                     .problem = problem_of(patch, ladder, own),
                     .inputs =
                         patch.inputs.value_or(patch.tiny ? recording::Inputs::small : recording::Inputs::random)};
    job.problem.alpha = patch.alpha;
    job.problem.beta = patch.beta;
    job.problem = kernels::used_part(own.stage->operation, job.problem);
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
