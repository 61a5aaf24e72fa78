#include "app/panels/header/workers.h"

#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

namespace {

constexpr const char* workers_popup = "workers";

} // namespace

void Workers::draw(const Snapshot& snapshot, Session& session, State& state, const std::string& device, ImVec2 below)
{
    const viz::Theme& theme = state.theme;
    const MachineFacts* machine = snapshot.machine();
    if (quiet_button(state, device, "workers", snapshot.gpu()))
        ImGui::OpenPopup(workers_popup);
    hint(state, machine == nullptr || machine->gpu() ? "Stages are recorded and timed there · click for another machine"
                                                     : machine->why_no_gpu + " Click for another machine.");
    ImGui::SetNextWindowPos(below, ImGuiCond_Always, {1, 0});
    ImGui::SetNextWindowSize({theme.px(460), 0});
    if (!ImGui::BeginPopup(workers_popup))
        return;
    draw_list(snapshot, session, state);
    ImGui::Separator();
    draw_form(session, state);
    end_popup(state);
}

// Adds the GPUs of a worker whose machine has several.
void Workers::add_gpus(const Entry& worker, const Snapshot& snapshot, const Session& session, std::vector<Entry>& to)
{
    const MachineFacts* machine = worker.at.command == session.worker().command ? snapshot.machine() : nullptr;
    if (machine == nullptr || machine->gpus.size() < 2)
        return to.push_back(worker);
    for (const kernels::ListedGpu& gpu : machine->gpus) // the worker uses the first GPU if none is named
        to.push_back({fmt::format("GPU {}: {} \xc2\xb7 {}", gpu.number, gpu.name, worker.name),
                      {worker.at.command, gpu.number == 0 ? std::string() : gpu.uuid},
                      gpu.number == 0 ? worker.remembered : std::nullopt});
}

std::vector<Workers::Entry> Workers::entries(const Snapshot& snapshot, const Session& session, const State& state)
{
    const std::vector<NamedWorker>& workers = state.settings.workers;
    std::vector<Entry> result;
    add_gpus({"This machine", {}, {}}, snapshot, session, result);
    for (std::size_t i = 0; i < workers.size(); ++i)
        add_gpus({workers[i].name, {workers[i].command, {}}, i}, snapshot, session, result);
    const auto listed = [&](const WorkerAt& at) {
        return std::ranges::any_of(result, [&](const Entry& one) { return one.at == at; });
    };
    // Adds a worker that was given on the command line.
    if (const std::string command = session.worker().command; !listed({command, {}}))
        add_gpus({command, {command, {}}, {}}, snapshot, session, result);
    if (const WorkerAt at = session.worker(); !listed(at))
        result.push_back({at.gpu.empty() ? at.command : fmt::format("{} GPU {}", at.command, at.gpu), at, {}});
    return result;
}

void Workers::draw_list(const Snapshot& snapshot, Session& session, State& state)
{
    const viz::Theme& theme = state.theme;
    for (const Entry& entry : entries(snapshot, session, state)) {
        ImGui::PushID((entry.at.command + '\n' + entry.at.gpu).c_str());
        const float right = ImGui::GetContentRegionAvail().x - theme.px(66);
        const bool shows = entry.at == session.worker();
        if (ImGui::Selectable(entry.name.c_str(), shows, ImGuiSelectableFlags_DontClosePopups, {right, 0})) {
            session.use_worker(entry.at);
            ImGui::CloseCurrentPopup();
        }
        viz::mark_item(state.marks, "worker:" + (entry.at.command.empty() && entry.at.gpu.empty() ? "" : entry.name));
        if (ImGui::IsItemHovered() && !entry.at.command.empty())
            state.hint = entry.at.command;
        bool removed = false;
        if (entry.remembered) {
            ImGui::SameLine(right + theme.px(12));
            removed = ImGui::SmallButton("Remove");
        }
        ImGui::PopID();
        if (removed) {
            state.settings.workers.erase(state.settings.workers.begin() +
                                         static_cast<std::ptrdiff_t>(*entry.remembered));
            break;
        }
    }
}

void Workers::draw_form(Session& session, State& state)
{
    const viz::Theme& theme = state.theme;
    const auto field = [&](const char* label, const char* example, std::string& typed, std::size_t most) {
        const bool entered = form_field(theme, {label, example, 90, most}, typed);
        viz::mark_item(state.marks, std::string("worker field:") + label);
        return entered;
    };
    if (ImGui::IsWindowAppearing())
        ImGui::SetKeyboardFocusHere();
    bool entered = state.entered;                    // see Shell::press
    entered |= field("name", "gpu-host", name_, 40); // the limits of the settings
    entered |= field("command", "ssh gpu-host gemmscope worker", command_, 400);
    const bool whole = !name_.empty() && !command_.empty() && state.settings.workers.size() < most_workers;
    ImGui::BeginDisabled(!whole);
    const bool pressed = ImGui::Button("Add and use (Enter)");
    ImGui::EndDisabled();
    if (!whole || (!pressed && !entered))
        return;
    state.settings.workers.push_back({name_, command_});
    session.use_worker({command_, {}});
    name_.clear(), command_.clear();
    ImGui::CloseCurrentPopup();
}

} // namespace app
