// The device code of two rungs as the lines that changed, in a list that scrolls; long lines are wrapped.
#pragma once

#include "viz/analysis/source_diff.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"
#include "viz/memo.h"
#include "viz/theme.h"

#include "recording/recording.h"

#include <memory>
#include <string>
#include <vector>

namespace viz {

// Whether both run the same kernel, comments aside.
bool same_kernel(const recording::Recording& a, const recording::Recording& b);

// What its lines are written in, by its file's name: "cu", "sass", "py".
std::string language(const recording::Recording& recording);

class SourceChanges {
public:
    // From `before` to `after`.
    SourceChanges(const RecordingPtr& after, const RecordingPtr& before, bool with_comments);

    std::size_t removed() const { return removed_; }
    std::size_t added() const { return added_; }

    // Of all lines, in a list of that width.
    float height(const Theme& theme, float width);

    // One ImGui child; lines only of `before` in the second accent, lines only of `after` in the first.
    void draw(const Theme& theme, const draw::Box& box, Marks* marks);

private:
    struct Row {
        const DiffLine* line = nullptr; // null between two hunks
        std::string text;               // likewise: the file of the next, where it is another one
        bool continued = false;         // the line began in a row above
    };
    void lay_out(const Theme& theme, float width); // anew where that is room for another number of letters
    void wrap(std::size_t row);
    void draw_row(const Theme& theme, const Row& row, const draw::Box& box, float letter) const;

    RecordingPtr after_, before_;
    std::vector<Hunk> hunks_;
    std::vector<Row> rows_;
    std::size_t letters_ = 0; // in a row, that these are made for; 0: there are none yet
    std::size_t removed_ = 0, added_ = 0;
};

} // namespace viz
