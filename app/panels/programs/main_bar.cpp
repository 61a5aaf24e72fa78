#include "app/panels/panels.h"

#include "app/panels/position.h"
#include "app/panels/widgets.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace app {

namespace {

// The file by its name.
std::string file_shown(const Snapshot& snapshot)
{
    return snapshot.choice.columns[0].file->filename().string();
}

std::string first_line(const std::string& words)
{
    return words.substr(0, words.find('\n'));
}

void draw_question(const Snapshot& snapshot, Session& session, State& state)
{
    text(state.theme.ink, fmt::format("{} has a main program: run it to record its kernels?", file_shown(snapshot)));
    hint(state,
         "It is compiled by nvcc and runs as your own programs do. The answer is kept until the window is closed.");
    ImGui::SameLine();
    if (button(state, "Run it (Y)", "main:yes"))
        session.run_main();
    ImGui::SameLine(0, state.theme.px(5));
    if (button(state, "No (N)", "main:no"))
        session.refuse_main();
}

void draw_running(const Snapshot& snapshot, Session& session, State& state)
{
    const std::string& step = snapshot.main.progress.step;
    text(state.theme.ink_quiet,
         fmt::format("{}: {} …", file_shown(snapshot), step.empty() ? "running its main" : step));
    ImGui::SameLine();
    if (button(state, "Stop (Esc)", "main:stop"))
        session.cancel();
}

void draw_failed(const Snapshot& snapshot, Session& session, State& state, float room)
{
    const viz::Theme& theme = state.theme;
    const std::string words = snapshot.main.stopped ? fmt::format("The main of {} was stopped.", file_shown(snapshot))
                                                    : first_line(snapshot.main.failed);
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + room);
    text_wrapped(snapshot.main.stopped ? theme.ink_quiet : theme.warning, words);
    ImGui::PopTextWrapPos();
    viz::mark_item(state.marks, "main:failed");
    hint(state, snapshot.main.failed);
    if (button(state, "Run it again (Y)", "main:yes"))
        session.run_main();
    ImGui::SameLine(0, theme.px(5));
    if (button(state, "The kernel alone", "main:no"))
        session.refuse_main();
}

std::string about(const ProgramLaunch& launch, bool on_gpu)
{
    const double each = launch.work / static_cast<double>(std::max<uint64_t>(launch.count, 1));
    return fmt::format("{}: grid {}, blocks of {}, {} of shared memory each, {}, {} each. Click to record it.",
                       launch.kernel, extent_text(launch.launch.grid), extent_text(launch.launch.block),
                       viz::bytes_words(static_cast<double>(launch.shared_bytes)),
                       viz::counted(launch.count, "launch", "launches"),
                       on_gpu ? viz::time_words(each) : fmt::format("{:.0f} instructions of warps", each));
}

// Where one kernel is launched in several shapes, the shape is a part of what its button says.
std::string label_of(const MainRun& run, std::size_t index)
{
    const ProgramLaunch& launch = run.launches[index];
    const bool alone = std::ranges::count(run.launches, launch.name, &ProgramLaunch::name) == 1;
    std::string label = launch.kernel;
    if (!alone)
        label += fmt::format(" {}", extent_text(launch.launch.grid));
    if (launch.count > 1)
        label += fmt::format(" ×{}", launch.count);
    return label;
}

std::optional<std::size_t> draw_launch_button(State& state, const MainRun& run, std::size_t index)
{
    ImGui::PushID(static_cast<int>(index));
    const bool chosen =
        quiet_button(state, label_of(run, index), fmt::format("main:launch:{}", index), index == run.recorded);
    hint(state, about(run.launches[index], run.on_gpu));
    ImGui::PopID();
    return chosen && index != run.recorded ? std::optional(index) : std::nullopt;
}

// All launches in a row; those without room behind a button.
std::optional<std::size_t> draw_launches(State& state, const MainRun& run, float room)
{
    const viz::Theme& theme = state.theme;
    std::optional<std::size_t> chosen;
    const float right = ImGui::GetCursorScreenPos().x + room;
    std::size_t first_hidden = 0;
    for (; first_hidden < run.launches.size(); ++first_hidden) {
        ImGui::SameLine(0, theme.px(5));
        const float width = ImGui::CalcTextSize(label_of(run, first_hidden).c_str()).x + theme.px(20);
        if (first_hidden > 0 && ImGui::GetCursorScreenPos().x + width > right)
            break;
        if (const auto here = draw_launch_button(state, run, first_hidden))
            chosen = here;
    }
    if (first_hidden == run.launches.size())
        return chosen;
    if (button(state, fmt::format("{} more …", run.launches.size() - first_hidden), "main:more"))
        ImGui::OpenPopup("launches");
    if (ImGui::BeginPopup("launches")) {
        for (std::size_t i = first_hidden; i < run.launches.size(); ++i)
            if (const auto here = draw_launch_button(state, run, i)) {
                chosen = here;
                ImGui::CloseCurrentPopup();
            }
        end_popup(state);
    }
    return chosen;
}

// How the program ended where that was not well.
std::string trouble_of(const MainRun& run)
{
    if (run.cut_short)
        return "It went on after the recording and was ended.";
    if (run.status > 128)
        return fmt::format("It was ended by signal {}.", run.status - 128);
    if (run.status != 0)
        return fmt::format("It ended with status {}.", run.status);
    return run.failures.empty() ? "" : first_line(run.failures.front());
}

void draw_printed(State& state, const std::string& printed)
{
    constexpr float most_lines = 6;
    const viz::Theme& theme = state.theme;
    const auto lines = static_cast<float>(std::ranges::count(printed, '\n') + (printed.ends_with('\n') ? 0 : 1));
    ImGui::PushFont(theme.mono);
    const float height = std::clamp(lines, 1.f, most_lines) * ImGui::GetTextLineHeightWithSpacing() + theme.px(4);
    if (ImGui::BeginChild("##printed", {0, height}, false, ImGuiWindowFlags_HorizontalScrollbar)) {
        ImGui::PushStyleColor(ImGuiCol_Text, theme.ink_quiet);
        ImGui::TextUnformatted(printed.data(), printed.data() + printed.size());
        ImGui::PopStyleColor();
        viz::mark_item(state.marks, "main:printed text");
    }
    ImGui::EndChild();
    ImGui::PopFont();
}

void draw_printed_button(State& state, const std::string& printed)
{
    ImGui::SameLine(0, state.theme.px(5));
    if (quiet_button(state, "output", "main:printed", state.shows_printed))
        state.shows_printed = !state.shows_printed;
    hint(state, printed.empty() ? std::string("It has printed nothing · F7") : "What it printed · F7");
}

void draw_ran(Session& session, State& state, const MainRun& run, float room)
{
    const viz::Theme& theme = state.theme;
    const std::string trouble = trouble_of(run);
    const float right_part = theme.px(130) + (trouble.empty() ? 0 : theme.px(30));
    text(theme.ink_quiet, viz::counted(run.launches.size(), "launch:", "launches:"));
    viz::mark_item(state.marks, "main:ran");
    if (const auto chosen = draw_launches(state, run, room - right_part))
        session.run_main(run.launches[*chosen]);
    draw_printed_button(state, run.printed);
    if (trouble.empty())
        return;
    ImGui::SameLine(0, theme.px(5));
    text(theme.warning, "(!)");
    viz::mark_item(state.marks, "main:trouble");
    std::string all = trouble;
    for (const std::string& failure : run.failures)
        if (failure != trouble)
            all += "\n" + failure;
    hint(state, all);
}

} // namespace

void draw_main_bar(const Snapshot& snapshot, Session& session, State& state, float room)
{
    const MainState& main = snapshot.main;
    if (main.answer == MainAnswer::none || main.answer == MainAnswer::no)
        return;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {state.theme.px(5), state.theme.px(1)});
    ImGui::AlignTextToFramePadding();
    const std::string* printed = main.run != nullptr ? &main.run->main->printed : nullptr;
    if (main.answer == MainAnswer::open) {
        draw_question(snapshot, session, state);
    } else if (main.busy) {
        draw_running(snapshot, session, state);
        printed = &main.progress.printed;
        draw_printed_button(state, *printed);
    } else if (main.stopped || !main.failed.empty()) {
        draw_failed(snapshot, session, state, room);
        printed = nullptr;
    } else if (main.run != nullptr) {
        draw_ran(session, state, *main.run->main, room);
    }
    ImGui::PopStyleVar();
    if (state.shows_printed && printed != nullptr && !printed->empty())
        draw_printed(state, *printed);
}

} // namespace app
