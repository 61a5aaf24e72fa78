#include "app/workspace/choice.h"

#include "recording/tiles.h"

#include <cmath>
#include <utility>

namespace app {

namespace {

recording::Problem scaled(recording::Problem problem, const Sizes& sizes)
{
    problem.alpha = sizes.alpha;
    problem.beta = sizes.beta;
    return problem;
}

recording::Problem larger(const recording::Problem& a, const recording::Problem& b)
{
    return {.M = std::max(a.M, b.M), .N = std::max(a.N, b.N), .K = std::max(a.K, b.K)};
}

recording::Problem tiny_problem(const Choice& choice, const std::vector<kernels::Stage>& ladder,
                                const kernels::Stage& own)
{
    recording::Problem problem = own.tiny->problem;
    for (const ChosenStage& column : choice.columns)
        if (column.rung && is_tiny(choice, ladder[*column.rung]) &&
            kernels::facts(ladder[*column.rung].operation).uses_k == kernels::facts(own.operation).uses_k)
            problem = larger(problem, ladder[*column.rung].tiny->problem);
    return problem;
}

} // namespace

recording::Problem file_problem(const Sizes& sizes)
{
    return scaled(sizes.recorded.value_or(recording::Problem{.M = 128, .N = 128, .K = 128}), sizes);
}

recording::Problem timed_problem(const Sizes& sizes, kernels::Operation operation)
{
    switch (operation) {
    case kernels::Operation::vector_add: return {.N = sizes.timed_elements};
    case kernels::Operation::thread_coords: return kernels::used_part(operation, sizes.timed);
    case kernels::Operation::gemm:
    case kernels::Operation::gemm_columns: break;
    }
    return scaled(sizes.timed, sizes);
}

void Choice::show(std::size_t stage)
{
    if (columns[1].parameters || columns[1].version)
        compare(std::nullopt);
    columns[0] = {.rung = stage};
}

void Choice::show(const std::filesystem::path& other)
{
    if (columns[1].version)
        compare(std::nullopt);
    if (columns[0].file != other)
        columns[0].file_parameters.clear();
    columns[0].file = other;
}

void Choice::compare(std::optional<std::size_t> stage)
{
    columns[1] = {.rung = stage};
    if (!stage || columns[2].rung == stage)
        columns[2] = {};
}

void Choice::toggle_beside(std::size_t stage)
{
    if (columns[2].rung == stage)
        columns[2] = {};
    else if (columns[1].rung == stage && !columns[1].parameters)
        compare(std::exchange(columns[2].rung, std::nullopt));
    else if (comparing())
        columns[2].rung = stage;
    else
        compare(stage);
}

void Choice::set_parameters(std::size_t stage, const kernels::ParameterValues& values,
                            const kernels::ParameterValues& standard, bool of_tiny_form)
{
    if (of_tiny_form)
        tiny_parameters[stage] = values;
    else if (values == standard)
        parameters.erase(stage);
    else
        parameters[stage] = values;
}

void Choice::change_parameters(std::size_t column, const kernels::ParameterValues& values,
                               const kernels::ParameterValues& before, const kernels::ParameterValues& standard,
                               bool of_tiny_form)
{
    const std::optional<std::size_t> stage = columns[column].rung;
    if (!stage || values == before)
        return;
    if (column == 1 && columns[1].parameters) {
        columns[1].parameters = values;
        return;
    }
    const bool keep = column == 0 && !columns[0].file && (!comparing() || columns[1].parameters);
    set_parameters(*stage, values, standard, of_tiny_form);
    if (!keep)
        return;
    compare(stage);
    columns[1].parameters = before;
}

void Choice::set_file_parameter(const std::string& name, int value)
{
    std::vector<recording::Parameter>& chosen = columns[0].file_parameters;
    std::erase_if(chosen, [&](const auto& one) { return one.name == name; });
    chosen.push_back({name, value});
}

void Choice::swap()
{
    auto& [first, second, third] = columns;
    if (first.file && second.file) {
        std::swap(*first.file, *second.file);
        first.file_parameters.clear();
        return;
    }
    if (!comparing() || first.file || second.file || !first.rung)
        return;
    std::swap(first.rung, second.rung);
    auto& chosen = tiny ? tiny_parameters : parameters;
    if (second.parameters)
        std::swap(chosen[*first.rung], *second.parameters);
}

void Choice::set_tiny(bool wanted)
{
    if (tiny != wanted && columns[1].parameters)
        compare(std::nullopt);
    tiny = wanted;
}

recording::Inputs Choice::filled_with() const
{
    return inputs.value_or(tiny ? recording::Inputs::small : recording::Inputs::random);
}

void Choice::change_inputs()
{
    inputs = filled_with() == recording::Inputs::small ? recording::Inputs::random : recording::Inputs::small;
}

bool is_tiny(const Choice& choice, const kernels::Stage& stage)
{
    return choice.tiny && stage.tiny.has_value();
}

namespace {

bool same_parameters(const kernels::Stage& a, const kernels::Stage& b)
{
    return std::ranges::equal(a.parameters, b.parameters, {}, &kernels::ParameterSpec::name,
                              &kernels::ParameterSpec::name);
}

// Returns the tiny parameters. Two compared stages use the same parameters if possible: those of the stage with the
// larger tiny form.
kernels::ParameterValues tiny_parameters(const Choice& choice, const std::vector<kernels::Stage>& ladder,
                                         std::size_t stage)
{
    const auto size = [](const kernels::Stage& of) { return uint64_t{of.tiny->problem.M} * of.tiny->problem.N; };
    const kernels::Stage& own = ladder[stage];
    for (const ChosenStage& column : choice.columns) {
        if (!column.rung || !choice.comparing() || !is_tiny(choice, ladder[*column.rung]))
            continue;
        const kernels::Stage& other = ladder[*column.rung];
        if (size(other) > size(own) && same_parameters(own, other) &&
            own.cpu_kernel(other.tiny->parameters) != nullptr && own.refusal(other.tiny->parameters).empty())
            return other.tiny->parameters;
    }
    return own.tiny->parameters;
}

// Returns the number of different parameters, and the sum of their logarithmic factors.
std::pair<std::size_t, double> distance(const kernels::ParameterValues& a, const kernels::ParameterValues& b)
{
    std::size_t changed = 0;
    double factors = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i]) {
            ++changed;
            factors += std::abs(std::log2((std::abs(a[i]) + 1.0) / (std::abs(b[i]) + 1.0)));
        }
    return {changed, factors};
}

} // namespace

kernels::ParameterValues parameters(const Choice& choice, const std::vector<kernels::Stage>& ladder, std::size_t stage,
                                    const kernels::ParameterValues& standard)
{
    const bool tiny = is_tiny(choice, ladder[stage]);
    const auto& chosen = tiny ? choice.tiny_parameters : choice.parameters;
    const auto found = chosen.find(stage);
    return found != chosen.end() ? found->second : tiny ? tiny_parameters(choice, ladder, stage) : standard;
}

recording::Problem whole_problem(std::span<const ShownStage> shown)
{
    std::optional<recording::Problem> first;
    recording::Problem largest;
    bool same = true;
    for (const auto& [stage, values] : shown) {
        if (!kernels::facts(stage->operation).uses_k)
            continue;
        const recording::Problem own = recording::whole_problem(recording::tiles_named(kernels::named(*stage, values)));
        if (stage->cpu_kernel(stage->standard_parameters()) == nullptr)
            return own;
        same = same && (!first || own == *first);
        first = own;
        largest = larger(largest, own);
    }
    return same ? largest : larger(largest, recording::common_problem);
}

recording::Problem recorded_problem(const Choice& choice, const std::vector<kernels::Stage>& ladder, std::size_t stage)
{
    const kernels::Stage& own = ladder[stage];
    const Sizes& sizes = choice.sizes;
    if (is_tiny(choice, own))
        return kernels::used_part(own.operation,
                                  scaled(sizes.tiny ? *sizes.tiny : tiny_problem(choice, ladder, own), sizes));
    switch (own.operation) {
    case kernels::Operation::vector_add: return {.N = sizes.recorded_elements};
    case kernels::Operation::thread_coords: return sizes.recorded_threads;
    case kernels::Operation::gemm:
    case kernels::Operation::gemm_columns: break;
    }
    if (sizes.recorded)
        return scaled(*sizes.recorded, sizes);
    const auto with_parameters = [&](std::size_t rung) -> ShownStage {
        return {&ladder[rung], parameters(choice, ladder, rung, ladder[rung].standard_parameters())};
    };
    std::vector<ShownStage> shown{with_parameters(stage)};
    for (const ChosenStage& column : choice.columns)
        if (column.rung) {
            shown.push_back(with_parameters(*column.rung));
            shown.back().parameters = column.parameters.value_or(shown.back().parameters);
        }
    return scaled(whole_problem(shown), sizes);
}

std::string refusal(const kernels::Stage& stage, const kernels::ParameterValues& values, bool gpu)
{
    if (std::string own = stage.refusal(values); !own.empty())
        return own;
    return gpu || stage.cpu_kernel(values) != nullptr
               ? ""
               : "needs a GPU. Without one, only the parameter sets that were built in can run";
}

kernels::ParameterValues with_value(const kernels::Stage& stage, kernels::ParameterValues values, std::size_t index,
                                    int value, bool gpu)
{
    values[index] = value;
    if (refusal(stage, values, gpu).empty())
        return values;
    std::vector<kernels::ParameterValues> others;
    for (const kernels::ParameterValues& variant : stage.cpu_variants)
        if (variant[index] == value)
            others.push_back(variant);
    for (std::size_t i = 0; i < values.size(); ++i)
        for (const int choice : stage.parameters[i].choices)
            if (i != index && choice != values[i])
                others.emplace_back(values)[i] = choice;
    std::erase_if(others, [&](const auto& other) { return !refusal(stage, other, gpu).empty(); });
    const auto nearest =
        std::ranges::min_element(others, {}, [&](const auto& other) { return distance(other, values); });
    return nearest == others.end() ? values : *nearest;
}

recording::Index3 block_within(const recording::Index3& block, const recording::Index3& grid)
{
    return {std::min(block.x, std::max(grid.x, 1u) - 1), std::min(block.y, std::max(grid.y, 1u) - 1),
            std::min(block.z, std::max(grid.z, 1u) - 1)};
}

std::vector<recording::Index3> blocks_in_full(const recording::Index3& grid, const recording::Index3& chosen)
{
    constexpr uint64_t few = 4;
    std::vector<recording::Index3> blocks;
    if (grid.volume() > few)
        blocks.push_back({0, 0, 0});
    else
        for (uint32_t z = 0; z < grid.z; ++z)
            for (uint32_t y = 0; y < grid.y; ++y)
                for (uint32_t x = 0; x < grid.x; ++x)
                    blocks.push_back({x, y, z});
    if (std::ranges::find(blocks, chosen) == blocks.end())
        blocks.push_back(chosen);
    return blocks;
}

} // namespace app
