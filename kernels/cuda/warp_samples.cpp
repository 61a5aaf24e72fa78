#include "cuda/warp_samples.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace cuda {

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
