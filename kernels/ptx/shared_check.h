// Whether a block's warps use shared memory in an order that its barriers give them: two warps that touch the same word
// between two barriers, one of them writing, race, and so do two lanes that write different values at once, there or in
// global memory. Told apart by words of 4 bytes; narrower accesses are not looked at.
#pragma once

#include "ptx/race_notes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ptx {

class SharedCheck {
public:
    // `statements`: the program's, which outlive the object.
    explicit SharedCheck(const std::vector<Statement>& statements) : statements_(statements) {}
    void begin(uint64_t bytes, bool wanted); // a new block
    void barrier() { ++epoch_; }
    // An access's addresses are bytes of the block's shared memory.
    void load(const WarpAccess& access);
    void store(const WarpAccess& access);
    // Two lanes of a warp write different values to one place at once.
    void lanes(const Statement& statement, const ThreadName& one, const ThreadName& other);
    bool wanted() const { return wanted_; }
    const RaceNotes& notes() const { return notes_; }
    void join(const SharedCheck& after) { notes_.join(after.notes_); } // of blocks that come after

private:
    // Who used a word last, in 8 bytes, as every load looks at it: the epoch (from 1 on) above the warp above the statement.
    class Use {
    public:
        Use() = default;
        Use(uint32_t epoch, uint32_t warp, uint32_t statement)
            : bits_(uint64_t{epoch} << 32 | uint64_t{warp} << statement_bits | statement)
        {
        }
        uint32_t warp() const { return static_cast<uint32_t>(bits_ >> statement_bits & 0xff); }
        uint32_t statement() const { return static_cast<uint32_t>(bits_ & ((1u << statement_bits) - 1)); }
        // Whether a warp other than that of `now` used it since the last barrier.
        bool by_another(const Use& now) const
        {
            const uint64_t differs = bits_ ^ now.bits_;
            return differs >> 32 == 0 && differs >> statement_bits != 0;
        }

    private:
        static constexpr int statement_bits = 24;
        static_assert(most_statements <= 1u << statement_bits);
        uint64_t bits_ = 0;
    };
    static constexpr uint32_t several = 0xff; // warps
    struct Word {
        Use written, read;
    };
    template <class Touch>
    void each_word(const WarpAccess& access, Touch touch);
    struct Race {
        const WarpAccess& access;
        int lane = 0;
        uint64_t offset = 0;
        bool writes = false;
    };
    void note(const Race& race, const Use& other, bool other_writes);

    const std::vector<Statement>& statements_;
    std::vector<Word> words_;
    uint32_t epoch_ = 1;
    bool wanted_ = true;
    RaceNotes notes_;
};

} // namespace ptx
