// What a view shows of its answer while a question is open: nothing.
#pragma once

#include "app/state/state.h"

#include "viz/marks.h"
#include "viz/text/message.h"

#include <optional>
#include <string_view>

namespace app {

// Said where a figure would tell the answer.
inline constexpr std::string_view hidden_until_answered =
    "What would tell the answer is hidden until you have given it.";

// The question's picture waits for the answer.
bool covers_picture(const State& state);
// A quiet place instead of it, in the current window's content region.
void draw_cover(const State& state);

// Covers the headlines of the view that was drawn, and forgets what it says of what the mouse is over and of what is selected.
void hide_answers(const viz::Marks& marks, std::optional<viz::Rich>& tip, State& state);

} // namespace app
