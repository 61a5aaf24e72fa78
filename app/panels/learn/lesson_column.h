#pragma once

#include "app/panels/state.h"

#include "viz/marks.h"
#include "viz/text/message.h"

#include <optional>
#include <string_view>

namespace app {

// Hides the answer of an open question in a view.

// Text that replaces a figure which would reveal the answer.
inline constexpr std::string_view hidden_until_answered =
    "What would tell the answer is hidden until you have given it.";

// Returns whether the question's picture stays covered until the answer.
bool covers_picture(const State& state);
// Draws a plain cover instead of the picture into the content region of the current window.
void draw_cover(const State& state);

// Covers the headlines of the drawn view. Clears its texts about the mouse position and the selection.
void hide_answers(const viz::Marks& marks, std::optional<viz::Rich>& tip, State& state);

} // namespace app
