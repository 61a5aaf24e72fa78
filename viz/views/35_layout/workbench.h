// The controls with which other places for a tile's elements are chosen, or typed.
#pragma once

#include "viz/analysis/mapping.h"
#include "viz/marks.h"
#include "viz/theme.h"

#include <string>
#include <utility>
#include <vector>

namespace viz {

class Workbench {
public:
    // One or two rows of controls at ImGui's cursor. Changes the mapping.
    void draw(const Theme& theme, Mapping& mapping, std::string& hint, Marks* marks);

    static std::vector<std::pair<std::string, std::string>> keys();

private:
    void choose(Mapping& mapping, Mapping::Kind kind);
    void draw_parameters(const Theme& theme, Mapping& mapping, std::string& hint, Marks* marks);

    char formula[120] = "";
    bool focus_formula = false;
};

} // namespace viz
