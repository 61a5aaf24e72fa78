#include "app/panels/programs/programs.h"

#include "app/panels/widgets.h"
#include "app/state/position.h"

#include "injection/kernel_names.h"

#include "viz/draw/prose.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

namespace {

using injection::ListedLaunch;

viz::Message about(const ListedLaunch& launch)
{
    const double each = launch.time_ns / static_cast<double>(std::max<uint64_t>(launch.count, 1));
    return {
        "programs.row",
        {{"name", injection::short_name(launch.name, 200)},
         {"launches", launch.count},
         {"time", viz::Quantity{each, viz::Unit::nanoseconds}},
         {"registers", launch.resources.registers_per_thread},
         {"shared", viz::Quantity{static_cast<double>(launch.resources.shared_bytes_per_block), viz::Unit::bytes}}}};
}

viz::Message doing_of(const ProgramState& program)
{
    switch (program.doing) {
    case ProgramState::Doing::listing: return {"programs.listing", {{"command", program.command}}};
    case ProgramState::Doing::tracing:
        return {"programs.tracing",
                {{"command", program.command},
                 {"kernel", injection::short_name(program.launches.at(program.traced).name)}}};
    case ProgramState::Doing::saving: return {"programs.saving"};
    case ProgramState::Doing::nothing: break;
    }
    return {"programs.what"};
}

// The command, and whether it is to be run.
bool draw_command(State& state, const ProgramState& program, std::string& command)
{
    const viz::Theme& theme = state.theme;
    const bool busy = program.doing != ProgramState::Doing::nothing;
    if (ImGui::IsWindowAppearing())
        ImGui::SetKeyboardFocusHere();
    ImGui::PushFont(theme.mono);
    ImGui::SetNextItemWidth(std::max(ImGui::GetContentRegionAvail().x - theme.px(140), theme.px(120)));
    const bool entered = text_field("##command", "python3 train.py", command, ImGuiInputTextFlags_EnterReturnsTrue);
    viz::mark_item(state.marks, "programs:command");
    ImGui::PopFont();
    ImGui::SameLine();
    const bool pressed = button(state, "List kernels", "programs:list");
    return (entered || pressed) && !busy && !command.empty();
}

// The place of the row that was clicked.
std::optional<std::size_t> draw_table(State& state, const ProgramState& program)
{
    const viz::Theme& theme = state.theme;
    std::optional<std::size_t> clicked;
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit;
    if (!ImGui::BeginTable("kernels", 7, flags))
        return clicked;
    ImGui::TableSetupScrollFreeze(0, 1);
    for (const char* heading : {"launches", "µs each", "grid", "block", "registers", "shared KiB"})
        ImGui::TableSetupColumn(heading);
    ImGui::TableSetupColumn("kernel", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableHeadersRow();
    for (std::size_t i = 0; i < program.launches.size(); ++i) {
        const ListedLaunch& launch = program.launches[i];
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::PushID(static_cast<int>(i));
        const bool chosen =
            ImGui::Selectable(fmt::format("{}", launch.count).c_str(), false, ImGuiSelectableFlags_SpanAllColumns);
        viz::mark_item(state.marks, fmt::format("programs:row:{}", i));
        if (chosen)
            clicked = i;
        if (ImGui::IsItemHovered()) {
            const viz::Message message = about(launch);
            tooltip(theme, viz::Messages{message});
            state.hint = viz::plain(message);
        }
        ImGui::PopID();
        const double each = launch.time_ns / static_cast<double>(std::max<uint64_t>(launch.count, 1));
        for (const std::string& cell :
             {fmt::format("{:.2f}", each / 1e3), extent_text(launch.launch.grid), extent_text(launch.launch.block),
              fmt::format("{}", launch.resources.registers_per_thread),
              fmt::format("{:.1f}", launch.resources.shared_bytes_per_block / 1024.0),
              injection::short_name(launch.name, 120)}) {
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(cell.c_str());
        }
    }
    ImGui::EndTable();
    return clicked;
}

} // namespace

void draw_programs(const Snapshot& snapshot, Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    const ProgramState& program = *snapshot.program();
    const bool busy = program.doing != ProgramState::Doing::nothing;
    const bool leave = begin_page(state, area,
                                  {.name = "##programs",
                                   .title = "Trace a program",
                                   .mark = "programs:leave",
                                   .close = busy ? "Stop (Esc)" : "Close (Esc)"});
    const float width = ImGui::GetContentRegionAvail().x;
    viz::Prose(theme).write(doing_of(program)).draw(width);
    if (snapshot.found && !snapshot.gpu())
        viz::Prose(theme).write(viz::Message{"programs.no_gpu"}).draw(width);
    ImGui::Dummy({0, theme.px(6)});
    const bool list = draw_command(state, program, state.program_command);
    ImGui::Dummy({0, theme.px(6)});
    if (!program.error.empty())
        text_wrapped(theme.warning, program.error);
    std::optional<std::size_t> clicked;
    if (!program.launches.empty())
        clicked = draw_table(state, program);
    else if (!busy && program.error.empty())
        viz::Prose(theme).write(viz::Message{"programs.none_yet"}).draw(width);
    end_page();
    if (list)
        session.look_at_programs([&](Programs& programs) { programs.list(state.program_command); });
    if (clicked)
        session.look_at_programs([&](Programs& programs) { programs.trace(*clicked); });
    if (leave || state.escaped) // in the text field, too
        session.look_at_programs([](Programs& programs) { programs.leave(); });
}

} // namespace app
