// Defines all tasks as one variant, and their results as another. bytes.h serializes both.
#pragma once

#include "app/engine/count.h"
#include "app/engine/examine.h"
#include "app/engine/files.h"
#include "app/engine/measure.h"
#include "app/engine/probe.h"
#include "app/engine/program.h"
#include "app/engine/record.h"
#include "app/engine/run_file.h"
#include "app/engine/trace.h"

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>

namespace app {

// All tasks. A new task goes last, because its index is its number in the serialized form. No other list names the
// tasks.
using Task = std::variant<RecordTask, VerifyTask, MeasureTask, BaselineTask, TuneTask, CountTask, ExamineTask,
                          ProbeTask, OpenTask, SaveTask, PrepareTask, ListProgramTask, TraceProgramTask,
                          MeasurePatternsTask, TraceTask, RunFileTask, WarpsTask>;

template <class... Each>
std::variant<typename Each::Result...> results_of(const std::variant<Each...>&);
using Result = decltype(results_of(std::declval<Task>())); // in the order of Task

// The reason why a task has no result.
struct Failure {
    enum class Kind { cancelled, unavailable, error };
    Kind kind = Kind::error;
    std::string why; // a sentence
};

Result run(const Task& task, const TaskContext& context); // throws what the task throws
std::string name_of(const Task& task);                    // "recording vectorized at 128x128x128"

// Returns whether the task compiles or runs a kernel that a user wrote, which may do anything. Its file is on this
// machine, so the task runs on this machine too.
bool is_of_user(const Task& task);

std::chrono::seconds expected(const Task& task, const MachineFacts& machine); // see seconds_of()

// Returns whether the task's result contains a recording. `place` is the task's index in Task.
bool makes_recording(std::size_t place);
Failure failure_of(const std::exception& thrown);

} // namespace app
