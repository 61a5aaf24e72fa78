// 'gemmscope trace -- PROGRAM': the kernels of any program.
#pragma once

#include "app/tasks/program.h"

#include <filesystem>

namespace app {

// Every launch, a row for each that differs.
int print_kernels_of(const ListProgramTask& task, bool json);

// Records one launch in that file.
int record_program(const TraceProgramTask& task, const std::filesystem::path& output, bool json);

} // namespace app
