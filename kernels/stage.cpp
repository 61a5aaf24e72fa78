#include "stage.h"

#include "error.h"
#include "gemm/element_type.h"
#include "kernel_sources.h"
#include "recording/check.h"
#include "recording/disk.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace kernels {

namespace {

std::string parameter_names(const Stage& stage)
{
    std::string names;
    for (const ParameterSpec& parameter : stage.parameters)
        names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", parameter.name, parameter.meaning);
    return names;
}

// Returns whether a parameter is a type, whose values are written as names.
bool is_type(std::string_view parameter)
{
    return parameter == "TYPE" || parameter == "TYPE_C";
}
constexpr Type all_types[] = {type_fp32, type_tf32, type_fp16, type_bf16};

int parse_type(std::string_view name, std::string_view assignment)
{
    for (const Type type : all_types)
        if (name_of(type) == name || full_name_of(type) == name)
            return type;
    throw Error(
        fmt::format("'{}' is no type of elements, in '{}'; the types are: fp16, bf16, tf32, fp32.", name, assignment));
}

int parse_number(std::string_view digits, std::string_view assignment)
{
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size())
        throw Error(fmt::format("'{}' is not a whole number, in '{}'.", digits, assignment));
    return value;
}

void assign(const Stage& stage, std::string_view assignment, ParameterValues& values)
{
    const std::size_t equals = assignment.find('=');
    const std::string_view name = assignment.substr(0, equals);
    const auto found = std::find_if(stage.parameters.begin(), stage.parameters.end(),
                                    [name](const ParameterSpec& parameter) { return parameter.name == name; });
    if (equals == std::string_view::npos || found == stage.parameters.end())
        throw Error(fmt::format("'{}' sets no parameter of {}; give NAME=VALUE with one of: {}.", assignment,
                                stage.slug, parameter_names(stage)));
    const std::string_view value = assignment.substr(equals + 1);
    values[found - stage.parameters.begin()] =
        is_type(name) ? parse_type(value, assignment) : parse_number(value, assignment);
}

recording::Array operand(const char* name, const OperandShape& shape)
{
    recording::Array array{.name = name,
                           .space = recording::Space::global,
                           .rows = shape.rows,
                           .cols = shape.cols,
                           .element_bytes = shape.element_bytes,
                           .bytes = shape.bytes(),
                           .layout = {},
                           .pitch = shape.pitch * shape.element_bytes};
    if (shape.by_columns && shape.bytes() <= std::numeric_limits<uint32_t>::max()) // larger layouts are not recorded
        for (uint32_t row = 0; row < shape.rows; ++row)
            for (uint32_t col = 0; col < shape.cols; ++col)
                array.layout.push_back((col * shape.rows + row) * shape.element_bytes);
    return array;
}

} // namespace

ParameterValues Stage::standard_parameters() const
{
    ParameterValues values;
    for (const ParameterSpec& parameter : parameters)
        values.push_back(parameter.standard);
    return values;
}

ParameterValues Stage::standard_parameters(const recording::Device& device, const recording::Problem& problem) const
{
    return suited != nullptr && device.sm_count > 0 ? suited(problem, device.sm_count) : standard_parameters();
}

std::string value_text(std::string_view parameter, int value)
{
    if (is_type(parameter))
        for (const Type type : all_types)
            if (type == value)
                return std::string(name_of(type));
    return std::to_string(value);
}

const Stage& find_stage(const std::vector<Stage>& ladder, std::string_view slug)
{
    for (const Stage& stage : ladder)
        if (stage.slug == slug)
            return stage;
    std::string slugs;
    for (const Stage& stage : ladder)
        slugs += fmt::format("{}{}", slugs.empty() ? "" : ", ", stage.slug);
    throw Error(fmt::format("There is no stage '{}'; the stages are: {}.", slug, slugs));
}

std::vector<std::string_view> source_files(const Stage& stage)
{
    std::vector<std::string_view> files = {stage.file};
    const auto add = [&files](std::string_view file) {
        if (std::find(files.begin(), files.end(), file) == files.end())
            files.push_back(file);
    };
    add(stage.body_file);
    for (const LayoutSource& layout : stage.layouts)
        add(layout.file);
    return files;
}

std::optional<std::size_t> built_on(const std::vector<Stage>& ladder, std::size_t stage)
{
    const auto found = std::find_if(ladder.begin(), ladder.end(), [&ladder, stage](const Stage& other) {
        return other.slug == ladder.at(stage).builds_on;
    });
    return found == ladder.end() ? std::nullopt : std::optional<std::size_t>(found - ladder.begin());
}

std::string kernel_expression(const Stage& stage, std::string_view kernel, const ParameterValues& values,
                              std::string_view probe)
{
    return fmt::format("{0}::{1}<{0}::Parameters{{{2}}}, {3}>", stage.slug, kernel, fmt::join(values, ", "), probe);
}

ParameterValues parse_parameters(const Stage& stage, const std::vector<std::string>& assignments)
{
    return parse_parameters(stage, assignments, stage.standard_parameters());
}

ParameterValues assigned(const Stage& stage, const std::vector<std::string>& assignments, ParameterValues values)
{
    for (const std::string& assignment : assignments)
        assign(stage, assignment, values);
    return values;
}

ParameterValues parse_parameters(const Stage& stage, const std::vector<std::string>& assignments,
                                 ParameterValues standard)
{
    ParameterValues values = assigned(stage, assignments, std::move(standard));
    if (const std::string refusal = stage.refusal(values); !refusal.empty())
        throw Error(fmt::format("{} cannot run with these parameters: {}.", stage.slug, refusal));
    return values;
}

std::string missing_on(const recording::Device& device, const Stage& stage)
{
    const auto needed = static_cast<uint32_t>(stage.only_compute_capability);
    if (needed == 0 || (device.backend == "cuda" && needed == device.compute_capability))
        return "";
    return fmt::format("{} runs on NVIDIA GPUs of compute capability {}.{} only, and here there is only the {}.",
                       stage.slug, needed / 10, needed % 10, device.name);
}

std::vector<recording::Parameter> named(const Stage& stage, const ParameterValues& values)
{
    std::vector<recording::Parameter> result;
    for (std::size_t i = 0; i < values.size(); ++i)
        result.push_back({stage.parameters[i].name, values[i]});
    return result;
}

std::vector<recording::Array> arrays(const Stage& stage, const ParameterValues& values,
                                     const recording::Problem& problem)
{
    const OperandShapes shape = device_shapes(stage.operation, {stage.type(values), stage.type_of_c(values)}, problem);
    std::vector<recording::Array> result = {operand("A", shape.A), operand("B", shape.B), operand("C", shape.C)};
    for (recording::Array& tile : stage.tiles(values))
        result.push_back(std::move(tile));
    if (workspace_bytes(stage, values, problem) > 0)
        result.push_back(stage.second->workspace(values, problem));
    return result;
}

recording::Launch second_launch(const Stage& stage, const ParameterValues& values, const recording::Problem& problem)
{
    return stage.second ? stage.second->launch(values, problem) : recording::Launch{.grid = {0, 0, 0}};
}

uint64_t workspace_bytes(const Stage& stage, const ParameterValues& values, const recording::Problem& problem)
{
    return stage.second ? stage.second->workspace(values, problem).bytes : 0;
}

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
    result.problem = used_part(stage.operation, job.problem); // for vectors M = K = 1, whatever size was requested
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

namespace {

bool defines(std::string_view line, std::string_view name)
{
    if (line.starts_with("struct "))
        return line.substr(7).starts_with(name) && line.substr(7 + name.size()).starts_with(" ");
    const std::size_t at = line.find(name);
    const bool at_margin = !line.empty() && line.front() != ' ' && line.front() != '/';
    return at_margin && at != std::string_view::npos && line.substr(at + name.size()).starts_with("(");
}

// Finds the lines of a definition, from its first line to the next line that begins with a closing brace.
std::optional<DefinitionLines> find_definition(std::string_view text, std::string_view name)
{
    DefinitionLines found;
    uint32_t number = 1;
    for (std::size_t start = 0; start < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string_view line = text.substr(start, end - start);
        if (found.first == 0 && defines(line, name))
            found.first = number;
        else if (found.first != 0 && line.starts_with("}")) {
            found.last = number;
            return found;
        }
        start = end + 1;
    }
    return std::nullopt;
}

} // namespace

std::optional<DefinitionLines> find_layout(const LayoutSource& layout, const recording::Recording& recording)
{
    for (std::size_t i = 0; i < recording.sources.size(); ++i)
        if (recording.sources[i].name == layout.file)
            if (std::optional<DefinitionLines> found = find_definition(recording.sources[i].text, layout.name)) {
                found->source = i;
                return found;
            }
    return std::nullopt;
}

bool is_tile_of(std::string_view array, std::string_view tile)
{
    return array.starts_with(tile) && (array.size() == tile.size() || array[tile.size()] == '[');
}

} // namespace kernels
