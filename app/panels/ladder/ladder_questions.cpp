#include "app/panels/ladder/ladder_style.h"

#include "app/panels/ladder/ladder_messages.h"
#include "app/panels/widgets.h"

#include "gemm/element_type.h"

#include "viz/draw/prose.h"

namespace app {

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
        viz::Prose(theme).write(words).draw(ImGui::GetWindowWidth() - ImGui::GetCursorPosX() - theme.px(12));
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
