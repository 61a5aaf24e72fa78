// The strip above the source with the lines that compute the layout of a shared tile. It appears if the layout is the
// idea of the stage or of one that it builds on. The lines are highlighted while the current access uses that layout.
#pragma once

#include "app/panels/source/highlight.h"
#include "app/panels/state.h"

#include <memory>
#include <string>
#include <vector>

namespace app {

class LayoutStrip {
public:
    void follow(const std::vector<kernels::Stage>& ladder,
                const std::shared_ptr<const recording::Recording>& recording);
    // Draws the strip with a height of at most `most`. Returns its height, or 0 if there is nothing to show. `current`
    // may be null.
    float draw(State& state, const Area& area, float most, const recording::Access* current) const;
    std::string file() const; // file of the first definition; empty if there is none

private:
    struct Definition {
        std::string file, array; // for example "16_swizzled.cu" and "As"
        uint32_t first = 0;      // line number
        std::vector<SourceLine> lines;
    };

    const Definition* used_by(const recording::Access* access) const; // null: it accesses no such tile

    std::shared_ptr<const recording::Recording> recording_; // keeps alive the text that the lines point into
    std::vector<Definition> definitions_;
};

} // namespace app
