#include "app/panels/header/top_bar.h"

#include "app/panels/classroom.h"
#include "app/panels/derive.h"
#include "app/panels/navigation.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/text/format.h"

#include "viz/text/known.h"
#include "viz/text/templates.h"

#include "gemm/size.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace app {

namespace {

constexpr const char* workers_popup = "workers";

} // namespace

void Workers::draw(const Snapshot& snapshot, Session& session, State& state, const std::string& device, ImVec2 below)
{
    const viz::Theme& theme = state.theme;
    const MachineFacts* machine = snapshot.machine();
    if (quiet_button(state, device, "workers", snapshot.gpu()))
        ImGui::OpenPopup(workers_popup);
    hint(state, machine == nullptr || machine->gpu() ? "Stages are recorded and timed there · click for another machine"
                                                     : machine->why_no_gpu + " Click for another machine.");
    ImGui::SetNextWindowPos(below, ImGuiCond_Always, {1, 0});
    ImGui::SetNextWindowSize({theme.px(460), 0});
    if (!ImGui::BeginPopup(workers_popup))
        return;
    draw_list(snapshot, session, state);
    ImGui::Separator();
    draw_form(session, state);
    end_popup(state);
}

// Adds the GPUs of a worker whose machine has several.
void Workers::add_gpus(const Entry& worker, const Snapshot& snapshot, const Session& session, std::vector<Entry>& to)
{
    const MachineFacts* machine = worker.at.command == session.worker().command ? snapshot.machine() : nullptr;
    if (machine == nullptr || machine->gpus.size() < 2)
        return to.push_back(worker);
    for (const kernels::ListedGpu& gpu : machine->gpus) // the worker uses the first GPU if none is named
        to.push_back({fmt::format("GPU {}: {} \xc2\xb7 {}", gpu.number, gpu.name, worker.name),
                      {worker.at.command, gpu.number == 0 ? std::string() : gpu.uuid},
                      gpu.number == 0 ? worker.remembered : std::nullopt});
}

std::vector<Workers::Entry> Workers::entries(const Snapshot& snapshot, const Session& session, const State& state)
{
    const std::vector<NamedWorker>& workers = state.settings.workers;
    std::vector<Entry> result;
    add_gpus({"This machine", {}, {}}, snapshot, session, result);
    for (std::size_t i = 0; i < workers.size(); ++i)
        add_gpus({workers[i].name, {workers[i].command, {}}, i}, snapshot, session, result);
    const auto listed = [&](const WorkerAt& at) {
        return std::ranges::any_of(result, [&](const Entry& one) { return one.at == at; });
    };
    // Adds a worker that was given on the command line.
    if (const std::string command = session.worker().command; !listed({command, {}}))
        add_gpus({command, {command, {}}, {}}, snapshot, session, result);
    if (const WorkerAt at = session.worker(); !listed(at))
        result.push_back({at.gpu.empty() ? at.command : fmt::format("{} GPU {}", at.command, at.gpu), at, {}});
    return result;
}

void Workers::draw_list(const Snapshot& snapshot, Session& session, State& state)
{
    const viz::Theme& theme = state.theme;
    for (const Entry& entry : entries(snapshot, session, state)) {
        ImGui::PushID((entry.at.command + '\n' + entry.at.gpu).c_str());
        const float right = ImGui::GetContentRegionAvail().x - theme.px(66);
        const bool shows = entry.at == session.worker();
        if (ImGui::Selectable(entry.name.c_str(), shows, ImGuiSelectableFlags_DontClosePopups, {right, 0})) {
            session.use_worker(entry.at);
            ImGui::CloseCurrentPopup();
        }
        viz::mark_item(state.marks, "worker:" + (entry.at.command.empty() && entry.at.gpu.empty() ? "" : entry.name));
        if (ImGui::IsItemHovered() && !entry.at.command.empty())
            state.hint = entry.at.command;
        bool removed = false;
        if (entry.remembered) {
            ImGui::SameLine(right + theme.px(12));
            removed = ImGui::SmallButton("Remove");
        }
        ImGui::PopID();
        if (removed) {
            state.settings.workers.erase(state.settings.workers.begin() +
                                         static_cast<std::ptrdiff_t>(*entry.remembered));
            break;
        }
    }
}

void Workers::draw_form(Session& session, State& state)
{
    const viz::Theme& theme = state.theme;
    const auto field = [&](const char* label, const char* example, std::string& typed, std::size_t most) {
        const bool entered = form_field(theme, {label, example, 90, most}, typed);
        viz::mark_item(state.marks, std::string("worker field:") + label);
        return entered;
    };
    if (ImGui::IsWindowAppearing())
        ImGui::SetKeyboardFocusHere();
    bool entered = state.entered;                    // see Shell::press
    entered |= field("name", "gpu-host", name_, 40); // the limits of the settings
    entered |= field("command", "ssh gpu-host gemmscope worker", command_, 400);
    const bool whole = !name_.empty() && !command_.empty() && state.settings.workers.size() < most_workers;
    ImGui::BeginDisabled(!whole);
    const bool pressed = ImGui::Button("Add and use (Enter)");
    ImGui::EndDisabled();
    if (!whole || (!pressed && !entered))
        return;
    state.settings.workers.push_back({name_, command_});
    session.use_worker({command_, {}});
    name_.clear(), command_.clear();
    ImGui::CloseCurrentPopup();
}

namespace {

constexpr const char* sizes_popup = "sizes";
constexpr float field_column = 200; // of the form, at scale 1

float button_width(const viz::Theme& theme, std::string_view label)
{
    return text_width(theme.text, label) + theme.px(14);
}

std::string typed_size(const recording::Problem& problem)
{
    return kernels::size_name(problem, kernels::Operation::gemm);
}

kernels::Operation operation_of(const Snapshot& snapshot)
{
    const auto stage = snapshot.leading_rung();
    return stage ? snapshot.ladder()[*stage].operation : kernels::Operation::gemm;
}

std::string device_of(const Snapshot& snapshot)
{
    const MachineFacts* machine = snapshot.machine();
    if (machine == nullptr)
        return viz::plain(viz::in_short({recording::Missing::looking_for_gpu}));
    if (machine->gpu())
        return machine->device->name;
    return machine->device ? "CPU" : "no worker";
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
    return "C (M × N) = α A (M × K) B (K × N) + β C. Write 128 for a cube, 128x64x256 for M x N x K, or "
           "nothing for two tiles each way and eight along K.";
}

} // namespace

// Describes the source of the chosen stage's speed.
void TopBar::label_timed(const Snapshot& snapshot, std::optional<std::size_t> stage, const recording::Problem& problem,
                         Labels& labels)
{
    const MachineFacts* machine = snapshot.machine();
    const std::string recorded = labels.sizes, size = size_text(problem, operation_of(snapshot));
    const auto timed_at = [&](const std::string& where) {
        labels.sizes = fmt::format("{} · timed at {}", recorded, where);
    };
    std::string timed = "stages are timed where there is a GPU";
    if (snapshot.gpu()) {
        timed_at(size);
        timed = "and timed large, where a GPU shows its speed";
    } else if (const TimedRow* speed = machine != nullptr && stage ? snapshot.shipped_speed(*stage) : nullptr) {
        timed_at(size_text(speed->problem, operation_of(snapshot)));
        timed = fmt::format("timed on {}, shipped with gemmscope: here is no GPU to time with",
                            viz::device_and_date(snapshot.catalogue->speeds.from));
    } else if (machine != nullptr) {
        timed = fmt::format("a GPU would be timed at {}", size);
    }
    labels.sizes_help = fmt::format(
        "Recorded at {}, small, so that every access can be shown; {} · click or press m to change", recorded, timed);
}

TopBar::Labels TopBar::labels(const Snapshot& snapshot)
{
    const Sizes& sizes = snapshot.choice.sizes;
    Labels labels;
    const auto stage = snapshot.leading_rung();
    const kernels::Operation operation = operation_of(snapshot);
    const bool shipped = snapshot.shows_shipped(0) && snapshot.columns.front().recording != nullptr;
    const bool of_file = snapshot.choice.columns[0].file && snapshot.columns.front().recording != nullptr &&
                         snapshot.columns.front().recording->problem.M > 0;
    const recording::Problem recorded = shipped || of_file ? snapshot.columns.front().recording->problem
                                        : stage            ? snapshot.recorded_problem(*stage)
                                                           : file_problem(sizes);
    const recording::Problem timed = stage ? snapshot.timed_problem(*stage) : sizes.timed;
    labels.sizes = size_text(recorded, operation);
    const recording::Recording* file =
        snapshot.choice.columns[0].file ? snapshot.columns.front().recording.get() : nullptr;
    if (file != nullptr && file->executed && !file->executed->multiplies) {
        // A program's kernel has buffers of some lengths, but no problem size.
        labels.sizes = launch_text(file->launch);
        labels.sizes_help =
            fmt::format("The launch that was recorded: {}. A trace does not say how many rows and columns "
                        "the matrices have · click or press m to choose the sizes of stages",
                        labels.sizes);
        labels.device = device_of(snapshot);
        return labels;
    }
    if (stage && snapshot.is_tiny(*stage))
        labels.sizes_help = fmt::format(
            "Recorded at {}, so small that every number can be read · click or press m to change", labels.sizes);
    else
        label_timed(snapshot, stage, timed, labels);
    if (sizes.alpha != 1 || sizes.beta != 0)
        labels.sizes += fmt::format(" · α {} β {}", factor(sizes.alpha), factor(sizes.beta));
    labels.device = device_of(snapshot);
    return labels;
}

float TopBar::tabs_width(const State& state, bool with_name)
{
    const viz::Theme& theme = state.theme;
    float width = theme.px(30) + (with_name ? text_width(theme.heading, "gemmscope") + theme.px(14) : 0);
    for (int group = 0; group < viz::view_groups; ++group)
        width += button_width(theme, viz::name(static_cast<viz::ViewGroup>(group))) + theme.px(2);
    for (const auto& view : state.views)
        if (view->group() == state.view().group())
            width += button_width(theme, view->title()) + theme.px(2);
    return width;
}

float TopBar::buttons_width(const State& state, const Labels& labels)
{
    const viz::Theme& theme = state.theme;
    float width = theme.px(24);
    std::vector<std::string_view> all{"find", "learn", "?"};
    if (!labels.few)
        all.insert(all.end(), {"tiny", labels.sizes, labels.device});
    if (!labels.people.empty())
        all.push_back(labels.people);
    for (const std::string_view label : all)
        width += button_width(theme, label) + theme.px(6);
    return width;
}

void TopBar::draw(const Snapshot& snapshot, Session& session, State& state, const Area& area)
{
    begin_area("##top", area, state.theme.panel, false);
    Labels own = labels(snapshot);
    own.people = class_label(state);
    own.few = is_narrow(area.width, state.theme.scale);
    const float right = area.right() - buttons_width(state, own);
    chose_view_ = false;
    const float left = draw_tabs(state, area, right) + state.theme.px(18), room = right - left - state.theme.px(12);
    if (chose_view_)
        leave_pages(session, state);
    has_stages_row_ = stages_row_width(snapshot, state, true) <= room;
    if (has_stages_row_) {
        ImGui::SetCursorScreenPos({left, area.y + state.theme.px(8)});
        ImGui::BeginGroup();
        draw_stages_row(snapshot, session, state, room);
        ImGui::EndGroup();
    }
    draw_buttons(snapshot, session, state, area, own);
    ImGui::End();
}

float TopBar::draw_view_list(State& state, const Area& area, float right)
{
    const float x = area.x + state.theme.px(10);
    ImGui::SetCursorScreenPos({x, area.y + state.theme.px(7)});
    ImGui::SetNextItemWidth(std::clamp(right - x, state.theme.px(80), state.theme.px(240)));
    const bool open = ImGui::BeginCombo("##views", std::string(state.view().title()).c_str());
    const float end = ImGui::GetItemRectMax().x;
    if (!open)
        return end;
    for (std::size_t i = 0; i < state.views.size(); ++i)
        if (ImGui::Selectable(std::string(state.views[i]->title()).c_str(), state.views[i]->name() == state.at.view))
            state.at.view = state.views[i]->name(), chose_view_ = true;
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
    const viz::ViewGroup shown = state.view().group();
    last_[static_cast<std::size_t>(shown)] = state.index_of_view(state.at.view);
    const auto tab = [&](std::string_view title, const std::string& mark, bool chosen) {
        ImGui::SetCursorScreenPos({x, y});
        const bool pressed = quiet_button(state, std::string(title), mark, chosen);
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
        state.at.view = state.views[last]->name(), chose_view_ = true;
    }
    x += theme.px(10);
    ImGui::GetWindowDrawList()->AddRectFilled({x, y}, {x + 1, y + theme.px(22)}, theme.border);
    x += theme.px(10);
    for (std::size_t i = 0; i < state.views.size(); ++i) {
        if (state.views[i]->group() != shown)
            continue;
        if (tab(state.views[i]->title(), fmt::format("view:{}", state.views[i]->name()),
                state.views[i]->name() == state.at.view))
            state.at.view = state.views[i]->name(), chose_view_ = true;
        hint(state, fmt::format("{} · {}", state.views[i]->title(),
                                i < 9 ? fmt::format("key {}", i + 1) : "Tab goes to the next view"));
        const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
        if (state.views[i]->name() == state.at.view)
            ImGui::GetWindowDrawList()->AddRectFilled({min.x, max.y + theme.px(1)}, {max.x, max.y + theme.px(3)},
                                                      theme.accent());
    }
    return x;
}

void TopBar::draw_buttons(const Snapshot& snapshot, Session& session, State& state, const Area& area, const Labels& own)
{
    const viz::Theme& theme = state.theme;
    ImGui::SetCursorScreenPos(
        {std::max(area.right() - buttons_width(state, own), area.x + theme.px(6)), area.y + theme.px(7)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {theme.px(6), 0});
    bool asked = std::exchange(state.ask_sizes, false);
    if (!own.few) {
        draw_tiny(snapshot, state);
        ImGui::SameLine();
        asked |= button(state, own.sizes, "sizes");
        hint(state, own.sizes_help);
        ImGui::SameLine();
    }
    if (asked) {
        fill_form(snapshot);
        ImGui::OpenPopup(sizes_popup);
    }
    if (!own.few) {
        workers_.draw(snapshot, session, state, own.device, {area.right() - theme.px(10), area.bottom()});
        ImGui::SameLine();
    }
    if (!own.people.empty()) {
        quiet_button(state, own.people, "class:people");
        hint(state, "How many people are there who follow you.");
        ImGui::SameLine();
    }
    if (button(state, "find", "find"))
        state.finds = "";
    hint(state, "Find a page, a stage, a view, a parameter, a lesson or a term · key Ctrl+P");
    ImGui::SameLine();
    if (button(state, "learn", "learn"))
        state.toggle(Page::learn);
    hint(state, "Lessons, courses, questions and the map of concepts (h).");
    ImGui::SameLine();
    if (ImGui::Button("?"))
        state.toggle(Page::keys);
    hint(state, "All keys · key ?");
    ImGui::PopStyleVar();
    draw_form(snapshot, state, area.right() - theme.px(10), area.bottom());
}

// Draws the button that switches tiny mode.
void TopBar::draw_tiny(const Snapshot& snapshot, State& state)
{
    const bool tiny = snapshot.choice.tiny;
    if (quiet_button(state, "tiny", "tiny", tiny))
        state.change([&](Choice& choice) { choice.set_tiny(!tiny); });
    const auto stage = snapshot.leading_rung();
    hint(state, stage && snapshot.ladder()[*stage].tiny
                    ? fmt::format("Matrices and tiles so small that every number can be read · T {}",
                                  snapshot.ladder()[*stage].tiny->limit)
                    : "This stage has no tiny form · T");
}

void TopBar::fill_form(const Snapshot& snapshot)
{
    const Sizes& sizes = snapshot.choice.sizes;
    const auto stage = snapshot.leading_rung();
    const bool tiny = stage && snapshot.is_tiny(*stage);
    const recording::Problem own = tiny ? snapshot.recorded_problem(*stage) : recording::Problem();
    const recording::Problem threads = tiny ? own : sizes.recorded_threads;
    form_ = {};
    form_.inputs = snapshot.choice.filled_with();
    form_.recorded = tiny ? typed_size(own) : sizes.recorded ? typed_size(*sizes.recorded) : "";
    form_.timed = typed_size(sizes.timed);
    form_.threads = fmt::format("{}x{}", threads.M, threads.N);
    form_.elements = std::to_string(tiny ? own.N : sizes.recorded_elements);
    form_.timed_elements = std::to_string(sizes.timed_elements);
    form_.alpha = factor(sizes.alpha);
    form_.beta = factor(sizes.beta);
}

void TopBar::draw_inputs(const viz::Theme& theme)
{
    form_label(theme, "A, B and C hold", field_column);
    for (const auto& [inputs, label] :
         {std::pair{recording::Inputs::random, "-1 to 1"}, std::pair{recording::Inputs::small, "1, 2, 3, 4, 5"}}) {
        if (inputs == recording::Inputs::small)
            ImGui::SameLine();
        if (ImGui::RadioButton(label, form_.inputs == inputs))
            form_.inputs = inputs;
    }
}

bool TopBar::draw_fields(const Snapshot& snapshot, const State& state)
{
    const viz::Theme& theme = state.theme;
    bool entered = state.entered;
    const auto field = [&](const char* label, std::string& typed, const char* example = "") {
        entered |= form_field(theme, {label, example, field_column}, typed);
        if (ImGui::IsItemEdited()) // an edit may have fixed the error
            form_.error.clear();
        viz::mark_field(state.marks, label);
    };
    const kernels::Operation operation = operation_of(snapshot);
    text_wrapped(theme.ink_quiet, meaning_of(operation));
    if (ImGui::IsWindowAppearing())
        ImGui::SetKeyboardFocusHere();
    if (operation == kernels::Operation::vector_add) {
        field("elements, recorded", form_.elements);
        field("elements, timed", form_.timed_elements);
    } else if (operation == kernels::Operation::thread_coords) {
        field("size, recorded", form_.threads);
    } else {
        field("size, recorded", form_.recorded, "whole tiles");
        field("size, timed", form_.timed);
        field("α", form_.alpha);
        field("β", form_.beta);
    }
    if (snapshot.found && !snapshot.gpu())
        text_wrapped(theme.ink_faint,
                     "There is no GPU to time with: the ladder keeps the shipped speeds and their size.");
    draw_inputs(theme);
    return entered;
}

void TopBar::draw_form(const Snapshot& snapshot, State& state, float right, float top)
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
        apply(snapshot, state);
        if (form_.error.empty())
            ImGui::CloseCurrentPopup();
    }
    ImGui::SameLine();
    if (ImGui::Button("Cancel (Esc)") || state.escaped)
        ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

// Takes the size of the tiny forms if the user typed another size than the stage's own.
void TopBar::take_tiny(const Snapshot& snapshot, std::size_t stage, Sizes& sizes) const
{
    const recording::Problem before = snapshot.recorded_problem(stage);
    recording::Problem typed = before;
    switch (snapshot.ladder()[stage].operation) {
    case kernels::Operation::vector_add: typed.N = parse_count(form_.elements, largest_tiny); break;
    case kernels::Operation::thread_coords: typed = parse_sides(form_.threads, largest_tiny); break;
    case kernels::Operation::gemm:
    case kernels::Operation::gemm_columns: typed = parse_extent(form_.recorded, largest_tiny); break;
    }
    if (typed.M != before.M || typed.N != before.N || typed.K != before.K)
        sizes.tiny = typed;
}

void TopBar::apply(const Snapshot& snapshot, State& state)
{
    try {
        Sizes sizes = snapshot.choice.sizes;
        const auto stage = snapshot.leading_rung();
        if (stage && snapshot.is_tiny(*stage)) {
            take_tiny(snapshot, *stage, sizes);
        } else {
            sizes.recorded =
                form_.recorded.empty() ? std::nullopt : std::optional(parse_extent(form_.recorded, largest_recorded));
            sizes.recorded_threads = parse_sides(form_.threads, largest_recorded);
            sizes.recorded_elements = parse_count(form_.elements, largest_recorded_elements);
        }
        sizes.timed = parse_extent(form_.timed, largest_timed);
        sizes.timed_elements = parse_count(form_.timed_elements, largest_timed_elements);
        sizes.alpha = parse_factor(form_.alpha);
        sizes.beta = parse_factor(form_.beta);
        form_.error.clear();
        state.change([&](Choice& choice) {
            choice.sizes = sizes;
            if (form_.inputs != choice.filled_with())
                choice.inputs = form_.inputs;
        });
    } catch (const kernels::Error& error) {
        form_.error = error.what();
    }
}

} // namespace app
