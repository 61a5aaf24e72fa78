// What a person has chosen in the placement view.
#pragma once

#include "viz/view_options.h"
#include "viz/views/08_placement/placement_side.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace viz {

enum class PlacementPage : uint8_t { times, work }; // when blocks ran; which block adds up which part of K

struct PlacementOptions { // what was not chosen follows from what there is
    std::optional<PlacementPage> page;
    std::optional<Launches> launch;
};

void fields(auto& visit, kernels::Like<PlacementOptions> auto& options)
{
    static constexpr std::string_view pages[] = {"times", "work"}, launches[] = {"recorded", "many", "tall"};
    visit("page", options.page, OneOf{pages});
    visit("launch", options.launch, OneOf{launches});
}

} // namespace viz
