#include "app/panels/ladder/measuring_words.h"

#include "app/shell/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace app {

namespace {

constexpr double same_speed = 0.02; // figures move that much from run to run

std::string median_words(const TimedStage& stage)
{
    const kernels::Timing& t = stage.timing;
    return fmt::format(
        "{} ran {} times ({}): half of the runs took less than {:.4g} ms, and half of them lie between {:+.2f}% "
        "and {:+.2f}% of that. One run that was disturbed would move a mean; it does not move the median.",
        stage.slug, t.samples, stage.origin, t.median_ms, 100 * (t.low_ms / t.median_ms - 1),
        100 * (t.high_ms / t.median_ms - 1));
}

} // namespace

std::vector<std::string> how_it_is_timed(const std::optional<TimedStage>& stage)
{
    std::vector<std::string> words;
    if (stage && stage->timing.samples > 0 && stage->timing.median_ms > 0)
        words.push_back("Why repeat? " + median_words(*stage));
    else
        words.emplace_back(
            "Why repeat? No two runs take the same time. One that was disturbed would move a mean; it does not "
            "move the median.");
    words.emplace_back(
        "Why warm up? The first runs also load the code, fill the caches and wait for the clock to rise; they "
        "are not counted.");
    words.emplace_back(
        "Why random data? Power depends on the bits that flip. Zeros flip none: the chip stays cool, the clock "
        "high, and a kernel looks faster than it is on real data.");
    words.push_back(
        "Why cuBLAS in the same run? Clock and temperature differ from run to run by more than two good kernels do." +
        (stage && stage->of_cublas
             ? fmt::format(" So {} of {} is of the cuBLAS that ran in between, at the same clock.",
                           percent(*stage->of_cublas), stage->slug)
             : std::string()));
    words.emplace_back("And first of all: its result equals a float64 reference, or it has no speed.");
    return words;
}

std::vector<std::string> where_cublas_leads(std::span<const ShareOfCublas> shares)
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
    std::vector<std::string> words;
    for (const auto& [type, sizes] : best) {
        std::string text = type + ": ";
        std::size_t behind = 0;
        for (const auto& [size, one] : sizes) {
            text += fmt::format("{}at {} {} reaches {}", &one == &sizes.begin()->second ? "" : ", ", size.second,
                                one->slug, fmt::format("{:.0f}%", 100 * one->share));
            behind += one->share < 1 - same_speed;
        }
        text += behind == 0
                    ? " of cuBLAS, which is ahead nowhere."
                    : fmt::format(" of cuBLAS, which is ahead at {} of {}.", behind,
                                  sizes.size() == 1 ? std::string("1 size") : fmt::format("{} sizes", sizes.size()));
        words.push_back(std::move(text));
    }
    if (!words.empty())
        words.emplace_back(
            "What it does that a rung does not: for each size and shape it chooses among very many compiled "
            "kernels, small tiles or a split K where large tiles would leave SMs without a block; a rung of the "
            "ladder has one way of computing, and only `fastest` and `wgmma_tma` choose their tiles by size.");
    return words;
}

std::vector<std::string> what_cublas_launches(const viz::LibraryKernels& library, std::string_view type)
{
    std::vector<std::string> words;
    std::set<std::string> different;
    for (const viz::LibraryKernels::Row& row : library.rows) {
        if (row.type != type)
            continue;
        std::string text = size_text(row.at.problem, kernels::Operation::gemm) + ": ";
        for (const recording::LaunchedKernel& kernel : row.at.kernels) {
            const std::string name = viz::short_name(kernel.name);
            different.insert(name);
            text += fmt::format("{}{}, {} of {} threads", &kernel == row.at.kernels.data() ? "" : "; then ", name,
                                viz::counted(kernel.launch.grid.volume(), "block"), kernel.launch.threads_per_block());
        }
        words.push_back(text + ".");
    }
    if (words.empty())
        return {"Which kernels it launches is not known. " + library.missing +
                " On a machine with an NVIDIA GPU and CUPTI, 'gemmscope bench cublas_sgemm --kernels' names them."};
    words.insert(words.begin(),
                 fmt::format("For {} it launched {} at {}, traced on {}:", type,
                             viz::counted(different.size(), "different kernel"),
                             viz::counted(words.size(), "size or shape", "sizes and shapes"), library.device));
    return words;
}

} // namespace app
