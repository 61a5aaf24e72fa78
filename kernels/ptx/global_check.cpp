#include "ptx/global_check.h"

#include <fmt/format.h>

#include <cstring>

namespace ptx {

namespace {

constexpr uint64_t most_bytes = 64u << 20; // of buffers; beyond, the notes of their words would take too much memory

uint64_t region_of(uint64_t address)
{
    return address / window_bytes - first_window / window_bytes;
}

} // namespace

void GlobalCheck::begin(const std::vector<Region>& regions, bool wanted)
{
    words_.clear();
    uint64_t bytes = 0;
    for (const Region& region : regions)
        bytes += region.bytes.size();
    if (!wanted || bytes > most_bytes)
        return;
    for (const Region& region : regions)
        words_.emplace_back((region.bytes.size() + 3) / 4);
}

template <class Use>
void GlobalCheck::each_word(const Access& access, Use use)
{
    const uint64_t region = region_of(access.address);
    if (access.bytes < 4 || region >= words_.size())
        return;
    std::vector<Word>& words = words_[region];
    const uint64_t first = (access.address - global_address(region)) / 4;
    for (uint64_t i = 0; i < access.bytes / 4 && first + i < words.size(); ++i)
        use(words[first + i], i);
}

void GlobalCheck::note(const std::vector<Region>& regions, const Access& access, const char* does,
                       const char* other_did, uint32_t other_line)
{
    const uint32_t line = line_of(access.statement);
    if (!notes_.wants(line, other_line))
        return;
    const uint64_t region = region_of(access.address);
    notes_.add(
        fmt::format("A race of blocks: at line {} {} {} byte {} of {}, which a thread of another block {} at line "
                    "{}. Blocks run in any order: an atomic operation keeps what both do, and a second launch "
                    "reads what the first has written.",
                    line, access.thread.text(), does, access.address - global_address(region), regions[region].name,
                    other_did, other_line));
}

void GlobalCheck::load(const std::vector<Region>& regions, const Access& access)
{
    const auto self = static_cast<uint32_t>(access.cluster + 1);
    each_word(access, [&](Word& word, uint64_t) {
        if (word.writer != nobody && word.writer != self && word.changed && !word.atomically)
            note(regions, access, "reads", "has written", word.write_line);
        const bool another = word.reader != nobody && word.reader != self;
        word.reader = another ? several : self;
        word.read_line = line_of(access.statement);
    });
}

void GlobalCheck::store(const std::vector<Region>& regions, const Access& access, const std::byte* before)
{
    const auto self = static_cast<uint32_t>(access.cluster + 1);
    const uint64_t region = region_of(access.address);
    each_word(access, [&](Word& word, uint64_t i) {
        const std::byte* const now = regions[region].bytes.data() + (access.address - global_address(region)) + 4 * i;
        const bool changes = std::memcmp(now, before + 4 * i, 4) != 0;
        if (changes && word.writer != nobody && word.writer != self)
            note(regions, access, "writes", word.atomically ? "has changed" : "has written", word.write_line);
        else if (changes && word.reader != nobody && word.reader != self)
            note(regions, access, "writes", "has read", word.read_line);
        word.changed = changes || (word.changed && word.writer != self);
        word.writer = self;
        word.write_line = line_of(access.statement);
        word.atomically = false;
    });
}

void GlobalCheck::atomic(const std::vector<Region>& regions, const Access& access)
{
    const auto self = static_cast<uint32_t>(access.cluster + 1);
    each_word(access, [&](Word& word, uint64_t) {
        if (word.writer != nobody && word.writer != self && !word.atomically)
            note(regions, access, "changes", "has written", word.write_line);
        const bool stored_before = word.writer == self && !word.atomically;
        word.writer = self;
        word.write_line = stored_before ? word.write_line : line_of(access.statement);
        word.changed = true;
        word.atomically = !stored_before;
    });
}

} // namespace ptx
