// The numbers of the places that are tried, to be changed or typed.
#pragma once

#include "viz/draw/stage_part.h"
#include "viz/views/35_layout/shared_tile.h"

#include <functional>

namespace viz {

class Workbench {
public:
    void choose(SharedTile& tile, Mapping::Kind kind);
    // What the chosen kind lets one change, in one row or two at ImGui's cursor, no wider than that.
    void draw(const StagePart& part, SharedTile& tile, float width);

    // `with_tile`: calls a function with the tile that is tried, where there is one.
    using WithTile = std::function<void(const ViewScene&, const std::function<void(SharedTile&)>&)>;
    ViewCommands commands(const WithTile& with_tile);

private:
    char formula[120] = "";
    bool focus_formula = false;
};

} // namespace viz
