#include "app/panels/panels.h"

#include "app/panels/widgets.h"
#include "app/session/claim_table.h"

#include "viz/draw/rich_text.h"
#include "viz/figure/figure.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace app {

namespace {

const Claims& claims_of(const Snapshot& snapshot)
{
    static const Claims claims = shipped_claims(snapshot.ladder()); // the ladder never changes
    return claims;
}

// Returns an axis between two powers of two that includes every figure of the table.
viz::Axis times_of(const ClaimTable& table)
{
    double low = -1, high = 1;
    for (const ClaimRow& row : table.rows) {
        if (!compares_two(row.claim->measure))
            continue;
        for (const std::optional<double>& times : {row.claimed, row.theirs_here, row.ours.value()}) {
            if (!times)
                continue;
            low = std::min(low, std::floor(std::log2(*times)));
            high = std::max(high, std::ceil(std::log2(*times)));
        }
    }
    return {.least = std::exp2(low), .most = std::exp2(high), .base = 2};
}

viz::Colour colour_of(const viz::Theme& theme, Agreement agreement)
{
    switch (agreement) {
    case Agreement::agrees: return theme.good;
    case Agreement::opposite:
    case Agreement::less:
    case Agreement::more: return theme.warning;
    case Agreement::no_difference: return theme.ink;
    case Agreement::unknown: break;
    }
    return theme.ink_faint;
}

// Draws an arrow for a claim that states only faster or slower, without a figure.
void add_arrow(viz::ShapeLayer& layer, const viz::Theme& theme, ImVec2 from, float radius, ClaimOrder order)
{
    using viz::Shape;
    const float length = order == ClaimOrder::faster ? theme.px(14) : -theme.px(14), end = from.x + length;
    const float tip = end + length / 3, back = end - length / 6;
    layer.shapes.push_back(
        {.kind = Shape::Kind::line, .points = {from, {end, from.y}}, .stroke = theme.ink, .thick = 1.5f});
    layer.shapes.push_back({.kind = Shape::Kind::polygon,
                            .points = {{tip, from.y}, {back, from.y - radius * 0.8f}, {back, from.y + radius * 0.8f}},
                            .fill = theme.ink});
}

// Draws a claim and its results along an axis: slower at the left, faster at the right. A ring is the claim, a bar the
// published program on our GPU, and a dot our stage. Draws nothing for a claim that compares no two stages.
viz::ShapeLayer claim_marks(const viz::Theme& theme, const viz::Axis& times, const ClaimRow& row, const viz::Box& box)
{
    using viz::Shape;
    constexpr int every_tick = 99;
    const float margin = theme.px(8), radius = std::min(box.height() / 2 - theme.px(3), theme.px(5));
    const float middle = box.middle().y;
    const viz::Scale scale(times, box.min.x + margin, box.max.x - margin);
    viz::ShapeLayer layer;
    const auto add = [&](Shape shape) { layer.shapes.push_back(std::move(shape)); };
    const auto around = [&](double times_as_fast, float size) {
        return viz::draw::around({scale.at(times_as_fast), middle}, size);
    };
    const auto said = [&](const char* what, double value) {
        return std::make_shared<const Shape::Said>(
            Shape::Said{.name = fmt::format("claim:{}:{}", what, row.claim->id), .value = value});
    };
    for (const double tick : viz::ticks_of(times, every_tick)) {
        const float x = std::round(scale.at(tick));
        add(viz::box_shape({{x, box.min.y}, {x + 1, box.max.y}}, tick == 1 ? theme.ink_faint : theme.border));
    }
    if (!compares_two(row.claim->measure))
        return layer;
    const viz::Colour colour = colour_of(theme, row.agreement);
    const std::optional<double> ours = row.ours.value();
    if (row.claimed && ours)
        add({.kind = Shape::Kind::line,
             .points = {{scale.at(*row.claimed), middle}, {scale.at(*ours), middle}},
             .stroke = with_alpha(colour, 0.7f),
             .thick = 2});
    if (row.theirs_here) {
        const viz::Box bar = around(*row.theirs_here, radius);
        add({.box = {{bar.middle().x - theme.px(1), bar.min.y}, {bar.middle().x + theme.px(1), bar.max.y}},
             .fill = theme.ink_quiet,
             .said = said("theirs", *row.theirs_here)});
    }
    if (row.claimed) {
        add({.kind = Shape::Kind::circle,
             .box = around(*row.claimed, radius),
             .stroke = theme.ink,
             .thick = 1.5f,
             .said = said("claimed", *row.claimed)});
    } else if (row.claim->order) {
        add_arrow(layer, theme, {scale.at(1), middle}, radius, *row.claim->order);
    }
    if (ours)
        add({.kind = Shape::Kind::circle,
             .box = around(*ours, radius * 0.75f),
             .fill = colour,
             .said = said("ours", *ours)});
    return layer;
}

struct PageFrame {
    const Snapshot& snapshot;
    State& state;
    const ClaimTable& table;
    viz::Axis times;
    bool wide = true; // false beside a lesson, where some columns have no room; the row's description contains them
    float width = 0;
};

const ClaimRow& chosen_row(const PageFrame& page)
{
    const std::vector<ClaimRow>& rows = page.table.rows;
    auto found =
        std::ranges::find_if(rows, [&](const ClaimRow& row) { return row.claim->id == page.state.claims.chosen; });
    if (found == rows.end())
        found = std::ranges::find(rows, Agreement::opposite, &ClaimRow::agreement);
    return found == rows.end() ? rows.front() : *found;
}

// Compares both stages. The claim is about the first one.
void look_at(const PageFrame& page, const Claim& claim)
{
    page.state.change([&](Choice& choice) {
        choice.show(page.snapshot.rung(claim.stage).value());
        if (!claim.against.empty() && claim.against != claim.stage)
            choice.compare(page.snapshot.rung(claim.against));
    });
    const auto faster = std::ranges::find(page.state.views, "faster", [](const auto& view) { return view->name(); });
    if (!claim.against.empty() && faster != page.state.views.end())
        page.state.at.view = (*faster)->name();
    page.state.open(Page::none);
}

void right_cell(const viz::Theme& theme, viz::Colour colour, const std::string& words)
{
    ImGui::TableNextColumn();
    figure_cell(theme, colour, words);
}

void left_cell(const viz::Theme& theme, viz::Colour colour, const std::string& words)
{
    ImGui::TableNextColumn();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    ImGui::Dummy({room, line_height(theme.text)});
    draw_text_within(theme.text, at, room, colour, words);
}

void draw_source(const PageFrame& page, const ClaimSource& source)
{
    const viz::Theme& theme = page.state.theme;
    ImGui::TableNextRow();
    left_cell(theme, theme.ink_quiet, source.name);
    if (page.wide)
        left_cell(theme, theme.ink_quiet, source.gpu);
}

void draw_row(const PageFrame& page, const ClaimRow& row)
{
    const viz::Theme& theme = page.state.theme;
    const Claim& claim = *row.claim;
    const bool chosen = &row == &chosen_row(page);
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(claim.id.c_str());
    constexpr ImGuiSelectableFlags flags = ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    if (ImGui::Selectable("##row", chosen, flags)) {
        page.state.claims.chosen = claim.id;
        if (ImGui::IsMouseDoubleClicked(0))
            look_at(page, claim);
    }
    viz::mark_shown_item(page.state.marks, (chosen ? "claims:chosen:" : "claims:row:") + claim.id);
    if (ImGui::IsItemHovered())
        page.state.hint = claim.kernel + ": click for why, double click to look at both stages.";
    ImGui::PopID();
    draw_text_within(theme.text, {corner.x + theme.px(10), corner.y}, width - theme.px(10), theme.ink, claim.kernel);
    if (page.wide)
        left_cell(theme, theme.ink_quiet, claim.stage);
    right_cell(theme, theme.ink, claimed_words(row));
    if (page.wide)
        right_cell(theme, theme.ink_quiet, claim.ran_wrong ? "wrong" : figure_words(claim, row.theirs_here));
    ImGui::TableNextColumn();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x, height = line_height(theme.mono);
    ImGui::Dummy({room, height});
    if (const viz::Box box{at, {at.x + room, at.y + height}}; ImGui::IsItemVisible())
        draw_still(page.state, {.id = "claims", .box = box, .layers = {claim_marks(theme, page.times, row, box)}});
    right_cell(theme, page.wide ? theme.ink : colour_of(theme, row.agreement), figure_words(claim, row.ours.value()));
    if (!page.wide)
        return;
    ImGui::TableNextColumn();
    text(colour_of(theme, row.agreement), verdict_of(row));
}

struct Column {
    const char* heading;
    std::string sample; // sample text for the column's width; empty: the remaining room
    const char* help;
    bool always = true; // false: shown only if there is room
};

// Returns the widest text if all columns have room, otherwise the sample.
std::string widest(const PageFrame& page, std::string sample, std::string (*words)(const Claim&))
{
    const viz::Theme& theme = page.state.theme;
    std::string longest = sample;
    for (const ClaimRow& row : page.table.rows)
        // Includes the indentation and room before the next column.
        if (const std::string one = words(*row.claim) + " ..";
            text_width(theme.text, one) > text_width(theme.text, longest))
            longest = one;
    return page.width >= theme.px(860) ? longest : sample;
}

std::vector<Column> columns_of(const PageFrame& page)
{
    std::vector<Column> columns = {
        {"kernel",
         widest(page, page.wide ? "12 cp.async double buffering .." : "12 cp.async double ..",
                [](const Claim& claim) { return "  " + claim.kernel; }),
         "Who says so, and on which GPU."},
        {"our stage", widest(page, "thread_tile_2d_regi ..", [](const Claim& claim) { return claim.stage; }),
         "The stage here that has the same idea.", false},
        {"claimed", "548 GB ..", "How many times as fast as the stage it is compared with, as published."},
        {"theirs", "100.4% ..", "The same, of their own program on an H200.", false},
        {page.width >= page.state.theme.px(940) ? "slower or faster" : "speed", "",
         "To the left slower, to the right faster; each line twice as much. Ring: claimed. Dot: here."},
        {"ours", "8.53 GB ..", "The same, of our stage as shipped."},
        {"", "no difference", "Whether it holds: faster where faster is claimed, slower where slower is.", false}};
    std::erase_if(columns, [&](const Column& column) { return !column.always && !page.wide; });
    return columns;
}

void draw_claim_headings(State& state, const std::vector<Column>& columns)
{
    const viz::Theme& theme = state.theme;
    ImGui::TableSetupScrollFreeze(0, 1);
    for (const Column& column : columns)
        ImGui::TableSetupColumn(column.heading,
                                column.sample.empty() ? ImGuiTableColumnFlags_WidthStretch
                                                      : ImGuiTableColumnFlags_WidthFixed,
                                column.sample.empty() ? 0 : text_width(theme.text, column.sample) + theme.px(6));
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (!ImGui::TableSetColumnIndex(static_cast<int>(i)))
            continue;
        ImGui::TableHeader(columns[i].heading);
        hint(state, columns[i].help);
    }
}

void draw_table(const PageFrame& page, float height)
{
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg;
    const float room = ImGui::GetContentRegionAvail().x;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::vector<Column> columns = columns_of(page);
    if (!ImGui::BeginTable(page.wide ? "claims" : "narrow", static_cast<int>(columns.size()), flags, {0, height}))
        return;
    draw_claim_headings(page.state, columns);
    const ClaimSource* source = nullptr;
    for (const ClaimRow& row : page.table.rows) {
        if (row.source != source)
            draw_source(page, *row.source);
        source = row.source;
        draw_row(page, row);
    }
    ImGui::EndTable();
    viz::mark_picture(page.state.marks, "claims", at, {at.x + room, at.y + height});
}

} // namespace

void draw_claims(const Snapshot& snapshot, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    const ClaimTable table = claim_table(claims_of(snapshot), *snapshot.catalogue, snapshot.ladder());
    const PageFrame page{snapshot, state, table, times_of(table), area.width >= theme.px(780), area.width};
    const std::string title = snapshot.loaded ? heading_of(table) : "What is shipped is being read.";
    const PageTitle heading{.name = "##claims", .title = title, .mark = "claims:leave", .padding = 14};
    const bool leave = begin_page(state, area, heading);
    const Claim& chosen = *chosen_row(page).claim;
    const char* look = chosen.against.empty() ? "Show it" : "Compare them";
    ImGui::SameLine(std::max(
        ImGui::GetWindowWidth() - text_width(theme.text, heading.close) - text_width(theme.text, look) - theme.px(76),
        0.0f));
    if (button(state, look, "claims:look"))
        look_at(page, chosen);
    const float width = ImGui::GetContentRegionAvail().x;
    viz::RichText words(theme);
    words.write(words_of(chosen_row(page)));
    const float below = std::max(words.height(width), theme.px(66)) + theme.px(28);
    draw_table(page, std::max(ImGui::GetContentRegionAvail().y - below, theme.px(80)));
    ImGui::Dummy({0, theme.px(2)});
    words.draw(width);
    end_page();
    if (leave)
        state.open(Page::none);
}

} // namespace app
