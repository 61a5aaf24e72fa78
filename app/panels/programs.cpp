#include "app/panels/derive.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

#include "viz/draw/rich_text.h"
#include "viz/text/figures.h"
#include "viz/text/rich.h"

#include "injection/traced_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace app {

namespace {

using injection::ListedLaunch;

std::string about(const ListedLaunch& launch)
{
    const double each = launch.time_ns / static_cast<double>(std::max<uint64_t>(launch.count, 1));
    return fmt::format(
        "{}: {}, {} each; {} registers per thread, {} of shared memory per block. Click to record the first.",
        injection::short_name(launch.name, 200), viz::counted(launch.count, "launch", "launches"),
        viz::time_words(each), launch.resources.registers_per_thread,
        viz::bytes_words(static_cast<double>(launch.resources.shared_bytes_per_block)));
}

std::string doing_of(const ProgramState& program)
{
    switch (program.doing) {
    case ProgramState::Doing::listing: return fmt::format("Running {}, to list its kernels ...", program.command);
    case ProgramState::Doing::tracing:
        return fmt::format("Running {} once more, to record {} ...", program.command,
                           injection::short_name(program.launches.at(program.traced).name));
    case ProgramState::Doing::saving: return "Keeping the recording ...";
    case ProgramState::Doing::nothing: break;
    }
    return "Run any program that uses the GPU, as you would in a terminal. It is not changed. Its kernels are listed; "
           "the one you choose is recorded while the program runs once more.";
}

// Draws the command. Returns whether to run it.
bool draw_command(State& state, const ProgramState& program, std::string& command)
{
    const viz::Theme& theme = state.theme;
    const bool busy = program.doing != ProgramState::Doing::nothing;
    if (ImGui::IsWindowAppearing())
        ImGui::SetKeyboardFocusHere();
    ImGui::PushFont(theme.mono);
    ImGui::SetNextItemWidth(std::max(ImGui::GetContentRegionAvail().x - theme.px(140), theme.px(120)));
    const bool entered = text_field("##command", "python3 train.py", command, ImGuiInputTextFlags_EnterReturnsTrue);
    viz::mark_item(state.marks, "programs:command");
    ImGui::PopFont();
    ImGui::SameLine();
    const bool pressed = button(state, "List kernels", "programs:list");
    return (entered || pressed) && !busy && !command.empty();
}

// Returns the index of the clicked row.
std::optional<std::size_t> draw_table(State& state, const ProgramState& program)
{
    const viz::Theme& theme = state.theme;
    std::optional<std::size_t> clicked;
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit;
    if (!ImGui::BeginTable("kernels", 7, flags))
        return clicked;
    ImGui::TableSetupScrollFreeze(0, 1);
    for (const char* heading : {"launches", "µs each", "grid", "block", "registers", "shared KiB"})
        ImGui::TableSetupColumn(heading);
    ImGui::TableSetupColumn("kernel", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableHeadersRow();
    for (std::size_t i = 0; i < program.launches.size(); ++i) {
        const ListedLaunch& launch = program.launches[i];
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::PushID(static_cast<int>(i));
        const bool chosen =
            ImGui::Selectable(fmt::format("{}", launch.count).c_str(), false, ImGuiSelectableFlags_SpanAllColumns);
        viz::mark_item(state.marks, fmt::format("programs:row:{}", i));
        if (chosen)
            clicked = i;
        if (ImGui::IsItemHovered()) {
            state.hint = about(launch);
            tooltip(theme, state.hint);
        }
        ImGui::PopID();
        const double each = launch.time_ns / static_cast<double>(std::max<uint64_t>(launch.count, 1));
        for (const std::string& cell :
             {fmt::format("{:.2f}", each / 1e3), extent_text(launch.launch.grid), extent_text(launch.launch.block),
              fmt::format("{}", launch.resources.registers_per_thread),
              fmt::format("{:.1f}", launch.resources.shared_bytes_per_block / 1024.0),
              injection::short_name(launch.name, 120)}) {
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(cell.c_str());
        }
    }
    ImGui::EndTable();
    return clicked;
}

} // namespace

void draw_programs(const Snapshot& snapshot, Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    const ProgramState& program = *snapshot.program();
    const bool busy = program.doing != ProgramState::Doing::nothing;
    const bool leave = begin_page(state, area,
                                  {.name = "##programs",
                                   .title = "Trace a program",
                                   .mark = "programs:leave",
                                   .close = busy ? "Stop (Esc)" : "Close (Esc)"});
    text_wrapped(theme.ink_quiet, doing_of(program));
    if (snapshot.found && !snapshot.gpu())
        say(theme,
            viz::rich("Without a GPU there is nothing to list here. `gemmscope trace FILE.cu` runs a kernel of your "
                      "own on this CPU."));
    ImGui::Dummy({0, theme.px(6)});
    const bool list = draw_command(state, program, state.program_command);
    ImGui::Dummy({0, theme.px(6)});
    if (!program.error.empty())
        text_wrapped(theme.warning, program.error);
    std::optional<std::size_t> clicked;
    if (!program.launches.empty())
        clicked = draw_table(state, program);
    else if (!busy && program.error.empty())
        text_wrapped(theme.ink_quiet, "Kernels appear here, each with its launches, its time and its shape.");
    end_page();
    if (list)
        session.look_at_programs([&](Programs& programs) { programs.list(state.program_command); });
    if (clicked)
        session.look_at_programs([&](Programs& programs) { programs.trace(*clicked); });
    if (leave || state.escaped) // also in the text field
        session.look_at_programs([](Programs& programs) { programs.leave(); });
}

namespace {

// Returns the name of the shown file.
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

// Returns a button's label. If the kernel is launched in several shapes, the label contains the shape.
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

// Draws all launches in a row. Those that do not fit are in a list behind a button.
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

// Returns how the program ended if it did not end normally.
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

constexpr std::array<const char*, 5> usual_fills = {"zeros", "random", "iota", "1", "-inf"};

// Draws a field with its label at the left, `width` pixels wide at scale 1. Returns whether its text was changed.
bool field(const State& state, const std::string& label, std::string& typed, float width, const std::string& mark)
{
    const viz::Theme& theme = state.theme;
    text(theme.ink_quiet, label);
    ImGui::SameLine(0, theme.px(4));
    ImGui::SetNextItemWidth(theme.px(width));
    ImGui::PushFont(theme.mono);
    const bool changed = text_field(("##" + mark).c_str(), "", typed);
    viz::mark_item(state.marks, "launch:" + mark);
    ImGui::PopFont();
    return changed;
}

// Continues on the current line if `width` more pixels fit there.
void next_to(const viz::Theme& theme, float right, float width)
{
    ImGui::SameLine(0, theme.px(14));
    if (ImGui::GetCursorScreenPos().x + theme.px(width) > right)
        ImGui::NewLine();
}

// Draws a button after the last item that opens a list of words. Returns the clicked word.
std::optional<std::string> choose(const State& state, const std::string& mark, const auto& words,
                                  const std::string& chosen, const auto& mark_of)
{
    ImGui::SameLine(0, state.theme.px(4));
    if (button(state, "…", mark))
        ImGui::OpenPopup(mark.c_str());
    std::optional<std::string> clicked;
    if (!ImGui::BeginPopup(mark.c_str()))
        return clicked;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (quiet_button(state, words[i], mark_of(i), words[i] == chosen)) {
            clicked = words[i];
            ImGui::CloseCurrentPopup();
        }
    end_popup(state);
    return clicked;
}

bool draw_kernel(const State& state, LaunchForm& form, std::optional<std::string>& chosen)
{
    const bool changed = field(state, "kernel", form.kernel, 150, "kernel");
    if (form.kernels.size() > 1)
        chosen = choose(state, "launch:kernels", form.kernels, form.kernel,
                        [](std::size_t i) { return fmt::format("launch:kernel:{}", i); });
    return changed;
}

bool draw_fill(const State& state, FormParameter& parameter)
{
    const bool changed = field(state, "filled with", parameter.fill, 70, "fill:" + parameter.name);
    const auto fill = choose(state, "launch:fills:" + parameter.name, usual_fills, parameter.fill,
                             [](std::size_t i) { return fmt::format("launch:fill {}", usual_fills.at(i)); });
    if (fill)
        parameter.fill = *fill;
    return changed || fill;
}

bool draw_parameter(State& state, FormParameter& parameter)
{
    ImGui::PushID(parameter.name.c_str());
    const std::string label = fmt::format("{} {}", parameter.type, parameter.name);
    bool changed = false;
    if (parameter.is_buffer) {
        changed |= field(state, label, parameter.bytes, 70, "bytes:" + parameter.name);
        hint(state, "Bytes of its buffer, such as 4*N; auto: as many as the kernel's accesses need");
        ImGui::SameLine(0, state.theme.px(6));
        changed |= draw_fill(state, parameter);
    } else {
        changed |= field(state, label, parameter.value, 70, "value:" + parameter.name);
        hint(state, "A number, or an expression of M, N, K and numbers as C has it: (1000+255)/256 is 4; 0x400; true");
    }
    ImGui::PopID();
    return changed;
}

// Returns whether a field was changed.
bool draw_fields(State& state, LaunchForm& form, std::optional<std::string>& kernel, float room)
{
    const viz::Theme& theme = state.theme;
    const float right = ImGui::GetCursorScreenPos().x + room;
    bool changed = draw_kernel(state, form, kernel);
    const std::array<std::pair<const char*, std::string*>, 3> extents = {
        std::pair{"grid", &form.grid}, {"block", &form.block}, {"shared bytes", &form.shared}};
    for (const auto& [label, value] : extents) {
        next_to(theme, right, 170);
        changed |= field(state, label, *value, 80, label);
    }
    for (std::size_t i = 0; i < form.parameters.size(); ++i) {
        if (i > 0)
            next_to(theme, right, form.parameters[i].is_buffer ? 420 : 230);
        changed |= draw_parameter(state, form.parameters[i]);
    }
    return changed;
}

void draw_launch_form(const Snapshot& snapshot, Session& session, State& state, float room)
{
    const viz::Theme& theme = state.theme;
    std::optional<State::LaunchFields>& shown = state.launch_fields;
    if (!snapshot.alone.can_change)
        shown.reset();
    if (!shown)
        return;
    const std::filesystem::path& file = *snapshot.choice.columns[0].file;
    traced::Request asked = snapshot.alone.launch;
    try {
        if (shown->file != file)
            shown = State::LaunchFields{file, form_of(asked, *snapshot.source)};
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme.px(5), theme.px(1)});
        std::optional<std::string> kernel;
        const bool changed = draw_fields(state, shown->form, kernel, room);
        ImGui::PopStyleVar();
        if (kernel) { // another kernel has other parameters
            asked = {.kernel = *kernel};
            shown->form = form_of(asked, *snapshot.source);
        }
        if (changed || kernel)
            session.launch_as(request_of(shown->form, asked));
    } catch (const kernels::Error& error) { // the file's comment cannot be parsed
        text_wrapped(theme.warning, error.what());
    }
    if (!snapshot.details.front().failed.empty() && snapshot.columns.front().recording != nullptr) {
        text_wrapped(theme.warning, snapshot.details.front().failed);
        viz::mark_item(state.marks, "launch:error");
    }
}

void draw_races(const Snapshot& snapshot, State& state)
{
    std::size_t races = 0;
    for (const viz::StageColumn& column : snapshot.recorded())
        races += column.recording->executed ? column.recording->executed->races.size() : 0;
    if (races == 0 || state.at.view == "barriers")
        return;
    ImGui::AlignTextToFramePadding();
    text(state.theme.warning, viz::counted(races, "race on shared memory:", "races on shared memory:"));
    viz::mark_item(state.marks, "races");
    ImGui::SameLine(0, state.theme.px(5));
    if (quiet_button(state, "which threads, and the barrier that is missing", "races:show"))
        state.at.view = "barriers";
}

} // namespace

void draw_file_rows(const Snapshot& snapshot, Session& session, State& state, float room)
{
    draw_main_bar(snapshot, session, state, room);
    draw_launch_form(snapshot, session, state, room);
    draw_races(snapshot, state);
}

} // namespace app
