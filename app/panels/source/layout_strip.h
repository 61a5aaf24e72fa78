// Above the source: where the layout of a shared tile is computed, when that is the idea of the rung or of one that it
// builds on. The lines are lit while the current access goes through that layout.
#pragma once

#include "app/panels/source/highlight.h"
#include "app/state/state.h"

#include <memory>
#include <string>
#include <vector>

namespace app {

class LayoutStrip {
public:
    void follow(const std::vector<kernels::Stage>& ladder,
                const std::shared_ptr<const recording::Recording>& recording);
    // At most `most` high; returns its height, 0 where there is nothing to show. `current`: null where there is none.
    float draw(State& state, const Area& area, float most, const recording::Access* current) const;

private:
    struct Definition {
        std::string heading; // "As: 16_swizzled.cu"
        std::string array;
        uint32_t first = 0; // line
        std::vector<SourceLine> lines;
    };

    std::shared_ptr<const recording::Recording> recording_; // which the lines point into
    std::vector<Definition> definitions_;
    std::size_t most_lines_ = 0;
};

} // namespace app
