// One shared access laid out over banks and wavefronts, ready to be drawn, with the reason. Pure functions.
#pragma once

#include "viz/text/message.h"

#include "model/access_cost.h"

#include <string>
#include <vector>

namespace viz {

// Neighbouring banks of one wavefront that hold what the same lanes want.
struct BankSpan {
    int wavefront = 0, group = 0; // 0-based
    int bank = 0, banks = 1;      // first, and how many
    uint32_t lanes = 0;           // mask of the lanes that want these words; several: one read serves them all
    uint64_t word = 0;            // of the first bank: byte offset / 4
};

struct BankRow {
    int group = 0;
    bool conflict = false; // a wavefront beyond the first of its group
};

struct BankPicture {
    model::SharedCost cost;
    std::vector<BankRow> rows;    // one per wavefront
    std::vector<BankSpan> spans;  // by wavefront, then bank
    std::vector<uint32_t> groups; // mask of the active lanes of each group that is served alone
    Messages reason;              // why it takes so many wavefronts
};

// Of a load or store of shared memory, or ldmatrix.
BankPicture bank_picture(recording::Op op, const model::Pattern& pattern);

// Of the write of an asynchronous copy.
BankPicture bank_picture(const model::CopyPattern& copy);

// "lane 5", "lanes 0-7", "lanes 0-3, 8-11", "lanes 0, 4, 8 ... 28 (8 lanes)" for many separate ones.
std::string lane_list(uint32_t mask);

// "0-7" or "13"; empty when the lanes are not one run.
std::string lane_run(uint32_t mask);

} // namespace viz
