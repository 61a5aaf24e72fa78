// Measures the overhead of another process: the round trip of a task, and that of a recording.
#include "goals.h"
#include "tests/paths.h"

#include "app/engine/process_worker.h"

#include <chrono>

namespace bench {

namespace {

using Clock = std::chrono::steady_clock;

app::Result run_in(app::ProcessWorker& worker, const app::Task& task)
{
    return worker.run(task, app::Lane::recording, {}, [](const app::Progress&) {});
}

} // namespace

void worker_results(const Take& take)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    app::ProcessWorker worker(ladder, {.command = {test::scripted_worker()}, .wanted = {"cpu", {}}}, [] {});
    run_in(worker, app::PrepareTask{});
    Result empty{"a task that does nothing, there and back", "ms", {}, 2.0, {}};
    for (int i = 0; i < 50; ++i) {
        const auto begin = Clock::now();
        run_in(worker, app::PrepareTask{});
        empty.samples.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    }
    take(std::move(empty));
    const kernels::Stage& naive = kernels::find_stage(ladder, "naive");
    const app::StageJob job =
        app::named({&naive, naive.standard_parameters(), {.M = 256, .N = 256, .K = 256, .alpha = 1, .beta = 0}});
    Result recorded{"naive at 256^3, there, back and derived", "ms", {}, 1000.0, {}};
    for (int i = 0; i < 5; ++i) {
        const auto begin = Clock::now();
        const app::Result result = run_in(worker, app::RecordTask{job, {{0, 0, 0}}, true});
        const double all = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
        recorded.samples.push_back(all -
                                   std::get<app::RecordResult>(result).milliseconds); // excludes the recording itself
    }
    take(std::move(recorded));
}

} // namespace bench
