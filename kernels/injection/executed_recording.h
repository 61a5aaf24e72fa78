// Makes a recording from the trace of a launch of any kernel.
#pragma once

#include "injection/raw_trace.h"
#include "injection/traced_memory.h"
#include "machine_code/line_table.h"
#include "recording/recording.h"

#include <optional>
#include <vector>

namespace injection {

struct KernelCode {
    std::vector<recording::MachineInstruction> instructions; // ascending by address; their lines are ignored
    cuda::SourceRows lines;                                  // empty if the kernel was compiled without -lineinfo
};

// The source is the file of most of the kernel's own code, if the line table names one that can be read here. Otherwise
// it is a list of the machine instructions, one per line. `known` facts about the launch (the kernel's name, the
// problem, the arrays and the source) take precedence over the trace. `compiled` is the file with the text that was
// compiled, which may differ from the current text. If it is null, the file is read. Throws kernels::Error if no
// recording can hold the launch.
recording::Recording executed_recording(const RawTrace& trace, const KernelCode& code,
                                        const std::optional<KnownLaunch>& known = {},
                                        const recording::SourceFile* compiled = nullptr);

} // namespace injection
