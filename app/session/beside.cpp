#include "app/session/beside.h"

#include "app/catalogue/tuned.h"

#include <utility>

namespace app {

std::string speeds_key(const WorkerAt& at, const MachineFacts& machine)
{
    return at.command + '\n' + (machine.used_gpu.uuid.empty() ? at.gpu : machine.used_gpu.uuid) + '\n' +
           (machine.device ? machine.device->name : std::string());
}

std::string BesideState::name() const
{
    if (found && found->device)
        return found->device->name;
    return at.command.empty() ? "GPU " + at.gpu : at.command;
}

Beside::Beside(const std::vector<kernels::Stage>& ladder, WorkersOptions options, KeptSpeeds& kept)
    : ladder_(ladder), options_(std::move(options)), kept_(kept),
      worker_(make_worker(ladder, options_.worker, options_.backend, options_.wake)),
      queue_([this](const Task& task, Lane lane, std::stop_token stop,
                    const auto& progress) { return worker_->run(task, lane, std::move(stop), progress); },
             options_.wake),
      measurements_(queue_), search_(ladder, queue_, options_.tuned)
{
    for (const kernels::Stage& stage : ladder_)
        standard_.push_back(stage.standard_parameters());
}

Beside::~Beside()
{
    worker_->close();
}

void Beside::keep_speeds()
{
    if (machine_ != nullptr)
        kept_[speeds_key(options_.at(), *machine_)] = measurements_.take();
}

bool Beside::poll(const Choice& choice)
{
    bool changed = false;
    if (MachinePtr machine = worker_->machine(); machine != machine_ && machine != nullptr) {
        keep_speeds();
        machine_ = std::move(machine);
        if (const auto kept = kept_.find(speeds_key(options_.at(), *machine_)); kept != kept_.end())
            measurements_.know(kept->second);
        use_tuned(choice);
        follow(choice);
        changed = true;
    }
    if (std::string notice = worker_->take_notice(); !notice.empty()) {
        notice_ = std::move(notice);
        changed = true;
    }
    for (const Report& report : queue_.take()) {
        receive(report, choice);
        changed = true;
    }
    return changed;
}

void Beside::receive(const Report& report, const Choice& choice)
{
    if (measurements_.receive(report) || !search_.receive(report))
        return;
    search_.take_winner(); // it is the standard there, once it is remembered
    if (search_.take_remembered()) {
        use_tuned(choice);
        follow(choice);
    }
}

void Beside::use_tuned(const Choice& choice)
{
    tuned_for_ = timed_problem(choice.sizes, kernels::Operation::gemm);
    if (machine_ == nullptr || !machine_->gpu())
        return;
    const TunedFile tuned(options_.tuned);
    for (std::size_t i = 0; i < ladder_.size(); ++i)
        standard_[i] = standard_parameters(tuned, ladder_[i], *machine_->device,
                                           timed_problem(choice.sizes, ladder_[i].operation));
}

kernels::Job Beside::job(std::size_t stage, const Choice& choice) const
{
    const auto chosen = choice.parameters.find(stage);
    return {&ladder_[stage], chosen != choice.parameters.end() ? chosen->second : standard_[stage],
            timed_problem(choice.sizes, ladder_[stage].operation)};
}

void Beside::follow(const Choice& choice)
{
    if (machine_ == nullptr)
        return;
    if (timed_problem(choice.sizes, kernels::Operation::gemm) != tuned_for_)
        use_tuned(choice);
    std::vector<kernels::Job> jobs;
    for (std::size_t i = 0; i < ladder_.size(); ++i)
        jobs.push_back(job(i, choice));
    measurements_.want(*machine_, std::move(jobs), timed_problem(choice.sizes, kernels::Operation::gemm));
}

bool Beside::search(std::size_t stage, const Choice& choice)
{
    if (machine_ == nullptr || !machine_->gpu())
        return false;
    search_.start(job(stage, choice), machine_->device->name);
    return true;
}

BesideState Beside::state(const Choice& choice) const
{
    BesideState state{.at = options_.at()};
    if (machine_ != nullptr)
        state.found = *machine_;
    for (std::size_t i = 0; i < ladder_.size(); ++i) {
        const kernels::Job own = job(i, choice);
        state.status.push_back(describe(own, measurements_.find(named(own)), machine_.get()));
        if (state.status.back().cublas_gflops)
            state.cublas_gflops = state.status.back().cublas_gflops;
    }
    state.baselines = measurements_.baselines(timed_problem(choice.sizes, kernels::Operation::gemm));
    return state;
}

} // namespace app
