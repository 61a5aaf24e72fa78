#include "app/panels/source/counters.h"

#include "app/panels/header/badge.h"
#include "app/panels/widgets.h"
#include "app/text/format.h"

#include "measure/readings.h"

#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace app {

namespace {

std::string figure_text(const std::optional<uint64_t>& value)
{
    return value ? thousands(*value) : "-";
}

std::string heading_of(std::string_view group) // "shared_load" -> "shared loads"
{
    std::string words(group);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words + "s";
}

// The first cell at the left, figures at the right.
void draw_row(State& state, const std::vector<std::string>& cells, viz::Colour colour, const std::string& help)
{
    const viz::Theme& theme = state.theme;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    text(theme.ink_quiet, cells[0]);
    for (std::size_t i = 1; i < cells.size(); ++i) {
        ImGui::TableNextColumn();
        ImGui::PushFont(theme.mono);
        const float free = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(cells[i].c_str()).x;
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(free, 0.0f));
        text(i + 1 == cells.size() ? colour : theme.ink, cells[i]);
        ImGui::PopFont();
    }
    const ImVec2 end{ImGui::GetWindowPos().x + ImGui::GetWindowWidth(), at.y + line_height(theme.text)};
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({ImGui::GetWindowPos().x, at.y}, end))
        state.hint = help;
}

void draw_compared(State& state, const CountedLaunch& counted)
{
    const viz::Theme& theme = state.theme;
    if (!ImGui::BeginTable("compared", 4, ImGuiTableFlags_SizingStretchSame))
        return;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, text_width(theme.text, "  instructions "));
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    for (const auto& [origin, label] : {std::pair{Origin::recorded, "written"},
                                        {Origin::derived, "executed"},
                                        {counted.shipped ? Origin::shipped : Origin::counter, "counted"}}) {
        ImGui::TableNextColumn();
        badge(state, origin, label,
              counted.shipped ? viz::device_and_date(*counted.shipped) : counted.counters->device.name);
    }
    std::string_view group;
    for (const kernels::CheckedFigure& figure : counted.check.figures) {
        if (figure.written == 0 && figure.counted == 0)
            continue;
        if (figure.group != group) {
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            text(theme.ink, heading_of(figure.group));
        }
        group = figure.group;
        draw_row(state,
                 {"  " + std::string(figure.figure), thousands(figure.written), figure_text(figure.executed),
                  figure_text(figure.counted)},
                 kernels::agrees(figure.agreement) ? theme.ink : theme.warning,
                 std::string(kernels::words(figure.agreement)));
    }
    ImGui::EndTable();
}

std::string share_text(const std::optional<double>& share)
{
    return share ? percent(*share) : "-";
}

void draw_only_counted(State& state, const CountedLaunch& counted)
{
    const viz::Theme& theme = state.theme;
    const kernels::CounterFigures f = kernels::figures(*counted.counters);
    if (!ImGui::BeginTable("only counted", 2, ImGuiTableFlags_SizingStretchProp))
        return;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 1.6f);
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 1.0f);
    const auto row = [&](const char* name, const std::string& value, const std::string& help) {
        draw_row(state, {name, value}, theme.ink, help);
    };
    row("conflicts by arbitration", figure_text(f.arbitration), viz::plain({"code.arbitration"}));
    row("L1 hits", share_text(f.l1_hit_rate), viz::plain({"code.l1_hits"}));
    row("L2 hits", share_text(f.l2_hit_rate), viz::plain({"code.l2_hits"}));
    row("bytes read from DRAM", figure_text(f.dram_read_bytes), viz::plain({"code.dram_read"}));
    row("  least possible", thousands(static_cast<uint64_t>(counted.least_dram_bytes)),
        viz::plain({"code.dram_least"}));
    row("bytes written to DRAM", figure_text(f.dram_write_bytes), viz::plain({"code.dram_written"}));
    row("achieved occupancy", share_text(f.occupancy), viz::plain({"code.occupancy"}));
    row("warp instructions issued", figure_text(f.issued), viz::plain({"code.issued"}));
    row("  per cycle of an SM", f.ipc ? fmt::format("{:.2f}", *f.ipc) : "-", viz::plain({"code.per_cycle"}));
    row("registers per thread", thousands(uint64_t{counted.counters->resources.registers_per_thread}),
        viz::plain({"code.registers"}));
    ImGui::EndTable();
}

} // namespace

void draw_counters(const Snapshot& snapshot, Session& session, State& state, const RecordingPtr& recording,
                   const Area& area)
{
    const viz::Theme& theme = state.theme;
    session.want(Detail::counters, recording);
    const ShownSlot* shown = snapshot.of(recording);
    const CountersPtr counted = shown == nullptr ? nullptr : shown->counters;
    ImGui::SetCursorScreenPos({area.x, area.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(10), theme.px(7)});
    ImGui::BeginChild("counters", {area.width, area.height}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    if (counted == nullptr) {
        text_wrapped(theme.ink, viz::plain({"code.counting"}));
        text_wrapped(theme.ink_quiet, viz::plain({"code.why_counting_repeats", {{"most", kernels::most_readings}}}));
    } else if (!counted->counters) {
        text_wrapped(theme.ink, viz::plain({"code.no_counters"}));
        text_wrapped(theme.ink_quiet, viz::plain(viz::in_sentences(counted->missing)));
        const MachineFacts* machine = snapshot.machine();
        if (machine != nullptr && machine->gpu() && quiet_button(theme, "try again"))
            session.ask_again(Detail::counters, recording);
    } else {
        draw_compared(state, *counted);
        for (const std::string& words :
             {kernels::readings_words(counted->readings, counted->check.ok()), counted->not_executed})
            if (!words.empty())
                text_wrapped(theme.ink_quiet, words);
        ImGui::Dummy({0, theme.px(4)});
        draw_only_counted(state, *counted);
    }
    ImGui::EndChild();
}

} // namespace app
