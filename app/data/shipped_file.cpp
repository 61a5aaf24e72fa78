#include "app/data/shipped_file.h"

#include "app/data/fields_json.h"

#include "gemm/size.h"
#include "recording/disk.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace app {

namespace {

using recording::Missing;

// Counts the rows that were read and those that were damaged, and keeps the error of the first damaged one.
struct Damage {
    std::size_t rows = 0, damaged = 0;
    std::string first;
};

void take_rows(const nlohmann::json& file, const char* list, const TakeRow& take, Damage& damage)
{
    std::size_t number = 0;
    for (const nlohmann::json& row : list_of(file, list)) {
        ++damage.rows;
        ++number;
        try {
            take(list, row);
        } catch (const std::exception& why) {
            if (damage.damaged++ == 0)
                damage.first = fmt::format("{} {}: {}", list, number, why.what());
        }
    }
}

constexpr int deepest = 32;
constexpr uint64_t largest_file = 16u << 20;

} // namespace

recording::Reasons read_shipped(const ShippedFile& file, const TakeHead& take_head, const TakeRow& take_row)
{
    if (file.folder.empty())
        return {{Missing::not_shipped, {file.name}}};
    const std::filesystem::path path = file.folder / file.name;
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown))
        return {{Missing::not_shipped, {file.name, path.string()}}};
    Damage damage;
    try {
        const nlohmann::json whole = read_json(path);
        require_format(whole, shipped_format);
        take_head(whole, {.how = file.how,
                          .shipped = true,
                          .device = field_of<std::string>(whole, "device"),
                          .date = field_of<std::string>(whole, "date")});
        for (const char* list : file.lists)
            if (list == file.lists.front() || (whole.contains(list) && !whole.at(list).is_null()))
                take_rows(whole, list, take_row, damage);
    } catch (const std::exception& error) {
        return {{Missing::unreadable, {path.string(), error.what()}}};
    }
    if (damage.damaged == 0)
        return {};
    return {
        {Missing::damaged, {std::to_string(damage.damaged), std::to_string(damage.rows), path.string(), damage.first}}};
}

recording::Reason why_no_row(const recording::Reasons& missing)
{
    return missing.empty() ? recording::Reason{Missing::other_launch} : missing.front();
}

const kernels::Stage* stage_named(const Ladder& ladder, std::string_view slug)
{
    const auto found = std::ranges::find(ladder, slug, &kernels::Stage::slug);
    return found == ladder.end() ? nullptr : &*found;
}

std::optional<kernels::ParameterValues> parameters_of(const nlohmann::json& parameters, const kernels::Stage& stage)
{
    std::map<std::string, nlohmann::json> values;
    if (!parameters.is_null())
        read_named_json(parameters, values, "parameters");
    std::vector<std::string> assignments;
    for (const auto& [name, value] : values)
        assignments.push_back(fmt::format("{}={}", name, value.is_string() ? value.get<std::string>() : value.dump()));
    try {
        return kernels::parse_parameters(stage, assignments);
    } catch (const kernels::Error&) {
        return std::nullopt;
    }
}

std::optional<kernels::ParameterValues> parameters_in(const nlohmann::json& row, const kernels::Stage& stage)
{
    return parameters_of(field_of<nlohmann::json>(row, "parameters", kernels::may_be_missing), stage);
}

nlohmann::json parameter_json(std::string_view name, int value)
{
    const std::string text = kernels::value_text(name, value); // a type is written as its name
    return text == std::to_string(value) ? nlohmann::json(value) : nlohmann::json(text);
}

nlohmann::json parameters_json(const kernels::Stage& stage, const kernels::ParameterValues& values)
{
    nlohmann::json result = nlohmann::json::object();
    for (const recording::Parameter& one : kernels::named(stage, values))
        result[one.name] = parameter_json(one.name, one.value);
    return result;
}

recording::Problem problem_in(const nlohmann::json& row, kernels::Operation operation)
{
    return kernels::used_part(operation, kernels::parse_size(field_of<std::string>(row, "size"), operation));
}

std::optional<kernels::Job> job_in(const nlohmann::json& row, const Ladder& ladder)
{
    const kernels::Stage* stage = stage_named(ladder, field_of<std::string>(row, "stage"));
    const auto parameters = stage == nullptr ? std::nullopt : parameters_in(row, *stage);
    if (!parameters)
        return std::nullopt;
    return kernels::Job{stage, *parameters, problem_in(row, stage->operation)};
}

void write_job(nlohmann::json& row, const kernels::Job& job)
{
    row["stage"] = job.stage->slug;
    row["size"] = kernels::size_name(job.problem, job.stage->operation);
    row["parameters"] = parameters_json(*job.stage, job.parameters);
}

nlohmann::json parse_json(std::string_view text)
try {
    return nlohmann::json::parse(text, [](int depth, nlohmann::json::parse_event_t, const nlohmann::json&) {
        if (depth > deepest)
            throw kernels::Error("it is nested too deeply");
        return true;
    });
} catch (const nlohmann::json::exception&) { // its message addresses programmers
    throw kernels::Error("it is damaged");
}

nlohmann::json read_json(const std::filesystem::path& file)
{
    return parse_json(recording::read_whole(file, largest_file));
}

nlohmann::json or_null(const std::optional<double>& value)
{
    return value ? or_null(*value) : nlohmann::json(nullptr);
}

nlohmann::json or_null(double value)
{
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

} // namespace app
