// An access pattern defined by the user: the element that each lane of a warp accesses, and its cost by the rules of
// model/access_cost.h. Pure functions, which need no recording.
#pragma once

#include "viz/text/known.h"
#include "viz/text/rich.h"
#include "viz/view_options.h"

#include "model/access_cost.h"
#include "model/pattern_file.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

// Each lane accesses one element of an array. Without a formula, with row = lane / lanes_in_row and col = lane %
// lanes_in_row, the number of the element is
//     offset + row * (stride + padding) + (col ^ (row & xor_bits))
// The options are written as text by the view `patterns` (viz/view_options.h).
struct AccessPattern {
    enum class Machine : uint8_t { eight, whole }; // lanes and banks; eight is a simplified model
    enum class Memory : uint8_t { shared, global };
    enum class Access : uint8_t { load, store };
    enum class Width : uint8_t { one, two, four, eight, sixteen };
    Machine machine = Machine::eight;
    Memory memory = Memory::shared;
    Access access = Access::load;
    Width width = Width::four; // bytes of an element
    int stride = 2, offset = 0, padding = 0, xor_bits = 0, lanes_in_row = 1;
    int wavefront = 0;   // the last one shown, from 1; 0 shows all
    std::string formula; // of lane, row, col, stride, offset, padding; empty means the formula above

    int lanes() const { return machine == Machine::eight ? 8 : model::lanes; }
    int banks() const { return lanes(); }
    int bytes() const { return 1 << static_cast<int>(width); }
    bool shared() const { return memory == Memory::shared; }
    friend bool operator==(const AccessPattern&, const AccessPattern&) = default;
};

inline constexpr int most_stride = 1024, most_offset = 4095, most_pattern_padding = 33, most_xor = 31;

void fields(auto& visit, kernels::Like<AccessPattern> auto& pattern)
{
    static constexpr std::string_view machines[] = {"8", "32"}, memories[] = {"shared", "global"},
                                      accesses[] = {"load", "store"}, widths[] = {"1", "2", "4", "8", "16"};
    visit("lanes", pattern.machine, OneOf{machines});
    visit("memory", pattern.memory, OneOf{memories});
    visit("access", pattern.access, OneOf{accesses});
    visit("width", pattern.width, OneOf{widths});
    visit("stride", pattern.stride, kernels::between(0, most_stride));
    visit("offset", pattern.offset, kernels::between(0, most_offset));
    visit("padding", pattern.padding, kernels::between(0, most_pattern_padding));
    visit("xor", pattern.xor_bits, kernels::between(0, most_xor));
    visit("row", pattern.lanes_in_row, kernels::between(1, model::lanes));
    visit("wavefront", pattern.wavefront, kernels::between(0, model::lanes));
    visit("formula", pattern.formula, to_the_end);
}

// Returns the typed formula, or the one for the numbers: "lane*(32 + 1)".
std::string formula_of(const AccessPattern& pattern);

// Returns whether a typed formula uses this name, such as "stride".
bool formula_uses(const AccessPattern& pattern, std::string_view name);

// Instructive patterns. They keep the machine, the memory and the kind of access of `shown`.
struct PatternPreset {
    std::string name;  // "column"
    std::string words; // "a column of a 32 x 32 tile"
    AccessPattern pattern;
};
std::vector<PatternPreset> presets_of(const AccessPattern& shown);

// A word that lanes access, at the place where it is served. A row is a wavefront of shared memory or a 128-byte line
// of global memory. A column is a bank, or a word of the line.
struct PatternWord {
    uint32_t lanes = 0; // mask of the lanes that access it
    int row = 0, column = 0, columns = 1;
    int group = 0;      // group of lanes that are served together
    bool waits = false; // an earlier wavefront serves its group first
    uint64_t word = 0;  // byte / 4
};

struct PatternCost {
    model::Pattern pattern;
    std::vector<PatternWord> words; // by row, then column
    int rows = 0;
    int figure = 0; // wavefronts, or sectors
    int least = 0;  // the minimum: without waiting lanes, or without unused bytes
    // Only for global memory:
    std::vector<uint64_t> lines;   // number of each row's line, ascending
    std::vector<uint64_t> sectors; // number of each moved sector, ascending
    int used_bytes = 0;            // distinct bytes that lanes access
    std::optional<Rich> refusal;   // why the formula gives no pattern; everything else is then empty
    bool valid() const { return !refusal; }
};
PatternCost cost_of(const AccessPattern& pattern);

// Returns the cost for each stride from 1 to `most`: no value if the pattern is invalid, an empty list if the formula
// has no stride.
std::vector<std::optional<int>> costs_over_stride(const AccessPattern& pattern, int most);

// Returns the costs with 1, 2, 4, 8 and 16 bytes per lane, in this order. An invalid pattern has no cost.
std::array<std::optional<PatternCost>, 5> costs_over_width(const AccessPattern& pattern);

// Moves the first word of a lane to this column, or as near as possible, by changing the stride. For lane 0 it changes
// the offset. `line` is the number of the line in global memory.
AccessPattern led_to(const AccessPattern& pattern, int lane, int column, uint64_t line = 0);

// Returns the row of the pattern file to measure on a GPU. Returns nothing for an invalid pattern, for the machine of
// eight lanes, and for elements narrower than a word, which the measuring kernels do not access.
std::optional<model::PatternRow> row_to_measure(const AccessPattern& pattern);

// A GPU's measurement of a pattern.
struct MeasuredPattern {
    model::PatternRow row; // as requested, with the results
    bool busy = false;
    Provenance from;
    std::string failed; // why it has no figures; empty if it has some or is busy
};

} // namespace viz
