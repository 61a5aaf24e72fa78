#include "ptx/global_check.h"

#include <fmt/format.h>

#include <cstring>

namespace ptx {

namespace {

constexpr uint64_t most_bytes_watched = 64u << 20;

} // namespace

void GlobalCheck::begin(const std::vector<Region>& regions, bool wanted)
{
    words_.clear();
    if (!wanted)
        return;
    uint64_t bytes = 0;
    for (const Region& region : regions)
        bytes += region.bytes.size();
    if (bytes > most_bytes_watched) {
        notes_.add(
            fmt::format("Whether blocks race on global memory was not looked at: its buffers have {} bytes, and the "
                        "check ends at {}. Run it with less.",
                        bytes, most_bytes_watched));
        return;
    }
    for (const Region& region : regions)
        words_.emplace_back((region.bytes.size() + 3) / 4);
}

template <class Use>
void GlobalCheck::each_word(const Access& access, Use use)
{
    const uint64_t region = region_number(access.address);
    if (access.bytes < 4 || region >= words_.size())
        return;
    std::vector<Word>& words = words_[region];
    const uint64_t first = (access.address - global_address(region)) / 4;
    for (uint64_t i = 0; i < access.bytes / 4 && first + i < words.size(); ++i)
        use(words[first + i], i);
}

void GlobalCheck::note(const std::vector<Region>& regions, const Access& access, uint64_t word, const char* does,
                       const Other& other)
{
    if (!notes_.first_of(line_name(access.statement), line_name(*other.statement)))
        return;
    const uint64_t region = region_number(access.address);
    const uint64_t byte = access.address - global_address(region) + 4 * word;
    notes_.add(fmt::format(
        "A race of blocks: at {} {} {} byte {} of {}, which a thread of another block {} at {}. Blocks run in any "
        "order: an atomic operation keeps what both do, and a second launch reads what the first has written.",
        line_name(access.statement), access.thread.text(), does, byte, regions[region].name, other.did,
        line_name(*other.statement)));
}

void GlobalCheck::load(const std::vector<Region>& regions, const Access& access)
{
    const auto self = static_cast<uint32_t>(access.cluster + 1);
    each_word(access, [&](Word& word, uint64_t i) {
        if (word.writer != nobody && word.writer != self && word.changed && !word.atomically)
            note(regions, access, i, "reads", {"has written", word.written_at});
        const bool another = word.reader != nobody && word.reader != self;
        if (!another)
            word.read_at = &access.statement;
        word.reader = another ? several : self;
    });
}

void GlobalCheck::store(const std::vector<Region>& regions, const Access& access, const std::byte* before)
{
    const auto self = static_cast<uint32_t>(access.cluster + 1);
    const uint64_t region = region_number(access.address);
    const std::byte* const now = regions[region].bytes.data() + (access.address - global_address(region));
    each_word(access, [&](Word& word, uint64_t i) {
        const bool changes = std::memcmp(now + 4 * i, before + 4 * i, 4) != 0;
        const bool another = word.writer != nobody && word.writer != self;
        if (changes && another)
            note(regions, access, i, "writes", {word.atomically ? "has changed" : "has written", word.written_at});
        else if (changes && word.reader != nobody && word.reader != self)
            note(regions, access, i, "writes", {"has read", word.read_at});
        if (another && !changes) { // all may write one value; who writes another one later races with them
            word.writer = several;
            return;
        }
        word.writer = self;
        word.written_at = &access.statement;
        word.changed = word.changed || changes;
        word.atomically = false;
    });
}

void GlobalCheck::atomic(const std::vector<Region>& regions, const Access& access)
{
    const auto self = static_cast<uint32_t>(access.cluster + 1);
    each_word(access, [&](Word& word, uint64_t i) {
        if (word.writer != nobody && word.writer != self && !word.atomically)
            note(regions, access, i, "changes", {"has written", word.written_at});
        if (word.writer != self || word.atomically) { // else others race with what this block has stored before
            word.written_at = &access.statement;
            word.atomically = true;
        }
        word.writer = self;
        word.changed = true;
    });
}

} // namespace ptx
