// Pages over the view: what is shown of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace app {

enum class CounterColumns : uint8_t {
    profile,  // where bytes were found and what that cost: caches, DRAM, shared memory
    accuracy, // how far C is off with each type
    all       // every counter that was read
};

// The page with the table of counters.
struct CounterPage {
    CounterColumns columns = CounterColumns::profile;
    uint32_t side = 0;  // of the problem; 0: the largest that was counted
    std::string filter; // part of a name
    std::vector<std::string>
        beside; // names of rows that stand at the top, the first of which the others are compared with
};

// The page with what published ladders claim.
struct ClaimPage {
    std::string chosen; // id of the claim that is explained; empty: the first that does not hold
};

} // namespace app
