// The device code of two rungs as the lines that changed, in a list that scrolls.
#pragma once

#include "viz/analysis/source_diff.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"
#include "viz/theme.h"

#include "recording/recording.h"

#include <memory>
#include <string>
#include <vector>

namespace viz {

class SourceChanges {
public:
    using RecordingPtr = std::shared_ptr<const recording::Recording>;

    // From `before` to `after`; kept until one of them changes.
    void update(const RecordingPtr& before, const RecordingPtr& after, bool with_comments);

    std::size_t removed() const { return removed_; }
    std::size_t added() const { return added_; }

    // One ImGui child; lines only of `before` in the second accent, lines only of `after` in the first.
    void draw(const Theme& theme, const draw::Box& box, Marks* marks) const;

private:
    RecordingPtr before_, after_;
    bool comments_ = false;
    std::vector<Hunk> hunks_;
    std::vector<const DiffLine*> rows_; // null between two hunks
    std::size_t removed_ = 0, added_ = 0, longest_ = 0;
};

} // namespace viz
