#include "viz/analysis/bank_picture.h"

#include "viz/analysis/access.h"
#include "viz/text/figures.h"

#include "model/recorded_copy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>

namespace viz {

namespace {

// Returns the runs of a mask: "0-3", "8".
std::vector<std::string> runs_of(uint32_t mask)
{
    std::vector<uint32_t> lanes;
    for (uint32_t lane = 0; lane < model::lanes; ++lane)
        if (mask >> lane & 1u)
            lanes.push_back(lane);
    return number_runs(lanes);
}

// The busiest bank of a group of lanes: one that must serve different words to the group. Words are ordered by their
// lowest lane.
struct Clash {
    int group = 0, bank = 0;
    std::vector<std::pair<int, uint64_t>> wanted; // lane, word
    uint32_t banks = 0;                           // mask of all banks with clashes in the group
};

// Returns the busiest bank of each group with a conflict.
std::vector<Clash> clashes_of(const std::vector<model::Word>& words)
{
    std::map<std::pair<int, int>, std::map<uint64_t, int>> lowest; // the lowest lane of each word, by group and bank
    for (const model::Word& word : words) {
        auto& lane = lowest[{word.group, word.bank}].try_emplace(word.word, word.lane).first->second;
        lane = std::min<int>(lane, word.lane);
    }
    std::map<int, Clash> worst;
    for (const auto& [place, wanted] : lowest) {
        if (wanted.size() < 2)
            continue;
        const uint32_t banks = worst[place.first].banks |= 1u << place.second;
        if (wanted.size() <= worst[place.first].wanted.size())
            continue;
        Clash clash{place.first, place.second, {}, banks};
        for (const auto& [word, lane] : wanted)
            clash.wanted.emplace_back(lane, word);
        std::sort(clash.wanted.begin(), clash.wanted.end());
        worst[place.first] = std::move(clash);
    }
    std::vector<Clash> result;
    for (auto& [group, clash] : worst)
        if (!clash.wanted.empty())
            result.push_back(std::move(clash));
    return result;
}

std::string lanes_of(const Clash& clash)
{
    uint32_t mask = 0;
    for (const auto& [lane, word] : clash.wanted)
        mask |= 1u << lane;
    if (clash.wanted.size() == 2)
        return fmt::format("{} and {}", clash.wanted[0].first, clash.wanted[1].first);
    return lane_list(mask).substr(std::string_view("lanes ").size());
}

Message conflict_reason(const std::vector<Clash>& clashes)
{
    const Clash& first = clashes.front();
    std::string others;
    for (std::size_t i = 1; i < clashes.size(); ++i)
        others += (i == 1 ? "" : "; ") + lanes_of(clashes[i]);
    Messages also;
    if (!others.empty())
        also.push_back({"banks.also", {{"lanes", others}}});
    if (first.wanted.size() > 2)
        return {
            "banks.many_words",
            {{"lanes", lanes_of(first)}, {"words", first.wanted.size()}, {"bank", index(first.bank)}, {"also", also}}};
    const auto [low, high] = std::minmax(first.wanted[0].second, first.wanted[1].second);
    return {"banks.two_words",
            {{"lanes", lanes_of(first)},
             {"bank", index(first.bank)},
             {"low", index(low)},
             {"high", index(high)},
             {"apart", high - low},
             {"also", also}}};
}

// Describes how many banks must serve one group more than once, and the first two conflicting words.
Messages conflict_callout(const std::vector<Clash>& clashes, int group_lanes)
{
    int banks = 0; // in one group
    std::size_t times = 0;
    for (const Clash& clash : clashes) {
        banks = std::max(banks, std::popcount(clash.banks));
        times = std::max(times, clash.wanted.size());
    }
    const Clash& first = clashes.front();
    const auto [low, high] = std::minmax(first.wanted[0].second, first.wanted[1].second);
    return {{"banks.call_conflict",
             {{"banks", Value(banks).as(Meaning::conflict)},
              {"within", within_group(group_lanes)},
              {"times", times == 2 ? Message{"banks.twice"} : Message{"banks.times", {{"times", times}}}}}},
            {"banks.call_words",
             {{"bank", index(first.bank)},
              {"low", index(low)},
              {"high", index(high)},
              {"more", first.wanted.size() > 2},
              {"lanes", lanes_of(first)}}}};
}

// Returns the number of banks that move a word in any wavefront.
int busy_banks(const BankPicture& picture)
{
    uint32_t banks = 0;
    for (const BankSpan& span : picture.spans)
        banks |= span.bank_mask();
    return std::popcount(banks);
}

struct FreeWords {
    Message reason, callout;
};

FreeWords free_words(const model::Pattern& pattern, const BankPicture& picture, bool store)
{
    const int lanes = std::popcount(pattern.mask);
    const BankSpan* shared = nullptr;
    for (const BankSpan& span : picture.spans)
        if (!shared || std::popcount(span.lanes) > std::popcount(shared->lanes))
            shared = &span;
    if (shared && std::popcount(shared->lanes) > 1) {
        const Message callout{
            "banks.call_shared",
            {{"one", shared->banks == 1},
             {"banks", shared->banks == 1 ? std::to_string(shared->bank)
                                          : fmt::format("{}-{}", shared->bank, shared->bank + shared->banks - 1)},
             {"lanes", lane_list(shared->lanes)},
             {"store", store}}};
        if (std::popcount(shared->lanes) == lanes)
            return {{"banks.same_bytes_all", {{"lanes", lanes}, {"store", store}, {"bytes", pattern.width}}}, callout};
        return {{"banks.same_bytes", {{"lanes", lane_list(shared->lanes)}, {"store", store}, {"bytes", pattern.width}}},
                callout};
    }
    if (pattern.width > model::bank_bytes && picture.cost.wavefronts > 1) {
        // If all lanes are active, the width of the banks is the reason. Otherwise it is that lanes are served in fixed
        // groups.
        const int moved = lanes * pattern.width;
        if (moved > 128 * (picture.cost.wavefronts - 1))
            return {{"banks.full_width", {{"lanes", lanes}, {"bytes", pattern.width}, {"moved", moved}}},
                    {"banks.call_width", {{"moved", Value(moved).as(Meaning::good)}}}};
        const auto groups = std::ranges::count_if(picture.groups, [](uint32_t mask) { return mask != 0; });
        return {{"banks.lane_groups", {{"lanes", lanes}, {"groups", groups}}},
                {"banks.call_groups", {{"groups", Value(groups).as(Meaning::good)}}}};
    }
    return {{"banks.different_banks", {{"store", store}}},
            {"banks.call_apart", {{"banks", Value(busy_banks(picture)).as(Meaning::good)}}}};
}

} // namespace

std::string lane_run(uint32_t mask)
{
    const std::vector<std::string> runs = runs_of(mask);
    return runs.size() == 1 ? runs.front() : std::string();
}

std::string lane_list(uint32_t mask)
{
    const std::vector<std::string> runs = runs_of(mask);
    if (runs.empty())
        return "no lane";
    if (std::popcount(mask) == 1)
        return "lane " + runs.front();
    constexpr std::size_t most = 4;
    if (runs.size() > most)
        return fmt::format("lanes {}, {}, {} ... {} ({} lanes)", runs[0], runs[1], runs[2], runs.back(),
                           std::popcount(mask));
    return fmt::format("lanes {}", fmt::join(runs, ", "));
}

namespace {

// Fills in the spans of the words, and their rows and groups.
void lay_out(BankPicture& picture, const std::vector<model::Word>& words)
{
    picture.rows.resize(static_cast<std::size_t>(picture.cost.wavefronts));
    std::map<std::pair<int, int>, BankSpan> cells; // by wavefront and bank
    for (const model::Word& word : words) {
        BankSpan& cell = cells[{word.wavefront, word.bank}];
        cell = {.wavefront = word.wavefront,
                .group = word.group,
                .bank = word.bank,
                .lanes = cell.lanes | 1u << word.lane,
                .word = word.word};
        if (word.group >= picture.groups.size())
            picture.groups.resize(word.group + 1u);
        picture.groups[word.group] |= 1u << word.lane;
    }
    std::vector<bool> used(picture.rows.size());
    for (const auto& [place, cell] : cells) {
        const auto row = static_cast<std::size_t>(cell.wavefront);
        picture.rows[row].group = cell.group;
        used[row] = true;
        BankSpan* last = picture.spans.empty() ? nullptr : &picture.spans.back();
        if (last && last->wavefront == cell.wavefront && last->lanes == cell.lanes &&
            last->bank + last->banks == cell.bank && last->word + static_cast<uint64_t>(last->banks) == cell.word)
            ++last->banks;
        else
            picture.spans.push_back(cell);
    }
    for (std::size_t row = 1; row < picture.rows.size(); ++row) {
        if (!used[row]) // for a copy: the lanes of the group wait
            picture.rows[row].group = picture.rows[row - 1].group;
        picture.rows[row].conflict = picture.rows[row].group == picture.rows[row - 1].group;
    }
}

// The lanes of one group that write to one bank.
struct Meeting {
    int bank = 0;
    uint32_t lanes = 0;
    std::set<uint64_t> words;
};

// By group and bank.
using Meetings = std::map<std::pair<int, int>, Meeting>;

Meetings meetings_of(const std::vector<model::Word>& words)
{
    Meetings meetings;
    for (const model::Word& word : words) {
        Meeting& meeting = meetings[{word.group, word.bank}];
        meeting.bank = word.bank;
        meeting.lanes |= 1u << word.lane;
        meeting.words.insert(word.word);
    }
    return meetings;
}

// Returns the meeting with the most lanes.
const Meeting& largest(const Meetings& meetings)
{
    const auto most =
        std::ranges::max_element(meetings, {}, [](const auto& one) { return std::popcount(one.second.lanes); });
    return most->second;
}

std::vector<BankClash> clashes_of(const Meetings& meetings)
{
    std::map<int, BankClash> by_group;
    for (const auto& [place, meeting] : meetings) {
        const int times = std::popcount(meeting.lanes);
        if (times < 2)
            continue;
        BankClash& clash = by_group[place.first];
        clash = {place.first, clash.banks | 1u << place.second, std::max(clash.times, times)};
    }
    std::vector<BankClash> clashes;
    for (const auto& [group, clash] : by_group)
        clashes.push_back(clash);
    return clashes;
}

void explain_copy(const model::CopyPattern& copy, BankPicture& picture, const std::vector<model::Word>& words)
{
    const Meetings meetings = meetings_of(words);
    picture.clashes = clashes_of(meetings);
    const Meeting& most = largest(meetings);
    std::set<int> filled;
    for (const model::Word& word : words)
        filled.insert(word.wavefront);
    Messages& reason = picture.reason;
    if (std::popcount(most.lanes) == 1) {
        reason.push_back({"banks.copy_apart"});
        picture.callout = {{"banks.call_apart", {{"banks", Value(busy_banks(picture)).as(Meaning::good)}}}};
    } else {
        reason.push_back(
            {"banks.copy_meets",
             {{"lanes", lane_list(most.lanes)}, {"bank", index(most.bank)}, {"same_word", most.words.size() == 1}}});
        picture.callout = {{"banks.call_copy", {{"lanes", lane_list(most.lanes)}, {"bank", index(most.bank)}}}};
    }
    int by_banks = 0;
    for (const BankClash& clash : picture.clashes)
        by_banks += clash.times - 1;
    picture.l1_waits = std::max(picture.cost.conflicts - by_banks, 0);
    picture.waits = picture.cost.wavefronts - static_cast<int>(filled.size());
    if (const int waits = picture.waits; waits > 0) {
        reason.push_back({"banks.copy_waits", {{"wavefronts", waits}}});
        picture.callout.push_back({"banks.call_l1", {{"wavefronts", Value(waits).as(Meaning::conflict)}}});
    }
    const auto groups = std::ranges::count_if(picture.groups, [](uint32_t mask) { return mask != 0; });
    if (copy.bypass && picture.cost.conflicts == 0 && picture.cost.wavefronts > groups)
        reason.push_back({"banks.copy_past_l1"});
}

} // namespace

Messages within_group(int group_lanes)
{
    return group_lanes < model::lanes ? Messages{{"banks.within_group", {{"lanes", group_lanes}}}} : Messages();
}

LaneGroups lane_groups(const std::vector<model::Word>& words, int width)
{
    const int plain = model::banks * model::bank_bytes / std::max(width, model::bank_bytes);
    const bool merged =
        std::ranges::any_of(words, [&](const model::Word& word) { return word.group != word.lane / plain; });
    return {merged ? 2 * plain : plain, merged};
}

namespace {

// Returns the picture of an atomic operation whose lanes are served one by one, or whose cost is not known.
BankPicture atomic_picture(const model::Pattern& pattern)
{
    const auto cost = model::shared_atomic(pattern);
    BankPicture picture{.cost = cost.value_or(model::SharedCost{})};
    const std::vector<model::Word> words = model::schedule(recording::Op::shared_atomic, pattern);
    lay_out(picture, words);
    const bool twice = pattern.atomic == recording::AtomicRule::compare_and_swap;
    for (std::size_t row = 1; twice && row < picture.rows.size(); row += 2)
        picture.rows[row].conflict = false; // the hardware counts one conflict for each two wavefronts
    if (words.empty()) {
        picture.reason = picture.callout = {
            pattern.mask == 0 ? Message{"banks.idle"}
                              : Message{"banks.atomic_unknown", {{"why", why_no_cost(pattern.atomic)}}}};
        return picture;
    }
    const Meetings meetings = meetings_of(words);
    picture.clashes = clashes_of(meetings);
    const Meeting& most = largest(meetings);
    if (std::popcount(most.lanes) == 1)
        picture.reason = {{"banks.atomic_apart"}};
    else
        picture.reason = {
            {"banks.atomic_meets",
             {{"lanes", lane_list(most.lanes)}, {"bank", index(most.bank)}, {"same_word", most.words.size() == 1}}}};
    if (twice)
        picture.reason.push_back({"banks.atomic_twice"});
    picture.callout = picture.reason;
    return picture;
}

} // namespace

BankPicture bank_picture(recording::Op op, const model::Pattern& pattern)
{
    const bool counts = pattern.atomic == recording::AtomicRule::counted;
    if (op == recording::Op::shared_atomic && !counts)
        return atomic_picture(pattern);
    BankPicture picture;
    picture.cost = counts ? *model::shared_atomic(pattern) : model::shared_access(op, pattern);
    const std::vector<model::Word> words = model::schedule(op, pattern);
    lay_out(picture, words);
    picture.together = lane_groups(words, pattern.width);
    const std::vector<Clash> clashes = clashes_of(words);
    for (const Clash& clash : clashes)
        picture.clashes.push_back({clash.group, clash.banks, static_cast<int>(clash.wanted.size())});
    if (words.empty()) {
        picture.reason = picture.callout = {{"banks.idle"}};
    } else if (clashes.empty() && counts) {
        picture.reason = picture.callout = {{"banks.atomic_counted"}};
    } else if (clashes.empty()) {
        const FreeWords free = free_words(pattern, picture, is_store(op));
        picture.reason = {free.reason};
        picture.callout = {free.callout};
    } else {
        picture.reason = {conflict_reason(clashes)};
        picture.callout = conflict_callout(clashes, picture.together.lanes);
    }
    if (clashes.empty() || picture.together.merged) // otherwise the text about the conflict names its group
        for (Message& message : group_messages(picture))
            picture.callout.push_back(std::move(message));
    return picture;
}

BankPicture bank_picture(const model::CopyPattern& copy)
{
    BankPicture picture;
    picture.cost = model::copy_write(copy);
    const std::vector<model::Word> words = model::schedule(copy);
    lay_out(picture, words);
    picture.together = lane_groups(words, copy.width);
    if (words.empty())
        picture.reason = picture.callout = {{"banks.idle"}};
    else
        explain_copy(copy, picture, words);
    return picture;
}

Messages group_messages(const BankPicture& picture)
{
    if (picture.together.lanes == model::lanes && !picture.together.merged)
        return {};
    if (picture.together.merged)
        return {{"banks.call_merged", {{"lanes", picture.together.lanes}}}};
    return {{"banks.call_group", {{"lanes", picture.together.lanes}}}};
}

} // namespace viz
