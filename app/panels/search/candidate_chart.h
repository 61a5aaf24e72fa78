// All candidates of a search in one row for each value of each parameter, along GFLOPS: how much a value alone decides.
#pragma once

#include "app/panels/search/candidate_values.h"
#include "app/state/state.h"

#include <optional>

namespace app {

struct CandidateChart {
    const SearchState& search;
    std::optional<std::size_t> chosen; // into SearchState::ranked: marked in every row
};

// In ImGui's layout, this wide; the candidate under the mouse.
std::optional<std::size_t> draw_candidate_chart(State& state, const CandidateChart& chart, float width);

} // namespace app
