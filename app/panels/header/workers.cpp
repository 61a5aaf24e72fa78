#include "app/panels/header/workers.h"

#include "app/panels/widgets.h"

#include <algorithm>

namespace app {

namespace {

constexpr const char* popup = "workers";

} // namespace

void Workers::draw(const Snapshot& snapshot, Session& session, State& state, const std::string& device, ImVec2 below)
{
    const viz::Theme& theme = state.theme;
    const MachineFacts* machine = snapshot.machine();
    if (quiet_button(theme, device.c_str(), machine != nullptr && machine->gpu()))
        ImGui::OpenPopup(popup);
    viz::mark_item(state.marks, "workers");
    if (ImGui::IsItemHovered())
        state.hint = machine == nullptr || machine->gpu()
                         ? "Stages are recorded and timed there · click for another machine"
                         : machine->why_no_gpu + " Click for another machine.";
    ImGui::SetNextWindowPos(below, ImGuiCond_Always, {1, 0});
    ImGui::SetNextWindowSize({theme.px(420), 0});
    if (!ImGui::BeginPopup(popup))
        return;
    draw_list(session, state);
    ImGui::Separator();
    draw_form(session, state);
    if (state.escaped)
        ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

void Workers::draw_list(Session& session, State& state)
{
    std::vector<NamedWorker>& workers = state.settings.workers;
    if (ImGui::Selectable("This machine", session.worker().empty()))
        session.use_worker({});
    viz::mark_item(state.marks, "worker:");
    const bool listed = session.worker().empty() ||
                        std::ranges::find(workers, session.worker(), &NamedWorker::command) != workers.end();
    if (!listed)
        ImGui::Selectable(session.worker().c_str(), true); // given on the command line
    for (std::size_t i = 0; i < workers.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        const float right = ImGui::GetContentRegionAvail().x - state.theme.px(60);
        if (ImGui::Selectable(workers[i].name.c_str(), workers[i].command == session.worker(), 0, {right, 0}))
            session.use_worker(workers[i].command);
        viz::mark_item(state.marks, "worker:" + workers[i].name);
        if (ImGui::IsItemHovered())
            state.hint = workers[i].command;
        ImGui::SameLine();
        const bool removed = ImGui::SmallButton("Remove");
        ImGui::PopID();
        if (removed) {
            workers.erase(workers.begin() + static_cast<std::ptrdiff_t>(i));
            break;
        }
    }
}

void Workers::draw_form(Session& session, State& state)
{
    const viz::Theme& theme = state.theme;
    const auto field = [&](const char* label, const char* example, char* text, std::size_t size) {
        ImGui::PushID(label);
        ImGui::AlignTextToFramePadding();
        app::text(theme.ink_quiet, label);
        ImGui::SameLine(theme.px(90));
        ImGui::SetNextItemWidth(-1);
        if (text == name_ && ImGui::IsWindowAppearing())
            ImGui::SetKeyboardFocusHere();
        const bool entered =
            ImGui::InputTextWithHint("##value", example, text, size, ImGuiInputTextFlags_EnterReturnsTrue);
        viz::mark_item(state.marks, std::string("worker field:") + label);
        ImGui::PopID();
        return entered;
    };
    bool entered = state.entered; // see Shell::press
    entered |= field("name", "gpu-host", name_, sizeof name_);
    entered |= field("command", "ssh gpu-host gemmscope worker", command_, sizeof command_);
    const bool whole = *name_ != '\0' && *command_ != '\0' && state.settings.workers.size() < most_workers;
    ImGui::BeginDisabled(!whole);
    const bool pressed = ImGui::Button("Add and use (Enter)");
    ImGui::EndDisabled();
    if (!whole || (!pressed && !entered))
        return;
    state.settings.workers.push_back({name_, command_});
    session.use_worker(command_);
    *name_ = *command_ = '\0';
    ImGui::CloseCurrentPopup();
}

} // namespace app
