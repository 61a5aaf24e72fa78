#include "app/session/gpu_prober.h"

#include <utility>

namespace app {

GpuProber::GpuProber(FutureMachine machine, std::function<void()> wake)
    : machine_(std::move(machine)), wake_(std::move(wake))
{
}

GpuProber::~GpuProber()
{
    cancel();
}

void GpuProber::start()
{
    {
        const std::lock_guard lock(mutex_);
        if (std::exchange(running_, true))
            return;
    }
    thread_ = std::jthread([this](std::stop_token stop) { measure(stop); });
}

void GpuProber::cancel()
{
    thread_.request_stop();
}

std::optional<GpuProgress> GpuProber::take()
{
    const std::lock_guard lock(mutex_);
    return std::exchange(progress_, std::nullopt);
}

void GpuProber::publish(const GpuProgress& progress)
{
    {
        const std::lock_guard lock(mutex_);
        progress_ = progress;
        running_ = progress.running;
    }
    wake_();
}

void GpuProber::measure(std::stop_token stop)
{
    const Machine& machine = machine_.get();
    GpuProgress progress;
    recording::GpuMeasurement result;
    try {
        if (machine.backend == nullptr)
            throw kernels::Unavailable(machine.error);
        std::vector<std::string> steps;
        {
            const auto pass = machine.gate->enter_first();
            steps = machine.backend->gpu_steps();
        }
        progress.steps = steps.size();
        const Gate::Claim claim(*machine.gate, Rank::search);
        while (progress.done < steps.size()) {
            progress.step = steps[progress.done];
            publish(progress);
            const bool made = machine.gate->in_turn(Rank::search, stop, [&](std::stop_token own) {
                recording::GpuMeasurement next = result; // what an interrupted step has changed is forgotten
                machine.backend->measure_gpu(progress.done, next, std::move(own));
                result = std::move(next);
            });
            if (!made)
                break;
            ++progress.done;
        }
        if (progress.done < steps.size()) {
            progress.error = "The measurement was cancelled.";
        } else {
            progress.result = result;
            if (const std::filesystem::path kept = measured_gpu_path(result.name); !kept.empty() && machine.properties)
                write_gpu({*machine.properties, result}, kept);
        }
    } catch (const std::exception& failure) {
        progress.error = failure.what();
    }
    progress.running = false;
    publish(progress);
}

} // namespace app
