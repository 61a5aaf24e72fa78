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
    std::string file() const; // in which the first of them stands; empty where there is none

private:
    struct Definition {
        std::string file, array; // "16_swizzled.cu", "As"
        uint32_t first = 0;      // line
        std::vector<SourceLine> lines;
    };

    const Definition* used_by(const recording::Access* access) const; // null: it goes to no such tile

    std::shared_ptr<const recording::Recording> recording_; // which the lines point into
    std::vector<Definition> definitions_;
};

} // namespace app
