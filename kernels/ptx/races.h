// Whether an order that the machine chose can show: races of a block's warps on shared memory, of blocks on global
// memory, and which words of global memory blocks use that run at the same time on several cores.
#pragma once

#include "ptx/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ptx {

// In the kernel's source; of the PTX where that is not known.
inline std::string line_name(const Statement& statement)
{
    return statement.source_line != 0 ? fmt::format("line {}", statement.source_line)
                                      : fmt::format("line {} of its PTX", statement.line);
}

// Sentences about races: each pair of lines once, and not too many.
class RaceNotes {
public:
    // Of what happens at two lines. make(): the sentence, where nothing was said of the two yet.
    template <class Make>
    void add(const std::string& line, const std::string& other, Make make)
    {
        if (notes_.size() < most_notes && said_.emplace(line, other).second)
            notes_.push_back({line, other, make()});
    }
    // Adds those of lines of which nothing is said, in either order.
    void add_others(const RaceNotes& others)
    {
        for (const Note& note : others.notes_)
            if (!tells_of(note))
                add(note.line, note.other, [&note] { return note.sentence; });
    }
    // Adds those of blocks that come after.
    void join(const RaceNotes& after)
    {
        for (const Note& note : after.notes_)
            add(note.line, note.other, [&note] { return note.sentence; });
    }
    // Without those of lines of which the others tell.
    std::vector<std::string> sentences(const RaceNotes& others = {}) const
    {
        std::vector<std::string> result;
        for (const Note& note : notes_)
            if (!others.tells_of(note))
                result.push_back(note.sentence);
        return result;
    }

private:
    static constexpr std::size_t most_notes = 8;
    struct Note {
        std::string line, other, sentence;
    };
    bool tells_of(const Note& note) const
    {
        return said_.contains({note.line, note.other}) || said_.contains({note.other, note.line});
    }
    std::set<std::pair<std::string, std::string>> said_;
    std::vector<Note> notes_;
};

// Whether a block's warps use shared memory in an order that its barriers give them: two warps that touch the same word
// between two barriers, one of them writing, race, and so do two lanes that write different values at once, there or in
// global memory. Two lanes of one warp that touch the same word, one of them writing, race where they do not meet at a
// __syncwarp() in between, because the lanes of a warp need not run in step. Told apart by words of 4 bytes; narrower
// accesses are not looked at. Of lanes that read a word only one is remembered, so that a write after a read of several
// lanes can be missed.
class SharedCheck {
public:
    // `statements`: the program's, which outlive the object.
    explicit SharedCheck(const std::vector<Statement>& statements) : statements_(statements) {}
    void begin(uint64_t bytes, bool wanted); // a new block
    void barrier() { floor_ = next_time(); }
    void warp_barrier(uint32_t warp); // of its lanes alone; a barrier of the block is one, too
    // An access's addresses are bytes of the block's shared memory.
    void load(const WarpAccess& access);
    void store(const WarpAccess& access);
    // Two lanes of a warp write different values to one place at once.
    void lanes(const Statement& statement, const ThreadName& one, const ThreadName& other);
    bool wanted() const { return wanted_; }
    // Of lines at which several warps race, that is said, and not that lanes of one warp do, too.
    RaceNotes notes() const
    {
        RaceNotes result = notes_;
        result.add_others(in_warp_);
        return result;
    }
    void join(const SharedCheck& after) // of blocks that come after
    {
        notes_.join(after.notes_);
        in_warp_.join(after.in_warp_);
    }

private:
    // Who used a word last, in 8 bytes, as every load looks at it: the time above the warp, the lane and the statement.
    class Use {
    public:
        Use() = default;
        Use(uint32_t time, uint32_t warp, int lane, uint32_t statement)
            : bits_(since(time) | uint64_t{warp} << warp_from | uint64_t(static_cast<unsigned>(lane)) << lane_from |
                    statement)
        {
        }
        static constexpr uint64_t since(uint32_t time) { return uint64_t{time} << time_from; }
        uint32_t warp() const { return static_cast<uint32_t>(bits_ >> warp_from & 0xff); }
        int lane() const { return static_cast<int>(bits_ >> lane_from & 0x1f); }
        uint32_t statement() const { return static_cast<uint32_t>(bits_ & ((1u << lane_from) - 1)); }
        // Whether a warp other than that of `now` used it since then, which is the last barrier.
        bool by_another(const Use& now, uint64_t since_then) const
        {
            return bits_ >= since_then && (bits_ ^ now.bits_) << (64 - time_from) >> (64 - time_from + warp_from) != 0;
        }
        // Whether another lane of that warp did at another statement since then, which is the warp's last barrier.
        bool by_other_lane(const Use& now, uint64_t since_then) const
        {
            return bits_ >= since_then && warp() == now.warp() && lane() != now.lane() &&
                   statement() != now.statement();
        }

    private:
        static constexpr int lane_from = 24, warp_from = 29, time_from = 37;
        static_assert(most_statements <= 1u << lane_from);
        uint64_t bits_ = 0;
    };
    static constexpr uint32_t most_times = 1u << 27;
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
    void note_in_warp(const Race& race, const Use& other, bool other_writes);
    uint32_t next_time();
    uint64_t since_warp_barrier(uint32_t warp) const { return std::max(floor(), Use::since(synced_[warp])); }
    uint64_t floor() const { return Use::since(floor_); }

    const std::vector<Statement>& statements_;
    std::vector<Word> words_;
    // Barriers so far, counted from 1: now, at the last one of the block, and of each warp alone at its last one.
    uint32_t time_ = 1, floor_ = 1;
    std::array<uint32_t, 256> synced_{};
    bool wanted_ = true;
    RaceNotes notes_, in_warp_;
};

// Whether the blocks of a launch use global memory in an order that something gives them. They run in any order and at
// the same time, so that a value which one block stores while another one reads or stores the same word may be any of
// several. Atomic operations do not race with each other, nor with plain reads, which often only ask whether one is
// worth while. Words of 4 bytes; narrower accesses, and copies of whole tiles, are not looked at. A kernel that orders
// its blocks by a fence, or reads with volatile or acquire, is taken to know what it does.
class GlobalCheck {
public:
    // `statements`: the program's, which outlive the object.
    explicit GlobalCheck(const std::vector<Statement>& statements) : statements_(statements) {}
    // A launch begins, whose blocks are not all of one cluster. Beyond 64 MiB of buffers the notes would take too much
    // memory: nothing is looked at then, and notes() says so.
    void begin(const std::vector<Region>& regions, bool wanted);
    void begin_cluster(uint64_t number)
    {
        cluster_ = static_cast<uint32_t>(number + 1);
    } // whose threads order one another
    bool wanted() const { return !words_.empty(); }

    void load(const std::vector<Region>& regions, const WarpAccess& access);
    // Of one lane, after it has stored. `before`: what lay there. Blocks that write what is there already get a note of
    // its own: a GPU leaves that value, too, but with other input the blocks may store different ones. They race with
    // those that read it.
    void store(const std::vector<Region>& regions, const WarpAccess& access, const std::byte* before);
    void atomic(const std::vector<Region>& regions, const WarpAccess& access);

    const RaceNotes& notes() const { return notes_; }
    // Several blocks store one value to one word without an atomic operation. Left out of lines that race.
    std::vector<std::string> same_values() const { return same_values_.sentences(notes_); }
    // Of blocks that come after, and use no word that these write or write none that these use.
    void join(const GlobalCheck& after)
    {
        notes_.join(after.notes_);
        same_values_.join(after.same_values_);
    }

private:
    static constexpr uint32_t nobody = 0, several = ~0u;
    struct Word {
        uint32_t writer = nobody, reader = nobody; // clusters, from 1 on
        uint32_t read_at = 0;                      // statements
        static constexpr uint32_t all_statements = (1u << 30) - 1;
        uint32_t written_at : 30 = 0;
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

    void note_same_value(const std::vector<Region>& regions, const WarpAccess& access, const Here& here,
                         uint32_t written_at);

    const std::vector<Statement>& statements_;
    std::vector<std::vector<Word>> words_; // of each region
    uint32_t cluster_ = nobody;            // the cluster whose accesses are checked now; `nobody`: none
    RaceNotes notes_, same_values_;
    std::pair<uint32_t, uint32_t> same_value_at_{}; // the last statements that were noted: most are the same again
};

// Which words of global memory a range of blocks uses: where no word that one range writes is used by another one, it
// does not show in which order their blocks ran, or that they ran at the same time.
class GlobalUse {
public:
    explicit GlobalUse(const std::vector<Region>& regions)
    {
        for (const Region& region : regions) // what is only read shows no order
            words_.emplace_back(region.writable ? (region.bytes.size() + 4 * word_bits - 1) / (4 * word_bits) : 0);
    }

    // Of bytes that lie in one region.
    void add(uint64_t address, uint64_t bytes, bool writes)
    {
        const uint64_t region = region_number(address), first = address - global_address(region);
        std::vector<Words>& words = words_[region];
        if (words.empty() || bytes == 0)
            return;
        for (uint64_t at = first / 4; at <= (first + bytes - 1) / 4; ++at) {
            const uint64_t bit = uint64_t{1} << at % word_bits;
            words[at / word_bits].used |= bit;
            words[at / word_bits].written |= writes ? bit : 0;
        }
    }

    // Adds what other blocks use. False: both use a word that one of them writes.
    bool join(const GlobalUse& other)
    {
        uint64_t both = 0;
        for (std::size_t region = 0; region < words_.size(); ++region)
            for (std::size_t i = 0; i < words_[region].size(); ++i) {
                Words& mine = words_[region][i];
                const Words& others = other.words_[region][i];
                both |= (mine.used & others.written) | (mine.written & others.used);
                mine.used |= others.used;
                mine.written |= others.written;
            }
        return both == 0;
    }

private:
    static constexpr uint64_t word_bits = 64; // a bit for each 4 bytes
    struct Words {
        uint64_t used = 0, written = 0;
    };
    std::vector<std::vector<Words>> words_; // of each region
};

} // namespace ptx
