// One compared stage as a view gets it: its recording, its speed, and all that is derived of it.
#pragma once

#include "viz/memo.h"
#include "viz/speed.h"
#include "viz/text/rich.h"

#include "recording/recording.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace viz {

inline constexpr std::size_t most_columns = 3; // stages that are compared at once

// Made by the session, which replaces the recording as a whole, never in place.
struct StageColumn {
    std::string slug;
    std::string variant;    // "BK 16": where two columns are one stage with other parameters
    std::string idea;       // the ladder's one line
    RecordingPtr recording; // null while being made
    Rich status;            // why it is null: it is being made, or an error
    Speed speed;            // measured here
    Speed shipped;          // on another GPU, with these parameters
    std::size_t number = 0; // its place from the left, which gives it its colour
    std::shared_ptr<Memo> kept = std::make_shared<Memo>(); // stays while the recording does

    // What a pure function says of the recording: column.memo<block_grid>(block). The reference is good for this frame.
    template <auto function, class... Arguments>
    const auto& memo(const Arguments&... arguments) const
    {
        return kept->value<function>(recording, arguments...);
    }
    // The same, computed beside the frames unless it is `quick`; null until it is there.
    template <auto function, class... Arguments>
    auto memo_later(bool quick, const Arguments&... arguments) const
    {
        return kept->later<function>(recording, quick, arguments...);
    }
    // Type(recording, arguments...): what has a state of its own.
    template <class Type, class... Arguments>
    Type& tool(const Arguments&... arguments) const
    {
        return kept->tool<Type>(recording, arguments...);
    }
    bool settled() const { return !kept->busy(); } // nothing was missing when it was last drawn
};

// Call it before a view draws them.
inline void begin_frame(std::span<const StageColumn> columns)
{
    for (const StageColumn& column : columns)
        column.kept->begin_frame();
}

// Measured here where that is so for both; else as shipped, if both are; else what there is.
inline std::pair<Speed, Speed> comparable_speeds(const StageColumn& a, const StageColumn& b)
{
    if (!(a.speed.gflops && b.speed.gflops) && a.shipped.gflops && b.shipped.gflops)
        return {a.shipped, b.shipped};
    const auto best = [](const StageColumn& stage) {
        return !stage.speed.gflops && stage.shipped.gflops ? stage.shipped : stage.speed;
    };
    return {best(a), best(b)};
}

} // namespace viz
