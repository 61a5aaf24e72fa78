#include "app/panels/panels.h"

#include "app/panels/position.h"
#include "app/panels/widgets.h"

#include "injection/traced_program.h"

#include "viz/draw/prose.h"
#include "viz/text/figures.h"
#include "viz/text/rich.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

namespace {

using injection::ListedLaunch;

std::string about(const ListedLaunch& launch)
{
    const double each = launch.time_ns / static_cast<double>(std::max<uint64_t>(launch.count, 1));
    return fmt::format(
        "{}: {}, {} each; {} registers per thread, {} of shared memory per block. Click to record the first.",
        injection::short_name(launch.name, 200), viz::counted(launch.count, "launch", "launches"),
        viz::time_words(each), launch.resources.registers_per_thread,
        viz::bytes_words(static_cast<double>(launch.resources.shared_bytes_per_block)));
}

std::string doing_of(const ProgramState& program)
{
    switch (program.doing) {
    case ProgramState::Doing::listing: return fmt::format("Running {}, to list its kernels ...", program.command);
    case ProgramState::Doing::tracing:
        return fmt::format("Running {} once more, to record {} ...", program.command,
                           injection::short_name(program.launches.at(program.traced).name));
    case ProgramState::Doing::saving: return "Keeping the recording ...";
    case ProgramState::Doing::nothing: break;
    }
    return "Run any program that uses the GPU, as you would in a terminal. It is not changed. Its kernels are listed; "
           "the one you choose is recorded while the program runs once more.";
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
            state.hint = about(launch);
            tooltip(theme, state.hint);
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
    text_wrapped(theme.ink_quiet, doing_of(program));
    if (snapshot.found && !snapshot.gpu())
        viz::Prose(theme)
            .write(viz::rich(
                "Without a GPU there is nothing to list here. `gemmscope trace FILE.cu` runs a kernel of your own "
                "on this CPU."))
            .draw(ImGui::GetContentRegionAvail().x);
    ImGui::Dummy({0, theme.px(6)});
    const bool list = draw_command(state, program, state.program_command);
    ImGui::Dummy({0, theme.px(6)});
    if (!program.error.empty())
        text_wrapped(theme.warning, program.error);
    std::optional<std::size_t> clicked;
    if (!program.launches.empty())
        clicked = draw_table(state, program);
    else if (!busy && program.error.empty())
        text_wrapped(theme.ink_quiet, "Kernels appear here, each with its launches, its time and its shape.");
    end_page();
    if (list)
        session.look_at_programs([&](Programs& programs) { programs.list(state.program_command); });
    if (clicked)
        session.look_at_programs([&](Programs& programs) { programs.trace(*clicked); });
    if (leave || state.escaped) // in the text field, too
        session.look_at_programs([](Programs& programs) { programs.leave(); });
}

} // namespace app
