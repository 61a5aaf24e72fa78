// A GPU's counters for stages and libraries. `gemmscope counters --json` prints such rows and adds the figures that it
// compares them with. counters.json holds the rows of the GPU that made the shipped recordings.
#pragma once

#include "app/data/shipped_file.h"

#include "viz/analysis/counted.h"

#include "machine_code/machine_code.h"
#include "measure/counters.h"
#include "recording/counted.h"
#include "recording/recording.h"
#include "stage.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <limits>

namespace app {

// Counters of one machine instruction that accesses memory.
struct NamedCount {
    kernels::InstructionCount count;
    std::string name;  // for example "LDS.128"
    uint32_t line = 0; // source line; 0: none
};
void fields(auto& visit, kernels::Like<NamedCount> auto& one)
{
    visit("kernel", one.count.kernel);
    visit("address", one.count.address);
    visit("name", one.name);
    visit("line", one.line, kernels::may_be_missing);
    visit("executed", one.count.executed, kernels::any_count);
    visit("shared_wavefronts", one.count.shared_wavefronts, kernels::any_count);
    visit("global_sectors", one.count.global_sectors, kernels::any_count);
}

std::vector<NamedCount> with_names(const kernels::InstructionCounters& counters, const kernels::MachineCode& code);

struct CountedRow {
    std::string slug;
    kernels::ParameterValues parameters;
    recording::Problem problem;
    kernels::Counters counters;
    int readings = 1;             // see readings.h
    std::string date;             // date of this row; empty: the date of the file
    std::vector<NamedCount> each; // ascending by kernel and address; empty: instructions were not counted
    int instruction_readings = 1;
    recording::RunProfilePtr run; // profile of every instruction that ran, with stall reasons; null: not collected

    // Returns whether the code contains every counted instruction with the same name.
    bool fits(const kernels::MachineCode& code) const;
    kernels::InstructionCounters instructions() const;
};
// Visits the fields that rows of stages and libraries share, except the size.
void fields_of_call(auto& visit, auto& row)
{
    constexpr auto finite = kernels::between(std::numeric_limits<float>::lowest(), std::numeric_limits<float>::max());
    fields(visit, row.counters);
    visit("alpha", row.problem.alpha, kernels::any_number, finite, kernels::may_be_missing);
    visit("beta", row.problem.beta, kernels::any_number, finite, kernels::may_be_missing);
    visit("date", row.date, kernels::unless_empty);
}
// A CountedRow in the form of the file, with named fields. Workers exchange all members of CountedRow instead. The
// fields omit stage, parameters and size, which the ladder writes, and everything that the file has in columns or in an
// object of its own.
struct CountedRowInFile : CountedRow {};
void fields(auto& visit, kernels::Like<CountedRowInFile> auto& row)
{
    fields_of_call(visit, row);
    visit("readings", row.readings, kernels::may_be_missing);
}

nlohmann::json to_json(const CountedRow& row, const kernels::Stage& stage);

// Parses a row. Returns nothing for a stage or parameters that the ladder does not have. Throws kernels::Error.
std::optional<CountedRow> counted_row_from(const nlohmann::json& row, const Ladder& ladder);

// Counters of one library call, over all kernels that it launches. The registers are those of the first kernel; 0: it
// was not traced.
struct CountedLibrary {
    std::string slug; // slug of a baseline
    recording::Problem problem;
    kernels::Counters counters;
    std::string date; // date of this row; empty: the date of the file
};
void fields(auto& visit, kernels::Like<CountedLibrary> auto& row)
{
    visit("stage", row.slug);
    fields_of_call(visit, row);
}

nlohmann::json to_json(const CountedLibrary& row);
// Parses a row. Returns nothing for an unknown baseline. Throws kernels::Error.
std::optional<CountedLibrary> counted_library_from(const nlohmann::json& row);

// Returns the minimum that must be read from memory: each operand once.
double least_dram_bytes(const kernels::Job& job);

// Returns the metrics that views compare, as a plain value, because viz does not know the registry
// (app/data/metrics.h). Leaves `from` empty.
viz::HardwareFigures hardware_figures(const kernels::Job& job, const kernels::Counters& counters);

struct ShippedCounters {
    recording::Provenance from;
    std::vector<CountedRow> rows;
    std::vector<CountedLibrary> libraries;
    recording::Reasons missing; // why there are no rows, or not all

    const CountedRow* find(const kernels::Job& job) const; // null: this exact launch was not counted
    recording::Reasons why_none() const;                   // why the exact launch was not counted
    recording::Provenance from_of(const CountedRow& row) const;
    recording::Provenance from_of(const CountedLibrary& row) const;
    // Returns the figures at every counted size, ascending.
    std::vector<viz::HardwareFigures> of(const kernels::Stage& stage, const kernels::ParameterValues& parameters) const;
    // Returns the profile of the largest launch whose instructions were all counted.
    std::optional<viz::CountedRun> run_of(const kernels::Stage& stage,
                                          const kernels::ParameterValues& parameters) const;

private:
    recording::Provenance from_of(const kernels::Counters& counters, const std::string& date) const;
};

// Reads the shipped counters. Never throws.
ShippedCounters read_counters(const std::filesystem::path& folder, const Ladder& ladder);

// Reads and writes the profile of a launch in the form of counters.json. A profile says which instructions ran and why
// warps stalled. It is stored in columns, because a kernel has thousands of instructions and most of them run as often
// as the one before.

nlohmann::json to_json(const recording::RunProfile& run);

// Returns the checksum of the source text that line numbers refer to.
uint32_t source_checksum(const recording::Recording& recording);

// Parses a profile. Throws kernels::Error.
recording::RunProfile run_profile_from(const nlohmann::json& run);

} // namespace app
