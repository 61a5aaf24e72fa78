// Barriers in shared memory that count arrivals and bytes (mbarrier), found by their offset in shared memory.
#pragma once

#include <cstdint>
#include <map>

namespace ptx {

struct Mbarrier {
    uint32_t number = 0;               // in the order of their creation
    int64_t expected = 0, pending = 0; // arrivals that a phase needs, and those that are missing
    int64_t bytes = 0;                 // bytes under way; negative if copies completed before their bytes were expected
    uint64_t phase = 0;                // number of complete phases
    // Completes the phase if no arrivals and no bytes are missing. Returns whether it completed the phase.
    bool settle()
    {
        if (pending != 0 || bytes != 0)
            return false;
        ++phase;
        pending = expected;
        return true;
    }
    // Returns the result of mbarrier.arrive. Threads wait for the phase in it.
    uint64_t state() const { return phase << 32 | static_cast<uint64_t>(pending); }
};

class Mbarriers {
public:
    static constexpr int64_t most = (1 << 20) - 1; // limit of arrivals and of bytes under way

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

// Subtracts the bytes that a lane's copy has written from the bytes that the mbarrier expects. Throws Fault if there is
// no mbarrier at that address of shared memory.
void count_copied(Warp& warp, const Instruction& instruction, uint64_t mbarrier, int lane, uint64_t bytes);

} // namespace ptx
