#include "app/panels/panels.h"

#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace app {

namespace {

constexpr std::array<const char*, 5> usual_fills = {"zeros", "random", "iota", "1", "-inf"};

// A field with its label at the left, `width` pixels wide at scale 1. True when its text was changed.
bool field(const State& state, const std::string& label, std::string& typed, float width, const std::string& mark)
{
    const viz::Theme& theme = state.theme;
    text(theme.ink_quiet, label);
    ImGui::SameLine(0, theme.px(4));
    ImGui::SetNextItemWidth(theme.px(width));
    ImGui::PushFont(theme.mono);
    const bool changed = text_field(("##" + mark).c_str(), "", typed);
    viz::mark_item(state.marks, "launch:" + mark);
    ImGui::PopFont();
    return changed;
}

// On the line of what was drawn before where there is room for so much more.
void next_to(const viz::Theme& theme, float right, float width)
{
    ImGui::SameLine(0, theme.px(14));
    if (ImGui::GetCursorScreenPos().x + theme.px(width) > right)
        ImGui::NewLine();
}

bool draw_kernel(const State& state, LaunchForm& form, std::optional<std::string>& chosen)
{
    const viz::Theme& theme = state.theme;
    const bool changed = field(state, "kernel", form.kernel, 150, "kernel");
    if (form.kernels.size() > 1) {
        ImGui::SameLine(0, theme.px(4));
        if (button(state, "…", "launch:kernels"))
            ImGui::OpenPopup("kernels");
        if (ImGui::BeginPopup("kernels")) {
            for (std::size_t i = 0; i < form.kernels.size(); ++i)
                if (quiet_button(state, form.kernels[i], fmt::format("launch:kernel:{}", i),
                                 form.kernels[i] == form.kernel)) {
                    chosen = form.kernels[i];
                    ImGui::CloseCurrentPopup();
                }
            end_popup(state);
        }
    }
    return changed;
}

bool draw_fill(const State& state, FormParameter& parameter)
{
    bool changed = field(state, "filled with", parameter.fill, 70, "fill:" + parameter.name);
    ImGui::SameLine(0, state.theme.px(4));
    if (button(state, "…", "launch:fills:" + parameter.name))
        ImGui::OpenPopup("fills");
    if (!ImGui::BeginPopup("fills"))
        return changed;
    for (const char* const fill : usual_fills)
        if (quiet_button(state, fill, fmt::format("launch:fill {}", fill), parameter.fill == fill)) {
            parameter.fill = fill;
            changed = true;
            ImGui::CloseCurrentPopup();
        }
    end_popup(state);
    return changed;
}

bool draw_parameter(State& state, FormParameter& parameter)
{
    ImGui::PushID(parameter.name.c_str());
    const std::string label = fmt::format("{} {}", parameter.type, parameter.name);
    bool changed = false;
    if (parameter.is_buffer) {
        changed |= field(state, label, parameter.bytes, 70, "bytes:" + parameter.name);
        hint(state, "Bytes of its buffer, such as 4*N; auto: as many as the kernel's accesses need");
        ImGui::SameLine(0, state.theme.px(6));
        changed |= draw_fill(state, parameter);
    } else {
        changed |= field(state, label, parameter.value, 70, "value:" + parameter.name);
        hint(state, "A number, or an expression of M, N, K and numbers as C has it: (1000+255)/256 is 4; 0x400; true");
    }
    ImGui::PopID();
    return changed;
}

// True when something of it was changed.
bool draw_fields(State& state, LaunchForm& form, std::optional<std::string>& kernel, float room)
{
    const viz::Theme& theme = state.theme;
    const float right = ImGui::GetCursorScreenPos().x + room;
    bool changed = draw_kernel(state, form, kernel);
    const std::array<std::pair<const char*, std::string*>, 3> extents = {
        std::pair{"grid", &form.grid}, {"block", &form.block}, {"shared bytes", &form.shared}};
    for (const auto& [label, value] : extents) {
        next_to(theme, right, 170);
        changed |= field(state, label, *value, 80, label);
    }
    for (std::size_t i = 0; i < form.parameters.size(); ++i) {
        if (i > 0)
            next_to(theme, right, form.parameters[i].is_buffer ? 420 : 230);
        changed |= draw_parameter(state, form.parameters[i]);
    }
    return changed;
}

} // namespace

void draw_launch_form(const Snapshot& snapshot, Session& session, State& state, float room)
{
    const viz::Theme& theme = state.theme;
    std::optional<State::LaunchFields>& shown = state.launch_fields;
    if (!snapshot.alone.can_change)
        shown.reset();
    if (!shown)
        return;
    const std::filesystem::path& file = *snapshot.choice.columns[0].file;
    traced::Request asked = snapshot.alone.launch;
    try {
        if (shown->file != file)
            shown = State::LaunchFields{file, form_of(asked, *snapshot.source)};
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme.px(5), theme.px(1)});
        std::optional<std::string> kernel;
        const bool changed = draw_fields(state, shown->form, kernel, room);
        ImGui::PopStyleVar();
        if (kernel) { // another one has other parameters
            asked = {.kernel = *kernel};
            shown->form = form_of(asked, *snapshot.source);
        }
        if (changed || kernel)
            session.launch_as(request_of(shown->form, asked));
    } catch (const kernels::Error& error) { // of a comment that cannot be read
        text_wrapped(theme.warning, error.what());
    }
    if (!snapshot.details.front().failed.empty() && snapshot.columns.front().recording != nullptr) {
        text_wrapped(theme.warning, snapshot.details.front().failed);
        viz::mark_item(state.marks, "launch:error");
    }
}

} // namespace app
