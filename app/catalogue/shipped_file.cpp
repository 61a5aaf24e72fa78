#include "app/catalogue/shipped_file.h"

#include "gemm/size.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace app {

namespace {

using recording::Missing;

// Why the first damaged row is left out, and how many there are of all.
struct Damage {
    std::size_t rows = 0, damaged = 0;
    std::string first;
};

void take_rows(const Fields& file, const char* list, const TakeRow& take, Damage& damage)
{
    std::size_t number = 0;
    for (const nlohmann::json& row : file.list(list)) {
        ++damage.rows;
        ++number;
        try {
            take(list, Fields(row));
        } catch (const std::exception& why) {
            if (damage.damaged++ == 0)
                damage.first = fmt::format("{} {}: {}", list, number, why.what());
        }
    }
}

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
        const Fields fields(whole);
        if (fields.whole<int>("format") != shipped_format)
            throw kernels::Error("it has a format of another gemmscope");
        take_head(fields,
                  {.how = file.how, .shipped = true, .device = fields.text("device"), .date = fields.text("date")});
        for (const char* list : file.lists)
            if (list == file.lists.front() || fields.has(list))
                take_rows(fields, list, take_row, damage);
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

std::optional<kernels::ParameterValues> parameters_in(const Fields& row, const kernels::Stage& stage)
{
    std::vector<std::string> assignments;
    if (row.has("parameters")) // not every stage has them
        for (const auto& [name, value] : row.object("parameters"))
            assignments.push_back(
                fmt::format("{}={}", name, value.is_string() ? value.get<std::string>() : value.dump()));
    try {
        return kernels::parse_parameters(stage, assignments);
    } catch (const kernels::Error&) {
        return std::nullopt;
    }
}

nlohmann::json parameters_json(const kernels::Stage& stage, const kernels::ParameterValues& values)
{
    nlohmann::json result = nlohmann::json::object();
    for (const recording::Parameter& one : kernels::named(stage, values)) {
        const std::string value = kernels::value_text(one.name, one.value); // a type has a name
        result[one.name] = value == std::to_string(one.value) ? nlohmann::json(one.value) : nlohmann::json(value);
    }
    return result;
}

recording::Problem problem_in(const Fields& row, kernels::Operation operation)
{
    return kernels::used_part(operation, kernels::parse_size(row.text("size"), operation));
}

} // namespace app
