#include "app/tables/table.h"

#include <nlohmann/json.hpp>

namespace app {

namespace {

std::string cell(const nlohmann::json& value)
{
    if (value.is_null())
        return "";
    if (!value.is_string())
        return value.dump();
    auto text = value.get<std::string>();
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

} // namespace

std::string csv_of(const Table& table)
{
    std::string text;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        text += (i == 0 ? "" : ",") + table.columns[i];
    text += "\r\n";
    for (const auto& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += (i == 0 ? "" : ",") + cell(row[i]);
        text += "\r\n";
    }
    return text;
}

std::string json_of(const Table& table)
{
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const auto& row : table.rows) {
        nlohmann::ordered_json object;
        for (std::size_t i = 0; i < row.size(); ++i)
            object[table.columns[i]] = row[i];
        rows.push_back(std::move(object));
    }
    return nlohmann::ordered_json{{"table", table.name}, {"rows", rows}}.dump(2) + "\n";
}

} // namespace app
