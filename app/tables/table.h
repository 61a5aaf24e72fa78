// Figures in rows and columns, as CSV and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace app {

struct Table {
    std::string name;                              // of what it is: "occupancy"
    std::vector<std::string> columns;              // with the unit where there is one: "start_ns"
    std::vector<std::vector<nlohmann::json>> rows; // strings, numbers, booleans; null: not known
};

// With the columns' names in the first row; lines end as RFC 4180 says, and what is not known is empty.
std::string csv_of(const Table& table);

// {"table": name, "rows": [{column: value, ...}, ...]}
std::string json_of(const Table& table);

} // namespace app
