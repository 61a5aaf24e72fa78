// What a GPU counted of stages: a row as `gemmscope counters --json` prints it (which adds what it compares it with), and
// counters.json, which has those of the GPU that the shipped recordings come from.
#pragma once

#include "app/catalogue/shipped_file.h"

#include "job.h"
#include "machine_code/machine_code.h"
#include "measure/counters.h"
#include "measure/instruction_counters.h"

#include "viz/analysis/counted.h"

#include <limits>

namespace app {

// Of a machine instruction that accesses memory.
struct NamedCount {
    kernels::InstructionCount count;
    std::string name;  // "LDS.128"
    uint32_t line = 0; // of the source; 0: of none
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
    std::string date;             // of this row; empty: that of the file
    std::vector<NamedCount> each; // ascending by kernel and address; empty: nothing was counted per instruction
    int instruction_readings = 1;
    recording::RunProfilePtr run; // every instruction that ran, and what warps waited for; null: nobody counted that

    bool fits(const kernels::MachineCode& code) const; // every instruction is there with that name
    kernels::InstructionCounters instructions() const;
};
// What a stage and a library have in common, but for the size.
void fields_of_call(auto& visit, auto& row)
{
    constexpr auto finite = kernels::between(std::numeric_limits<float>::lowest(), std::numeric_limits<float>::max());
    fields(visit, row.counters);
    visit("alpha", row.problem.alpha, kernels::any_number, finite, kernels::may_be_missing);
    visit("beta", row.problem.beta, kernels::any_number, finite, kernels::may_be_missing);
    visit("date", row.date, kernels::unless_empty);
}
// A row as the file has it by names; the worker's stream has all members of a CountedRow. Not here: stage, parameters and size, which
// the ladder says how to write, and what is written in columns or in an object of its own.
struct CountedRowInFile : CountedRow {};
void fields(auto& visit, kernels::Like<CountedRowInFile> auto& row)
{
    fields_of_call(visit, row);
    visit("readings", row.readings, kernels::may_be_missing);
}

nlohmann::json to_json(const CountedRow& row, const kernels::Stage& stage);

// Nothing of a stage or of parameters that the ladder has not. Throws kernels::Error.
std::optional<CountedRow> counted_row_from(const nlohmann::json& row, const Ladder& ladder);

// One call of a library, with all kernels that it launches. Its registers are those of the first of them; 0: nobody traced it.
struct CountedLibrary {
    std::string slug; // of a baseline
    recording::Problem problem;
    kernels::Counters counters;
    std::string date; // as above
};
void fields(auto& visit, kernels::Like<CountedLibrary> auto& row)
{
    visit("stage", row.slug);
    fields_of_call(visit, row);
}

nlohmann::json to_json(const CountedLibrary& row);
// Nothing of a baseline that this gemmscope has not. Throws kernels::Error.
std::optional<CountedLibrary> counted_library_from(const nlohmann::json& row);

// What must be read from memory: each operand once.
double least_dram_bytes(const kernels::Job& job);

// The metrics that views compare, as a plain value, since viz does not know the registry (app/catalogue/metrics.h); `from` stays empty.
viz::HardwareFigures hardware_figures(const kernels::Job& job, const kernels::Counters& counters);

struct ShippedCounters {
    recording::Provenance from;
    std::vector<CountedRow> rows;
    std::vector<CountedLibrary> libraries;
    recording::Reasons missing; // why there are none, or not all

    const CountedRow* find(const kernels::Job& job) const; // null: none of this very launch
    recording::Reasons why_none() const;                   // of this launch
    recording::Provenance from_of(const CountedRow& row) const;
    recording::Provenance from_of(const CountedLibrary& row) const;
    // At every size that was counted, ascending.
    std::vector<viz::HardwareFigures> of(const kernels::Stage& stage, const kernels::ParameterValues& parameters) const;
    // Of the largest launch of which every instruction was counted.
    std::optional<viz::CountedRun> run_of(const kernels::Stage& stage,
                                          const kernels::ParameterValues& parameters) const;

private:
    recording::Provenance from_of(const kernels::Counters& counters, const std::string& date) const;
};

// Never throws.
ShippedCounters read_counters(const std::filesystem::path& folder, const Ladder& ladder);

} // namespace app
