// What the readers of the shipped JSON files share. Each file says its format, its device and its date.
#pragma once

#include "backend.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <string>

namespace app {

// Calls `take` with the parsed file. Never throws: the words say in a sentence what is missing ("speeds") and why; they are
// empty where `take` went through.
std::string read_shipped_file(const std::filesystem::path& path, std::string_view what,
                              const std::function<void(const nlohmann::json&)>& take);

// The same of a file that is a list of rows, each taken alone: those that are broken are left out, and the words say how
// many. `take` gets the file and one row of it.
struct RowsOf {
    const char* list;      // "rows"
    std::string_view what; // "counters of a GPU"
};
std::string read_shipped_rows(const std::filesystem::path& path, const RowsOf& rows,
                              const std::function<void(const nlohmann::json& file, const nlohmann::json& row)>& take);

// The row's "parameters", as the command line takes them: a number, or a type by its name. Throws kernels::Error where the
// stage has not these.
kernels::ParameterValues parameters_of(const nlohmann::json& row, const kernels::Stage& stage);

} // namespace app
