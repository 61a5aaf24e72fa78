#include "ptx/shared_check.h"

#include "ptx/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptx {

void SharedCheck::begin(uint64_t bytes, bool wanted)
{
    wanted_ = wanted;
    epoch_ = 1;
    words_.assign(wanted ? (bytes + 3) / 4 : 0, {});
}

void SharedCheck::note(const Race& race, const Use& other, bool other_writes)
{
    const WarpAccess& access = race.access;
    const std::string line = line_name(statements_[access.statement]),
                      other_line = line_name(statements_[other.statement()]);
    notes_.add(line, other_line, [&] {
        const std::string who = other.warp() == several ? "another warp" : fmt::format("warp {}", other.warp());
        return fmt::format("A race on shared memory: at {} {} (warp {}) {} byte {}, which {} {} at {}, with no "
                           "__syncthreads() between them.",
                           line, access.warp.thread(race.lane).text(), access.warp.number,
                           race.writes ? "writes" : "reads", race.offset, who, other_writes ? "writes" : "reads",
                           other_line);
    });
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
    uint64_t before = ~uint64_t{0}; // neighbours often read the same: once is enough
    for_lanes(access.mask, [&](int lane) {
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
    const Use now(epoch_, access.warp.number, access.statement), by_several(epoch_, several, access.statement);
    each_word(access, [&](Word& word, int lane, uint64_t offset) {
        if (word.written.by_another(now))
            note({access, lane, offset, false}, word.written, true);
        word.read = word.read.by_another(now) ? by_several : now;
    });
}

void SharedCheck::store(const WarpAccess& access)
{
    const Use now(epoch_, access.warp.number, access.statement);
    each_word(access, [&](Word& word, int lane, uint64_t offset) {
        if (word.written.by_another(now))
            note({access, lane, offset, true}, word.written, true);
        if (word.read.by_another(now))
            note({access, lane, offset, true}, word.read, false);
        word.written = now;
    });
}

} // namespace ptx
