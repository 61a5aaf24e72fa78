// One compared stage as a view receives it: its recording, its speed, and everything derived from the recording.
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

inline constexpr std::size_t most_columns = 3; // largest number of stages compared at once

// Made by the session, which replaces the recording as a whole and never modifies it.
struct StageColumn {
    std::string slug;
    std::string variant;    // "BK 16": set if two columns show one stage with different parameters
    std::string idea;       // the stage's one-line description in the ladder
    RecordingPtr recording; // null while it is being made or after an error
    Rich status;            // why `recording` is null: progress or an error
    Speed speed;            // measured on this machine
    Speed shipped;          // measured on another GPU, with these parameters
    std::size_t number = 0; // index of the column from the left; determines its colour
    std::shared_ptr<Memo> kept = std::make_shared<Memo>(); // lives as long as the recording

    // Returns what a pure function computes from the recording: column.memo<block_grid>(block). The reference is valid
    // for this frame.
    template <auto function, class... Arguments>
    const auto& memo(const Arguments&... arguments) const
    {
        return kept->value<function>(recording, arguments...);
    }
    // Like memo(), but computes on another thread unless `quick`. Returns null until the answer is ready.
    template <auto function, class... Arguments>
    auto memo_later(bool quick, const Arguments&... arguments) const
    {
        return kept->later<function>(recording, quick, arguments...);
    }
    // Returns an object with a state of its own, constructed once as Type(recording, arguments...).
    template <class Type, class... Arguments>
    Type& tool(const Arguments&... arguments) const
    {
        return kept->tool<Type>(recording, arguments...);
    }
    bool settled() const { return !kept->busy(); } // the last frame lacked no answer
    // Returns the name of a mark or panel. Names of the first stage have no suffix.
    std::string named(const std::string& thing) const { return number == 0 ? thing : thing + " of " + slug; }
};

// Starts a frame for all columns. Must be called before a view draws them.
inline void begin_frame(std::span<const StageColumn> columns)
{
    for (const StageColumn& column : columns)
        column.kept->begin_frame();
}

// Returns a pair of speeds from one source if possible: both measured here, otherwise both shipped. Failing that, each
// column's own speed is used, or its shipped speed if it has none.
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
