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

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>

namespace app {

// All of them: a new one comes last, since its place is its number in the bytes, and is known everywhere by this line.
using Task = std::variant<RecordTask, VerifyTask, MeasureTask, BaselineTask, TuneTask, CountTask, ExamineTask,
                          ProbeTask, OpenTask, SaveTask, PrepareTask, ListProgramTask, TraceProgramTask,
                          MeasurePatternsTask, TraceTask, RunFileTask, WarpsTask>;

template <class... Each>
std::variant<typename Each::Result...> results_of(const std::variant<Each...>&);
using Result = decltype(results_of(std::declval<Task>())); // in the same order

// Why a task came to nothing.
struct Failure {
    enum class Kind { cancelled, unavailable, error };
    Kind kind = Kind::error;
    std::string why; // a sentence
};

Result run(const Task& task, const TaskContext& context); // throws as the task does
std::string name_of(const Task& task);                    // "recording vectorized at 128x128x128"

// What runs or compiles a kernel that a user wrote, and so may do anything. Its file is on this machine, and so is who runs it.
bool is_of_user(const Task& task);

std::chrono::seconds expected(const Task& task, const MachineFacts& machine); // see seconds_of()

// Whether what a task makes has a recording in it. `place`: of the task among all tasks.
bool makes_recording(std::size_t place);
Failure failure_of(const std::exception& thrown);

} // namespace app
