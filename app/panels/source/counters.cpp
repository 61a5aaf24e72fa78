#include "app/panels/panels.h"

#include "app/panels/header/origins.h"
#include "app/panels/widgets.h"
#include "app/text/format.h"

#include "measure/readings.h"

#include "viz/text/known.h"
#include "viz/text/rich.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace app {

namespace {

// A figure in full, and shortened for a narrow column.
struct Figure {
    std::string whole, brief;
};

Figure figure(const std::optional<uint64_t>& value)
{
    if (!value)
        return {"-", "-"};
    const std::string whole = thousands(*value);
    if (*value >= 10'000'000)
        return {whole, thousands((*value + 500'000) / 1'000'000) + "M"};
    return {whole, *value >= 10'000 ? thousands((*value + 500) / 1000) + "k" : whole};
}

Figure figure(const std::string& words)
{
    return {words, words};
}

std::string heading_of(std::string_view group) // for example "shared_load" -> "shared loads"
{
    std::string words(group);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words + "s";
}

struct FigureRow {
    std::string name;
    std::vector<Figure> figures;
    viz::Colour colour; // of the last figure
    std::string help;
};

// Draws the name at the left and the figures at the right. If a figure is shortened, the status line shows it in full.
void draw_row(State& state, const FigureRow& row)
{
    const viz::Theme& theme = state.theme;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    text(theme.ink_quiet, row.name);
    std::string figures;
    for (std::size_t i = 0; i < row.figures.size(); ++i) {
        ImGui::TableNextColumn();
        const auto& [whole, brief] = row.figures[i];
        figures += (figures.empty() ? "" : ", ") + whole;
        ImGui::PushFont(theme.mono);
        // Leaves a margin, because the edge would cut off the last digit.
        const float room = ImGui::GetContentRegionAvail().x - theme.px(2);
        const bool fits = ImGui::CalcTextSize(whole.c_str()).x <= room;
        const std::string& shown = fits ? whole : brief;
        const float free = room - ImGui::CalcTextSize(shown.c_str()).x;
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(free, 0.0f));
        text(i + 1 == row.figures.size() ? row.colour : theme.ink, shown);
        ImGui::PopFont();
    }
    const ImVec2 end{ImGui::GetWindowPos().x + ImGui::GetWindowWidth(), at.y + line_height(theme.text)};
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({ImGui::GetWindowPos().x, at.y}, end))
        state.hint = figures + ": " + row.help;
}

void draw_compared(State& state, const CountedLaunch& counted)
{
    const viz::Theme& theme = state.theme;
    if (!ImGui::BeginTable("compared", 4, ImGuiTableFlags_SizingStretchSame))
        return;
    float names = text_width(theme.text, "  instructions");
    for (const kernels::CheckedFigure& checked : counted.check.figures)
        names = std::max(names, text_width(theme.text, heading_of(checked.group)) + theme.px(2));
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, names);
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    struct Heading {
        Origin origin;
        const char *whole, *brief;
    };
    for (const Heading& one : {Heading{Origin::recorded, "written", "src"}, Heading{Origin::derived, "run", "run"},
                               Heading{counted.shipped ? Origin::shipped : Origin::counter, "counted", "GPU"}}) {
        ImGui::TableNextColumn();
        // All headings are shortened together.
        const bool fits = badge_width(theme, "counted") <= ImGui::GetContentRegionAvail().x;
        badge(state, one.origin, fits ? one.whole : one.brief,
              counted.shipped ? viz::device_and_date(*counted.shipped) : counted.counters->device.name);
    }
    std::string_view group;
    for (const kernels::CheckedFigure& checked : counted.check.figures) {
        if (checked.written == 0 && checked.counted == 0)
            continue;
        if (checked.group != group) {
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            text(theme.ink, heading_of(checked.group));
        }
        group = checked.group;
        draw_row(state, {"  " + std::string(checked.figure),
                         {figure(checked.written), figure(checked.executed), figure(checked.counted)},
                         kernels::agrees(checked.agreement) ? theme.ink : theme.warning,
                         std::string(kernels::words(checked.agreement))});
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
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, text_width(theme.text, "conflicts by arbitration"));
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    const auto row = [&](const char* name, Figure value, const std::string& help) {
        draw_row(state, {name, {std::move(value)}, theme.ink, help});
    };
    row("conflicts by arbitration", figure(f.arbitration),
        "Bank conflicts with other traffic, which no address explains.");
    row("L1 hits", figure(share_text(f.l1_hit_rate)), "Of the sectors that were looked up in L1.");
    row("L2 hits", figure(share_text(f.l2_hit_rate)),
        "Of the sectors that were looked up in L2, which was empty at the start.");
    row("bytes read from DRAM", figure(f.dram_read_bytes), "From an empty L2 cache.");
    row("  least possible", figure(static_cast<uint64_t>(counted.least_dram_bytes)),
        "Each operand read once: derived.");
    row("bytes written to DRAM", figure(f.dram_write_bytes), "What is still in L2 at the end is not among them.");
    row("achieved occupancy", figure(share_text(f.occupancy)), "Resident warps over the most that an SM can have.");
    row("instructions issued", figure(f.issued), "Of all kinds.");
    row("  per cycle of an SM", figure(f.ipc ? fmt::format("{:.2f}", *f.ipc) : "-"),
        "At most 4: each SM has four schedulers.");
    row("registers per thread", figure(uint64_t{counted.counters->resources.registers_per_thread}),
        "As the driver reports them.");
    ImGui::EndTable();
}

} // namespace

void draw_counters(const Snapshot& snapshot, Session& session, State& state, const RecordingPtr& recording,
                   const Area& area)
{
    const viz::Theme& theme = state.theme;
    session.want(Detail::counters, recording);
    const ColumnDetails* shown = snapshot.of(recording);
    const CountersPtr counted = shown == nullptr ? nullptr : shown->counters;
    ImGui::SetCursorScreenPos({area.x, area.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(10), theme.px(7)});
    ImGui::BeginChild("counters", {area.width, area.height}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    if (counted == nullptr) {
        text_wrapped(theme.ink, "Reading the GPU's counters …");
        text_wrapped(theme.ink_quiet, fmt::format("The kernel runs a few times, since the hardware counts a few "
                                                  "things at a time. Where it makes asynchronous copies and a counter "
                                                  "differs, it runs up to {} times as often. Esc cancels.",
                                                  kernels::most_readings));
    } else if (!counted->counters) {
        text_wrapped(theme.ink, "There are no counters of this stage.");
        text_wrapped(theme.ink_quiet, viz::plain(viz::in_sentences(counted->missing)));
        if (snapshot.gpu() && quiet_button(state, "try again", {}))
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
