// An access pattern that a person makes up: which element each lane of a warp asks for, and what that costs by the one
// rule of model/access_cost.h. Pure functions, which need no recording.
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

// Lane -> element -> byte: the element's number times its width. With row = lane / lanes_in_row and col = lane %
// lanes_in_row it is
//     offset + row * (stride + padding) + (col ^ (row & xor_bits))
// unless a formula is typed. The text of these options is that of the view `patterns` (viz/view_options.h).
struct AccessPattern {
    enum class Machine : uint8_t { eight, whole }; // lanes, and as many banks: eight are a model to learn with
    enum class Memory : uint8_t { shared, global };
    enum class Access : uint8_t { load, store };
    enum class Width : uint8_t { one, two, four, eight, sixteen };
    Machine machine = Machine::eight;
    Memory memory = Memory::shared;
    Access access = Access::load;
    Width width = Width::four; // bytes of an element
    int stride = 2, offset = 0, padding = 0, xor_bits = 0, lanes_in_row = 1;
    int wavefront = 0;   // the last one that is shown, from 1; 0: all
    std::string formula; // in lane, row, col, stride, offset, padding; empty: as above

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

// The formula that is typed, or the one that the numbers stand for: "lane*(32 + 1)".
std::string formula_of(const AccessPattern& pattern);

// Whether a typed formula has that name, such as "stride".
bool formula_uses(const AccessPattern& pattern, std::string_view name);

// Patterns that are worth knowing, on the machine of the one that is shown. What they leave as it is: memory, load or
// store.
struct PatternPreset {
    std::string name;  // "column"
    std::string words; // "a column of a 32 x 32 tile"
    AccessPattern pattern;
};
std::vector<PatternPreset> presets_of(const AccessPattern& shown);

// What lanes ask for together, where it is served: a row is a wavefront of shared memory, or a line of 128 bytes of
// global memory; a column is a bank, or a word of the line.
struct PatternWord {
    uint32_t lanes = 0; // mask: those that ask for it
    int row = 0, column = 0, columns = 1;
    int group = 0;      // of lanes that are served together
    bool waits = false; // for an earlier wavefront of its group
    uint64_t word = 0;  // byte / 4
};

struct PatternCost {
    model::Pattern pattern;
    std::vector<PatternWord> words; // by row, then column
    int rows = 0;
    int figure = 0; // wavefronts, or sectors
    int least = 0;  // the same if no lane had to wait, or if no byte were moved in vain
    // Of global memory:
    std::vector<uint64_t> lines;   // the number of each row's line, ascending
    std::vector<uint64_t> sectors; // the number of each that is moved, ascending
    int used_bytes = 0;            // different ones that lanes ask for
    std::optional<Rich> refusal;   // why the formula gives no pattern; all else is empty then
    bool valid() const { return !refusal; }
};
PatternCost cost_of(const AccessPattern& pattern);

// The cost with stride 1, 2, ... `most`; none where that gives no pattern. Empty where the formula has no stride.
std::vector<std::optional<int>> costs_over_stride(const AccessPattern& pattern, int most);

// The costs with 1, 2, 4, 8 and 16 bytes for each lane, in this order; none where that gives no pattern.
std::array<std::optional<PatternCost>, 5> costs_over_width(const AccessPattern& pattern);

// The same pattern with another stride, or for lane 0 another offset, which leads the lane's first word to this column,
// or as near to it as one does. `line`: of global memory, its number.
AccessPattern led_to(const AccessPattern& pattern, int lane, int column, uint64_t line = 0);

// As a GPU can measure it; none for the machine of eight lanes, which no GPU is, for elements narrower than a word,
// whose kernels are not among those of device/access_patterns.h, and for a pattern that is refused.
std::optional<model::PatternRow> row_to_measure(const AccessPattern& pattern);

// What a GPU made of a pattern.
struct MeasuredPattern {
    model::PatternRow row; // as it was asked for, with what was found
    bool busy = false;
    Provenance from;
    std::string failed; // why it has no figures; empty: it has some, or is busy
};

} // namespace viz
