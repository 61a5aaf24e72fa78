// A table of figures that a command found or a view draws. It is printed as aligned text, as CSV or as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

struct TableColumn {
    std::string id;      // member of a row, with its unit: "start_ns"; dots access nested members: "launch.grid"
    std::string heading; // heading in text output
    // Format of a value in text output. "<": left-aligned words; "?yes:no": a boolean; empty: unchanged; otherwise see
    // number_text.
    std::string format;
    std::string group = {}; // heading above adjacent columns, for example "shared loads"
    std::function<nlohmann::json(const nlohmann::json& row)> value =
        {}; // computes the value from other members; empty: the value is the member `id`
};

// Returns the value of a column in a row. Null: unknown.
nlohmann::json value_of(const TableColumn& column, const nlohmann::json& row);

// Formats a number. `format` is a fmt format such as "{:.1f} ms", or one of: "%" for a share; "bytes"; "time" for ns;
// "energy" for J; "count", with large numbers in millions; "thousands", with commas, and with decimals below 100;
// "times" for a ratio, also with decimals below 100.
std::string number_text(std::string_view format, double number);

// A table. Unknown values are null. A row may have more members than the table has columns; JSON prints them too. A
// row's member "missing" gives the reasons: an object with a reason for each column, or one sentence for a row without
// any figures.
struct Table {
    Table() = default;
    // Defines the columns by their order in text output: "stage:< | size | median_ms=median:{:.4f}". Each has an id, a
    // heading (default: the id with blanks) and a format.
    Table(std::string named, std::string_view columns_in_order, std::vector<nlohmann::json> with_rows = {});

    std::string name; // for example "occupancy"
    std::vector<TableColumn> columns;
    std::vector<nlohmann::json> rows;

    void add(std::vector<nlohmann::json> values); // adds a row with one value per column, in column order
    // Computes a column's values from each row.
    void derive(std::string_view id, std::function<nlohmann::json(const nlohmann::json& row)> function);
};

// Makes a table of all members of the rows that are no lists or objects, named like the members.
Table table_of_members(std::string name, const nlohmann::json& rows);

// Returns null for an empty optional.
template <class T>
nlohmann::json given(const std::optional<T>& value)
{
    return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

std::string csv_of(const Table& table); // CSV as in RFC 4180 with a header of ids; unknown values are empty

// Returns {"table": name, "rows": [{column: value, ...}, ...]} with members in column order.
std::string json_of(const Table& table);

std::string text_of(const Table& table);       // headings, rows, and each reason for a "-" once; empty without rows
std::string headings_text(const Table& table); // the heading lines, for output row by row:
std::string row_text(const Table& table, const nlohmann::json& row);

} // namespace app
