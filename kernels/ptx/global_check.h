// Whether the blocks of a launch use global memory in an order that something gives them. They run in any order and at the
// same time, so that a value which one block stores while another one reads or stores the same word may be any of several.
// Atomic operations do not race with each other, nor with plain reads, which often only ask whether one is worth while. Words of
// 4 bytes; narrower accesses, and copies of whole tiles, are not looked at. A kernel that orders its blocks by a fence, or reads
// with volatile or acquire, is taken to know what it does.
#pragma once

#include "ptx/race_notes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ptx {

class GlobalCheck {
public:
    // A launch begins, whose blocks are not all of one cluster. Beyond 64 MiB of buffers the notes would take too much memory:
    // nothing is looked at then, and sentences() says so.
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
        const Statement *written_at = nullptr, *read_at = nullptr;
        bool changed = false;    // since the launch began
        bool atomically = false; // all that the writer did there was atomic
    };
    struct Other { // what a thread of another block did before
        const char* did;
        const Statement* statement;
    };
    template <class Use>
    void each_word(const Access& access, Use use); // word, and its number in the access
    void note(const std::vector<Region>& regions, const Access& access, uint64_t word, const char* does,
              const Other& other);

    std::vector<std::vector<Word>> words_; // of each region
    RaceNotes notes_;
};

} // namespace ptx
