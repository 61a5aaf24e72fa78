// The numbers of the places that are tried, to be changed or typed.
#pragma once

#include "viz/draw/stage_part.h"
#include "viz/views/35_layout/shared_tile.h"

#include <string>
#include <utility>
#include <vector>

namespace viz {

class Workbench {
public:
    void choose(SharedTile& tile, Mapping::Kind kind);
    void use_keys(SharedTile& tile);
    // What the chosen kind lets one change, in one row or two at ImGui's cursor, no wider than that.
    void draw(const StagePart& part, SharedTile& tile, float width);

    static std::vector<std::pair<std::string, std::string>> keys();

private:
    char formula[120] = "";
    bool focus_formula = false;
};

} // namespace viz
