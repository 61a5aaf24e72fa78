#include "app/tasks/task.h"

namespace app {

namespace {

// One line for each task: its function.
struct Runner {
    const TaskContext& context;
    Result operator()(const RecordTask& task) const { return record(task, context); }
    Result operator()(const VerifyTask& task) const { return verify(task, context); }
    Result operator()(const MeasureTask& task) const { return measure(task, context); }
    Result operator()(const BaselineTask& task) const { return measure_baseline(task, context); }
    Result operator()(const TuneTask& task) const { return tune(task, context); }
    Result operator()(const CountTask& task) const { return count(task, context); }
    Result operator()(const ExamineTask& task) const { return examine(task, context); }
    Result operator()(const ProbeTask& task) const { return probe(task, context); }
    Result operator()(const OpenTask& task) const { return open(task, context); }
    Result operator()(const SaveTask& task) const { return save(task); }
    Result operator()(const PrepareTask& task) const { return prepare(task, context); }
    Result operator()(const ListProgramTask& task) const { return list_program(task, context); }
    Result operator()(const TraceProgramTask& task) const { return trace_program(task, context); }
    Result operator()(const MeasurePatternsTask& task) const { return measure_patterns(task, context); }
    Result operator()(const TraceTask& task) const { return trace(task, context); }
    Result operator()(const RunFileTask& task) const { return run_file(task, context); }
    Result operator()(const WarpsTask& task) const { return watch_warps(task, context); }
};

} // namespace

Result run(const Task& task, const TaskContext& context)
{
    return std::visit(Runner{context}, task);
}

Failure failure_of(const std::exception& thrown)
{
    if (dynamic_cast<const std::bad_alloc*>(&thrown) != nullptr)
        return {Failure::Kind::error, "Not enough memory for this; choose a smaller size."};
    if (dynamic_cast<const kernels::Cancelled*>(&thrown) != nullptr)
        return {Failure::Kind::cancelled, thrown.what()};
    const bool unavailable = dynamic_cast<const kernels::Unavailable*>(&thrown) != nullptr;
    return {unavailable ? Failure::Kind::unavailable : Failure::Kind::error, thrown.what()};
}

} // namespace app
