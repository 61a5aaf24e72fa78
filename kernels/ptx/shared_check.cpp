#include "ptx/shared_check.h"

#include <fmt/format.h>

namespace ptx {

void SharedCheck::begin(uint64_t bytes, bool wanted)
{
    wanted_ = wanted;
    epoch_ = 1;
    words_.assign(wanted ? (bytes + 3) / 4 : 0, {});
}

void SharedCheck::race(const Word& word, bool after_write, uint64_t offset, const Access& access)
{
    const std::string line = line_name(access.statement),
                      other = line_name(*(after_write ? word.written_at : word.read_at));
    if (!notes_.first_of(line, other))
        return;
    const uint8_t by = after_write ? word.writer : word.reader;
    const std::string who = by == several ? "another warp" : fmt::format("warp {}", by);
    notes_.add(fmt::format("A race on shared memory: at {} {} (warp {}) {} byte {}, which {} {} at {}, with no "
                           "__syncthreads() between them.",
                           line, access.thread.text(), access.warp, access.writes ? "writes" : "reads", offset, who,
                           after_write ? "writes" : "reads", other));
}

void SharedCheck::lanes(const Statement& statement, const ThreadName& one, const ThreadName& other)
{
    const std::string line = line_name(statement);
    if (notes_.first_of(line, "lanes"))
        notes_.add(fmt::format("A race of two lanes: at {} {} and {} write different values to one place at once, and "
                               "one of them is lost. An atomic operation keeps both.",
                               line, one.text(), other.text()));
}

void SharedCheck::access(const Access& access)
{
    if (access.bytes < 4)
        return;
    for (uint64_t at = access.offset / 4; at < (access.offset + access.bytes + 3) / 4 && at < words_.size(); ++at) {
        Word& word = words_[at];
        if (word.written_in == epoch_ && word.writer != access.warp)
            race(word, true, at * 4, access);
        const bool another_read = word.read_in == epoch_ && word.reader != access.warp;
        if (access.writes) {
            if (another_read)
                race(word, false, at * 4, access);
            word.writer = static_cast<uint8_t>(access.warp);
            word.written_in = epoch_;
            word.written_at = &access.statement;
        } else {
            word.reader = another_read ? several : static_cast<uint8_t>(access.warp);
            word.read_in = epoch_;
            word.read_at = &access.statement;
        }
    }
}

} // namespace ptx
