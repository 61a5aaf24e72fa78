#include "app/panels/header/strip.h"

#include "app/panels/header/origins.h"
#include "app/panels/header/shipped.h"
#include "app/panels/widgets.h"
#include "app/shell/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

namespace {

// Why a stage cannot have these parameters here; empty when it can.
std::string refusal(const Session& session, const kernels::Stage& stage, const kernels::ParameterValues& values)
{
    if (std::string own = stage.refusal(values); !own.empty())
        return own;
    const Machine* machine = session.machine();
    const bool gpu = machine != nullptr && machine->gpu();
    if (!gpu && stage.cpu_kernel(values) == nullptr)
        return "needs a GPU: on the CPU only the parameter sets that were built in can run";
    return "";
}

// The values with one changed. Where that cannot run, the first built-in set with the new value, if there is one.
kernels::ParameterValues changed(const Session& session, const kernels::Stage& stage, kernels::ParameterValues values,
                                 std::size_t index, int value)
{
    values[index] = value;
    if (refusal(session, stage, values).empty())
        return values;
    for (const kernels::ParameterValues& variant : stage.cpu_variants)
        if (variant[index] == value && refusal(session, stage, variant).empty())
            return variant;
    return values;
}

std::string parameter_text(const std::string& name, int value)
{
    return fmt::format("{} {}", name, kernels::value_text(name, value));
}

void draw_choices(Session& session, const State& state, std::size_t stage_index, std::size_t index)
{
    const kernels::Stage& stage = session.ladder()[stage_index];
    const kernels::ParameterSpec& spec = stage.parameters[index];
    const kernels::ParameterValues& values = session.rung(stage_index).parameters;
    text(state.theme.ink_quiet, fmt::format("{}: {}", spec.name, spec.meaning));
    for (const int choice : spec.choices) {
        const kernels::ParameterValues next = changed(session, stage, values, index, choice);
        const std::string why_not = refusal(session, stage, next);
        std::string label = kernels::value_text(spec.name, choice);
        for (std::size_t i = 0; i < next.size(); ++i)
            if (i != index && next[i] != values[i])
                label += fmt::format(", with {} {}", stage.parameters[i].name,
                                     kernels::value_text(stage.parameters[i].name, next[i]));
        if (!why_not.empty()) {
            text(state.theme.ink_faint, label + " · " + why_not);
        } else if (ImGui::Selectable(label.c_str(), values[index] == choice)) {
            session.set_parameters(stage_index, next);
            return; // what is drawn here has changed
        }
    }
}

// What the button beside the parameters does: a search here, or that of another GPU.
const char* search_label(const Session& session, std::size_t stage)
{
    const Machine* machine = session.machine();
    if (machine != nullptr && machine->gpu() && !session.ladder()[stage].candidates.empty())
        return "find the fastest";
    return session.has_shipped_search(stage) ? "all candidates" : nullptr;
}

void draw_search_button(Session& session, State& state, std::size_t stage_index)
{
    const char* label = search_label(session, stage_index);
    if (label == nullptr) {
        const bool searched = session.machine() != nullptr && !session.ladder()[stage_index].candidates.empty();
        if (searched && !session.why_no_shipped_search().empty()) {
            text_wrapped(state.theme.ink_quiet, session.why_no_shipped_search());
            viz::mark_item(state.marks, "no shipped search");
        }
        return;
    }
    ImGui::SameLine(0, state.theme.px(5));
    if (ImGui::GetContentRegionAvail().x < ImGui::CalcTextSize(label).x + state.theme.px(12))
        ImGui::NewLine();
    const bool here = session.machine() != nullptr && session.machine()->gpu();
    if (ImGui::Button(label))
        here ? session.search_parameters(stage_index) : session.show_shipped_search(stage_index);
    viz::mark_item(state.marks, "search");
    if (ImGui::IsItemHovered())
        state.hint =
            here ? "Times all candidates on this GPU, at the timed size, and remembers the fastest that is right · S"
                 : "All parameter sets that were tried on another GPU, and how fast they were · S";
}

void draw_parameters(Session& session, State& state, std::size_t stage_index)
{
    const viz::Theme& theme = state.theme;
    const kernels::Stage& stage = session.ladder()[stage_index];
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme.px(5), theme.px(1)});
    for (std::size_t i = 0; i < stage.parameters.size(); ++i) {
        const std::string label = parameter_text(stage.parameters[i].name, session.rung(stage_index).parameters[i]);
        ImGui::SameLine(0, theme.px(5));
        if (ImGui::GetContentRegionAvail().x < ImGui::CalcTextSize(label.c_str()).x + theme.px(12))
            ImGui::NewLine();
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::Button(label.c_str()))
            ImGui::OpenPopup("choices");
        if (ImGui::IsItemHovered())
            state.hint = fmt::format("{}: {} · click to change", stage.parameters[i].name, stage.parameters[i].meaning);
        if (ImGui::BeginPopup("choices")) {
            draw_choices(session, state, stage_index, i);
            if (state.escaped)
                ImGui::CloseCurrentPopup();
            ImGui::EndPopup();
        }
        ImGui::PopID();
    }
    draw_search_button(session, state, stage_index);
    ImGui::PopStyleVar();
}

std::string recorded_parameters(const recording::Recording& recording)
{
    std::string text;
    for (const recording::Parameter& parameter : recording.parameters)
        text += (text.empty() ? "" : " · ") + parameter_text(parameter.name, parameter.value);
    return text;
}

// A stage whose parameters are shown: of the first stage, or beside it of the second.
struct Shown {
    const viz::Subject& subject;
    std::optional<std::size_t> stage;
    bool from_file = false;
    std::string_view heading = "parameters";
};

// As `draw_subject` takes without a heading, all on one line.
float width_of(const Session& session, const viz::Theme& theme, std::size_t stage)
{
    float width = theme.px(10);
    const std::vector<kernels::ParameterSpec>& parameters = session.ladder()[stage].parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::string label = parameter_text(parameters[i].name, session.rung(stage).parameters[i]);
        width += ImGui::CalcTextSize(label.c_str()).x + theme.px(17);
    }
    if (const char* label = search_label(session, stage))
        width += ImGui::CalcTextSize(label).x + theme.px(17);
    return width;
}

void draw_subject(Session& session, State& state, const Shown& shown)
{
    const viz::Subject& subject = shown.subject;
    const viz::Theme& theme = state.theme;
    ImGui::PushID(&subject);
    const float size = theme.px(10);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + theme.px(4)}, {at.x + size, at.y + theme.px(4) + size},
                                              theme.accent(subject.accent));
    ImGui::Dummy({size, ImGui::GetTextLineHeight()});
    if (ImGui::IsItemHovered())
        state.hint = subject.slug + ": " + subject.idea;
    if (!shown.heading.empty())
        ImGui::SameLine(0, theme.px(7));
    if (shown.from_file) {
        std::string words = "from the file " + session.file()->filename().string();
        if (subject.recording != nullptr)
            words += " · " + recorded_parameters(*subject.recording);
        text_wrapped(theme.ink_quiet, words);
    } else {
        if (!shown.heading.empty())
            text(theme.ink_quiet, shown.heading);
        if (shown.stage)
            draw_parameters(session, state, *shown.stage);
    }
    ImGui::PopID();
}

} // namespace

void draw_strip(Session& session, State& state)
{
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x, gap = state.theme.px(28);
    const bool from_file = session.file().has_value();
    draw_subject(session, state, {session.first(), session.first_stage(), from_file});
    if (const viz::Subject* second = session.second()) {
        const std::optional<std::size_t> stage = session.second_stage();
        const bool beside =
            stage && !from_file && ImGui::GetItemRectMax().x + gap + width_of(session, state.theme, *stage) <= right;
        if (beside)
            ImGui::SameLine(0, gap);
        draw_subject(session, state, {*second, stage, false, beside ? "" : "parameters"});
    }
    draw_shipped(session, state);
    draw_origins(session, state);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddLine({at.x - state.theme.px(10), at.y}, {at.x + 4096, at.y}, state.theme.border);
    ImGui::Dummy({0, state.theme.px(2)});
}

} // namespace app
