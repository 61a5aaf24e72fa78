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
    // `statements`: the program's, which outlive the object.
    explicit GlobalCheck(const std::vector<Statement>& statements) : statements_(statements) {}
    // A launch begins, whose blocks are not all of one cluster. Beyond 64 MiB of buffers the notes would take too much memory:
    // nothing is looked at then, and notes() says so.
    void begin(const std::vector<Region>& regions, bool wanted);
    void begin_cluster(uint64_t number)
    {
        cluster_ = static_cast<uint32_t>(number + 1);
    } // whose threads order one another
    bool wanted() const { return !words_.empty(); }

    void load(const std::vector<Region>& regions, const WarpAccess& access);
    // Of one lane, after it has stored. `before`: what lay there. Writing what is there already changes nothing for others.
    void store(const std::vector<Region>& regions, const WarpAccess& access, const std::byte* before);
    void atomic(const std::vector<Region>& regions, const WarpAccess& access);

    const RaceNotes& notes() const { return notes_; }
    // Of blocks that come after, and use no word that these write or write none that these use.
    void join(const GlobalCheck& after) { notes_.join(after.notes_); }

private:
    static constexpr uint32_t nobody = 0, several = ~0u;
    struct Word {
        uint32_t writer = nobody, reader = nobody; // clusters, from 1 on
        uint32_t read_at = 0;                      // statements
        static constexpr uint32_t all_statements = (1u << 30) - 1;
        uint32_t written_at : 30 = 0;
        uint32_t changed : 1 = 0;    // since the launch began
        uint32_t atomically : 1 = 0; // all that the writer did there was atomic
    };
    static_assert(most_statements <= Word::all_statements);
    struct Other { // what a thread of another block did before
        const char* did;
        uint32_t statement;
    };
    struct Here { // one word of one lane's access
        int lane = 0;
        uint64_t address = 0;
    };
    template <class Use>
    void each_word(const WarpAccess& access, Use use); // word, and where it is
    void note(const std::vector<Region>& regions, const WarpAccess& access, const Here& here, const char* does,
              const Other& other);

    const std::vector<Statement>& statements_;
    std::vector<std::vector<Word>> words_; // of each region
    uint32_t cluster_ = nobody;            // the cluster whose accesses are checked now; `nobody`: none
    RaceNotes notes_;
};

} // namespace ptx
