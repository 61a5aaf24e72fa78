// The diagram of one access of a warp. The lanes are above the banks of shared memory, or above the words of a 128-byte
// line of global memory. A line leads from each lane to the words that it accesses. Below is a row of words for each
// wavefront or memory line. A lane that waits for an earlier wavefront is amber, with its line and its word.
#pragma once

#include "viz/analysis/access_pattern.h"
#include "viz/analysis/bank_picture.h"
#include "viz/draw/camera.h"
#include "viz/figure/figure.h"
#include "viz/ladder_facts.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace viz {

// The positions of the lanes, the headings of the columns (banks) and the words, in pixels.
class AccessGrid {
public:
    // Reserves space for `rows` rows, even if fewer contain words.
    AccessGrid(const Theme& theme, int lanes, int columns, int rows, const Box& box);

    Box lane(int lane) const;
    Box head(int column, int columns = 1) const; // the heading of a column, at which lines from lanes end
    Box cell(int row, int column, int columns = 1) const;
    int lanes() const { return lane_count_; }
    int columns() const { return columns_; }
    int rows() const { return rows_; }
    float left() const { return lanes_.min.x; }                // the names of rows are to the left of it
    bool lane_numbers_above() const { return numbers_above_; } // if lanes are too narrow for their numbers
    std::optional<int> lane_at(ImVec2 point) const;
    int column_at(float x) const; // the nearest one
    int row_at(float y) const;

private:
    int lane_count_ = 0, columns_ = 0, rows_ = 0;
    float row_ = 0;
    bool numbers_above_ = false;
    Box lanes_{}, heads_{}, cells_{};
};

// The movement of each lane's word from its place before a change. Times are in seconds, as in ViewFrame.
struct WordSlide {
    static constexpr double takes = 0.4;
    std::array<std::optional<Box>, model::lanes> from = {}; // empty for an inactive lane
    double began = -1e9;

    double share(double seconds) const;
};

struct AccessDiagram {
    const Theme& theme;
    const AccessGrid& grid;
    const std::vector<PatternWord>& words; // by row, then column
    int rows = 0;                          // wavefronts or 128-byte lines of the access
    uint32_t selected = 0;                 // lane
    std::function<Rich(int lane)> tip = {};
    std::function<std::string(const std::string&)> name_of = {}; // converts the names of marks; empty keeps them
    // For global memory: the number of each row's 128-byte line, and of each sector that is moved, both ascending.
    std::vector<uint64_t> lines = {}, sectors = {};
    int wavefront = 0; // the last one shown, from 1; 0 shows all
    Motion motion = {};
    WordSlide slide = {};
    double seconds = 0;

    bool shared() const { return lines.empty(); }
    double served(const PatternWord& word) const; // 0: waiting at its lanes; 1: arrived
    // Returns the box of the lane's part of a word when it is served. It moves while the word slides.
    Box box_of(const PatternWord& word, int lane) const;
    Colour colour_of(const PatternWord& word) const;

    // Returns the picture. Marks: "lane 5" with its bank as value, "way 5", "bank 8 in wavefront 2" with its first lane.
    std::vector<Layer> layers() const;
};

// Returns the words of a recorded access for the diagram.
std::vector<PatternWord> words_of(const BankPicture& picture);

// Adds the measured cost on the GPU of so many wavefronts: the cycles between two such accesses of an SM and, for loads
// of at most 4 bytes per lane, the latency. The part that conflicts cause is amber. Adds nothing if the GPU was not
// measured. Marks "one every", "latency".
void add_conflict_cost(BarLayer& bars, const Theme& theme, const LadderFacts& ladder_facts, uint32_t wavefronts,
                       uint32_t without_conflict, bool with_latency);

} // namespace viz
