#include "app/catalogue/shipped_file.h"

#include <fmt/format.h>

#include <fstream>

namespace app {

namespace {

constexpr int known_format = 1;
constexpr const char* remedy = "scripts/make-assets makes it anew on a machine with a GPU.";

} // namespace

std::string read_shipped_file(const std::filesystem::path& path, std::string_view what,
                              const std::function<void(const nlohmann::json&)>& take)
{
    std::ifstream file(path);
    if (!file)
        return fmt::format("There are no shipped {}: {} is not there.", what, path.string());
    try {
        const nlohmann::json read = nlohmann::json::parse(file);
        if (read.at("format").get<int>() != known_format)
            throw kernels::Error("it has a format of another gemmscope");
        take(read);
        return "";
    } catch (const nlohmann::json::exception&) { // its words are for programmers
        return fmt::format("The shipped {} cannot be read: {} is damaged. {}", what, path.string(), remedy);
    } catch (const std::exception& error) {
        return fmt::format("The shipped {} cannot be read: {}: {}. {}", what, path.string(), error.what(), remedy);
    }
}

std::string read_shipped_rows(const std::filesystem::path& path, const RowsOf& rows,
                              const std::function<void(const nlohmann::json& file, const nlohmann::json& row)>& take)
{
    std::size_t all = 0, broken = 0;
    std::string missing = read_shipped_file(path, rows.what, [&](const nlohmann::json& file) {
        for (const nlohmann::json& row : file.at(rows.list).get_ref<const nlohmann::json::array_t&>()) {
            ++all;
            try {
                take(file, row);
            } catch (const std::exception&) { // its words are for programmers
                ++broken;
            }
        }
    });
    if (!missing.empty() || broken == 0)
        return missing;
    return fmt::format("{} of {} of the shipped {} are damaged and left out: {}. {}", broken, all, rows.what,
                       path.string(), remedy);
}

kernels::ParameterValues parameters_of(const nlohmann::json& row, const kernels::Stage& stage)
{
    std::vector<std::string> assignments;
    const nlohmann::json none = nlohmann::json::object(); // not every stage has parameters
    const nlohmann::json& all = row.contains("parameters") ? row.at("parameters") : none;
    for (const auto& [name, value] : all.get_ref<const nlohmann::json::object_t&>())
        assignments.push_back(fmt::format("{}={}", name, value.is_string() ? value.get<std::string>() : value.dump()));
    return kernels::parse_parameters(stage, assignments);
}

} // namespace app
