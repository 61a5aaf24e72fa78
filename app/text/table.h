// Figures in rows and columns: what a command found, or what a view draws. A table prints as aligned text, as CSV and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

struct TableColumn {
    std::string id; // of the member of a row, with its unit: "start_ns"; dots lead to members of members: "launch.grid"
    std::string heading; // in text
    // How a value reads in text. "<": words, at the left of their column; "?yes:no": a boolean; empty: as it is; else see
    // number_text.
    std::string format;
    std::string group = {}; // what stands above it and its neighbours, such as "shared loads"
    std::function<nlohmann::json(const nlohmann::json& row)> value =
        {}; // where it follows from other members; empty: it is one
};

// The value of a column in a row; null: it is not known.
nlohmann::json value_of(const TableColumn& column, const nlohmann::json& row);

// "{:.1f} ms" and so on, as fmt has it, or: "%" of a share; "bytes"; "time" of ns; "energy" of J; "count", large ones in millions;
// "thousands", with commas, and with decimals below 100; "times", a ratio, which has decimals below 100 too.
std::string number_text(std::string_view format, double number);

// What is not known is null. A row may have more members than the table has columns: JSON prints them too. Its member "missing"
// says why: as an object the reason for each column, or as a sentence the one why it has none of the figures.
struct Table {
    Table() = default;
    // Columns as they stand in text: "stage:< | size | median_ms=median:{:.4f}", each an id, then where they are not the usual ones
    // its heading (the id with blanks) and its format.
    Table(std::string named, std::string_view columns_in_order, std::vector<nlohmann::json> with_rows = {});

    std::string name; // "occupancy"
    std::vector<TableColumn> columns;
    std::vector<nlohmann::json> rows;

    void add(std::vector<nlohmann::json> values); // a row, one value for each column in their order
    // The column has what the function makes of a row.
    void derive(std::string_view id, std::function<nlohmann::json(const nlohmann::json& row)> function);
};

// All members of the rows that are no lists or objects, as they are named.
Table table_of_members(std::string name, const nlohmann::json& rows);

// Null where there is none.
template <class T>
nlohmann::json given(const std::optional<T>& value)
{
    return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

std::string csv_of(const Table& table); // as RFC 4180 says, the ids first; what is not known is empty

// {"table": name, "rows": [{column: value, ...}, ...]}, members in the order of the columns.
std::string json_of(const Table& table);

std::string text_of(const Table& table); // headings, rows, and each reason once for what reads "-"; empty without rows
std::string headings_text(const Table& table); // its first line or two, then each row as it comes:
std::string row_text(const Table& table, const nlohmann::json& row);

} // namespace app
