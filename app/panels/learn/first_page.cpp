#include "app/panels/learn/first_page.h"

#include "app/panels/widgets.h"
#include "app/state/learning.h"

#include "viz/draw/draw.h"
#include "viz/draw/prose.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/rich.h"

#include "recording/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace app {

namespace {

constexpr uint32_t side = 4; // of the matrices drawn
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

// Which element is being added up, and how many of its products are in.
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

struct Matrix {
    char name = 'C';
    ImVec2 at;
    float cell = 0;
};

void draw_cell(const State& state, const Matrix& matrix, const viz::Cell& at, const std::string& words,
               viz::Colour fill)
{
    const viz::Theme& theme = state.theme;
    const float gap = theme.px(2);
    const ImVec2 min{matrix.at.x + static_cast<float>(at.col) * matrix.cell,
                     matrix.at.y + static_cast<float>(at.row) * matrix.cell};
    const viz::draw::Box box{min, {min.x + matrix.cell - gap, min.y + matrix.cell - gap}};
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(box.min, box.max, fill, theme.px(3));
    if (!words.empty())
        viz::draw::text_in(list, theme.mono, box, fill == theme.panel ? theme.ink_quiet : viz::ink_on(fill), words);
}

void draw_matrix(const State& state, const Matrix& matrix, const Moment& now)
{
    const viz::Theme& theme = state.theme;
    for (uint32_t row = 0; row < side; ++row)
        for (uint32_t col = 0; col < side; ++col) {
            viz::Colour fill = theme.panel;
            std::string words;
            if (matrix.name == 'C') {
                const bool done = row * side + col < now.element, at_it = row == now.row() && col == now.col();
                fill = at_it ? theme.good : theme.panel;
                if (done || at_it)
                    words = std::to_string(sum_of(row, col, at_it ? now.terms : side));
            } else {
                const uint32_t operand = matrix.name == 'A' ? 0 : 1, k = operand == 0 ? col : row;
                const bool used = operand == 0 ? row == now.row() : col == now.col();
                const viz::Colour accent = operand == 0 ? theme.accent() : theme.accent(1);
                if (used)
                    fill = k + 1 == now.terms ? accent : viz::mix(theme.panel, accent, 0.45f);
                words = std::to_string(value(operand, row, col));
            }
            draw_cell(state, matrix, {row, col}, words, fill);
        }
    const float size = matrix.cell * side;
    viz::draw::text(ImGui::GetWindowDrawList(), theme.heading,
                    {matrix.at.x + size / 2 - theme.px(5), matrix.at.y - theme.px(20)}, theme.ink,
                    std::string(1, matrix.name));
}

// A at the left of C, B above it: an element of C stands where its row and its column meet.
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
    draw_matrix(state, {'B', {right, top}, cell}, now);
    draw_matrix(state, {'A', {left, low}, cell}, now);
    draw_matrix(state, {'C', {right, low}, cell}, now);
    viz::mark_picture(state.marks, "product", {left, top}, {right + size, low + size});
    std::string terms;
    for (uint32_t k = 0; k < now.terms; ++k)
        terms += fmt::format("{}{} × {}", k == 0 ? "" : " + ", value(0, now.row(), k), value(1, k, now.col()));
    viz::Prose(theme)
        .write(viz::rich("`C({}, {}) = {} = {}`", now.row(), now.col(), terms.empty() ? "…" : terms,
                         sum_of(now.row(), now.col(), now.terms)))
        .draw(ImGui::GetWindowDrawList(), {left, low + size + theme.px(10)}, area.width);
}

struct Rung {
    std::string slug;
    double gflops = 0, ms = 0;
    bool tensor_cores = false; // has a scale of its own: its bars would leave nothing of the others'
};

// FP32 and the tensor cores' rungs, as far as they have a speed.
std::vector<Rung> rungs_of(const Snapshot& snapshot)
{
    std::vector<Rung> rungs;
    for (const viz::RungFigures& rung : snapshot.board.rungs) {
        if (rung.library || !rung.speed || rung.speed->problem.K <= 1)
            continue;
        const recording::Problem& problem = rung.speed->problem;
        rungs.push_back({rung.slug, rung.speed->gflops, 2e-6 * problem.M * problem.N * problem.K / rung.speed->gflops,
                         rung.type != "fp32"});
    }
    return rungs;
}

void draw_rungs(State& state, const std::vector<Rung>& rungs, const Area& area)
{
    const viz::Theme& theme = state.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const bool both = rungs.front().tensor_cores != rungs.back().tensor_cores;
    const float row = std::min(area.height / (static_cast<float>(rungs.size()) + (both ? 1.0f : 0.0f)), theme.px(26));
    const float name = theme.px(164), time = theme.px(74), room = std::max(area.width - name - time, theme.px(40));
    double fastest = 0;
    float y = area.y;
    for (std::size_t i = 0; i < rungs.size(); ++i) {
        if (i == 0 || rungs[i].tensor_cores != rungs[i - 1].tensor_cores) {
            fastest = 0;
            for (const Rung& rung : rungs)
                fastest = rung.tensor_cores == rungs[i].tensor_cores ? std::max(fastest, rung.gflops) : fastest;
            if (i > 0) {
                viz::Prose(theme)
                    .say("With tensor cores and 16-bit inputs, on a scale of their own:")
                    .draw(list, {area.x, y + (row - line_height(theme.text)) / 2}, area.width);
                y += row;
            }
        }
        const auto share = static_cast<float>(rungs[i].gflops / fastest);
        const float width = std::max(room * share, theme.px(2));
        if (row >= theme.px(11))
            draw_text_within(theme.text, {area.x, y + (row - line_height(theme.text)) / 2}, name - theme.px(8),
                             theme.ink_quiet, rungs[i].slug);
        list->AddRectFilled({area.x + name, y + row * 0.22f}, {area.x + name + width, y + row * 0.78f},
                            viz::mix(theme.accent(), theme.good, share), theme.px(2));
        if (row >= theme.px(11))
            draw_text(theme.mono, {area.x + name + width + theme.px(6), y + (row - line_height(theme.mono)) / 2},
                      theme.ink, viz::time_words(rungs[i].ms * 1e6));
        y += row;
    }
    viz::mark_picture(state.marks, "ladder", {area.x, area.y}, {area.right(), y});
}

// "4096³ on NVIDIA H200, 2026-11-22"
std::string from_of(const Snapshot& snapshot)
{
    for (const viz::RungFigures& rung : snapshot.board.rungs)
        if (!rung.library && rung.speed && rung.speed->problem.K > 1)
            return viz::size_words(rung.speed->problem) + " on " + viz::device_and_date(rung.speed.from());
    return "timed here";
}

void draw_ladder_of_times(const Snapshot& snapshot, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    const std::vector<Rung> rungs = rungs_of(snapshot);
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (rungs.empty()) {
        viz::Prose(theme)
            .write(viz::rich(
                "### The ladder\n"
                "*The same product*, by {} kernels, each with one idea more. Their speeds are not known here. "
                "They are measured where there is a GPU, or read from what is shipped.",
                snapshot.ladder().size()))
            .draw(list, {area.x, area.y}, area.width);
        return;
    }
    const auto slowest = std::ranges::min_element(rungs, {}, &Rung::gflops),
               fastest = std::ranges::max_element(rungs, {}, &Rung::gflops);
    viz::Prose words(theme);
    words.write(viz::rich("### The ladder\n"
                          "*The same product*, by {} kernels, each with one idea more ({}). The slowest takes {}, the "
                          "fastest {}: **{} times** as fast. The longer the bar, the faster.",
                          rungs.size(), from_of(snapshot), viz::nanoseconds(slowest->ms * 1e6),
                          viz::nanoseconds(fastest->ms * 1e6),
                          viz::with_decimals(fastest->gflops / slowest->gflops, 0)));
    const float height = words.draw(list, {area.x, area.y}, area.width) + theme.px(10);
    draw_rungs(state, rungs, {area.x, area.y + height, area.width, area.height - height});
}

// The files that were opened last, as far as there is room for them.
void draw_recent(State& state, float right)
{
    const viz::Theme& theme = state.theme;
    for (std::size_t i = 0; i < std::min<std::size_t>(state.settings.recent.size(), 3); ++i) {
        const std::string& file = state.settings.recent[i];
        const std::string name = std::filesystem::path(file).filename().string();
        if (ImGui::GetCursorScreenPos().x + text_width(theme.text, name) + theme.px(260) > right)
            return;
        ImGui::PushID(file.c_str());
        if (ImGui::Button(name.c_str())) {
            leave_first_page(state);
            state.opens = file;
        }
        ImGui::PopID();
        viz::mark_item(state.marks, "first:recent:" + name);
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
    begin_place("##first", area, no_fill, false);
    const float pad = theme.px(28), foot = ImGui::GetFrameHeight() + theme.px(26), head = theme.px(64);
    ImDrawList* list = ImGui::GetWindowDrawList();
    viz::Prose(theme)
        .write(viz::rich("### C = A × B\n"
                         "Each element of C is a row of A times a column of B: products, added up. A GPU computes many "
                         "elements at once. How it fetches A and B decides how fast."))
        .draw(list, {area.x + pad, area.y + theme.px(16)}, area.width - 2 * pad);
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
    viz::Prose(theme).say("This page comes back from the help (?).").draw(area.width / 2);
    ImGui::End();
}

} // namespace app
