// 'gemmscope trace -- PROGRAM': the kernels of any program.
#pragma once

#include "injection/traced_program.h"

#include <filesystem>

namespace app {

// Every launch, a row for each that differs.
int list_program(const injection::TracedProgram& program, bool json);

// Records one launch in that file.
int trace_program(const injection::TracedProgram& program, const std::filesystem::path& output, bool json);

} // namespace app
