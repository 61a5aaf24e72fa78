#include "app/panels/ladder/ladder_messages.h"

#include "app/text/format.h"

#include "viz/text/known.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace app {

namespace {

constexpr double same_speed = 0.02; // figures move that much from run to run

viz::Message why_repeat(const std::optional<TimedStage>& stage)
{
    if (!stage || stage->timing.samples <= 0 || stage->timing.median_ms <= 0)
        return {"ladder.why_repeat"};
    const kernels::Timing& t = stage->timing;
    const auto of_median = [&t](double ms) { return fmt::format("{:+.2f}", 100 * (ms / t.median_ms - 1)); };
    return {"ladder.why_repeat_timed",
            {{"slug", stage->slug},
             {"samples", t.samples},
             {"origin", viz::how_had(stage->from)},
             {"median", fmt::format("{:.4g}", t.median_ms)},
             {"low", of_median(t.low_ms)},
             {"high", of_median(t.high_ms)}}};
}

} // namespace

std::vector<viz::Messages> how_it_is_timed(const std::optional<TimedStage>& stage)
{
    viz::Messages cublas{{"ladder.why_cublas"}};
    if (stage && stage->of_cublas)
        cublas.push_back({"ladder.same_clock", {{"share", viz::share(*stage->of_cublas)}, {"slug", stage->slug}}});
    return {{why_repeat(stage)},
            {{"ladder.why_warm_up"}},
            {{"ladder.why_random"}},
            std::move(cublas),
            {{"ladder.right_first"}}};
}

std::vector<viz::Messages> where_cublas_leads(std::span<const ShareOfCublas> shares)
{
    using Size = std::pair<double, std::string>; // so that sizes ascend
    std::map<std::string, std::map<Size, const ShareOfCublas*>> best;
    for (const ShareOfCublas& one : shares) {
        const recording::Problem& p = one.problem;
        const ShareOfCublas*& place =
            best[one.type][{double{1} * p.M * p.N * p.K, size_text(p, kernels::Operation::gemm)}];
        if (place == nullptr || place->share < one.share)
            place = &one;
    }
    std::vector<viz::Messages> paragraphs;
    for (const auto& [type, sizes] : best) {
        viz::Value::List reached;
        for (const auto& [size, one] : sizes)
            reached.emplace_back(viz::Message{
                "ladder.best_at", {{"size", size.second}, {"slug", one->slug}, {"share", viz::share(one->share)}}});
        const auto behind =
            std::ranges::count_if(sizes, [](const auto& one) { return one.second->share < 1 - same_speed; });
        paragraphs.push_back(
            {{"ladder.shares", {{"type", type}, {"best", reached}, {"behind", behind}, {"sizes", sizes.size()}}}});
    }
    if (!paragraphs.empty())
        paragraphs.push_back({{"ladder.what_cublas_does"}});
    return paragraphs;
}

std::vector<viz::Messages> what_cublas_launches(const viz::LibraryKernels& library, std::string_view type)
{
    std::vector<viz::Messages> paragraphs;
    std::set<std::string> different;
    for (const viz::LibraryKernels::Row& row : library.rows) {
        if (row.type != type)
            continue;
        viz::Messages launches;
        for (const recording::LaunchedKernel& kernel : row.at.kernels) {
            const std::string name = viz::short_name(kernel.name);
            different.insert(name);
            launches.push_back({"ladder.launch",
                                {{"name", name},
                                 {"blocks", kernel.launch.grid.volume()},
                                 {"threads", kernel.launch.threads_per_block()}}});
        }
        paragraphs.push_back(
            {{"ladder.launched_at",
              {{"size", size_text(row.at.problem, kernels::Operation::gemm)}, {"launches", launches}}}});
    }
    if (paragraphs.empty())
        return {{{"ladder.not_traced", {{"why", viz::in_sentences(library.missing)}}}}};
    paragraphs.insert(
        paragraphs.begin(),
        {{"ladder.launched",
          {{"type", type}, {"kernels", different.size()}, {"sizes", paragraphs.size()}, {"device", library.device}}}});
    return paragraphs;
}

} // namespace app
