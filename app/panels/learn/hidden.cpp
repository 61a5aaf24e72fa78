#include "app/panels/learn/hidden.h"

#include "viz/draw/draw.h"
#include "viz/text/templates.h"

namespace app {

void hide_answers(const viz::Marks& marks, std::optional<viz::Message>& tip, State& state)
{
    const viz::Theme& theme = state.theme;
    ImDrawList* list = ImGui::GetForegroundDrawList();
    for (const viz::Marks::Widget& widget : marks.widgets)
        if (widget.name.starts_with("headline:")) {
            list->AddRectFilled(widget.min, widget.max, theme.background);
            viz::draw::text(list, theme.heading, widget.min, theme.ink_faint, "?");
        }
    tip.reset();
    state.inspector.clear();
    state.hint = viz::plain({"learn.hidden"}); // instead of what is selected
}

} // namespace app
