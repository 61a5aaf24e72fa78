#include "app/panels/learning.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

#include "viz/draw/rich_text.h"
#include "viz/figure/figure.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/rich.h"

#include "recording/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

namespace app {

namespace {

std::string title_of(const std::string& course)
{
    return course == "threads_to_tiles" ? "From a thread to shared tiles"
           : course == "conflicts"      ? "Bank conflicts and swizzles"
           : course == "pipelines"      ? "Pipelines and tensor cores"
                                        : course;
}

// Draws a lesson's title, and at the right its level and time if there is room. It is clickable over the width of its
// column.
bool draw_row(const viz::Theme& theme, const Lesson& lesson)
{
    const std::string &title = lesson.title, effort = effort_words(lesson);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::InvisibleButton(
        "row", {std::max(ImGui::GetContentRegionAvail().x, theme.px(40)), line_height(theme.text) + theme.px(4)});
    if (ImGui::IsItemHovered())
        ImGui::GetWindowDrawList()->AddRectFilled(at, ImGui::GetItemRectMax(), with_alpha(theme.accent(), 0.15f),
                                                  theme.px(3));
    draw_text_within(theme.text, {at.x + theme.px(4), at.y + theme.px(2)}, ImGui::GetItemRectSize().x - theme.px(28),
                     theme.ink, title);
    const float effort_width = text_width(theme.text, effort) + theme.px(4);
    if (text_width(theme.text, title) + effort_width + theme.px(44) < ImGui::GetItemRectSize().x)
        draw_text_within(theme.text, {ImGui::GetItemRectMax().x - effort_width, at.y + theme.px(2)}, effort_width,
                         theme.ink_faint, effort);
    return pressed;
}

// Returns the number of courses that lie side by side: as many as leave room for all titles, at most three.
int columns_for_titles(const viz::Theme& theme, float width)
{
    float longest = 1;
    for (const Lesson& lesson : shipped_lessons().all())
        longest = std::max(longest, text_width(theme.text, lesson.title));
    return std::clamp(static_cast<int>(width / (longest + theme.px(48))), 1, 3);
}

void draw_courses(Session& session, State& state)
{
    const viz::Theme& theme = state.theme;
    for (const Course& course : shipped_lessons().courses()) {
        ImGui::TableNextColumn();
        viz::RichText(theme).heading(title_of(course.slug)).draw(ImGui::GetContentRegionAvail().x);
        for (const Lesson* lesson : course.lessons) {
            ImGui::PushID(lesson->slug.c_str());
            const bool known = std::ranges::all_of(lesson->covers, [&](const std::string& slug) {
                return state.learning.progress.of(slug) == Mastery::known;
            });
            if (draw_row(theme, *lesson))
                open_lesson(session, state, *lesson);
            if (ImGui::IsItemHovered())
                state.hint = effort_words(*lesson);
            viz::mark_item(state.marks, "library:" + course.slug + ":" + lesson->slug);
            const bool answered = known && !lesson->covers.empty();
            if (answered || state.learning.progress.has_read(lesson->slug)) {
                const ImVec2 min = ImGui::GetItemRectMin();
                const float height = ImGui::GetItemRectMax().y - min.y;
                draw_check({min.x + text_width(theme.text, lesson->title) + theme.px(10), min.y + theme.px(3)},
                           height - theme.px(6), answered ? theme.good : theme.ink_faint);
            }
            ImGui::PopID();
        }
        ImGui::PushID(course.slug.c_str());
        if (button(state, "Ten questions", "library:quiz:" + course.slug))
            start_quiz(state, title_of(course.slug),
                       {.concepts = shipped_lessons().concepts_of(course.slug), .seed = 0});
        ImGui::PopID();
    }
}

// Draws all concepts, colored by the user's answers. A click opens the lesson.
void draw_concepts(Session& session, State& state)
{
    const viz::Theme& theme = state.theme;
    const float width = theme.px(168), height = line_height(theme.text) + theme.px(8);
    const float all = ImGui::GetContentRegionAvail().x;
    const int columns = std::max(1, static_cast<int>((all + theme.px(4)) / (width + theme.px(4))));
    int place = 0;
    for (const Concept& row : all_concepts()) {
        if (place++ % columns != 0)
            ImGui::SameLine(0, theme.px(4));
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::PushID(row.slug.c_str());
        const bool pressed = ImGui::InvisibleButton("concept", {width, height});
        if (ImGui::IsItemVisible())
            viz::mark_item(state.marks, "concept:" + row.slug);
        ImGui::PopID();
        const Mastery mastery = state.learning.progress.of(row.slug);
        ImDrawList* list = ImGui::GetWindowDrawList();
        const viz::Colour colour = mastery == Mastery::known   ? theme.good
                                   : mastery == Mastery::begun ? theme.warning
                                                               : theme.border;
        list->AddRectFilled(at, {at.x + width, at.y + height},
                            with_alpha(colour, mastery == Mastery::untouched ? 0.35f : 0.3f), theme.px(3));
        list->AddRectFilled(at, {at.x + theme.px(3), at.y + height}, colour);
        draw_text_within(theme.text, {at.x + theme.px(9), at.y + theme.px(4)}, width - theme.px(14),
                         mastery == Mastery::untouched ? theme.ink_quiet : theme.ink, row.name);
        if (ImGui::IsItemHovered()) {
            state.hint = row.question;
            tooltip(theme, row.question);
        }
        const Lesson* lesson = shipped_lessons().of_concept(row.slug);
        if (pressed && lesson != nullptr)
            open_lesson(session, state, *lesson);
    }
}

} // namespace

void draw_library(Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    const PageTitle title{.name = "##library", .title = "Learn", .mark = "library:leave"};
    if (begin_page(state, area, title))
        state.open(Page::none);
    if (button(state, "The first page", "library:first"))
        state.open(Page::first);
    ImGui::SameLine();
    if (button(state, "Ten questions about anything", "library:quiz"))
        start_quiz(state, questions_about_anything, {.seed = 0});
    ImGui::Dummy({0, theme.px(6)});
    if (ImGui::BeginTable("courses", columns_for_titles(theme, area.width), ImGuiTableFlags_SizingStretchSame)) {
        draw_courses(session, state);
        ImGui::EndTable();
    }
    ImGui::Dummy({0, theme.px(8)});
    say(theme,
        viz::rich("### What you have answered\n"
                  "Green: the last two answers were right. Amber: begun. Click a concept for its lesson. A lesson "
                  "that was read to its end has a mark. It is kept on this machine only."));
    draw_concepts(session, state);
    end_page();
}

namespace {

constexpr uint32_t side = 4; // of the drawn matrices
constexpr double seconds_of_term = 0.9;

int value(uint32_t operand, uint32_t row, uint32_t col)
{
    return static_cast<int>(
        recording::input_value(recording::Inputs::small, recording::input_seed, operand, uint64_t{row} * side + col));
}

int sum_of(uint32_t row, uint32_t col, uint32_t terms)
{
    int sum = 0;
    for (uint32_t k = 0; k < terms; ++k)
        sum += value(0, row, k) * value(1, k, col);
    return sum;
}

// The element that is being summed, and the number of products added so far.
struct Moment {
    uint32_t element = 0, terms = side;
    uint32_t row() const { return element / side; }
    uint32_t col() const { return element % side; }
};

Moment moment_of(const State& state)
{
    if (!state.settings.motion)
        return {6, side};
    const auto ticks = static_cast<uint64_t>(state.seconds / seconds_of_term);
    return {static_cast<uint32_t>(ticks / (side + 1) % (side * side)), static_cast<uint32_t>(ticks % (side + 1))};
}

// Returns the cells of an operand with the elements in use highlighted.
viz::CellLayer operand_cells(const viz::Theme& theme, uint32_t operand, const Moment& now)
{
    const viz::Colour accent = theme.accent(operand);
    return {.rows = side,
            .cols = side,
            .colour =
                [=, panel = theme.panel](uint32_t row, uint32_t col) {
                    const bool used = operand == 0 ? row == now.row() : col == now.col();
                    const uint32_t k = operand == 0 ? col : row;
                    return !used ? panel : k + 1 == now.terms ? accent : viz::mix(panel, accent, 0.45f);
                },
            .words = [=](uint32_t row, uint32_t col) { return std::to_string(value(operand, row, col)); },
            .bordered = false,
            .large = true};
}

viz::CellLayer result_cells(const viz::Theme& theme, const Moment& now)
{
    const auto is_now = [=](uint32_t row, uint32_t col) { return row == now.row() && col == now.col(); };
    return {.name = "product C",
            .rows = side,
            .cols = side,
            .colour = [=, good = theme.good,
                       panel = theme.panel](uint32_t row, uint32_t col) { return is_now(row, col) ? good : panel; },
            .words =
                [=](uint32_t row, uint32_t col) {
                    const bool at_it = is_now(row, col), begun = at_it || row * side + col < now.element;
                    return begun ? std::to_string(sum_of(row, col, at_it ? now.terms : side)) : std::string();
                },
            .bordered = false,
            .large = true};
}

// Draws A at the left of C and B above it, so that an element of C is where its row and its column meet.
void draw_product(State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    const Moment now = moment_of(state);
    const float between = theme.px(34), words = theme.px(54);
    const float cell =
        std::floor(std::min((area.width - between) / (2 * side), (area.height - 2 * between - words) / (2 * side)));
    const float size = cell * side, left = area.x + std::max((area.width - 2 * size - between) / 2, 0.0f),
                top = area.y + between;
    const float right = left + size + between, low = top + size + between;
    viz::Panel panel{.id = "product", .box = {{left, area.y}, {right + size, low + size + words}}};
    viz::LabelLayer names;
    const auto add = [&](const char* name, viz::CellLayer cells, ImVec2 corner) {
        cells.box = viz::Box{corner, {corner.x + size, corner.y + size}};
        panel.layers.emplace_back(std::move(cells));
        names.labels.push_back({.words = name,
                                .at = {corner.x + size / 2, corner.y},
                                .colour = theme.ink,
                                .side = viz::Label::Side::above,
                                .large = true});
    };
    add("B", operand_cells(theme, 1, now), {right, top});
    add("A", operand_cells(theme, 0, now), {left, low});
    add("C", result_cells(theme, now), {right, low});
    std::string terms;
    for (uint32_t k = 0; k < now.terms; ++k)
        terms += fmt::format("{}{} × {}", k == 0 ? "" : " + ", value(0, now.row(), k), value(1, k, now.col()));
    panel.layers.emplace_back(std::move(names));
    panel.layers.emplace_back(
        viz::RichTextLayer{.words = viz::rich("`C({}, {}) = {} = {}`", now.row(), now.col(),
                                              terms.empty() ? "…" : terms, sum_of(now.row(), now.col(), now.terms)),
                           .box = viz::Box{{left, low + size + theme.px(10)}, panel.box.max}});
    draw_panel(state, panel);
}

struct Rung {
    std::string slug;
    double gflops = 0, ms = 0;
    bool tensor_cores = false; // uses a scale of its own, because its bars would dwarf the others
};

// Returns the stages with a known speed, of FP32 and of the tensor cores.
std::vector<Rung> rungs_of(const Snapshot& snapshot)
{
    std::vector<Rung> rungs;
    for (const viz::StageFacts& rung : snapshot.ladder_facts.rungs) {
        if (rung.library || !rung.speed || rung.speed->problem.K <= 1)
            continue;
        const recording::Problem& problem = rung.speed->problem;
        rungs.push_back({rung.slug, rung.speed->gflops, 2e-6 * problem.M * problem.N * problem.K / rung.speed->gflops,
                         rung.type != "fp32"});
    }
    return rungs;
}

// Returns bars whose lengths are shares of the fastest speed on the same scale.
viz::BarLayer bars_of(const viz::Theme& theme, const std::vector<kernels::Stage>& ladder,
                      const std::vector<Rung>& rungs)
{
    std::array<double, 2> fastest{}; // without and with tensor cores
    for (const Rung& rung : rungs)
        fastest.at(rung.tensor_cores) = std::max(fastest.at(rung.tensor_cores), rung.gflops);
    viz::BarLayer layer{.name = "rung", .bars = {}, .most = 1};
    for (std::size_t i = 0; i < rungs.size(); ++i) {
        const Rung& rung = rungs[i];
        if (i > 0 && rung.tensor_cores != rungs[i - 1].tensor_cores)
            layer.bars.push_back(
                {.name = "With tensor cores and 16-bit inputs, on a scale of their own:", .parts = {}});
        const double share = rung.gflops / fastest.at(rung.tensor_cores);
        const auto stage = std::ranges::find(ladder, rung.slug, &kernels::Stage::slug);
        layer.bars.push_back({.name = rung.slug,
                              .parts = {{.series = {},
                                         .value = share,
                                         .words = viz::time_words(rung.ms * 1e6),
                                         .colour = viz::mix(theme.accent(), theme.good, static_cast<float>(share))}},
                              .limits = {},
                              .tip = [said = viz::rich("{}: {}", rung.slug, stage == ladder.end() ? "" : stage->idea)] {
                                  return said;
                              }});
    }
    return layer;
}

void draw_rungs(const Snapshot& snapshot, State& state, std::vector<Rung> rungs, const Area& area)
{
    const viz::Theme& theme = state.theme;
    viz::BarLayer layer = bars_of(theme, snapshot.ladder(), rungs);
    const bool thinned = viz::bars_height(theme, layer) > area.height;
    if (thinned) { // keeps the stages that are faster than all before them
        double fastest = 0;
        std::erase_if(rungs, [&](const Rung& rung) {
            return std::exchange(fastest, std::max(fastest, rung.gflops)) >= rung.gflops;
        });
        layer = bars_of(theme, snapshot.ladder(), rungs);
    }
    const float height = std::min(area.height, theme.px(26) * static_cast<float>(layer.bars.size()));
    draw_panel(
        state,
        {.id = "ladder", .box = {{area.x, area.y}, {area.right(), area.y + height}}, .layers = {std::move(layer)}});
    if (thinned && height + theme.px(24) < area.height)
        draw_text_within(theme.text, {area.x, area.y + height + theme.px(6)}, area.width, theme.ink_faint,
                         "Left out here: kernels that are no faster than one before them.");
}

// Returns for example "4096³ on NVIDIA H200, 2026-11-22".
std::string from_of(const Snapshot& snapshot)
{
    for (const viz::StageFacts& rung : snapshot.ladder_facts.rungs)
        if (!rung.library && rung.speed && rung.speed->problem.K > 1)
            return viz::size_words(rung.speed->problem) + " on " + viz::device_and_date(rung.speed.from());
    return "timed here";
}

void draw_ladder_of_times(const Snapshot& snapshot, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    const std::vector<Rung> rungs = rungs_of(snapshot);
    if (rungs.empty()) {
        viz::RichText(theme)
            .write(
                viz::rich("### The ladder\n"
                          "*The same product*, by {} kernels, each with another idea. Their speeds are not known here. "
                          "They are measured where there is a GPU, or read from what is shipped.",
                          snapshot.ladder().size()))
            .draw({area.x, area.y}, area.width);
        return;
    }
    // Only kernels that multiply the same type are compared.
    const auto same_type = [](const Rung& rung) { return !rung.tensor_cores; };
    auto fp32 = rungs | std::views::filter(same_type);
    const auto slowest = std::ranges::min_element(fp32, {}, &Rung::gflops),
               fastest = std::ranges::max_element(fp32, {}, &Rung::gflops);
    viz::RichText words(theme);
    words.write(viz::rich("### The ladder\n*The same product*, by {} kernels, each with another idea ({}).",
                          rungs.size(), from_of(snapshot)));
    if (slowest != fp32.end())
        words.write(viz::rich(" In FP32 the slowest takes {}, the fastest {}: **{} times** as fast.",
                              viz::nanoseconds(slowest->ms * 1e6), viz::nanoseconds(fastest->ms * 1e6),
                              viz::with_decimals(fastest->gflops / slowest->gflops, 0)));
    words.write(viz::rich(" The longer the bar, the faster."));
    const float height = words.draw({area.x, area.y}, area.width) + theme.px(10);
    draw_rungs(snapshot, state, rungs, {area.x, area.y + height, area.width, area.height - height});
}

// Draws as many recently opened files as fit.
void draw_recent(State& state, float right)
{
    const viz::Theme& theme = state.theme;
    for (std::size_t i = 0; i < std::min<std::size_t>(state.settings.recent.size(), 3); ++i) {
        const std::string& file = state.settings.recent[i];
        const std::string name = std::filesystem::path(file).filename().string();
        if (ImGui::GetCursorScreenPos().x + text_width(theme.text, name) + theme.px(260) > right)
            return;
        ImGui::PushID(file.c_str());
        if (button(state, name, "first:recent:" + name)) {
            leave_first_page(state);
            state.opens = file;
        }
        ImGui::PopID();
        tooltip(theme, file);
        ImGui::SameLine();
    }
}

} // namespace

void leave_first_page(State& state)
{
    if (state.at.page == Page::first || state.covered == Page::first)
        state.open(Page::none);
}

void draw_first_page(const Snapshot& snapshot, Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    begin_area("##first", area, no_fill, false);
    const float pad = theme.px(28), foot = ImGui::GetFrameHeight() + theme.px(26), head = theme.px(64);
    viz::RichText(theme)
        .write(viz::rich("### C = A × B\n"
                         "Each element of C is a row of A times a column of B: products, added up. A GPU computes many "
                         "elements at once. How it fetches A and B decides how fast."))
        .draw({area.x + pad, area.y + theme.px(16)}, area.width - 2 * pad);
    const float half = (area.width - 3 * pad) / 2, height = area.height - head - foot;
    draw_product(state, {area.x + pad, area.y + head, half, height});
    draw_ladder_of_times(snapshot, state, {area.x + 2 * pad + half, area.y + head, half, height});
    ImGui::SetCursorScreenPos({area.x + pad, area.bottom() - foot + theme.px(8)});
    const Lesson* tour = shipped_lessons().find("tour");
    if (tour != nullptr && (ImGui::Button("Show me: five steps (Enter)") || state.entered)) {
        leave_first_page(state);
        open_lesson(session, state, *tour);
    }
    viz::mark_item(state.marks, "first:tour");
    ImGui::SameLine();
    if (button(state, "Look around by myself (Esc)", "first:skip"))
        leave_first_page(state);
    ImGui::SameLine();
    draw_recent(state, area.right() - pad);
    viz::RichText(theme).say("This page comes back from the help (?).").draw(area.width / 2);
    ImGui::End();
}

} // namespace app
