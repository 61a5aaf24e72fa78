// All tasks as one value, and what each makes. They can be written as bytes: see bytes.h.
#pragma once

#include "app/tasks/baseline.h"
#include "app/tasks/count.h"
#include "app/tasks/examine.h"
#include "app/tasks/measure.h"
#include "app/tasks/open.h"
#include "app/tasks/patterns.h"
#include "app/tasks/prepare.h"
#include "app/tasks/probe.h"
#include "app/tasks/program.h"
#include "app/tasks/record.h"
#include "app/tasks/run_file.h"
#include "app/tasks/save.h"
#include "app/tasks/trace.h"
#include "app/tasks/tune.h"
#include "app/tasks/verify.h"
#include "app/tasks/warps.h"

#include <variant>

namespace app {

// In the same order. A new one comes last: its place is its number in the bytes.
using Task = std::variant<RecordTask, VerifyTask, MeasureTask, BaselineTask, TuneTask, CountTask, ExamineTask,
                          ProbeTask, OpenTask, SaveTask, PrepareTask, ListProgramTask, TraceProgramTask,
                          MeasurePatternsTask, TraceTask, RunFileTask, WarpsTask>;
using Result = std::variant<RecordResult, VerifyResult, MeasureResult, BaselineResult, TuneResult, CountResult,
                            ExamineResult, ProbeResult, OpenResult, SaveResult, PrepareResult, ListProgramResult,
                            TraceProgramResult, MeasurePatternsResult, TraceResult, RunFileResult, WarpsResult>;

// Why a task came to nothing.
struct Failure {
    enum class Kind { cancelled, unavailable, error };
    Kind kind = Kind::error;
    std::string why; // a sentence
};

Result run(const Task& task, const TaskContext& context); // throws as the task's function does
Failure failure_of(const std::exception& thrown);

} // namespace app
