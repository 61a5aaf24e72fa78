// Prints a GPU's counters for `gemmscope counters`: of a whole launch, of each of its machine instructions, and of a
// library call.
#pragma once

#include "app/cli/command.h"
#include "app/cli/job.h"
#include "app/data/counters.h"
#include "app/engine/count.h"

#include "measure/baseline.h"

#include <string>
#include <vector>

namespace app {

// Returns the metrics of the list "only_counted", and the pipes.
nlohmann::json only_counted(const kernels::Counters& counters);

// Returns the same as a table for text output: a row for each metric, and for each pipe that was used.
Table table_of(const kernels::Counters& counters);

// Returns columns for rows whose member "only_counted" holds only_counted().
std::vector<TableColumn> only_counted_columns();

nlohmann::json to_json(const CountedInstructions& counted, const kernels::MachineCode& code);
void print(const CountedInstructions& counted, const kernels::MachineCode& code, const Output& out);
std::string in_one_line(const CountedInstructions& counted);

struct LibraryCall {
    const kernels::Baseline* library = nullptr;
    CountedLibrary counted;
    std::vector<recording::LaunchedKernel> kernels; // kernels that the call launched; they are traced after counting
    std::string kernels_missing;                    // sentence that says why `kernels` is empty
};

// Counts a call. Throws kernels::Unavailable with the reason if nothing was counted.
LibraryCall count_library(const kernels::Baseline& library, const recording::Problem& problem, CommandWorker& engine);

nlohmann::json to_json(const LibraryCall& call);
void print(const LibraryCall& call, Output& out);
Table table_of(const std::vector<recording::LaunchedKernel>& kernels);

} // namespace app
