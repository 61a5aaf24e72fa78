// Measures when the warps of one SM reach their steps, and the overhead of recording it.
#include "cuda/warp_times.h"

#include "cuda/cuda_backend.h"
#include "cuda/library.h"
#include "cuda/program.h"
#include "cuda/slots.h"
#include "error.h"
#include "measure/resident_blocks.h"
#include "measure/speed.h"
#include "recording/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace cuda {

namespace {

using kernels::Job;
using kernels::WatchedWarps;

constexpr int samples = 9;

// Returns the additional bytes of shared memory that each block requests.
uint32_t extra_shared(const WatchedWarps& watched, uint32_t warps_per_block, uint32_t own,
                      const recording::GpuProperties& gpu)
{
    const uint32_t most = gpu.shared_bytes_per_block;
    if (watched.resident == 0) {
        if (watched.extra_shared > most - std::min(most, own))
            throw kernels::Error(
                fmt::format("A block of this stage has {} of shared memory, and {} more than that are over the {} "
                            "that this GPU gives a block; ask for fewer.",
                            bytes_in_words(own), bytes_in_words(watched.extra_shared), bytes_in_words(most)));
        return watched.extra_shared;
    }
    if (watched.resident < warps_per_block)
        throw kernels::Error(
            fmt::format("A block of this stage has {0} warps, which come to an SM together; {0} is the least that "
                        "can be resident.",
                        warps_per_block));
    const uint32_t blocks = watched.resident / warps_per_block;
    const auto bytes = kernels::shared_for_blocks({.bytes = gpu.shared_bytes_per_sm, .per_block = most}, blocks);
    if (!bytes)
        throw kernels::Error(
            fmt::format("A block cannot ask for so much shared memory that only {} fit on an SM.", blocks));
    return *bytes > own ? *bytes - own : 0;
}

// A job's launch with and without the probe.
class WatchedLaunch {
public:
    WatchedLaunch(const Context& context, Launches launches, Kernels plain, const Kernel& probed, std::string name)
        : context_(context), launches_(std::move(launches)), plain_(std::move(plain)), with_probe_(plain_),
          name_(std::move(name)), begun_(context, sizeof(uint32_t))
    {
        with_probe_.front() = &probed;
    }

    void make_room(const ClockRoom& room)
    {
        room_ = room;
        warps_ = Buffer(context_, room.warps * sizeof(ClockWarp));
        steps_ = Buffer(context_, std::max<uint64_t>(uint64_t{room.warps} * room.steps, 1) * sizeof(ClockStep));
    }

    void run_plain() const { launches_.queue(plain_); }

    void forget() const // queues clearing the output of an earlier run
    {
        context_.fill(begun_, 0);
        context_.fill(warps_, 0);
        context_.fill(steps_, 0xff);
    }

    void run_probed(uint32_t sm) const
    {
        const ClockState state{.warps = warps_.as<ClockWarp>(),
                               .steps = steps_.as<ClockStep>(),
                               .begun = begun_.as<unsigned int>(),
                               .sm = sm,
                               .most_warps = room_.warps,
                               .capacity = room_.steps};
        launches_.queue(with_probe_, {argument_bytes(state), no_probe});
    }

    // Times the run in milliseconds. The GPU is busy beforehand, so the host's launch overhead is not measured.
    template <class Run>
    double milliseconds(const Run& run) const
    {
        const Event start(context_), end(context_);
        forget();
        run_plain();
        start.record();
        run();
        end.record();
        context_.synchronize(name_ + " (with ClockProbe)");
        return end.milliseconds_since(start);
    }

    uint32_t begun() const
    {
        uint32_t count = 0;
        context_.download(&count, begun_, sizeof(count));
        return count;
    }
    std::vector<ClockWarp> warps() const
    {
        std::vector<ClockWarp> result(std::min(begun(), room_.warps));
        if (!result.empty())
            context_.download(result.data(), warps_, result.size() * sizeof(ClockWarp));
        return result;
    }
    std::vector<ClockStep> steps() const
    {
        std::vector<ClockStep> result(uint64_t{room_.warps} * room_.steps);
        if (!result.empty())
            context_.download(result.data(), steps_, result.size() * sizeof(ClockStep));
        return result;
    }

private:
    const Context& context_;
    Launches launches_;
    Kernels plain_, with_probe_;
    std::string name_;
    ClockRoom room_;
    Buffer begun_, warps_, steps_;
};

// Counts the warps and their steps in a first run, and adds a reserve. In another run the SM may get more blocks, or
// blocks with longer warps. If the reserve is too small, the run fails instead of being truncated.
ClockRoom find_room(WatchedLaunch& launch, const recording::Launch& extent, uint32_t sm)
{
    const uint64_t all = extent.grid.volume() * extent.warps_per_block();
    constexpr uint64_t most_on_one_sm = 1 << 20;
    launch.make_room({static_cast<uint32_t>(std::min(all, most_on_one_sm)), 0});
    launch.milliseconds([&] { launch.run_probed(sm); });
    const ClockRoom needed = room_needed(launch.begun(), launch.warps(), sm);
    const uint64_t warps = uint64_t{needed.warps} * 2 + 64;
    return {static_cast<uint32_t>(std::min(all, warps)), needed.steps + needed.steps / 2 + 16};
}

} // namespace

recording::WarpTimes CudaBackend::warp_times(const Job& job, const WatchedWarps& watched, std::stop_token stop)
{
    const recording::Launch extent = begin(job, stop);
    inputs_.reset();
    const DeviceOperands operands(
        context_, job, kernels::input_operands(job.stage->operation, job.problem, recording::input_seed, job.inputs));
    const std::vector<KernelName> names = kernels_for(*job.stage, job.parameters, kernels::ProbeKind::none);
    Kernels plain = loaded(job, kernels::ProbeKind::none);
    const uint32_t threads = extent.threads_per_block();
    const uint32_t extra = extra_shared(watched, extent.warps_per_block(),
                                        plain.front()->resources(threads).shared_bytes_per_block, gpu());

    const Compiled without = compiler_.compile(*job.stage, names.front());
    const Compiled with =
        compiler_.compile(program_with(*job.stage, clock_probe_file), clock_expression(*job.stage, job.parameters));
    const uint32_t dynamic = names.front().dynamic_shared + extra;
    const Kernel limited(context_, without.image, without.lowered_name, dynamic);
    const Kernel probed(context_, with.image, with.lowered_name, dynamic);
    plain.front() = &limited;

    recording::WarpTimes result{.stage = std::string(job.stage->slug),
                                .parameters = kernels::named(*job.stage, job.parameters),
                                .problem = job.problem,
                                .warps_per_block = extent.warps_per_block(),
                                .sm = watched.sm,
                                .extra_shared = extra,
                                .plain = limited.resources(threads),
                                .probed = probed.resources(threads),
                                .plain_ms = 0,
                                .probed_ms = 0,
                                .warps = {}};
    WatchedLaunch launch(context_, launches(job, operands), plain, probed,
                         fmt::format("The kernel {}", job.stage->slug));
    const ClockRoom room = find_room(launch, extent, watched.sm);
    launch.make_room(room);
    std::vector<double> plain_ms, probed_ms;
    for (int i = 0; i < samples; ++i) {
        if (stop.stop_requested())
            throw kernels::Cancelled();
        plain_ms.push_back(launch.milliseconds([&] { launch.run_plain(); }));
        probed_ms.push_back(launch.milliseconds([&] { launch.run_probed(watched.sm); })); // the last run is kept
    }
    result.plain_ms = kernels::timing_of(plain_ms).median_ms;
    result.probed_ms = kernels::timing_of(probed_ms).median_ms;
    const std::vector<ClockWarp> warps = launch.warps();
    if (const uint32_t begun = launch.begun(); begun > room.warps)
        throw kernels::Error(fmt::format(
            "SM {} got {} warps in this run where another had at most half as many; try again.", watched.sm, begun));
    room_needed(launch.begun(), warps, watched.sm);
    result.warps = timed_warps(warps, launch.steps(), room);
    return result;
}

std::string_view state_of(std::string_view name)
{
    constexpr std::string_view twice = "_not_issued";
    if (name.ends_with(twice))
        return {};
    for (const std::string_view before : {"_issue_stalled_", "_warp_stall_"}) // CUDA 13.0 uses both forms
        if (const std::size_t at = name.find(before); at != std::string_view::npos)
            return name.substr(at + before.size());
    return {};
}

SamplingPlan sampling_plan(double seconds, const recording::Device& device)
{
    constexpr double enough_seconds = 0.01, most_samples = 4e6;
    constexpr int most_launches = 50;
    constexpr uint32_t usual = 10, most = 31;
    SamplingPlan plan{.launches = static_cast<int>(
                          std::clamp(std::ceil(enough_seconds / std::max(seconds, 1e-6)), 1.0, double{most_launches})),
                      .exponent = usual};
    const double clock = device.clock_khz > 0 ? device.clock_khz * 1e3 : 2e9;
    const double cycles = seconds * plan.launches * clock * std::max(device.sm_count, 1u);
    while (plan.exponent < most && std::ldexp(cycles, -static_cast<int>(plan.exponent)) > most_samples)
        ++plan.exponent;
    return plan;
}

recording::WarpSamples samples_by_address(const TakenSamples& taken, std::span<const std::string> names,
                                          const SamplingPlan& plan)
{
    recording::WarpSamples result{.states = {},
                                  .samples = {},
                                  .cycles = uint32_t{1} << plan.exponent,
                                  .launches = plan.launches,
                                  .taken = taken.taken,
                                  .dropped = taken.dropped,
                                  .elsewhere = taken.elsewhere};
    std::map<uint32_t, uint32_t> places; // maps CUPTI's states to ours
    for (const auto& [number, name] : taken.states)
        if (const std::string_view state = state_of(name); !state.empty()) {
            places[number] = static_cast<uint32_t>(result.states.size());
            result.states.emplace_back(state);
        }
    std::map<std::tuple<std::size_t, uint32_t, uint32_t>, uint64_t> sums;
    for (const TakenSamples::Row& row : taken.rows) {
        const auto place = places.find(row.state);
        if (place == places.end() || row.warps == 0)
            continue;
        const auto kernel = static_cast<std::size_t>(std::ranges::find(names, row.function) - names.begin());
        if (kernel == names.size())
            result.elsewhere += row.warps;
        else
            sums[{kernel, static_cast<uint32_t>(row.address), place->second}] += row.warps;
    }
    for (const auto& [place, warps] : sums)
        result.samples.push_back({std::get<0>(place), std::get<1>(place), std::get<2>(place), warps});
    if (result.samples.empty())
        throw kernels::Unavailable(fmt::format("Why warps wait is not known: of {} samples that the GPU took, none was "
                                               "of this stage's kernel ({} were dropped, "
                                               "{} of other kernels); end other profilers and try again.",
                                               result.taken, result.dropped, result.elsewhere));
    return result;
}

} // namespace cuda
