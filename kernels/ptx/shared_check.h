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
    void begin(uint64_t bytes, bool wanted); // a new block
    void barrier() { ++epoch_; }
    struct Access {
        bool writes = false;
        uint64_t offset = 0;
        uint32_t bytes = 0, warp = 0;
        const Statement& statement;
        const ThreadName& thread;
    };
    void access(const Access& access);
    // Two lanes of a warp write different values to one place at once.
    void lanes(const Statement& statement, const ThreadName& one, const ThreadName& other);
    bool wanted() const { return wanted_; }
    const std::vector<std::string>& sentences() const { return notes_.sentences(); }

private:
    static constexpr uint8_t several = 0xff;
    struct Word {
        uint32_t written_in = 0, read_in = 0; // epochs, from 1 on
        uint8_t writer = 0, reader = 0;       // warps
        const Statement *written_at = nullptr, *read_at = nullptr;
    };
    void race(const Word& word, bool after_write, uint64_t offset, const Access& access);

    std::vector<Word> words_;
    uint32_t epoch_ = 1;
    bool wanted_ = true;
    RaceNotes notes_;
};

} // namespace ptx
