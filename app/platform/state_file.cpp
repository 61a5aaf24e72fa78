#include "app/platform/state_file.h"

#include "app/panels/derive.h"
#include "app/panels/navigation.h"

#include "viz/text/templates.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace app {

namespace {

constexpr std::size_t frames_of_start = 10; // the first frames, which load what later frames use

double of_this_thread() // CPU time in ms
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

// Returns whether every stage and every baseline was measured at least once. Without a GPU no background work remains
// after that.
bool measured(const Snapshot& snapshot)
{
    return snapshot.measured() && std::ranges::all_of(snapshot.baselines, &BaselineMeasurement::known);
}

nlohmann::json learning(const State& state)
{
    const Learning& learning = state.learning;
    const QuizQuestion* question = learning.quiz ? learning.quiz->question() : nullptr;
    return {{"first_page", state.at.page == Page::first},
            {"page", state.at.page == Page::learn},
            {"lesson", learning.lesson ? learning.lesson->lesson->slug : std::string()},
            {"step", learning.lesson ? learning.lesson->step : 0},
            {"done", learning.lesson && learning.lesson->done.contains(learning.lesson->step)},
            {"question", question == nullptr ? std::string() : question->kind},
            {"answer", question == nullptr ? 0 : question->answer},
            {"choices", question == nullptr ? 0 : question->choices.size()},
            {"answered", learning.quiz && learning.quiz->chosen},
            {"right", learning.quiz ? learning.quiz->right : 0}};
}

nlohmann::json parameters(const Snapshot& snapshot)
{
    nlohmann::json result = nlohmann::json::object();
    if (const auto stage = snapshot.leading_rung())
        for (std::size_t i = 0; i < snapshot.details[0].parameters.size(); ++i)
            result[snapshot.ladder()[*stage].parameters[i].name] = snapshot.details[0].parameters[i];
    return result;
}

constexpr std::size_t frames_of_input = 3; // ImGui shows the effect of an input one or two frames later

nlohmann::json rectangle(ImVec2 min, ImVec2 max)
{
    const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
    return {min.x * scale.x, min.y * scale.y, (max.x - min.x) * scale.x, (max.y - min.y) * scale.y};
}

// Returns the rectangle of the tooltip; null: there is none.
nlohmann::json tooltip_shown()
{
    const ImGuiWindow* tip = ImGui::FindWindowByName("##Tooltip_00");
    if (tip == nullptr || !tip->WasActive)
        return nullptr;
    return rectangle(tip->Pos, {tip->Pos.x + tip->Size.x, tip->Pos.y + tip->Size.y});
}

} // namespace

std::unique_ptr<StateFile> StateFile::from_environment()
{
    const char* path = std::getenv("GEMMSCOPE_WINDOW_STATE");
    return path == nullptr || *path == '\0' ? nullptr : std::make_unique<StateFile>(path);
}

void StateFile::frame_begins(Shell& shell)
{
    begun_ = std::chrono::steady_clock::now();
    used_ = std::clock();
    used_here_ = of_this_thread();
    marks_ = {};
    shell.state().marks = &marks_;
}

nlohmann::json StateFile::describe(Shell& shell, const WindowSize& pixels) const
{
    const State& state = shell.state();
    const SnapshotPtr now = shell.snapshot();
    const auto slug_of = [&](std::size_t column) {
        return column < now->columns.size() ? now->columns[column].slug : std::string();
    };
    nlohmann::json result = {
        {"settled", shell.ready()},
        {"measured", measured(*now)},
        {"device", now->machine() != nullptr && now->machine()->device ? now->machine()->device->name : std::string()},
        {"width", pixels.width},
        {"height", pixels.height},
        {"scale", state.theme.scale},
        {"theme", state.theme.dark ? "dark" : "light"},
        {"stage", slug_of(0)},
        {"compare", slug_of(1)},
        {"third", slug_of(2)},
        {"view", state.view().name()},
        {"arranged", state.view().options()},
        {"step", state.at.selection.step},
        {"second_step", state.at.selection.step_of(1)},
        {"third_step", state.at.selection.step_of(2)},
        {"time", state.playback.time()},
        {"line", state.at.selection.line.value_or(0)},
        {"code", static_cast<int>(state.at.code)},
        {"steps", state.tracks.front().steps()},
        {"playing", state.playback.playing()},
        {"help", state.at.page == Page::keys},
        {"learning", learning(state)},
        {"hint", state.hint},
        {"said", now->notice.empty() ? state.notice : now->notice},
        {"palette", state.palette.is_open() ? nlohmann::json(state.palette.typed()) : nlohmann::json()},
        {"places", state.visits.size()},
        {"presenting", state.presenting.on},
        {"pen", state.presenting.pen},
        {"drawn_lines", state.presenting.drawn.size()},
        {"blank", state.presenting.blank},
        {"parameters", parameters(*now)},
        {"command", command_of(saved_state(*now, state))},
        {"tip", state.tip},
        {"tooltip", tooltip_shown()},
        {"pointer", {pointer_.x, pointer_.y}},
        {"pointer_changes", pointer_.changes},
        {"pointer_drawn", frames_since_input_ >= frames_of_input},
        {"notice", state.notice},
        {"origin", origin_text(*now, state)},
        {"status", now->columns.front().recording == nullptr ? viz::plain(now->columns.front().status) : std::string()},
        {"widgets", nlohmann::json::object()},
        {"drawn", nlohmann::json::object()},
        {"words", nlohmann::json::array()},
    };
    for (const viz::Marks::Drawn& mark : marks_.drawn) {
        nlohmann::json& one = result["drawn"][mark.name];
        one = {{"panel", mark.panel}, {"rect", rectangle(mark.min, mark.max)}, {"label", mark.label}};
        one["colour"] = mark.colour;
        if (mark.value)
            one["value"] = *mark.value;
    }
    for (const viz::Marks::Words& one : marks_.words)
        result["words"].push_back(
            {{"panel", one.panel}, {"words", one.words}, {"rect", rectangle(one.min, one.max)}, {"cut", one.cut}});
    for (const viz::Marks::Widget& widget : marks_.widgets)
        result["widgets"][widget.name] = rectangle(widget.min, widget.max);
    return result;
}

// Notes the input of this frame.
void StateFile::note_input()
{
    const ImGuiIO& io = ImGui::GetIO();
    Pointer now;
    if (ImGui::IsMousePosValid(&io.MousePos)) {
        now.x = static_cast<int>(io.MousePos.x * io.DisplayFramebufferScale.x);
        now.y = static_cast<int>(io.MousePos.y * io.DisplayFramebufferScale.y);
    }
    now.pressed = io.MouseDown[0];
    now.changes = pointer_.changes + (now.pressed == pointer_.pressed ? 0 : 1);
    frames_since_input_ = now == pointer_ ? frames_since_input_ + 1 : 0;
    pointer_ = now;
}

double StateFile::median(Milliseconds milliseconds) const
{
    const std::size_t count = std::min(frames_, milliseconds.size());
    const auto middle = milliseconds.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(milliseconds.begin(), middle, milliseconds.begin() + static_cast<std::ptrdiff_t>(count));
    return *middle;
}

void StateFile::frame_shown(Shell& shell, const WindowSize& pixels)
{
    using Passed = std::chrono::duration<double, std::milli>;
    passed_[frames_ % passed_.size()] = Passed(std::chrono::steady_clock::now() - begun_).count();
    computed_[frames_ % computed_.size()] = 1000.0 * static_cast<double>(std::clock() - used_) / CLOCKS_PER_SEC;
    if (frames_++ >= frames_of_start) {
        latest_ = std::max(latest_, passed_[(frames_ - 1) % passed_.size()]);
        latest_here_ = std::max(latest_here_, of_this_thread() - used_here_);
    }
    note_input();
    nlohmann::json state = describe(shell, pixels);
    shell.state().marks = nullptr;
    if (state == written_)
        return;
    written_ = state;
    state["frame"] = frames_;
    state["frame_ms"] = median(passed_);
    state["frame_cpu_ms"] = median(computed_);
    state["latest_ms"] = latest_;
    state["latest_cpu_ms"] = latest_here_;
    // Writes a temporary file first, so that a reader always finds a complete file.
    const std::filesystem::path beside = path_.string() + ".tmp";
    std::ofstream(beside) << state;
    std::error_code ignored; // the reader notices a missing state
    std::filesystem::rename(beside, path_, ignored);
}

} // namespace app
