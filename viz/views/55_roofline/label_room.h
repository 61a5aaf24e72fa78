// Where marks, words and the lines between them stand in a chart, so that other words find room.
#pragma once

#include "viz/draw/draw.h"

#include <array>
#include <vector>

namespace viz {

// Whether a line from one point to another meets a box.
bool crosses(ImVec2 from, ImVec2 to, const draw::Box& box);

class LabelRoom {
public:
    explicit LabelRoom(const draw::Box& chart_area) : area(chart_area) {}

    void take_for_mark(const draw::Box& mark) { marks.push_back(mark); }
    void take_for_words(const draw::Box& box) { words.push_back(box); }
    void take_for_line(ImVec2 from, ImVec2 to) { lines.push_back({from, to}); }
    void take_for_leader(ImVec2 from, ImVec2 to) { leaders.push_back({from, to}); } // from a mark to its words

    // Within the chart, and not where anything stands.
    bool is_free(const draw::Box& box) const;
    // Whether a line would cross out words. Marks it may cross: where they crowd it has to.
    bool crosses_words(ImVec2 from, ImVec2 to) const;
    // Whether it would cross the leader of another mark: which words belong to which is then hard to see.
    bool crosses_leaders(ImVec2 from, ImVec2 to) const;

private:
    draw::Box area;
    std::vector<draw::Box> marks, words;
    std::vector<std::array<ImVec2, 2>> lines, leaders;
};

} // namespace viz
