#include "app/engine/device_scheduler.h"

#include "processor.h"

#include <functional>
#include <type_traits>
#include <utility>

namespace app {

namespace {

using OnTurn = std::function<void(TurnState)>;

// Reports the begin of a call, which waits at first, and its end.
class Waiting {
public:
    explicit Waiting(const OnTurn& told) : told_(told) { told_(TurnState::waiting); }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    ~Waiting() { told_(TurnState::over); }

private:
    const OnTurn& told_;
};

// Reports one attempt of a call; between two attempts the call waits. Passes on the backend's signs of life.
class Inside {
public:
    Inside(const OnTurn& told, kernels::GivesSigns* giving) : told_(told), giving_(giving)
    {
        told_(TurnState::inside);
        if (giving_ != nullptr)
            giving_->give_signs([this] { told_(TurnState::inside); });
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside()
    {
        if (giving_ != nullptr)
            giving_->give_signs({});
        told_(TurnState::returned);
        told_(TurnState::waiting);
    }

private:
    const OnTurn& told_;
    kernels::GivesSigns* giving_;
};

class SharedBackend final : public kernels::Backend {
    // Returns the result of the call. Throws Cancelled if `stop` was requested.
    template <class Call>
    auto in_turn(const std::stop_token& stop, const Call& call) const
    {
        using Returned = decltype(call(stop));
        std::conditional_t<std::is_void_v<Returned>, bool, std::optional<Returned>> returned{};
        const Waiting waiting(told_);
        const bool made = turns_.in_turn(lane_, stop, [&](const std::stop_token& own) {
            const Inside inside(told_, giving_);
            if constexpr (std::is_void_v<Returned>)
                call(own);
            else
                returned = call(own);
        });
        if (!made)
            throw kernels::Cancelled();
        if constexpr (!std::is_void_v<Returned>)
            return std::move(*returned);
    }

public:
    SharedBackend(kernels::Backend& backend, DeviceScheduler& turns, Lane lane, OnTurn told)
        : backend_(backend), giving_(dynamic_cast<kernels::GivesSigns*>(&backend)), turns_(turns), lane_(lane),
          told_(std::move(told))
    {
    }

    const recording::Device& device() const override { return backend_.device(); }
    bool lost() const override { return backend_.lost(); }

    void run(const kernels::Job& job, kernels::ProbeKind probe, kernels::Operands& operands,
             std::stop_token stop) override
    {
        // Restored before each attempt, because an interrupted call may have changed it.
        const std::vector<float> before = operands.C;
        in_turn(stop, [&](std::stop_token own) {
            operands.C = before;
            backend_.run(job, probe, operands, own);
        });
    }

    recording::Recording record(const kernels::Job& job, std::span<const recording::Index3> blocks,
                                std::stop_token stop) override
    {
        return in_turn(stop, [&](std::stop_token own) { return backend_.record(job, blocks, own); });
    }

    kernels::Counters counters(const kernels::Job& job, std::stop_token stop) override
    {
        return in_turn(stop, [&](std::stop_token own) { return backend_.counters(job, own); });
    }

    kernels::InstructionCounters instruction_counters(const kernels::Job& job, std::stop_token stop) override
    {
        return in_turn(stop, [&](std::stop_token own) { return backend_.instruction_counters(job, own); });
    }

    recording::WarpTimes warp_times(const kernels::Job& job, const kernels::WatchedWarps& watched,
                                    std::stop_token stop) override
    {
        return in_turn(stop, [&](std::stop_token own) { return backend_.warp_times(job, watched, own); });
    }

    kernels::WarpSamples warp_samples(const kernels::Job& job, std::stop_token stop) override
    {
        return in_turn(stop, [&](std::stop_token own) { return backend_.warp_samples(job, own); });
    }

    kernels::BenchResult bench(const kernels::Job& job, const kernels::BenchOptions& options,
                               std::stop_token stop) override
    {
        return in_turn(stop, [&](std::stop_token own) { return backend_.bench(job, options, own); });
    }

    kernels::LibraryRun cublas(kernels::Precision precision, const recording::Problem& problem,
                               const kernels::Operands& operands, const kernels::BenchOptions& options,
                               std::stop_token stop) override
    {
        return in_turn(
            stop, [&](std::stop_token own) { return backend_.cublas(precision, problem, operands, options, own); });
    }

    std::vector<recording::LaunchedKernel> cublas_kernels(kernels::Precision precision,
                                                          const recording::Problem& problem,
                                                          std::stop_token stop) override
    {
        return in_turn(stop, [&](std::stop_token own) { return backend_.cublas_kernels(precision, problem, own); });
    }

    kernels::Counters cublas_counters(kernels::Precision precision, const recording::Problem& problem,
                                      std::stop_token stop) override
    {
        return in_turn(stop, [&](std::stop_token own) { return backend_.cublas_counters(precision, problem, own); });
    }

    std::vector<double> reference(const kernels::Job& job, const kernels::Operands& operands,
                                  std::stop_token stop) override
    {
        return in_turn(stop, [&](std::stop_token own) { return backend_.reference(job, operands, own); });
    }

    void prepare(std::span<const kernels::Job> jobs, std::span<const kernels::ProbeKind> probes,
                 std::stop_token stop) override
    {
        in_turn(stop, [&](std::stop_token own) { backend_.prepare(jobs, probes, own); });
    }

    recording::GpuProperties gpu() const override
    {
        return in_turn({}, [&](const std::stop_token&) { return backend_.gpu(); });
    }

    std::vector<std::string> gpu_steps() override
    {
        return in_turn({}, [&](const std::stop_token&) { return backend_.gpu_steps(); });
    }

    void measure_gpu(std::size_t step, recording::GpuMeasurement& result, std::stop_token stop) override
    {
        in_turn(stop, [&](std::stop_token own) {
            recording::GpuMeasurement next = result; // copy, so that the changes of an interrupted step are discarded
            backend_.measure_gpu(step, next, own);
            result = std::move(next);
        });
    }

private:
    kernels::Backend& backend_;
    kernels::GivesSigns* giving_; // the same backend; null if it gives no signs of life
    DeviceScheduler& turns_;
    Lane lane_;
    OnTurn told_;
};

} // namespace

std::unique_ptr<kernels::Backend> shared_backend(kernels::Backend& backend, DeviceScheduler& turns, Lane lane,
                                                 std::function<void(TurnState)> told)
{
    return std::make_unique<SharedBackend>(backend, turns, lane, std::move(told));
}

} // namespace app
