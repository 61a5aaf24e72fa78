#include "app/panels/ladder/own_rows.h"

#include "app/panels/widgets.h"
#include "app/text/format.h"

#include "viz/text/templates.h"

#include <fmt/format.h>

namespace app {

namespace {

// Of the file that is shown, what its last version did.
std::string figures_of(const Snapshot& snapshot, bool shown)
{
    const RunPtr& run = snapshot.shown[0].run;
    if (!shown || run == nullptr)
        return "your own";
    if (run->gflops)
        return fmt::format("{} GFLOPS", thousands(*run->gflops));
    const recording::Totals totals = run->recorded.recording->totals();
    if (totals.shared_load.instructions + totals.shared_store.instructions > 0)
        return fmt::format("{} conflicts", thousands(totals.shared_load.conflicts + totals.shared_store.conflicts));
    return fmt::format("{} sectors", thousands(totals.global_load.sectors + totals.global_store.sectors));
}

void draw_row(const Snapshot& snapshot, Session& session, State& state, const LadderStyle& style,
              const std::filesystem::path& file)
{
    const viz::Theme& theme = state.theme;
    const std::string name = file.stem().string();
    const float height = theme.px(style.has_speeds() ? row_height : row_height_without_speed);
    ImGui::PushID(name.c_str());
    if (ImGui::InvisibleButton("own", {ImGui::GetContentRegionAvail().x, height}))
        session.open(file);
    viz::mark_shown_item(state.marks, fmt::format("own:{}", name));
    const bool hovered = ImGui::IsItemHovered(), shown = snapshot.choice.file == file;
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (shown) {
        list.AddRectFilled(min, max, faded(theme.first, 0.2f));
        list.AddRectFilled(min, {min.x + theme.px(3), max.y}, theme.first);
    }
    if (hovered) {
        list.AddRectFilled(min, max, faded(theme.ink, 0.06f));
        state.hint = viz::plain({"ladder.own_row", {{"file", file.string()}}});
    }
    const float y = min.y + theme.px(style.has_speeds() ? first_line : first_line + 1);
    const float x = min.x + theme.px(name_indent), mark = style.right - theme.px(12);
    draw_text_within(theme.text, {x, y}, mark - theme.px(3) - x, theme.ink, name);
    if (const RunPtr& run = snapshot.shown[0].run; shown && run != nullptr && run->check)
        run->check->ok ? draw_check({mark, y + theme.px(3)}, theme.px(12), theme.good)
                       : draw_cross({mark, y + theme.px(3)}, theme.px(12), theme.warning);
    if (style.has_speeds())
        draw_text_within(theme.text, {x, min.y + theme.px(second_line)}, style.right - x, theme.ink_faint,
                         figures_of(snapshot, shown));
    ImGui::PopID();
}

} // namespace

void draw_own_rows(const Snapshot& snapshot, Session& session, State& state, const LadderStyle& style)
{
    for (const std::filesystem::path& file : snapshot.own_files)
        draw_row(snapshot, session, state, style, file);
}

} // namespace app
