// What a GPU counted of a launch, as `gemmscope counters` prints it: of the launch as a whole, of each of its machine instructions,
// and of a library's call.
#pragma once

#include "app/catalogue/counters.h"
#include "app/cli/command.h"
#include "app/cli/command_worker.h"
#include "app/tasks/count.h"

#include "measure/baseline.h"

#include <string>
#include <vector>

namespace app {

nlohmann::json only_counted(const kernels::Counters& counters); // the metrics that have a name there, and the pipes

// The same for a person: a row for each, and for each pipe that instructions went to.
Table table_of(const kernels::Counters& counters);

// The columns of rows that have only_counted() as a member of that name.
std::vector<TableColumn> only_counted_columns();

nlohmann::json to_json(const CountedInstructions& counted, const kernels::MachineCode& code);
void print(const CountedInstructions& counted, const kernels::MachineCode& code, const Output& out);
std::string in_one_line(const CountedInstructions& counted);

struct LibraryCall {
    const kernels::Baseline* library = nullptr;
    CountedLibrary counted;
    std::vector<recording::LaunchedKernel> kernels; // that it launched, as traced after that
    std::string kernels_missing;                    // why there are none, as a sentence
};

// Throws kernels::Unavailable where nothing was counted, with the reason.
LibraryCall count_library(const kernels::Baseline& library, const recording::Problem& problem, CommandWorker& engine);

nlohmann::json to_json(const LibraryCall& call);
void print(const LibraryCall& call, Output& out);
Table table_of(const std::vector<recording::LaunchedKernel>& kernels);

} // namespace app
