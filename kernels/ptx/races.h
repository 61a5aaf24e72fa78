// Finds out whether the order that the PTX machine chose can change the results. It finds races of a block's warps on
// shared memory, races of blocks on global memory, and words of global memory that blocks on several cores use at the
// same time.
#pragma once

#include "ptx/memory.h"
#include "traced/builder.h"

#include "recording/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ptx {

// Names the line in the kernel's source, or in the PTX if the source line is not known.
inline std::string line_name(const Statement& statement)
{
    return statement.source_line != 0 ? fmt::format("line {}", statement.source_line)
                                      : fmt::format("line {} of its PTX", statement.line);
}

// A race on shared memory. Its array is not known yet: the offset is in the block's shared memory.
using SharedRace = recording::Race;

// Sentences about races, at most one for each pair of lines, up to a limit.
class RaceNotes {
public:
    // Adds a note about two lines. make() returns the sentence, and is called only if the pair has no note yet.
    template <class Make>
    void add(const std::string& line, const std::string& other, Make make, const std::optional<SharedRace>& race = {})
    {
        if (notes_.size() < most_notes && said_.emplace(line, other).second)
            notes_.push_back({line, other, make(), race});
    }
    // Adds the notes whose pair of lines has no note yet, in either order.
    void add_others(const RaceNotes& others)
    {
        for (const Note& note : others.notes_)
            if (!tells_of(note))
                add(note);
    }
    // Adds the notes of later blocks.
    void join(const RaceNotes& after)
    {
        for (const Note& note : after.notes_)
            add(note);
    }
    std::vector<SharedRace> races() const
    {
        std::vector<SharedRace> result;
        for (const Note& note : notes_)
            if (note.race)
                result.push_back(*note.race);
        return result;
    }
    // Returns the sentences, without those about pairs of lines for which `others` has a note.
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
        std::optional<SharedRace> race;
    };
    void add(const Note& note)
    {
        add(
            note.line, note.other, [&note] { return note.sentence; }, note.race);
    }
    bool tells_of(const Note& note) const
    {
        return said_.contains({note.line, note.other}) || said_.contains({note.other, note.line});
    }
    std::set<std::pair<std::string, std::string>> said_;
    std::vector<Note> notes_;
};

// Returns the races on words of arrays, at most one for each pair of lines. `races` have offsets in the block's shared
// memory, the result has offsets in the array.
std::vector<recording::Race> races_in_arrays(std::span<const SharedRace> races, std::span<const traced::Place> places,
                                             std::span<const recording::Array> arrays);

// Checks whether barriers order the accesses of a block's warps to shared memory. Two warps race if they access the
// same word between two barriers, and one of them writes. Two lanes race if they write different values to one place at
// once, in shared or global memory. Two lanes of one warp also race if they access the same word without a __syncwarp()
// in between, and one of them writes. The lanes of a warp need not run in step. The check works on words of 4 bytes and
// ignores narrower accesses. It remembers only one of the lanes that read a word, so it can miss a write after reads of
// several lanes.
class SharedCheck {
public:
    // `statements` are those of the program, and must outlive the object.
    explicit SharedCheck(const std::vector<Statement>& statements) : statements_(statements) {}
    void begin(uint64_t bytes, bool wanted); // begins a new block
    void barrier() { floor_ = next_time(); }
    void warp_barrier(uint32_t warp); // a barrier of one warp's lanes; a barrier of the block counts as one, too
    // The addresses of an access are offsets in the block's shared memory.
    void load(const WarpAccess& access);
    void store(const WarpAccess& access);
    // Notes that two lanes of a warp write different values to one place at once.
    void lanes(const Statement& statement, const ThreadName& one, const ThreadName& other);
    bool wanted() const { return wanted_; }
    // Returns the notes. If both warps and lanes of one warp race at a pair of lines, returns only the note about
    // warps.
    RaceNotes notes() const
    {
        RaceNotes result = notes_;
        result.add_others(in_warp_);
        return result;
    }
    void join(const SharedCheck& after) // adds the notes of blocks that come after
    {
        notes_.join(after.notes_);
        in_warp_.join(after.in_warp_);
    }

private:
    // Added to the number of the warp that used a word, if other warps used it, too. A block has at most 32 warps.
    static constexpr uint32_t several = 0x80;
    // The last use of a word, packed into 8 bytes because every load checks it. The time is in the highest bits.
    class Use {
    public:
        Use() = default;
        Use(uint32_t time, uint32_t warp, int lane, uint32_t statement)
            : bits_(since(time) | uint64_t{warp} << warp_from | uint64_t(static_cast<unsigned>(lane)) << lane_from |
                    statement)
        {
        }
        static constexpr uint64_t since(uint32_t time) { return uint64_t{time} << time_from; }
        uint32_t warp() const { return static_cast<uint32_t>(bits_ >> warp_from & (several - 1)); }
        int lane() const { return static_cast<int>(bits_ >> lane_from & 0x1f); }
        uint32_t statement() const { return static_cast<uint32_t>(bits_ & ((1u << lane_from) - 1)); }
        // Returns whether another warp than that of `now` made this use since the last barrier, at time `since_then`.
        bool by_another(const Use& now, uint64_t since_then) const
        {
            return bits_ >= since_then && (bits_ ^ now.bits_) << (64 - time_from) >> (64 - time_from + warp_from) != 0;
        }
        // Returns whether another lane of the same warp made this use at another statement, at or after `since_then`,
        // the time of the warp's last barrier.
        bool by_other_lane(const Use& now, uint64_t since_then) const
        {
            return bits_ >= since_then && (bits_ >> warp_from & 0xff) == now.warp() && lane() != now.lane() &&
                   statement() != now.statement();
        }

    private:
        static constexpr int lane_from = 24, warp_from = 29, time_from = 37;
        static_assert(most_statements <= 1u << lane_from);
        uint64_t bits_ = 0;
    };
    static constexpr uint32_t most_times = 1u << 27;
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
    SharedRace told(const Race& race, const Use& other, bool other_writes) const;
    uint32_t next_time();
    uint64_t since_warp_barrier(uint32_t warp) const { return std::max(floor(), Use::since(synced_[warp])); }
    uint64_t floor() const { return Use::since(floor_); }

    const std::vector<Statement>& statements_;
    std::vector<Word> words_;
    // Times are numbers of barriers, counted from 1. time_ is the current time. floor_ is the time of the last barrier
    // of the block. synced_ has the time of each warp's own last barrier.
    uint32_t time_ = 1, floor_ = 1;
    std::array<uint32_t, 256> synced_{};
    bool wanted_ = true;
    RaceNotes notes_, in_warp_;
};

// Checks whether the accesses of different blocks to global memory are ordered. Blocks run in any order and at the same
// time. If one block stores a word while another one reads or stores it, the value may be any of several. Atomic
// operations do not race with each other. They do not race with plain reads either, because such reads often only test
// whether an atomic operation is necessary. The check works on words of 4 bytes. It ignores narrower accesses and
// copies of whole tiles. It trusts kernels that order their blocks by a fence, or that read with volatile or acquire.
class GlobalCheck {
public:
    // `statements` are those of the program, and must outlive the object.
    explicit GlobalCheck(const std::vector<Statement>& statements) : statements_(statements) {}
    // Begins a launch. `wanted` is false if its blocks cannot race, for example because all are in one cluster. The
    // notes for buffers of more than 64 MiB would take too much memory. Then nothing is checked, and notes() says so.
    void begin(const std::vector<Region>& regions, bool wanted);
    // Begins a cluster. Its threads order one another, so that only different clusters race.
    void begin_cluster(uint64_t number) { cluster_ = static_cast<uint32_t>(number + 1); }
    bool wanted() const { return !words_.empty(); }

    void load(const std::vector<Region>& regions, const WarpAccess& access);
    // Checks one lane's store after it was made. `before` is the word's previous content. Blocks that store the value
    // that is already there get a note of a separate kind. On a GPU the result is the same, but with other input the
    // blocks may store different values. Such stores still race with blocks that read the word.
    void store(const std::vector<Region>& regions, const WarpAccess& access, const std::byte* before);
    void atomic(const std::vector<Region>& regions, const WarpAccess& access);

    const RaceNotes& notes() const { return notes_; }
    // Returns the notes about blocks that store the same value to one word without atomics. Omits lines that race.
    std::vector<std::string> same_values() const { return same_values_.sentences(notes_); }
    // Adds the notes of later blocks. No word that one side writes may be used by the other.
    void join(const GlobalCheck& after)
    {
        notes_.join(after.notes_);
        same_values_.join(after.same_values_);
    }

private:
    static constexpr uint32_t nobody = 0, several = ~0u;
    struct Word {
        uint32_t writer = nobody, reader = nobody; // numbers of clusters, from 1
        uint32_t read_at = 0;                      // a statement
        static constexpr uint32_t all_statements = (1u << 30) - 1;
        uint32_t written_at : 30 = 0;
        uint32_t atomically : 1 = 0; // all operations of the writer on this word were atomic
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
    void each_word(const WarpAccess& access, Use use); // calls use(word, here) for each word
    void note(const std::vector<Region>& regions, const WarpAccess& access, const Here& here, const char* does,
              const Other& other);

    void note_same_value(const std::vector<Region>& regions, const WarpAccess& access, const Here& here,
                         uint32_t written_at);

    const std::vector<Statement>& statements_;
    std::vector<std::vector<Word>> words_; // by region
    uint32_t cluster_ = nobody;            // the cluster that is checked now, or `nobody`
    RaceNotes notes_, same_values_;
    // The last pair of statements that was noted. The next pair is mostly the same.
    std::pair<uint32_t, uint32_t> same_value_at_{};
};

// The words of global memory that a range of blocks uses. If no range writes a word that another range uses, the ranges
// may run in any order, or at the same time.
class GlobalUse {
public:
    explicit GlobalUse(const std::vector<Region>& regions)
    {
        for (const Region& region : regions) // the order of reads does not matter in a region that is only read
            words_.emplace_back(region.writable ? (region.bytes.size() + 4 * word_bits - 1) / (4 * word_bits) : 0);
    }

    // Adds bytes of one region.
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

    // Adds the words that other blocks use. Returns false if both use a word that one of them writes.
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
    static constexpr uint64_t word_bits = 64; // one bit for each 4 bytes
    struct Words {
        uint64_t used = 0, written = 0;
    };
    std::vector<std::vector<Words>> words_; // by region
};

} // namespace ptx
