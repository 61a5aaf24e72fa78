// What the session has measured in the background: every rung, and what the ladder is measured against.
#include "app/session/session.h"

#include "gemm/element_type.h"

#include <algorithm>
#include <utility>

namespace app {

recording::Problem Session::timed_problem(std::size_t stage) const
{
    switch (ladder_[stage].operation) {
    case kernels::Operation::vector_add: return {.N = sizes_.timed_elements};
    case kernels::Operation::thread_coords: return kernels::used_part(ladder_[stage].operation, sizes_.timed);
    case kernels::Operation::gemm:
    case kernels::Operation::gemm_columns: break;
    }
    return compared_problem();
}

recording::Problem Session::compared_problem() const
{
    recording::Problem problem = sizes_.timed;
    problem.alpha = sizes_.recorded.alpha;
    problem.beta = sizes_.recorded.beta;
    return problem;
}

bool Session::measured() const
{
    const Machine* opened = machine();
    return opened != nullptr &&
           (opened->backend == nullptr || std::all_of(rungs_.begin(), rungs_.end(), [&](const Rung& rung) {
                return rung.verdict == Verdict::right ? !opened->gpu() || rung.timed : rung.verdict != Verdict::unknown;
            }));
}

void Session::set_parameters(std::size_t stage, const kernels::ParameterValues& values)
{
    if (rungs_[stage].parameters == values)
        return;
    rungs_[stage] = blank_rung(ladder_[stage], machine());
    rungs_[stage].parameters = values;
    if (shown_[0].stage == stage)
        request(Slot::first, false);
    if (comparing_ && shown_[1].stage == stage)
        request(Slot::second, false);
    measure();
    refresh_speeds();
}

void Session::blank_baselines()
{
    baselines_.clear();
    for (const kernels::Baseline& baseline : kernels::baselines())
        baselines_.push_back({.baseline = &baseline, .problem = compared_problem(), .result = {}, .missing = {}});
}

// What is shipped of a GPU of the same name stays beside what is traced here.
void Session::find_library()
{
    const Machine& opened = future_.get();
    if (!opened.gpu())
        return;
    const recording::Device& device = opened.backend->device();
    viz::LibraryKernels own = library_->device == device.name ? *library_ : viz::LibraryKernels();
    own.device = device.name;
    own.compute_capability = device.compute_capability;
    own.sm_count = device.sm_count;
    own.missing = "What cuBLAS launches here is traced once it has been timed.";
    library_ = std::make_shared<viz::LibraryKernels>(std::move(own));
}

void Session::receive_kernels(const BaselineMeasurement& measurement)
{
    if (!measurement.baseline->needs_gpu() || (measurement.kernels.empty() && measurement.kernels_missing.empty()))
        return;
    viz::LibraryKernels changed = *library_;
    changed.missing = measurement.kernels_missing;
    if (!measurement.kernels.empty()) {
        const std::string slug(measurement.baseline->slug);
        std::erase_if(changed.rows, [&](const auto& row) {
            return row.slug == slug && row.at.problem.M == measurement.problem.M &&
                   row.at.problem.N == measurement.problem.N && row.at.problem.K == measurement.problem.K;
        });
        changed.rows.push_back({slug,
                                std::string(kernels::name_of(measurement.baseline->precision.type)),
                                {measurement.problem, measurement.kernels, "traced here on " + changed.device}});
    }
    library_ = std::make_shared<viz::LibraryKernels>(std::move(changed));
}

void Session::blank_rungs()
{
    cublas_gflops_.reset();
    for (std::size_t i = 0; i < rungs_.size(); ++i) {
        const kernels::ParameterValues parameters = rungs_[i].parameters;
        rungs_[i] = blank_rung(ladder_[i], machine());
        rungs_[i].parameters = parameters;
    }
    refresh_speeds();
}

void Session::measure()
{
    std::vector<kernels::Job> jobs;
    for (std::size_t i = 0; i < ladder_.size(); ++i)
        jobs.push_back({&ladder_[i], rungs_[i].parameters, timed_problem(i)});
    measurer_.measure(std::move(jobs), compared_problem());
}

void Session::receive(BaselineMeasurement measurement)
{
    if (measurement.result && measurement.result->right() && measurement.baseline->needs_gpu())
        remember_speed(std::string(measurement.baseline->slug), {},
                       {measurement.problem, measurement.result->gflops, "measured here"});
    receive_kernels(measurement);
    if (measurement.problem == compared_problem())
        baselines_[static_cast<std::size_t>(measurement.baseline - kernels::baselines().data())] =
            std::move(measurement);
}

void Session::receive(const Measurement& measurement)
{
    const auto stage = static_cast<std::size_t>(measurement.job.stage - ladder_.data());
    const kernels::Job wanted{&ladder_[stage], rungs_[stage].parameters, timed_problem(stage)};
    if (!same(wanted, measurement.job))
        return;
    rungs_[stage] = describe(measurement, future_.get());
    if (rungs_[stage].cublas_gflops)
        cublas_gflops_ = rungs_[stage].cublas_gflops;
    if (const viz::Speed& speed = rungs_[stage].speed; speed.gflops)
        remember_speed(std::string(ladder_[stage].slug), measurement.job.parameters,
                       {measurement.job.problem, *speed.gflops, speed.origin});
    refresh_speeds();
}

void Session::refresh_speeds()
{
    for (Shown& shown : shown_)
        if (shown.stage && !(file_ && &shown == &shown_[0])) {
            shown.subject.speed = speed_of(*shown.stage);
            shown.subject.shipped = shipped_figures(*shown.stage);
        }
}

} // namespace app
