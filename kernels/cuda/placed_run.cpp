// Measures where and when the blocks of a launch ran, and the overhead of recording it.
#include "cuda/cuda_backend.h"
#include "cuda/library.h"
#include "measure/speed.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cuda {

namespace {

// Time for the samples of both kernels; short, because the user waits for the recording.
constexpr double seconds = 0.02;

// Returns the number of launches, of which the one with the median end time is kept. Short kernels vary and get nine;
// long ones get fewer.
int runs_of(double milliseconds)
{
    return std::clamp(static_cast<int>(1e3 * seconds / std::max(milliseconds, 1e-3)), 1, 9) | 1;
}

} // namespace

void CudaBackend::place(const kernels::Job& job, const DeviceOperands& operands, recording::Recording& result,
                        const std::stop_token& stop)
{
    const Kernels plain = loaded(job, kernels::ProbeKind::none), placed = loaded(job, kernels::ProbeKind::place);
    const Placer placer(context_, result.launch);
    const PlaceState state = placer.state();
    const Launches queued = launches(job, operands);
    const auto run_plain = [&] { queued.queue(plain); };
    const auto run_placed = [&] { queued.queue(placed, {argument_bytes(state), no_probe}); };

    std::vector<Subject> subjects = {{.launch = run_plain, .samples = {}}, {.launch = run_placed, .samples = {}}};
    Sampler(context_, operands.C, nullptr).sample(subjects, seconds, stop);

    const double plain_ms = kernels::timing_of(subjects[0].samples).median_ms,
                 placed_ms = kernels::timing_of(subjects[1].samples).median_ms;
    const int runs = runs_of(plain_ms + placed_ms);
    // The plain kernel runs before each placed launch, as it does while both are timed.
    std::vector<std::pair<uint64_t, std::vector<recording::Placement>>> found; // by the end time of the last block
    for (int i = 0; i < runs; ++i) {
        if (stop.stop_requested())
            throw kernels::Cancelled();
        run_plain();
        run_placed();
        context_.synchronize(fmt::format("The kernel {} (with PlaceProbe)", job.stage->slug));
        std::vector<recording::Placement> placements = placer.placements();
        const uint64_t end = std::ranges::max(placements, {}, &recording::Placement::end_ns).end_ns;
        found.emplace_back(end, std::move(placements));
    }
    const auto middle = found.begin() + runs / 2;
    std::ranges::nth_element(found, middle, {}, [](const auto& run) { return run.first; });
    result.placements = std::move(middle->second);
    result.placed = {.resources = placed.front()->resources(result.launch.threads_per_block()),
                     .plain_ms = plain_ms,
                     .placed_ms = placed_ms};
}

} // namespace cuda
