// Common parts of the shipped JSON files. Each file states its format, device and date and has rows. A damaged row is
// skipped without affecting the others.
#pragma once

#include "error.h"
#include "recording/measured.h"
#include "stage.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace app {

inline constexpr int shipped_format = 1;

using Ladder = std::vector<kernels::Stage>;

struct ShippedFile {
    std::filesystem::path folder;                  // empty: nothing is shipped
    const char* name;                              // for example "speeds.json"
    recording::How how = recording::How::measured; // origin of its figures
    std::vector<const char*> lists = {"rows"};     // lists of rows; the first one must exist
};
using TakeHead = std::function<void(const nlohmann::json& file, const recording::Provenance& from)>;
using TakeRow =
    std::function<void(std::string_view list, const nlohmann::json& row)>; // a row is skipped if this throws

// Reads the head and then each row. Returns what is missing or damaged; empty: nothing. Never throws.
recording::Reasons read_shipped(const ShippedFile& file, const TakeHead& take_head, const TakeRow& take_row);

// Returns why a row is missing: the error of the file, otherwise that the file has no row of this launch.
recording::Reason why_no_row(const recording::Reasons& missing);

// Returns null if the ladder does not have the stage.
const kernels::Stage* stage_named(const Ladder& ladder, std::string_view slug);

// Convert a row's "parameters", in the form of the command line: a number, or the name of a type. Some stages have
// none. Return nothing if the stage does not have these parameters or refuses them.
std::optional<kernels::ParameterValues> parameters_of(const nlohmann::json& parameters, const kernels::Stage& stage);
std::optional<kernels::ParameterValues> parameters_in(const nlohmann::json& row, const kernels::Stage& stage);
nlohmann::json parameter_json(std::string_view name, int value);
nlohmann::json parameters_json(const kernels::Stage& stage, const kernels::ParameterValues& values);

// Returns a row's "size"; the operation determines which parts are used.
recording::Problem problem_in(const nlohmann::json& row, kernels::Operation operation);

// Returns a row's "stage", "size" and "parameters". Returns nothing for a stage or parameters that the ladder does not
// have. Throws kernels::Error.
std::optional<kernels::Job> job_in(const nlohmann::json& row, const Ladder& ladder);
void write_job(nlohmann::json& row, const kernels::Job& job);

// Reads untrusted JSON: a file may be damaged or malicious. Both reading functions throw kernels::Error whose text
// continues a file name, for example "it is damaged". app/data/fields_json.h checks the values.

// Parses the text. Refuses JSON that is nested more deeply than any of our files, because it could exhaust the stack or
// memory.
nlohmann::json parse_json(std::string_view text);

// Reads a file of at most 16 MiB.
nlohmann::json read_json(const std::filesystem::path& file);

// Return null for a missing or non-finite value, because JSON has no NaN.
nlohmann::json or_null(const std::optional<double>& value);
nlohmann::json or_null(double value);

} // namespace app
