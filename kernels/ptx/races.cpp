#include "ptx/races.h"

#include "ptx/arithmetic.h"
#include "recording/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace ptx {

namespace {

constexpr uint64_t most_bytes_watched = 64u << 20;

} // namespace

std::vector<recording::Race> races_in_arrays(std::span<const SharedRace> races, std::span<const traced::Place> places,
                                             std::span<const recording::Array> arrays)
{
    std::vector<recording::Race> result;
    std::set<std::pair<uint32_t, uint32_t>> lines;
    for (recording::Race race : races)
        for (const auto& [first, array] : places)
            if (arrays[array].space == recording::Space::shared && race.offset >= first &&
                race.offset < first + arrays[array].bytes && result.size() < recording::note_limit &&
                lines.emplace(race.first.line, race.second.line).second) {
                race.array = static_cast<uint32_t>(array);
                race.offset -= static_cast<uint32_t>(first);
                result.push_back(race);
            }
    return result;
}

void SharedCheck::begin(uint64_t bytes, bool wanted)
{
    wanted_ = wanted;
    time_ = floor_ = 1;
    synced_.fill(0);
    words_.assign(wanted ? (bytes + 3) / 4 : 0, {});
}

// Returns the number of the next interval between barriers. If none is left, the check forgets all and begins anew.
uint32_t SharedCheck::next_time()
{
    if (++time_ == most_times)
        begin(4 * words_.size(), wanted_);
    return time_;
}

void SharedCheck::warp_barrier(uint32_t warp)
{
    if (wanted_)
        synced_[warp] = next_time();
}

SharedRace SharedCheck::told(const Race& race, const Use& other, bool other_writes) const
{
    const WarpAccess& access = race.access;
    return {.block = access.warp.block,
            .offset = static_cast<uint32_t>(race.offset),
            .first = {other.warp(), static_cast<uint32_t>(other.lane()), statements_[other.statement()].source_line,
                      other_writes},
            .second = {access.warp.number, static_cast<uint32_t>(race.lane), statements_[access.statement].source_line,
                       race.writes}};
}

void SharedCheck::note(const Race& race, const Use& other, bool other_writes)
{
    const WarpAccess& access = race.access;
    // Of several readers only one is remembered, which may be this warp itself.
    const bool knows_other = other.warp() != access.warp.number;
    const std::optional<SharedRace> told_race =
        knows_other ? std::optional(told(race, other, other_writes)) : std::nullopt;
    const std::string line = line_name(statements_[access.statement]),
                      other_line = line_name(statements_[other.statement()]);
    notes_.add(
        line, other_line,
        [&] {
            const std::string who = knows_other ? fmt::format("warp {}", other.warp()) : "another warp";
            return fmt::format("A race on shared memory: at {} {} (warp {}) {} byte {}, which {} {} at {}, with no "
                               "__syncthreads() between them.",
                               line, access.warp.thread(race.lane).text(), access.warp.number,
                               race.writes ? "writes" : "reads", race.offset, who, other_writes ? "writes" : "reads",
                               other_line);
        },
        told_race);
}

void SharedCheck::note_in_warp(const Race& race, const Use& other, bool other_writes)
{
    const WarpAccess& access = race.access;
    const std::string line = line_name(statements_[access.statement]),
                      other_line = line_name(statements_[other.statement()]);
    in_warp_.add(
        line, other_line,
        [&] {
            return fmt::format(
                "A race inside a warp: at {} {} {} byte {} of shared memory, which {} of the same warp {} at "
                "{}, with no __syncwarp() between them. Lanes of a warp need not run in step.",
                line, access.warp.thread(race.lane).text(), race.writes ? "writes" : "reads", race.offset,
                access.warp.thread(other.lane()).text(), other_writes ? "writes" : "reads", other_line);
        },
        told(race, other, other_writes));
}

void SharedCheck::lanes(const Statement& statement, const ThreadName& one, const ThreadName& other)
{
    const std::string line = line_name(statement);
    notes_.add(line, "lanes", [&] {
        return fmt::format("A race of two lanes: at {} {} and {} write different values to one place at once, and "
                           "one of them is lost. An atomic operation keeps both.",
                           line, one.text(), other.text());
    });
}

template <class Touch>
void SharedCheck::each_word(const WarpAccess& access, Touch touch)
{
    if (access.bytes < 4)
        return;
    // Neighbouring lanes often use the same address, and so do the halves of a warp. It is checked only once.
    const auto half = access.address.begin() + lane_count / 2;
    const bool twice = access.mask == ~0u && std::equal(access.address.begin(), half, half);
    uint64_t before = ~uint64_t{0};
    for_lanes(twice ? 0xffffu : access.mask, [&](int lane) {
        const uint64_t offset = access.address[static_cast<std::size_t>(lane)];
        if (offset == before)
            return;
        before = offset;
        const uint64_t end = std::min<uint64_t>((offset + access.bytes + 3) / 4, words_.size());
        for (uint64_t at = offset / 4; at < end; ++at)
            touch(words_[at], lane, 4 * at);
    });
}

void SharedCheck::load(const WarpAccess& access)
{
    const uint32_t warp = access.warp.number;
    const uint64_t since_barrier = floor(), since_warps = since_warp_barrier(warp);
    each_word(access, [&](Word& word, int lane, uint64_t offset) {
        const Use now(time_, warp, lane, access.statement);
        if (word.written.by_another(now, since_barrier))
            note({access, lane, offset, false}, word.written, true);
        if (word.written.by_other_lane(now, since_warps))
            note_in_warp({access, lane, offset, false}, word.written, true);
        const bool of_several = word.read.by_another(now, since_barrier);
        // The warp that reads last is the most likely one to write next, so an earlier reader is kept.
        const Use before = word.read;
        word.read = !of_several             ? now
                    : before.warp() == warp ? Use(time_, warp | several, lane, access.statement)
                                            : Use(time_, before.warp() | several, before.lane(), before.statement());
    });
}

void SharedCheck::store(const WarpAccess& access)
{
    const uint32_t warp = access.warp.number;
    const uint64_t since_barrier = floor(), since_warps = since_warp_barrier(warp);
    each_word(access, [&](Word& word, int lane, uint64_t offset) {
        const Use now(time_, warp, lane, access.statement);
        if (word.written.by_another(now, since_barrier))
            note({access, lane, offset, true}, word.written, true);
        if (word.read.by_another(now, since_barrier))
            note({access, lane, offset, true}, word.read, false);
        if (word.written.by_other_lane(now, since_warps))
            note_in_warp({access, lane, offset, true}, word.written, true);
        if (word.read.by_other_lane(now, since_warps))
            note_in_warp({access, lane, offset, true}, word.read, false);
        word.written = now;
    });
}

void GlobalCheck::begin(const std::vector<Region>& regions, bool wanted)
{
    words_.clear();
    if (!wanted)
        return;
    uint64_t bytes = 0;
    for (const Region& region : regions)
        bytes += region.bytes.size();
    if (bytes > most_bytes_watched) {
        notes_.add("", "", [bytes] {
            return fmt::format("Whether blocks race on global memory was not looked at: its buffers have {} bytes, and "
                               "the check ends at {}. Run it with less.",
                               bytes, most_bytes_watched);
        });
        return;
    }
    for (const Region& region : regions)
        words_.emplace_back((region.bytes.size() + 3) / 4);
}

template <class Use>
void GlobalCheck::each_word(const WarpAccess& access, Use use)
{
    if (access.bytes < 4)
        return;
    for_lanes(access.mask, [&](int lane) {
        const uint64_t address = access.address[static_cast<std::size_t>(lane)], region = region_number(address);
        if (region >= words_.size())
            return;
        std::vector<Word>& words = words_[region];
        const uint64_t first = (address - global_address(region)) / 4;
        for (uint64_t i = 0; i < access.bytes / 4 && first + i < words.size(); ++i)
            use(words[first + i], Here{lane, address + 4 * i});
    });
}

void GlobalCheck::note(const std::vector<Region>& regions, const WarpAccess& access, const Here& here, const char* does,
                       const Other& other)
{
    const std::string line = line_name(statements_[access.statement]),
                      other_line = line_name(statements_[other.statement]);
    notes_.add(line, other_line, [&] {
        const uint64_t region = region_number(here.address);
        return fmt::format(
            "A race of blocks: at {} {} {} byte {} of {}, which a thread of another block {} at {}. Blocks run in any "
            "order: an atomic operation keeps what both do, and a second launch reads what the first has written.",
            line, access.warp.thread(here.lane).text(), does, here.address - global_address(region),
            regions[region].name, other.did, other_line);
    });
}

void GlobalCheck::note_same_value(const std::vector<Region>& regions, const WarpAccess& access, const Here& here,
                                  uint32_t written_at)
{
    if (std::exchange(same_value_at_, std::pair(access.statement, written_at)) ==
        std::pair(access.statement, written_at))
        return;
    const std::string line = line_name(statements_[access.statement]), other_line = line_name(statements_[written_at]);
    same_values_.add(line, other_line, [&] {
        const uint64_t region = region_number(here.address);
        return fmt::format(
            "Several blocks store to one word without an atomic operation: at {} {} stores to byte {} of "
            "{}, as a thread of another block has done at {}. All store the same value here; where "
            "they do not, which one stays is open.",
            line, access.warp.thread(here.lane).text(), here.address - global_address(region), regions[region].name,
            other_line);
    });
}

void GlobalCheck::load(const std::vector<Region>& regions, const WarpAccess& access)
{
    each_word(access, [&](Word& word, const Here& here) {
        if (word.writer != nobody && word.writer != cluster_ && !word.atomically)
            note(regions, access, here, "reads", {"has written", word.written_at});
        const bool another = word.reader != nobody && word.reader != cluster_;
        if (!another)
            word.read_at = access.statement;
        word.reader = another ? several : cluster_;
    });
}

void GlobalCheck::store(const std::vector<Region>& regions, const WarpAccess& access, const std::byte* before)
{
    each_word(access, [&](Word& word, const Here& here) {
        const uint64_t region = region_number(here.address);
        const std::byte* const now = regions[region].bytes.data() + (here.address - global_address(region));
        const bool changes = std::memcmp(now, before, 4) != 0;
        before += 4;
        const bool another = word.writer != nobody && word.writer != cluster_;
        if (changes && another)
            note(regions, access, here, "writes", {word.atomically ? "has changed" : "has written", word.written_at});
        // Also for equal values: other inputs may give other values.
        else if (word.reader != nobody && word.reader != cluster_)
            note(regions, access, here, "writes", {"has read", word.read_at});
        if (another && !changes) { // a block that writes another value later races with both
            if (!word.atomically)
                note_same_value(regions, access, here, word.written_at);
            word.writer = several;
            return;
        }
        word.writer = cluster_;
        word.written_at = access.statement & Word::all_statements;
        word.atomically = false;
    });
}

void GlobalCheck::atomic(const std::vector<Region>& regions, const WarpAccess& access)
{
    each_word(access, [&](Word& word, const Here& here) {
        if (word.writer != nobody && word.writer != cluster_ && !word.atomically)
            note(regions, access, here, "changes", {"has written", word.written_at});
        // A word that this block has stored before stays marked as not atomic, since other blocks race with that store.
        if (word.writer != cluster_ || word.atomically) {
            word.written_at = access.statement & Word::all_statements;
            word.atomically = true;
        }
        word.writer = cluster_;
    });
}

} // namespace ptx
