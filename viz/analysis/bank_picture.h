// One shared access laid out over banks and wavefronts, ready to be drawn, with the reason. Pure functions.
#pragma once

#include "viz/text/message.h"

#include "model/access_cost.h"

#include <algorithm>
#include <string>
#include <vector>

namespace viz {

// Neighbouring banks of one wavefront that hold what the same lanes want.
struct BankSpan {
    int wavefront = 0, group = 0; // 0-based
    int bank = 0, banks = 1;      // first, and how many
    uint32_t lanes = 0;           // mask of the lanes that want these words; several: one read serves them all
    uint64_t word = 0;            // of the first bank: byte offset / 4
    uint32_t bank_mask() const { return static_cast<uint32_t>(((uint64_t{1} << banks) - 1) << bank); }
};

struct BankRow {
    int group = 0;
    bool conflict = false; // a wavefront beyond the first of its group
};

// The banks that one group of lanes makes answer more than once.
struct BankClash {
    int group = 0;
    uint32_t banks = 0; // mask
    int times = 0;      // that the worst of them answers
};

// Which neighbouring lanes shared memory serves together: as many as take 128 bytes, and twice as many (`merged`) where
// neighbours read the same bytes. See model::shared_access().
struct LaneGroups {
    int lanes = 32;
    bool merged = false;
};
LaneGroups lane_groups(const std::vector<model::Word>& words, int width);

struct BankPicture {
    model::SharedCost cost;
    std::vector<BankRow> rows;    // one per wavefront
    std::vector<BankSpan> spans;  // by wavefront, then bank
    std::vector<uint32_t> groups; // mask of the active lanes of each group that is served alone
    std::vector<BankClash> clashes;
    LaneGroups together;
    int waits = 0;    // of a copy: wavefronts in which no lane writes, as its lanes wait for reads in L1
    int l1_waits = 0; // of the conflicts of a copy those that no bank causes: its lanes wait for reads in L1
    int bank_conflicts() const { return cost.conflicts - l1_waits; }
    Messages reason;  // why it takes so many wavefronts
    Messages callout; // the same in a few words, to stand on the picture
};

// Of a load or store of shared memory, or ldmatrix.
BankPicture bank_picture(recording::Op op, const model::Pattern& pattern);

// Of the write of an asynchronous copy.
BankPicture bank_picture(const model::CopyPattern& copy);

// "for a group of 8 lanes"; nothing where all lanes are one group.
Messages within_group(int group_lanes);

// Which lanes are served together, and why so many; nothing where all 32 are.
Messages group_messages(const BankPicture& picture);

// Banks of neighbouring wavefronts that move nothing.
struct IdleRoom {
    int wavefront = 0, wavefronts = 1;
    int bank = 0, banks = 1;
};

// The widest for each first and last wavefront of `rows`; those beyond the picture's own move nothing.
std::vector<IdleRoom> idle_rooms(const BankPicture& picture, int rows);

// "lane 5", "lanes 0-7", "lanes 0-3, 8-11", "lanes 0, 4, 8 ... 28 (8 lanes)" for many separate ones.
std::string lane_list(uint32_t mask);

// "0-7" or "13"; empty when the lanes are not one run.
std::string lane_run(uint32_t mask);

} // namespace viz
