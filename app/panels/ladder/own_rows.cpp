#include "app/panels/ladder/ladder_style.h"

#include "app/panels/widgets.h"
#include "app/text/format.h"

#include <fmt/format.h>

namespace app {

namespace {

// Describes the result of a file's last version. `run` is null if the file is not shown.
std::string figures_of(const RunPtr& run)
{
    if (run == nullptr)
        return "your own";
    if (run->gflops)
        return fmt::format("{} GFLOPS", thousands(*run->gflops));
    const recording::Totals totals = run->recorded.recording->totals();
    if (totals.shared_load.instructions + totals.shared_store.instructions > 0)
        return fmt::format("{} conflicts", thousands(totals.shared_load.conflicts + totals.shared_store.conflicts));
    return fmt::format("{} sectors", thousands(totals.global_load.sectors + totals.global_store.sectors));
}

void draw_own_row(const Snapshot& snapshot, Session& session, State& state, const LadderStyle& style,
                  const std::filesystem::path& file)
{
    const viz::Theme& theme = state.theme;
    const std::string name = file.stem().string();
    const float height = theme.px(style.has_speeds() ? row_height : row_height_without_speed);
    ImGui::PushID(name.c_str());
    if (ImGui::InvisibleButton("own", {ImGui::GetContentRegionAvail().x, height}))
        ImGui::GetIO().KeyShift ? state.change([&](Choice& choice) { choice.compare(file); }) : session.open(file);
    viz::mark_shown_item(state.marks, fmt::format("own:{}", name));
    const bool hovered = ImGui::IsItemHovered(), shown = snapshot.choice.columns[0].file == file;
    const bool second = snapshot.choice.columns[1].file == file;
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    if (shown || second)
        draw_shown_row(theme, min, max, shown ? theme.accent() : theme.accent(1));
    if (hovered) {
        state.pointed_file = file;
        draw_hovered_row(theme, min, max);
        state.hint = fmt::format("Your own: {} · Shift and a click: compare it with what is shown", file.string());
    }
    const float y = min.y + theme.px(style.has_speeds() ? first_line : first_line + 1);
    const float x = min.x + theme.px(name_indent), mark = style.right - theme.px(12);
    draw_text_within(theme.text, {x, y}, mark - theme.px(3) - x, theme.ink, name);
    const RunPtr run = shown ? snapshot.details[0].run : second ? snapshot.details[1].run : nullptr;
    if (run != nullptr && run->check)
        draw_check_or_cross(theme, {mark, y + theme.px(3)}, run->check->ok);
    if (style.has_speeds())
        draw_text_within(theme.text, {x, min.y + theme.px(second_line)}, style.right - x, theme.ink_faint,
                         figures_of(run));
    ImGui::PopID();
}

// Draws a row that opens a list of sample kernels.
void draw_new_row(const Snapshot& snapshot, Session& session, State& state, const LadderStyle& style)
{
    const viz::Theme& theme = state.theme;
    const float height = theme.px(row_height_without_speed);
    if (ImGui::InvisibleButton("new kernel", {ImGui::GetContentRegionAvail().x, height}))
        ImGui::OpenPopup("new kernels");
    viz::mark_shown_item(state.marks, "new kernel");
    const bool hovered = ImGui::IsItemHovered();
    const ImVec2 min = ImGui::GetItemRectMin();
    if (hovered)
        state.hint =
            fmt::format("Begin a CUDA file of your own, which is run as you type: a small kernel, or a copy of this "
                        "stage. It is put into {}",
                        snapshot.own_folder.string());
    const float x = min.x + theme.px(name_indent);
    draw_text_within(theme.text, {x, min.y + theme.px(first_line + 1)}, style.right - x,
                     hovered ? theme.ink : theme.ink_faint, "+ your kernel");
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {theme.px(8), theme.px(6)});
    if (ImGui::BeginPopup("new kernels")) {
        const auto begin = [&](const std::string& words, const std::string& mark) {
            const bool chosen = ImGui::Selectable(words.c_str());
            viz::mark_item(state.marks, "new kernel:" + mark);
            if (chosen)
                state.edit.open = state.edit.take = true;
            return chosen;
        };
        for (const kernels::Sample& sample : kernels::samples())
            if (begin(std::string(sample.title), std::string(sample.name)))
                session.begin_kernel(sample);
        if (const auto stage = snapshot.leading_rung(); stage && !snapshot.choice.columns[0].file)
            if (begin(fmt::format("a copy of {}", snapshot.ladder()[*stage].slug), "copy"))
                session.edit_copy(*stage);
        if (ImGui::Selectable("open a file ..."))
            state.finds = "open ";
        viz::mark_item(state.marks, "new kernel:open");
        if (state.escaped)
            ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

} // namespace

void draw_own_rows(const Snapshot& snapshot, Session& session, State& state, const LadderStyle& style)
{
    for (const std::filesystem::path& file : snapshot.own_files)
        draw_own_row(snapshot, session, state, style, file);
    if (!snapshot.own_folder.empty())
        draw_new_row(snapshot, session, state, style);
}

} // namespace app
