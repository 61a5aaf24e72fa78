// Whether the blocks of a launch use global memory in an order that something gives them. They run in any order and at the
// same time, so that a value which one block stores while another one reads or stores the same word may be any of several.
// Atomic operations do not race with each other. Words of 4 bytes; narrower accesses, and copies of whole tiles, are not looked
// at. A kernel that orders its blocks by a fence, or reads with volatile or acquire, is taken to know what it does.
#pragma once

#include "ptx/race_notes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ptx {

class GlobalCheck {
public:
    // Of a launch in which blocks that are not of one cluster run; of buffers as they are now.
    void begin(const std::vector<Region>& regions, bool wanted);
    bool wanted() const { return !words_.empty(); }

    struct Access {
        uint64_t address = 0;
        uint32_t bytes = 0;
        uint64_t cluster = 0; // whose threads can order one another
        const Statement& statement;
        const ThreadName& thread;
    };
    void load(const std::vector<Region>& regions, const Access& access);
    // `before`: what lay there. Writing what is there already changes nothing for others.
    void store(const std::vector<Region>& regions, const Access& access, const std::byte* before);
    void atomic(const std::vector<Region>& regions, const Access& access);

    const std::vector<std::string>& sentences() const { return notes_.sentences(); }

private:
    static constexpr uint32_t nobody = 0, several = ~0u;
    struct Word {
        uint32_t writer = nobody, reader = nobody; // clusters, from 1 on
        uint32_t write_line = 0, read_line = 0;
        bool changed = false, atomically = false; // by its writer; with no plain store of it
    };
    template <class Use>
    void each_word(const Access& access, Use use); // word, and its number in the access
    void note(const std::vector<Region>& regions, const Access& access, const char* does, const char* other_did,
              uint32_t other_line);

    std::vector<std::vector<Word>> words_; // of each region
    RaceNotes notes_;
};

} // namespace ptx
