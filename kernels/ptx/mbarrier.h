// Barriers in shared memory that count arrivals and bytes (mbarrier), by where they lie.
#pragma once

#include <cstdint>
#include <map>

namespace ptx {

struct Mbarrier {
    uint32_t number = 0;               // in the order in which they were made
    int64_t expected = 0, pending = 0; // arrivals of a phase, and those that are missing
    int64_t bytes = 0;                 // that are under way; less than 0: they came before they were expected
    uint64_t phase = 0;                // phases that are complete
    bool settle()                      // true: that was the last arrival, or the last byte
    {
        if (pending != 0 || bytes != 0)
            return false;
        ++phase;
        pending = expected;
        return true;
    }
    // What mbarrier.arrive returns, by which a phase is waited for.
    uint64_t state() const { return phase << 32 | static_cast<uint64_t>(pending); }
};

class Mbarriers {
public:
    static constexpr int64_t most = (1 << 20) - 1; // arrivals, and bytes under way

    void begin() { all_.clear(), made_ = 0; }
    Mbarrier& make(uint64_t offset, int64_t count)
    {
        const auto before = all_.find(offset);
        const uint32_t number = before != all_.end() ? before->second.number : made_++;
        return all_[offset] = {.number = number, .expected = count, .pending = count};
    }
    void erase(uint64_t offset) { all_.erase(offset); }
    Mbarrier* find(uint64_t offset)
    {
        const auto found = all_.find(offset);
        return found == all_.end() ? nullptr : &found->second;
    }

private:
    std::map<uint64_t, Mbarrier> all_;
    uint32_t made_ = 0;
};

class Warp;
struct Instruction;

// The mbarrier at an address of shared memory counts bytes that a lane's copy has written. Throws Fault where there is
// none.
void count_copied(Warp& warp, const Instruction& instruction, uint64_t mbarrier, int lane, uint64_t bytes);

} // namespace ptx
