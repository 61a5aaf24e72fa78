#include "app/panels/ladder/ladder_questions.h"

#include "app/panels/ladder/measuring_words.h"
#include "app/panels/widgets.h"

#include "gemm/element_type.h"

#include "viz/text/prose.h"

namespace app {

namespace {

// Of the chosen stage: as measured here, or as shipped.
std::optional<TimedStage> timed_stage(const Session& session)
{
    const std::optional<std::size_t> chosen = session.first_stage();
    if (!chosen)
        return std::nullopt;
    const kernels::Stage& stage = session.ladder()[*chosen];
    const Rung& rung = session.rung(*chosen);
    if (rung.timing)
        return TimedStage{std::string(stage.slug), "measured here", *rung.timing, rung.speed.of_cublas};
    const TimedRow* shipped = session.shipped_speed(*chosen);
    if (shipped == nullptr)
        return std::nullopt;
    return TimedStage{std::string(stage.slug), shipped_words(session.shipped_speeds(), *shipped), shipped->timing,
                      shipped->of_cublas};
}

std::vector<ShareOfCublas> shares_of(const Session& session)
{
    std::vector<ShareOfCublas> shares;
    const Machine* machine = session.machine();
    const bool gpu = machine != nullptr && machine->gpu();
    for (std::size_t i = 0; i < session.ladder().size(); ++i) {
        const kernels::Stage& stage = session.ladder()[i];
        const auto add = [&](const kernels::ParameterValues& parameters, const recording::Problem& problem,
                             std::optional<double> share) {
            if (share)
                shares.push_back(
                    {std::string(stage.slug), std::string(kernels::name_of(stage.type(parameters))), problem, *share});
        };
        if (gpu) {
            add(session.rung(i).parameters, session.timed_problem(i), session.rung(i).speed.of_cublas);
            continue;
        }
        for (const auto* rows : {&session.shipped_speeds().rows, &session.shipped_speeds().by_size})
            for (const TimedRow& row : *rows)
                if (row.slug == stage.slug)
                    add(row.parameters, row.problem, row.of_cublas);
    }
    return shares;
}

void draw_paragraphs(const viz::Theme& theme, const char* heading, const std::vector<viz::Messages>& paragraphs)
{
    if (paragraphs.empty())
        return;
    text(theme.ink, heading);
    for (const viz::Messages& words : paragraphs)
        viz::Prose(theme).write(words).draw(ImGui::GetWindowWidth() - ImGui::GetCursorPosX() - theme.px(12));
}

} // namespace

void draw_ladder_questions(const Session& session, State& state)
{
    const viz::Theme& theme = state.theme;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, theme.px(7)});
    ImGui::PushTextWrapPos(ImGui::GetWindowWidth() - theme.px(12));
    ImGui::Indent(theme.px(10));
    if (ImGui::Button(state.questions ? "Close (q)" : "How was this measured? (q)"))
        state.questions = state.questions_reveal = !state.questions;
    viz::mark_shown_item(state.marks, "questions");
    if (state.questions) {
        if (state.questions_reveal)
            ImGui::SetScrollHereY(0);
        state.questions_reveal = false;
        draw_paragraphs(theme, "How the speeds were measured", how_it_is_timed(timed_stage(session)));
        const std::vector<ShareOfCublas> shares = shares_of(session);
        draw_paragraphs(theme, "What cuBLAS still does better", where_cublas_leads(shares));
        const std::optional<std::size_t> chosen = session.first_stage();
        const std::string_view type =
            chosen ? kernels::name_of(session.ladder()[*chosen].type(session.rung(*chosen).parameters)) : "fp32";
        draw_paragraphs(theme, "What cuBLAS launches", what_cublas_launches(session.library(), type));
        viz::mark_item(state.marks, "questions end");
    }
    ImGui::Dummy({0, theme.px(6)});
    ImGui::Unindent(theme.px(10));
    ImGui::PopTextWrapPos();
    ImGui::PopStyleVar();
}

} // namespace app
