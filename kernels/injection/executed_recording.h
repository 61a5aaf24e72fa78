// A recording of what was traced of a launch of any kernel.
#pragma once

#include "injection/raw_trace.h"
#include "injection/traced_memory.h"
#include "machine_code/line_table.h"
#include "recording/recording.h"

#include <optional>
#include <vector>

namespace injection {

struct KernelCode {
    std::vector<recording::MachineInstruction> instructions; // ascending by address; their lines are not looked at
    cuda::SourceRows lines;                                  // empty: the kernel was compiled without -lineinfo
};

// Its source is the file that most of the kernel's own code came from, where the table of lines names one that can be
// read here; else the list of its machine instructions, a line each. What is `known` of the launch goes before what the
// trace tells: the kernel's name, the problem, the arrays and the source. `compiled`: the file with the text that was
// compiled, which may not be what lies there now; null: it is read. Throws kernels::Error where no recording can hold
// the launch.
recording::Recording executed_recording(const RawTrace& trace, const KernelCode& code,
                                        const std::optional<KnownLaunch>& known = {},
                                        const recording::SourceFile* compiled = nullptr);

} // namespace injection
