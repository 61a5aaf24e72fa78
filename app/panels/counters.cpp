#include "app/learn/published_names.h"
#include "app/panels/header/origins.h"
#include "app/panels/panels.h"
#include "app/panels/tables.h"
#include "app/panels/widgets.h"
#include "app/session/counter_table.h"
#include "app/text/format.h"

#include "viz/text/known.h"
#include "viz/text/rich.h"

#include "measure/readings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
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
    if (*value >= 9'950)
        return {whole, thousands((*value + 500) / 1000) + "k"};
    return {whole, *value >= 1000 ? fmt::format("{:.1f}k", static_cast<double>(*value) / 1000) : whole};
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
        // All headings are shortened together, and stand below their signs in a very narrow column.
        const auto fits = [&, room = ImGui::GetContentRegionAvail().x](const char* words) {
            return badge_width(theme, words) <= room;
        };
        badge(state, one.origin,
              fits("counted") ? one.whole
              : fits("GPU")   ? one.brief
                              : "",
              counted.shipped ? viz::device_and_date(*counted.shipped) : counted.counters->device.name);
        if (!fits("GPU"))
            text(theme.ink_quiet, one.brief);
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
        draw_row(state,
                 {"  " + std::string(checked.figure),
                  {figure(checked.written), figure(checked.executed), figure(checked.counted)},
                  kernels::agrees(checked.agreement) ? theme.ink : theme.warning,
                  fmt::format("{} {}", kernels::words(checked.agreement), metrics_of(checked.group, checked.figure))});
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
        "Bank conflicts with other traffic, which no address explains. "
        "l1tex__data_bank_conflicts_type_arbitration.sum");
    row("L1 hits", figure(share_text(f.l1_hit_rate)),
        "Of the sectors that were looked up in L1. l1tex__t_sectors_lookup_hit.sum");
    row("L2 hits", figure(share_text(f.l2_hit_rate)),
        "Of the sectors that were looked up in L2, which was empty at the start. lts__t_sectors_lookup_hit.sum");
    row("bytes read from DRAM", figure(f.dram_read_bytes), "From an empty L2 cache. dram__bytes_read.sum");
    row("  least possible", figure(static_cast<uint64_t>(counted.least_dram_bytes)),
        "Each operand read once: derived.");
    row("bytes written to DRAM", figure(f.dram_write_bytes),
        "What is still in L2 at the end is not among them. dram__bytes_write.sum");
    row("achieved occupancy", figure(share_text(f.occupancy)),
        "Resident warps over the most that an SM can have. sm__warps_active.sum");
    row("instructions issued", figure(f.issued), "Of all kinds. smsp__inst_issued.sum");
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

namespace {

bool is_beside(const State& state, const std::string& slug)
{
    const std::vector<std::string>& beside = state.counters.beside;
    return std::ranges::find(beside, slug) != beside.end();
}

void toggle_beside(State& state, const std::string& slug)
{
    if (std::erase(state.counters.beside, slug) == 0)
        state.counters.beside.push_back(slug);
}

uint32_t side_of(const State& state, const std::vector<uint32_t>& sides)
{
    const bool known = std::ranges::find(sides, state.counters.side) != sides.end();
    return known ? state.counters.side : sides.back();
}

void draw_choices(State& state, const std::vector<uint32_t>& sides)
{
    const viz::Theme& theme = state.theme;
    CounterPage& page = state.counters;
    for (const uint32_t side : sides) {
        const std::string label = size_text({.M = side, .N = side, .K = side}, kernels::Operation::gemm);
        if (quiet_button(state, label, fmt::format("counters:size:{}", side), side == side_of(state, sides)))
            page.side = side;
        ImGui::SameLine(0, theme.px(2));
    }
    ImGui::SameLine(0, theme.px(18));
    const bool memory = state.at.page == Page::counters;
    if (quiet_button(state, "memory profile", "counters:profile", memory && !page.all_columns))
        state.at.page = Page::counters, page.all_columns = false;
    ImGui::SameLine(0, theme.px(2));
    if (quiet_button(state, "accuracy", "counters:accuracy", !memory))
        state.at.page = Page::accuracy;
    ImGui::SameLine(0, theme.px(2));
    if (quiet_button(state, "all columns", "counters:all", memory && page.all_columns))
        state.at.page = Page::counters, page.all_columns = true;
    ImGui::SameLine(0, theme.px(18));
    ImGui::SetNextItemWidth(theme.px(130));
    text_field("##filter", "name or type", page.filter);
    viz::mark_field(state.marks, "counters:filter");
    if (page.beside.empty())
        return;
    ImGui::SameLine(0, theme.px(18));
    if (quiet_button(state, "none side by side", "counters:clear"))
        page.beside.clear();
}

// Returns the ratio of a figure to that of the comparison's first row, for example "1.31 ×".
std::string times_text(const recording::Measured<double>& own, const recording::Measured<double>& first)
{
    if (!own || !first || *first == 0 || *own == 0)
        return "";
    const double times = *own / *first;
    if (times < 0.01 || times >= 1e6) // errors differ by powers of ten
        return fmt::format("{:.1e} ×", times);
    return fmt::format("{} ×", viz::thousands(times));
}

struct Drawn {
    const std::vector<std::size_t>& columns;
    const CounterTableRow* first; // reference row of the comparison; null: none
};

void draw_cell(State& state, const Drawn& drawn, const CounterTableRow& row, std::size_t index)
{
    const viz::Theme& theme = state.theme;
    const Metric& column = counter_columns()[index];
    const recording::Measured<double>& figure = row.figures[index];
    const bool compared = drawn.first != nullptr && drawn.first != &row && is_beside(state, row.slug);
    const std::string times = compared ? times_text(figure, drawn.first->figures[index]) : "";
    const std::string words = figure_words(column, figure);
    const bool hovered = figure_cell(theme, figure ? theme.ink : theme.ink_faint, words);
    if (!times.empty()) {
        const bool less = *figure < *drawn.first->figures[index];
        const bool good = less == (column.better == Better::fewer);
        const float right = ImGui::GetItemRectMax().x - text_width(theme.mono, words) - theme.px(10);
        draw_text_right(theme.mono, {right, ImGui::GetItemRectMin().y},
                        column.better == Better::neither ? theme.ink_quiet
                        : good                           ? theme.good
                                                         : theme.warning,
                        times);
    }
    if (hovered)
        state.hint = viz::plain(
            figure ? viz::rich("{}, {}: {}, {}.", row.slug, column.title, words, viz::how_had(figure.from()))
                   : viz::rich("{}, {}: none. {}", row.slug, column.title, viz::in_a_sentence(figure.missing())));
}

// Draws a row. Returns whether it was double-clicked.
bool draw_row(State& state, const Drawn& drawn, const CounterTableRow& row)
{
    const viz::Theme& theme = state.theme;
    const bool beside = is_beside(state, row.slug);
    bool opened = false;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(row.slug.c_str());
    const viz::Colour colour = !beside ? theme.ink : drawn.first == &row ? theme.accent() : theme.accent(1);
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    constexpr ImGuiSelectableFlags flags = ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick |
                                           ImGuiSelectableFlags_AllowItemOverlap;
    if (ImGui::Selectable(row.slug.c_str(), beside, flags)) {
        opened = ImGui::IsMouseDoubleClicked(0) && !row.library;
        toggle_beside(state, row.slug);
    }
    ImGui::PopStyleColor();
    viz::mark_shown_item(state.marks, "counters:row:" + row.slug);
    if (state.at.page == Page::accuracy) {
        const ImVec2 at = ImGui::GetItemRectMin();
        const float right = at.x + ImGui::GetColumnWidth() - theme.px(4);
        draw_text_right(theme.mono, {right, at.y}, theme.ink_quiet, row.type);
    }
    hint(state, fmt::format("{}, {}. Click: put it at the top, side by side with others. Double click: look at it.",
                            row.slug, row.type));
    ImGui::PopID();
    for (const std::size_t column : drawn.columns) {
        ImGui::TableNextColumn();
        draw_cell(state, drawn, row, column);
    }
    return opened;
}

float column_width(const State& state)
{
    return state.theme.px(state.counters.beside.size() > 1 ? 128 : 92);
}

float name_width(const State& state)
{
    const bool typed = state.at.page == Page::accuracy; // the column also has the type
    return text_width(state.theme.text, "double_buffered_halves") + state.theme.px(8) +
           (typed ? text_width(state.theme.mono, "fp16") + state.theme.px(8) : 0);
}

// Returns the columns to show. A memory profile omits its least important columns until the others fit. The table of
// all counters scrolls instead.
std::vector<std::size_t> columns_of(const State& state, float room)
{
    const auto all = counter_columns();
    std::vector<std::size_t> columns;
    if (state.at.page == Page::accuracy)
        return {counter_column("error"), counter_column("gflops"), counter_column("over_naive")};
    for (std::size_t i = 0; i < all.size(); ++i)
        if (state.counters.all_columns || all[i].of_profile >= 0)
            columns.push_back(i);
    const auto needed = [&] { return name_width(state) + static_cast<float>(columns.size()) * column_width(state); };
    while (!state.counters.all_columns && columns.size() > 1 && needed() > room)
        columns.erase(std::ranges::max_element(columns, {}, [&](std::size_t i) { return all[i].of_profile; }));
    return columns;
}

void draw_headings(State& state, const std::vector<std::size_t>& columns)
{
    const viz::Theme& theme = state.theme;
    ImGui::TableSetupScrollFreeze(1, 1);
    ImGui::TableSetupColumn("stage", ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_NoSort,
                            name_width(state));
    for (const std::size_t column : columns)
        ImGui::TableSetupColumn(counter_columns()[column].title.data(),
                                ImGuiTableColumnFlags_WidthStretch | (counter_columns()[column].better == Better::fewer
                                                                          ? ImGuiTableColumnFlags_PreferSortAscending
                                                                          : ImGuiTableColumnFlags_PreferSortDescending),
                                0, static_cast<ImGuiID>(column + 1));
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    for (int i = 0; i <= static_cast<int>(columns.size()); ++i) {
        if (!ImGui::TableSetColumnIndex(i))
            continue;
        const char* const name = ImGui::TableGetColumnName(i);
        if (i == 0) {
            ImGui::TableHeader(name);
            continue;
        }
        const float room = ImGui::GetContentRegionAvail().x;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const std::size_t column = columns[static_cast<std::size_t>(i - 1)];
        ImGui::TableHeader(fmt::format("##{}", counter_columns()[column].id).c_str());
        // Places the name above its figures. In a sorted column the arrow follows it.
        const bool sorted = (ImGui::TableGetColumnFlags(i) & ImGuiTableColumnFlags_IsSorted) != 0;
        draw_text_right(theme.text, {at.x + room - (sorted ? theme.px(16) : 0), at.y}, theme.ink, name);
        viz::mark_item(state.marks, fmt::format("counters:column:{}", counter_columns()[column].id));
        hint(state, counter_columns()[column].about);
    }
}

void sort_as_chosen(std::vector<CounterTableRow>& rows)
{
    const ImGuiTableSortSpecs* sort = ImGui::TableGetSortSpecs();
    if (sort == nullptr || sort->SpecsCount == 0 || sort->Specs->ColumnUserID == 0)
        return;
    sort_rows(rows, sort->Specs->ColumnUserID - 1, sort->Specs->SortDirection == ImGuiSortDirection_Descending);
}

// Draws the table. Returns the name of the double-clicked row.
std::optional<std::string> draw_table(State& state, CounterTable table)
{
    const viz::Theme& theme = state.theme;
    const float room = ImGui::GetContentRegionAvail().x - theme.px(16);
    const std::vector<std::size_t> columns = columns_of(state, room);
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_ScrollX | ImGuiTableFlags_RowBg |
                                      ImGuiTableFlags_Sortable | ImGuiTableFlags_SortTristate;
    const float least = name_width(state) + static_cast<float>(columns.size()) * column_width(state);
    std::optional<std::string> opened;
    const char* const kind = state.at.page == Page::accuracy ? "accuracy"
                             : state.counters.all_columns    ? "all"
                                                             : "profile";
    const std::string id = fmt::format("{} {}", kind, columns.size());
    if (!ImGui::BeginTable(id.c_str(), static_cast<int>(columns.size() + 1), flags, {0, 0}, std::max(room, least)))
        return opened;
    draw_headings(state, columns);
    sort_as_chosen(table.rows);
    std::vector<const CounterTableRow*> top, others;
    for (const std::string& slug : state.counters.beside)
        if (const auto row = std::ranges::find(table.rows, slug, &CounterTableRow::slug); row != table.rows.end())
            top.push_back(&*row);
    const std::vector<CounterTableRow> left = filtered(table.rows, state.counters.filter);
    for (const CounterTableRow& row : left)
        if (!is_beside(state, row.slug))
            others.push_back(&row);
    const Drawn drawn{columns, top.empty() ? nullptr : top.front()};
    for (const auto* rows : {&top, &others})
        for (const CounterTableRow* row : *rows)
            if (draw_row(state, drawn, *row))
                opened = row->slug;
    ImGui::EndTable();
    return opened;
}

} // namespace

void draw_counter_table(const Snapshot& snapshot, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    const Catalogue& catalogue = *snapshot.catalogue;
    const std::vector<uint32_t> sides = counted_sides(catalogue, snapshot.ladder());
    const bool leave = begin_page(state, area,
                                  {.name = "##counters",
                                   .title = "Counted by the GPU: " + catalogue.counters.from.device,
                                   .mark = "counters:leave",
                                   .padding = 14});
    draw_table_corner(state, "counters", {ImGui::GetItemRectMin().x - theme.px(8), ImGui::GetItemRectMin().y});
    std::optional<std::string> opened;
    if (sides.empty()) {
        text_wrapped(theme.warning, snapshot.loaded ? viz::plain(viz::in_sentences(catalogue.counters.missing))
                                                    : "The shipped counters are being read.");
    } else {
        draw_choices(state, sides);
        opened = draw_table(state, counter_table(catalogue, snapshot.ladder(), side_of(state, sides)));
    }
    end_page();
    if (leave || opened)
        state.open(Page::none);
    if (opened)
        if (const auto rung = snapshot.rung(*opened))
            state.change([&](Choice& choice) { choice.show(*rung); });
}

} // namespace app
