// Lays out one shared access over banks and wavefronts, ready to be drawn, with an explanation. Pure functions.
#pragma once

#include "viz/text/message.h"

#include "model/access_cost.h"

#include <algorithm>
#include <string>
#include <vector>

namespace viz {

// Adjacent banks of one wavefront whose words are requested by the same lanes.
struct BankSpan {
    int wavefront = 0, group = 0; // 0-based
    int bank = 0, banks = 1;      // first bank, and their number
    uint32_t lanes = 0;           // mask of the lanes that request these words; one read serves all of them
    uint64_t word = 0;            // word in the first bank: byte offset / 4
    uint32_t bank_mask() const { return static_cast<uint32_t>(((uint64_t{1} << banks) - 1) << bank); }
};

// One wavefront of the picture.
struct BankRow {
    int group = 0;
    bool conflict = false; // a wavefront after the first one of its group
};

// The banks that must serve one group of lanes more than once.
struct BankClash {
    int group = 0;
    uint32_t banks = 0; // mask
    int times = 0;      // how often the busiest of them serves the group
};

// The number of adjacent lanes that shared memory serves together: those that request 128 bytes. It is twice as large
// (`merged`) if neighbours read the same bytes. See model::shared_access().
struct LaneGroups {
    int lanes = 32;
    bool merged = false;
};
LaneGroups lane_groups(const std::vector<model::Word>& words, int width);

// A shared access, laid out over banks and wavefronts.
struct BankPicture {
    model::SharedCost cost;
    std::vector<BankRow> rows;    // one per wavefront
    std::vector<BankSpan> spans;  // by wavefront, then bank
    std::vector<uint32_t> groups; // masks of the active lanes, for each group that is served separately
    std::vector<BankClash> clashes;
    LaneGroups together;
    int waits = 0;    // wavefronts of a copy without a write, in which lanes wait for reads in L1
    int l1_waits = 0; // conflicts of a copy that such a wait causes, not a bank
    int bank_conflicts() const { return cost.conflicts - l1_waits; }
    Messages reason;  // why the access takes so many wavefronts
    Messages callout; // a short form of the reason, printed on the picture
};

// Lays out a load or store of shared memory, or an ldmatrix.
BankPicture bank_picture(recording::Op op, const model::Pattern& pattern);

// Lays out the write of an asynchronous copy.
BankPicture bank_picture(const model::CopyPattern& copy);

// Returns "for a group of 8 lanes", or nothing if all lanes are one group.
Messages within_group(int group_lanes);

// Explains which lanes are served together and why. Returns nothing if all 32 are.
Messages group_messages(const BankPicture& picture);

// Returns "lane 5", "lanes 0-7", "lanes 0-3, 8-11", or for many separate lanes "lanes 0, 4, 8 ... 28 (8 lanes)".
std::string lane_list(uint32_t mask);

// Returns "0-7" or "13", or an empty string if the lanes are not one run.
std::string lane_run(uint32_t mask);

} // namespace viz
