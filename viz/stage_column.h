// One compared stage as views get it: its recording, its speed, and values derived from the recording.
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

// Made by the session. The session replaces the recording as a whole and never changes it.
struct StageColumn {
    std::string slug;
    std::string variant;    // "BK 16": set if two columns show one stage with different parameters
    std::string idea;       // one line about the stage, from the ladder
    RecordingPtr recording; // null while it is being made, and after an error
    Rich status;            // why `recording` is null: progress or an error
    Speed speed;            // measured on this machine
    Speed shipped;          // measured on another GPU, with these parameters
    std::size_t number = 0; // index of the column from the left; determines its colour
    std::shared_ptr<Memo> kept = std::make_shared<Memo>(); // lives as long as the recording

    // Returns function(*recording, arguments...), as in column.memo<block_grid>(block). Computed once; the reference is
    // valid for this frame.
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
    // Returns an object with its own state, constructed once as Type(recording, arguments...).
    template <class Type, class... Arguments>
    Type& tool(const Arguments&... arguments) const
    {
        return kept->tool<Type>(recording, arguments...);
    }
    bool settled() const { return !kept->busy(); } // no answer was missing in the last frame
    // Returns the name of a mark or panel. Only names of columns other than the first have a suffix.
    std::string named(const std::string& thing) const { return number == 0 ? thing : thing + " of " + slug; }
};

// Starts a frame for all columns. Must be called before a view draws them.
inline void begin_frame(std::span<const StageColumn> columns)
{
    for (const StageColumn& column : columns)
        column.kept->begin_frame();
}

// Returns a pair of speeds of the same origin if possible: both measured here, or both shipped. Otherwise returns for
// each column the measured speed, or the shipped one if it was not measured.
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
