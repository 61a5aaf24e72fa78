#include "app/panels/ladder_messages.h"

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/text/format.h"

#include "viz/draw/rich_text.h"
#include "viz/text/known.h"

#include "gemm/element_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace app {

namespace {

constexpr double same_speed = 0.02; // variation between runs

viz::Rich why_repeat(const std::optional<TimedStage>& stage)
{
    if (!stage || stage->timing.samples <= 0 || stage->timing.median_ms <= 0)
        return viz::rich(
            "*Why repeat?* No two runs take the same time. One that was disturbed would move a mean; it does not "
            "move the median.");
    const kernels::Timing& t = stage->timing;
    const auto of_median = [&t](double ms) { return fmt::format("{:+.2f}", 100 * (ms / t.median_ms - 1)); };
    return viz::rich(
        "*Why repeat?* {} ran {} ({}). Half of the runs took less than {} ms; half of them lie between {}% and "
        "{}% of that. One run that was disturbed would move a mean; it does not move the median.",
        stage->slug, viz::counted(static_cast<uint64_t>(t.samples), "time"), viz::how_had(stage->from),
        fmt::format("{:.4g}", t.median_ms), of_median(t.low_ms), of_median(t.high_ms));
}

} // namespace

std::vector<viz::Rich> how_it_is_timed(const std::optional<TimedStage>& stage)
{
    const viz::Rich own_share =
        stage && stage->of_cublas ? viz::rich(" The {} of {} is of the cuBLAS that ran in between, at the same clock.",
                                              viz::share(*stage->of_cublas), stage->slug)
                                  : viz::Rich();
    return {
        why_repeat(stage),
        viz::rich(
            "*Why warm up?* The first runs also load the code, fill the caches and wait for the clock to rise. They "
            "are not counted."),
        viz::rich(
            "*Why random data?* Power depends on the bits that flip. Zeros flip none: the chip stays cool and the "
            "clock high. A kernel then looks faster than it is on real data."),
        viz::rich(
            "*Why cuBLAS in the same run?* Clock and temperature differ from run to run by more than two good kernels "
            "do.{}",
            own_share),
        viz::rich("*And first of all:* its result equals a float64 reference, or it has no speed.")};
}

std::vector<viz::Rich> where_cublas_leads(std::span<const ShareOfCublas> shares)
{
    using Size = std::pair<double, std::string>; // the volume first, so that sizes sort in ascending order
    std::map<std::string, std::map<Size, const ShareOfCublas*>> best;
    for (const ShareOfCublas& one : shares) {
        const recording::Problem& p = one.problem;
        const ShareOfCublas*& place =
            best[one.type][{double{1} * p.M * p.N * p.K, size_text(p, kernels::Operation::gemm)}];
        if (place == nullptr || place->share < one.share)
            place = &one;
    }
    std::vector<viz::Rich> paragraphs;
    for (const auto& [type, sizes] : best) {
        std::vector<viz::Rich> reached;
        for (const auto& [size, one] : sizes)
            reached.push_back(viz::rich("at {} {} reaches {}", size.second, one->slug, viz::share(one->share)));
        const auto behind =
            std::ranges::count_if(sizes, [](const auto& one) { return one.second->share < 1 - same_speed; });
        paragraphs.push_back(viz::rich("*{}:* {} of cuBLAS, which is faster at {} of {}.", type,
                                       viz::listed(std::move(reached)), behind, viz::counted(sizes.size(), "size")));
    }
    if (!paragraphs.empty())
        paragraphs.push_back(viz::rich(
            "cuBLAS chooses among very many compiled kernels by size and shape. Where large tiles would leave SMs "
            "without a block, it takes small tiles or a split K. A rung of the ladder has one way of computing; only "
            "`fastest` and `wgmma_tma` choose their tiles by size."));
    return paragraphs;
}

std::vector<viz::Rich> what_cublas_launches(const viz::LibraryKernels& library, std::string_view type)
{
    std::vector<viz::Rich> paragraphs;
    std::set<std::string> different;
    for (const viz::LibraryKernels::Row& row : library.rows) {
        if (row.type != type)
            continue;
        std::vector<viz::Rich> launches;
        for (const recording::LaunchedKernel& kernel : row.at.kernels) {
            const std::string name = viz::short_name(kernel.name);
            different.insert(name);
            launches.push_back(viz::rich("`{}`, {} of {} threads.", name,
                                         viz::counted(kernel.launch.grid.volume(), "block"),
                                         kernel.launch.threads_per_block()));
        }
        paragraphs.push_back(viz::rich("*{}:* {}", size_text(row.at.problem, kernels::Operation::gemm),
                                       viz::joined(std::move(launches))));
    }
    if (paragraphs.empty())
        return {viz::rich(
            "Which kernels it launches is not known. {} On a machine with an NVIDIA GPU and CUPTI, `gemmscope "
            "bench cublas_sgemm --kernels` names them.",
            viz::in_sentences(library.missing))};
    paragraphs.insert(paragraphs.begin(),
                      viz::rich("For {} it launched {} at {}, traced on {}:", type,
                                viz::counted(different.size(), "kernel", "different kernels"),
                                viz::counted(paragraphs.size(), "size or shape", "sizes and shapes"), library.device));
    return paragraphs;
}

namespace {

// Returns the timing of the chosen stage, measured here or shipped.
std::optional<TimedStage> timed_stage(const Snapshot& snapshot)
{
    const std::optional<std::size_t> chosen = snapshot.leading_rung();
    if (!chosen)
        return std::nullopt;
    const kernels::Stage& stage = snapshot.ladder()[*chosen];
    const StageStatus& rung = snapshot.stage(*chosen);
    if (rung.timing)
        return TimedStage{std::string(stage.slug),
                          rung.speed.gflops ? rung.speed.gflops.from() : recording::Provenance(), *rung.timing,
                          rung.speed.of_cublas.value()};
    const TimedRow* shipped = snapshot.shipped_speed(*chosen);
    if (shipped == nullptr)
        return std::nullopt;
    return TimedStage{std::string(stage.slug), provenance_of(snapshot.catalogue->speeds, *shipped), shipped->timing,
                      shipped->of_cublas};
}

std::vector<ShareOfCublas> shares_of(const Snapshot& snapshot)
{
    std::vector<ShareOfCublas> shares;
    for (std::size_t i = 0; i < snapshot.ladder().size(); ++i) {
        const kernels::Stage& stage = snapshot.ladder()[i];
        const auto add = [&](const kernels::ParameterValues& parameters, const recording::Problem& problem,
                             std::optional<double> share) {
            if (share)
                shares.push_back(
                    {std::string(stage.slug), std::string(kernels::name_of(stage.type(parameters))), problem, *share});
        };
        if (snapshot.gpu()) {
            add(snapshot.stage(i).parameters, snapshot.timed_problem(i), snapshot.stage(i).speed.of_cublas.value());
            continue;
        }
        for (const auto* rows : {&snapshot.catalogue->speeds.rows, &snapshot.catalogue->speeds.by_size})
            for (const TimedRow& row : *rows)
                if (row.slug == stage.slug)
                    add(row.parameters, row.problem, row.of_cublas);
    }
    return shares;
}

void draw_paragraphs(const viz::Theme& theme, const char* heading, const std::vector<viz::Rich>& paragraphs)
{
    if (paragraphs.empty())
        return;
    text(theme.ink, heading);
    for (const viz::Rich& words : paragraphs)
        viz::RichText(theme).write(words).draw(ImGui::GetWindowWidth() - ImGui::GetCursorPosX() - theme.px(12));
}

} // namespace

void draw_ladder_questions(const Snapshot& snapshot, State& state)
{
    const viz::Theme& theme = state.theme;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, theme.px(7)});
    ImGui::PushTextWrapPos(ImGui::GetWindowWidth() - theme.px(12));
    ImGui::Indent(theme.px(10));
    if (ImGui::Button(state.at.panels.speeds ? "Close (q)" : "How timed? (q)"))
        state.at.panels.speeds = state.reveals_speeds = !state.at.panels.speeds;
    viz::mark_shown_item(state.marks, "questions");
    if (state.at.panels.speeds) {
        if (state.reveals_speeds)
            ImGui::SetScrollHereY(0);
        state.reveals_speeds = false;
        draw_paragraphs(theme, "How the speeds were measured", how_it_is_timed(timed_stage(snapshot)));
        const std::vector<ShareOfCublas> shares = shares_of(snapshot);
        draw_paragraphs(theme, "What cuBLAS still does better", where_cublas_leads(shares));
        const std::optional<std::size_t> chosen = snapshot.leading_rung();
        const std::string_view type =
            chosen ? kernels::name_of(snapshot.ladder()[*chosen].type(snapshot.stage(*chosen).parameters)) : "fp32";
        draw_paragraphs(theme, "What cuBLAS launches", what_cublas_launches(*snapshot.ladder_facts.library, type));
        viz::mark_item(state.marks, "questions end");
    }
    ImGui::Dummy({0, theme.px(6)});
    ImGui::Unindent(theme.px(10));
    ImGui::PopTextWrapPos();
    ImGui::PopStyleVar();
}

} // namespace app
