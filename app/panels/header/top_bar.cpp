#include "app/panels/header/top_bar.h"

#include "app/panels/header/strip.h"
#include "app/panels/widgets.h"
#include "app/text/format.h"

#include "viz/text/known.h"

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

kernels::Operation operation_of(const Snapshot& snapshot)
{
    const auto stage = snapshot.first_stage();
    return stage ? snapshot.ladder()[*stage].operation : kernels::Operation::gemm;
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
void TopBar::label_timed(const Snapshot& snapshot, std::optional<std::size_t> stage, const recording::Problem& problem,
                         Labels& labels)
{
    const MachineFacts* machine = snapshot.machine();
    const std::string size = size_text(problem, operation_of(snapshot));
    if (machine == nullptr) {
        labels.sizes_help += "stages are timed where there is a GPU";
    } else if (machine->gpu()) {
        labels.sizes += " · timed at " + size;
        labels.sizes_help += "and timed large, where a GPU shows its speed";
    } else if (const TimedRow* speed = stage ? snapshot.shipped_speed(*stage) : nullptr) {
        labels.sizes += " · timed at " + size_text(speed->problem, operation_of(snapshot));
        labels.sizes_help += fmt::format("timed on {}, shipped with gemmscope: here there is no GPU to time with",
                                         viz::device_and_date(snapshot.catalogue->speeds.from));
    } else {
        labels.sizes_help += "a GPU would be timed at " + size;
    }
    labels.sizes_help += " · click or press m to change";
}

TopBar::Labels TopBar::labels(const Snapshot& snapshot)
{
    const Sizes& sizes = snapshot.choice.sizes;
    Labels labels;
    const auto stage = snapshot.first_stage();
    const kernels::Operation operation = operation_of(snapshot);
    const bool shipped = snapshot.shows_shipped(Slot::first) && snapshot.first().recording != nullptr;
    const recording::Problem recorded = shipped ? snapshot.first().recording->problem
                                        : stage ? snapshot.recorded_problem(*stage)
                                                : sizes.recorded;
    const recording::Problem timed = stage ? snapshot.timed_problem(*stage) : sizes.timed;
    labels.sizes = size_text(recorded, operation);
    labels.sizes_help = "Recorded at " + labels.sizes + ", small, so that every access can be shown; ";
    label_timed(snapshot, stage, timed, labels);
    if (sizes.recorded.alpha != 1 || sizes.recorded.beta != 0)
        labels.sizes += fmt::format(" · α {} β {}", factor(sizes.recorded.alpha), factor(sizes.recorded.beta));
    const MachineFacts* machine = snapshot.machine();
    if (machine == nullptr)
        labels.device = "looking for a GPU …";
    else if (machine->gpu())
        labels.device = machine->device->name;
    else if (!machine->device)
        labels.device = "no worker";
    else
        labels.device = "CPU, no GPU";
    return labels;
}

float TopBar::tabs_width(const State& state, bool with_name)
{
    const viz::Theme& theme = state.theme;
    float width = theme.px(30) + (with_name ? text_width(theme.heading, "gemmscope") + theme.px(14) : 0);
    for (int group = 0; group < viz::view_groups; ++group)
        width += button_width(theme, viz::name(static_cast<viz::ViewGroup>(group))) + theme.px(2);
    for (const auto& view : state.views)
        if (view->group() == state.views[state.view]->group())
            width += button_width(theme, view->title()) + theme.px(2);
    return width;
}

float TopBar::buttons_width(const State& state, const Labels& labels)
{
    const viz::Theme& theme = state.theme;
    float width = theme.px(24);
    for (const std::string_view label :
         {std::string_view(labels.sizes), std::string_view(labels.device), std::string_view("?")})
        width += button_width(theme, label) + theme.px(6);
    return width;
}

void TopBar::draw(const Snapshot& snapshot, Session& session, State& state, const Area& area)
{
    begin_place("##top", area, state.theme.panel, false);
    const Labels own = labels(snapshot);
    const float right = area.right() - buttons_width(state, own);
    const float left = draw_tabs(state, area, right) + state.theme.px(18), room = right - left - state.theme.px(12);
    has_strip_ = strip_width(snapshot, state, true) <= room;
    if (has_strip_) {
        ImGui::SetCursorScreenPos({left, area.y + state.theme.px(8)});
        ImGui::BeginGroup();
        draw_strip(snapshot, session, state, room);
        ImGui::EndGroup();
    }
    draw_buttons(snapshot, session, state, area, own);
    ImGui::End();
}

float TopBar::draw_view_list(State& state, const Area& area, float right) const
{
    const float x = area.x + state.theme.px(10);
    ImGui::SetCursorScreenPos({x, area.y + state.theme.px(7)});
    ImGui::SetNextItemWidth(std::clamp(right - x, state.theme.px(80), state.theme.px(240)));
    const bool open = ImGui::BeginCombo("##views", std::string(state.views[state.view]->title()).c_str());
    const float end = ImGui::GetItemRectMax().x;
    if (!open)
        return end;
    for (std::size_t i = 0; i < state.views.size(); ++i)
        if (ImGui::Selectable(std::string(state.views[i]->title()).c_str(), i == state.view))
            state.view = i;
    ImGui::EndCombo();
    return end;
}

float TopBar::draw_tabs(State& state, const Area& area, float right)
{
    const viz::Theme& theme = state.theme;
    const float y = area.y + theme.px(7);
    float x = area.x + theme.px(10);
    if (x + tabs_width(state, false) > right)
        return draw_view_list(state, area, right);
    if (x + tabs_width(state, true) <= right) {
        draw_text(theme.heading, {x, y + theme.px(1)}, theme.ink, "gemmscope");
        x += text_width(theme.heading, "gemmscope") + theme.px(14);
    }
    const viz::ViewGroup shown = state.views[state.view]->group();
    last_[static_cast<std::size_t>(shown)] = state.view;
    const auto tab = [&](std::string_view title, const std::string& mark, bool chosen) {
        ImGui::SetCursorScreenPos({x, y});
        const bool pressed = quiet_button(theme, std::string(title).c_str(), chosen);
        viz::mark_item(state.marks, mark);
        x = ImGui::GetItemRectMax().x + theme.px(2);
        return pressed;
    };
    for (int i = 0; i < viz::view_groups; ++i) {
        const auto group = static_cast<viz::ViewGroup>(i);
        if (!tab(viz::name(group), fmt::format("group:{}", viz::name(group)), group == shown))
            continue;
        std::size_t& last = last_[static_cast<std::size_t>(i)];
        for (std::size_t view = 0; view < state.views.size() && state.views[last]->group() != group; ++view)
            last = view;
        state.view = last;
    }
    x += theme.px(10);
    ImGui::GetWindowDrawList()->AddRectFilled({x, y}, {x + 1, y + theme.px(22)}, theme.border);
    x += theme.px(10);
    for (std::size_t i = 0; i < state.views.size(); ++i) {
        if (state.views[i]->group() != shown)
            continue;
        if (tab(state.views[i]->title(), fmt::format("view:{}", state.views[i]->name()), i == state.view))
            state.view = i;
        if (ImGui::IsItemHovered())
            state.hint = i < 9 ? fmt::format("{} · key {}", state.views[i]->title(), i + 1)
                               : fmt::format("{} · Tab goes to the next view", state.views[i]->title());
        const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
        if (i == state.view)
            ImGui::GetWindowDrawList()->AddRectFilled({min.x, max.y + theme.px(1)}, {max.x, max.y + theme.px(3)},
                                                      theme.first);
    }
    return x;
}

void TopBar::draw_buttons(const Snapshot& snapshot, Session& session, State& state, const Area& area, const Labels& own)
{
    const viz::Theme& theme = state.theme;
    ImGui::SetCursorScreenPos(
        {std::max(area.right() - buttons_width(state, own), area.x + theme.px(6)), area.y + theme.px(7)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {theme.px(6), 0});
    const bool asked = std::exchange(state.ask_sizes, false);
    const bool pressed = ImGui::Button(own.sizes.c_str());
    viz::mark_item(state.marks, "sizes");
    if (ImGui::IsItemHovered())
        state.hint = own.sizes_help;
    if (asked || pressed) {
        fill_form(snapshot.choice.sizes);
        ImGui::OpenPopup(sizes_popup);
    }
    ImGui::SameLine();
    workers_.draw(snapshot, session, state, own.device, {area.right() - theme.px(10), area.bottom()});
    ImGui::SameLine();
    if (ImGui::Button("?"))
        state.help = !state.help;
    if (ImGui::IsItemHovered())
        state.hint = "All keys · key ?";
    ImGui::PopStyleVar();
    draw_form(snapshot, session, state, area.right() - theme.px(10), area.bottom());
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

bool TopBar::draw_fields(const Snapshot& snapshot, const State& state)
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
    const kernels::Operation operation = operation_of(snapshot);
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

void TopBar::draw_form(const Snapshot& snapshot, Session& session, const State& state, float right, float top)
{
    const viz::Theme& theme = state.theme;
    ImGui::SetNextWindowPos({right, top}, ImGuiCond_Always, {1, 0});
    ImGui::SetNextWindowSize({theme.px(380), 0});
    if (!ImGui::BeginPopup(sizes_popup))
        return;
    const bool entered = draw_fields(snapshot, state);
    if (!form_.error.empty())
        text_wrapped(theme.warning, form_.error);
    if (ImGui::Button("Apply (Enter)") || entered) {
        apply(snapshot, session);
        if (form_.error.empty())
            ImGui::CloseCurrentPopup();
    }
    ImGui::SameLine();
    if (ImGui::Button("Cancel (Esc)") || state.escaped)
        ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

void TopBar::apply(const Snapshot& snapshot, Session& session)
{
    try {
        Sizes sizes = snapshot.choice.sizes;
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
        session.change([&](Choice& choice) { choice.sizes = sizes; });
    } catch (const kernels::Error& error) {
        form_.error = error.what();
    }
}

} // namespace app
