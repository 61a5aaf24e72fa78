#include "app/panels/header/top_bar.h"

#include "app/panels/widgets.h"
#include "app/shell/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace app {

namespace {

constexpr const char* sizes_popup = "sizes";

float button_width(const viz::Theme& theme, std::string_view label)
{
    return text_width(theme.text, label) + theme.px(14);
}

template <std::size_t Size>
void fill(char (&field)[Size], const std::string& text)
{
    std::snprintf(field, Size, "%s", text.c_str());
}

std::string typed_size(const recording::Problem& problem)
{
    if (problem.M == problem.N && problem.N == problem.K)
        return std::to_string(problem.M);
    return fmt::format("{}x{}x{}", problem.M, problem.N, problem.K);
}

kernels::Operation operation_of(const Session& session)
{
    const auto stage = session.first_stage();
    return stage ? session.ladder()[*stage].operation : kernels::Operation::gemm;
}

const char* meaning_of(kernels::Operation operation)
{
    switch (operation) {
    case kernels::Operation::vector_add: return "C = A + B, vectors of as many elements as written here.";
    case kernels::Operation::thread_coords:
        return "C (M × N) holds the column and row of the thread that wrote each element. Write 6x4 for M x N.";
    case kernels::Operation::gemm:
    case kernels::Operation::gemm_columns: break;
    }
    return "C (M × N) = α A (M × K) B (K × N) + β C. Write 128 for a cube, or 128x64x256 for M x N x K.";
}

} // namespace

// Where the chosen stage's speed comes from.
void TopBar::label_timed(const Session& session, std::optional<std::size_t> stage, const recording::Problem& problem,
                         Labels& labels)
{
    const Machine* machine = session.machine();
    const std::string size = size_text(problem, operation_of(session));
    if (machine == nullptr) {
        labels.timed = "not timed yet";
        labels.timed_help = "Stages are timed where there is a GPU";
    } else if (machine->gpu()) {
        labels.timed = "timed at " + size;
        labels.timed_help = "and timed large, where a GPU shows its speed";
    } else if (const ShippedSpeed* speed = stage ? session.shipped_speed(*stage) : nullptr) {
        labels.timed = "shipped: timed at " + size_text(speed->problem, operation_of(session));
        labels.timed_help = fmt::format("Timed on {}, {}; the figures are shipped with gemmscope, here there is no GPU "
                                        "to time with",
                                        session.shipped_speeds().device, session.shipped_speeds().date);
    } else {
        labels.timed = "not timed: no GPU";
        labels.timed_help = "A GPU would be timed at " + size;
    }
    labels.timed_help += " · click or press m to change";
}

TopBar::Labels TopBar::labels(const Session& session)
{
    const Sizes& sizes = session.sizes();
    Labels labels;
    const auto stage = session.first_stage();
    const kernels::Operation operation = operation_of(session);
    const bool shipped = session.shows_shipped(Slot::first) && session.first().recording != nullptr;
    const recording::Problem recorded = shipped ? session.first().recording->problem
                                        : stage ? session.recorded_problem(*stage)
                                                : sizes.recorded;
    const recording::Problem timed = stage ? session.timed_problem(*stage) : sizes.timed;
    labels.recorded = "recorded at " + size_text(recorded, operation);
    labels.factors = fmt::format("α {}  β {}", factor(sizes.recorded.alpha), factor(sizes.recorded.beta));
    const Machine* machine = session.machine();
    label_timed(session, stage, timed, labels);
    if (machine == nullptr)
        labels.device = "looking for a GPU …";
    else if (machine->gpu())
        labels.device = machine->backend->device().name;
    else
        labels.device = "CPU, no GPU";
    return labels;
}

float TopBar::tabs_width(const State& state, bool with_name)
{
    const viz::Theme& theme = state.theme;
    float width = theme.px(10) + (with_name ? text_width(theme.heading, "gemmscope") + theme.px(12) : 0);
    for (const auto& view : state.views)
        width += button_width(theme, view->title()) + theme.px(2);
    return width;
}

float TopBar::buttons_width(const Session& session, const State& state)
{
    const viz::Theme& theme = state.theme;
    const Labels own = labels(session);
    float width = theme.px(10);
    for (const std::string_view label :
         {std::string_view(own.recorded), std::string_view(own.timed), std::string_view(own.factors),
          std::string_view(own.device), std::string_view("?")})
        width += button_width(theme, label) + theme.px(6);
    return width;
}

int TopBar::rows(const Session& session, const State& state, float width) const
{
    return tabs_width(state, true) + buttons_width(session, state) + state.theme.px(10) > width ? 2 : 1;
}

void TopBar::draw(Session& session, State& state, const Area& area)
{
    begin_place("##top", area, state.theme.panel, false);
    draw_tabs(state, area);
    draw_buttons(session, state, area);
    ImGui::End();
}

void TopBar::draw_tabs(State& state, const Area& area) const
{
    const viz::Theme& theme = state.theme;
    const float y = area.y + theme.px(7);
    float x = area.x + theme.px(10);
    const bool named = tabs_width(state, true) <= area.width;
    if (named) {
        draw_text(theme.heading, {x, y + theme.px(1)}, theme.ink, "gemmscope");
        x += text_width(theme.heading, "gemmscope") + theme.px(12);
    }
    if (tabs_width(state, named) > area.width) { // too many for the window: a list
        ImGui::SetCursorScreenPos({x, y});
        ImGui::SetNextItemWidth(std::min(area.width - 2 * theme.px(10), theme.px(240)));
        if (ImGui::BeginCombo("##views", std::string(state.views[state.view]->title()).c_str())) {
            for (std::size_t i = 0; i < state.views.size(); ++i)
                if (ImGui::Selectable(std::string(state.views[i]->title()).c_str(), i == state.view))
                    state.view = i;
            ImGui::EndCombo();
        }
        return;
    }
    for (std::size_t i = 0; i < state.views.size(); ++i) {
        const std::string label(state.views[i]->title());
        ImGui::SetCursorScreenPos({x, y});
        if (quiet_button(theme, label.c_str(), i == state.view))
            state.view = i;
        viz::mark_item(state.marks, fmt::format("view:{}", state.views[i]->name()));
        if (ImGui::IsItemHovered())
            state.hint = fmt::format("{} · key {}", label, i + 1);
        const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
        if (i == state.view)
            ImGui::GetWindowDrawList()->AddRectFilled({min.x, max.y + theme.px(1)}, {max.x, max.y + theme.px(3)},
                                                      theme.first);
        x = max.x + theme.px(2);
    }
}

void TopBar::draw_buttons(Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    const Labels own = labels(session);
    const bool below = rows(session, state, area.width) == 2;
    ImGui::SetCursorScreenPos({std::max(area.right() - buttons_width(session, state), area.x + theme.px(6)),
                               area.y + theme.px(below ? 38.0f : 7.0f)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {theme.px(6), 0});
    bool ask = std::exchange(state.ask_sizes, false);
    const auto size_button = [&](const char* mark, const std::string& label, const std::string& help) {
        ask |= ImGui::Button(label.c_str());
        viz::mark_item(state.marks, mark);
        if (ImGui::IsItemHovered())
            state.hint = help;
        ImGui::SameLine();
    };
    size_button("recorded", own.recorded,
                "Matrices are recorded small, so that every access can be shown · click or press m to change");
    size_button("timed", own.timed, own.timed_help);
    size_button("factors", own.factors, "C = α A B + β C · click or press m to change");
    if (ask) {
        fill_form(session.sizes());
        ImGui::OpenPopup(sizes_popup);
    }
    const Machine* machine = session.machine();
    ImGui::AlignTextToFramePadding();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + theme.px(7));
    text(machine != nullptr && machine->gpu() ? theme.ink : theme.ink_quiet, own.device);
    if (ImGui::IsItemHovered() && machine != nullptr)
        state.hint = machine->gpu() ? "Stages are recorded and timed on this GPU" : machine->why_no_gpu;
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + theme.px(7));
    if (ImGui::Button("?"))
        state.help = !state.help;
    if (ImGui::IsItemHovered())
        state.hint = "All keys · key ?";
    ImGui::PopStyleVar();
    draw_form(session, state, area.right() - theme.px(10), area.bottom());
}

void TopBar::fill_form(const Sizes& sizes)
{
    form_ = {};
    fill(form_.recorded, typed_size(sizes.recorded));
    fill(form_.timed, typed_size(sizes.timed));
    fill(form_.threads, fmt::format("{}x{}", sizes.recorded_threads.M, sizes.recorded_threads.N));
    fill(form_.elements, std::to_string(sizes.recorded_elements));
    fill(form_.timed_elements, std::to_string(sizes.timed_elements));
    fill(form_.alpha, factor(sizes.recorded.alpha));
    fill(form_.beta, factor(sizes.recorded.beta));
}

bool TopBar::draw_fields(const Session& session, const State& state)
{
    const viz::Theme& theme = state.theme;
    bool entered = state.entered;
    const auto field = [&](const char* label, char* buffer, std::size_t size) {
        ImGui::PushID(label);
        ImGui::AlignTextToFramePadding();
        text(theme.ink_quiet, label);
        ImGui::SameLine(theme.px(200));
        ImGui::SetNextItemWidth(-1);
        entered |= ImGui::InputText("##value", buffer, size, ImGuiInputTextFlags_EnterReturnsTrue);
        ImGui::PopID();
    };
    const kernels::Operation operation = operation_of(session);
    text_wrapped(theme.ink_quiet, meaning_of(operation));
    if (ImGui::IsWindowAppearing())
        ImGui::SetKeyboardFocusHere();
    if (operation == kernels::Operation::vector_add) {
        field("elements, recorded", form_.elements, sizeof form_.elements);
        field("elements, timed", form_.timed_elements, sizeof form_.timed_elements);
    } else if (operation == kernels::Operation::thread_coords) {
        field("size, recorded", form_.threads, sizeof form_.threads);
    } else {
        field("size, recorded", form_.recorded, sizeof form_.recorded);
        field("size, timed", form_.timed, sizeof form_.timed);
        field("α", form_.alpha, sizeof form_.alpha);
        field("β", form_.beta, sizeof form_.beta);
    }
    return entered;
}

void TopBar::draw_form(Session& session, const State& state, float right, float top)
{
    const viz::Theme& theme = state.theme;
    ImGui::SetNextWindowPos({right, top}, ImGuiCond_Always, {1, 0});
    ImGui::SetNextWindowSize({theme.px(380), 0});
    if (!ImGui::BeginPopup(sizes_popup))
        return;
    const bool entered = draw_fields(session, state);
    if (!form_.error.empty())
        text_wrapped(theme.warning, form_.error);
    if (ImGui::Button("Apply (Enter)") || entered) {
        apply(session);
        if (form_.error.empty())
            ImGui::CloseCurrentPopup();
    }
    ImGui::SameLine();
    if (ImGui::Button("Cancel (Esc)") || state.escaped)
        ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

void TopBar::apply(Session& session)
{
    try {
        Sizes sizes = session.sizes();
        const auto set = [](recording::Problem& problem, const Extent& extent) {
            problem.M = extent.M, problem.N = extent.N, problem.K = extent.K;
        };
        set(sizes.recorded, parse_extent(form_.recorded, largest_recorded));
        set(sizes.timed, parse_extent(form_.timed, largest_timed));
        set(sizes.recorded_threads, parse_sides(form_.threads, largest_recorded));
        sizes.recorded_elements = parse_count(form_.elements, largest_recorded_elements);
        sizes.timed_elements = parse_count(form_.timed_elements, largest_timed_elements);
        sizes.recorded.alpha = parse_factor(form_.alpha);
        sizes.recorded.beta = parse_factor(form_.beta);
        form_.error.clear();
        session.set_sizes(sizes);
    } catch (const kernels::Error& error) {
        form_.error = error.what();
    }
}

} // namespace app
