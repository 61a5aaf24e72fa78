// What the shipped JSON files share: each says its format, its device and its date, and has rows, of which a damaged one is
// left out without harm to the others.
#pragma once

#include "error.h"
#include "job.h"
#include "recording/measured.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

inline constexpr int shipped_format = 1;

using Ladder = std::vector<kernels::Stage>;

struct ShippedFile {
    std::filesystem::path folder;                  // empty: nothing is shipped
    const char* name;                              // "speeds.json"
    recording::How how = recording::How::measured; // its figures
    std::vector<const char*> lists = {"rows"};     // of rows; the first has to be there
};
using TakeHead = std::function<void(const nlohmann::json& file, const recording::Provenance& from)>;
using TakeRow =
    std::function<void(std::string_view list, const nlohmann::json& row)>; // which is left out where it throws

// First the head, then each row. Gives what is missing or damaged; empty: all was well. Never throws.
recording::Reasons read_shipped(const ShippedFile& file, const TakeHead& take_head, const TakeRow& take_row);

// Why a row is not there: what is wrong with the file, else that it has none of this launch.
recording::Reason why_no_row(const recording::Reasons& missing);

const kernels::Stage* stage_named(const Ladder& ladder, std::string_view slug); // null: the ladder has no such stage

// A row's "parameters", as the command line takes and prints them: a number, or a type by its name; not every stage has some. Nothing
// where the stage has not these, or refuses them.
std::optional<kernels::ParameterValues> parameters_of(const nlohmann::json& parameters, const kernels::Stage& stage);
std::optional<kernels::ParameterValues> parameters_in(const nlohmann::json& row, const kernels::Stage& stage);
nlohmann::json parameters_json(const kernels::Stage& stage, const kernels::ParameterValues& values);

// A row's "size", of which the operation uses what it uses.
recording::Problem problem_in(const nlohmann::json& row, kernels::Operation operation);

// A row's "stage", "size" and "parameters". Nothing of a stage or of parameters that the ladder has not. Throws kernels::Error.
std::optional<kernels::Job> job_in(const nlohmann::json& row, const Ladder& ladder);
void write_job(nlohmann::json& row, const kernels::Job& job);

} // namespace app
