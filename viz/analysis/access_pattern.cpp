#include "viz/analysis/access_pattern.h"

#include "viz/analysis/mapping.h"
#include "viz/analysis/sectors.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace viz {

namespace {

// Sizes of the arrays of the kernels that measure patterns (kernels/cuda/access_patterns.cpp).
constexpr int64_t most_shared_bytes = 65536, most_global_bytes = 1 << 20;

struct LaneByte {
    std::optional<uint64_t> byte;
    std::optional<Rich> refusal;
};

LaneByte byte_of(const AccessPattern& pattern, const std::string& formula, int lane)
{
    const NamedNumber names[] = {{"lane", lane},
                                 {"row", lane / pattern.lanes_in_row},
                                 {"col", lane % pattern.lanes_in_row},
                                 {"stride", pattern.stride},
                                 {"offset", pattern.offset},
                                 {"padding", pattern.padding}};
    const FormulaValue element = evaluate(formula, names);
    if (element.refusal)
        return {{}, rich("The formula cannot be read: {}.", *element.refusal)};
    const int64_t byte = *element.value * pattern.bytes();
    if (byte < 0)
        return {{}, rich("Lane {} asks for element {}, before the first one.", index(lane), index(*element.value))};
    if (const int64_t most = pattern.shared() ? most_shared_bytes : most_global_bytes; byte + pattern.bytes() > most)
        return {{}, rich("Lane {} asks for byte {}: this page has {} bytes of memory.", index(lane), byte, most)};
    return {static_cast<uint64_t>(byte), {}};
}

void add_shared(PatternCost& cost, const AccessPattern& of)
{
    const recording::Op op =
        of.access == AccessPattern::Access::load ? recording::Op::shared_load : recording::Op::shared_store;
    const std::vector<model::Word> words = model::schedule(op, cost.pattern, of.banks());
    std::map<int, int> first; // the first wavefront of each group
    for (const model::Word& word : words)
        first.try_emplace(word.group, word.wavefront);
    for (const model::Word& word : words)
        first[word.group] = std::min<int>(first[word.group], word.wavefront);
    std::map<std::pair<int, int>, PatternWord> places; // by wavefront and first bank
    for (std::size_t i = 0; i < words.size(); ++i) {
        const model::Word& word = words[i];
        if (i > 0 && words[i - 1].lane == word.lane) { // one entry per lane is enough
            continue;
        }
        PatternWord& place = places[{word.wavefront, word.bank}];
        place.lanes |= 1u << word.lane;
        place.row = word.wavefront;
        place.column = word.bank;
        place.columns = std::max(of.bytes() / model::bank_bytes, 1);
        place.group = word.group;
        place.waits = word.wavefront > first[word.group];
        place.word = word.word;
    }
    for (const auto& [at, place] : places)
        cost.words.push_back(place);
    const model::SharedCost total = model::shared_access(op, cost.pattern, of.banks());
    cost.rows = cost.figure = total.wavefronts;
    cost.least = total.wavefronts - total.conflicts;
}

void add_global(PatternCost& cost, const AccessPattern& of)
{
    std::set<uint64_t> lines, sectors, bytes;
    for (int lane = 0; lane < of.lanes(); ++lane) {
        const uint64_t from = cost.pattern.offset[static_cast<std::size_t>(lane)];
        lines.insert(from / line_bytes);
        sectors.insert(from / model::sector_bytes);
        for (int byte = 0; byte < of.bytes(); ++byte)
            bytes.insert(from + static_cast<uint64_t>(byte));
    }
    cost.lines.assign(lines.begin(), lines.end());
    cost.sectors.assign(sectors.begin(), sectors.end());
    cost.used_bytes = static_cast<int>(bytes.size());
    cost.rows = static_cast<int>(lines.size());
    cost.figure = model::global_access(cost.pattern).sectors;
    cost.least = (cost.used_bytes + model::sector_bytes - 1) / model::sector_bytes;
    std::map<std::pair<int, int>, PatternWord> places;
    for (int lane = 0; lane < of.lanes(); ++lane) {
        const uint64_t from = cost.pattern.offset[static_cast<std::size_t>(lane)];
        const auto line = std::ranges::lower_bound(cost.lines, from / line_bytes);
        const int row = static_cast<int>(line - cost.lines.begin());
        const int column = static_cast<int>(from % line_bytes / model::bank_bytes);
        PatternWord& place = places[{row, column}];
        place.lanes |= 1u << lane;
        place.row = row;
        place.column = column;
        place.columns = std::max(of.bytes() / model::bank_bytes, 1);
        place.word = from / model::bank_bytes;
    }
    for (const auto& [at, place] : places)
        cost.words.push_back(place);
}

} // namespace

std::string formula_of(const AccessPattern& pattern)
{
    if (!pattern.formula.empty())
        return pattern.formula;
    const bool one_row = pattern.lanes_in_row >= pattern.lanes(), single = pattern.lanes_in_row == 1;
    std::string element = pattern.offset > 0 ? fmt::format("{} + ", pattern.offset) : "";
    if (one_row)
        return element + "lane";
    const std::string row = single ? "lane" : fmt::format("lane/{}", pattern.lanes_in_row);
    const std::string col = single ? "" : fmt::format("lane%{}", pattern.lanes_in_row);
    if (pattern.padding > 0)
        element += fmt::format("{}*({} + {})", row, pattern.stride, pattern.padding);
    else
        element += pattern.stride == 1 ? row : fmt::format("{}*{}", row, pattern.stride);
    if (pattern.xor_bits > 0) // col is 0 in a single column, so the XOR gives the bits of the row
        return element + (single ? fmt::format(" + (lane & {})", pattern.xor_bits)
                                 : fmt::format(" + ({} ^ ({} & {}))", col, row, pattern.xor_bits));
    return single ? element : element + " + " + col;
}

bool formula_uses(const AccessPattern& pattern, std::string_view name)
{
    const std::string_view formula = pattern.formula;
    const auto is_letter = [&](std::size_t at) {
        return at < formula.size() &&
               ((formula[at] >= 'a' && formula[at] <= 'z') || (formula[at] >= 'A' && formula[at] <= 'Z'));
    };
    for (std::size_t at = formula.find(name); at != std::string_view::npos; at = formula.find(name, at + 1))
        if (!(at > 0 && is_letter(at - 1)) && !is_letter(at + name.size()))
            return true;
    return false;
}

std::vector<PatternPreset> presets_of(const AccessPattern& shown)
{
    const int lanes = shown.lanes();
    AccessPattern plain{.machine = shown.machine, .memory = shown.memory, .access = shown.access, .stride = 1};
    AccessPattern column = plain;
    column.stride = lanes;
    std::vector<PatternPreset> all;
    const auto add = [&](const char* name, std::string words, AccessPattern pattern) {
        all.push_back({name, std::move(words), std::move(pattern)});
    };
    const auto with = [](AccessPattern pattern, int AccessPattern::*member, int value) {
        pattern.*member = value;
        return pattern;
    };
    add("in order", "each lane the word after its neighbour's", plain);
    add("stride 2", "every second word", with(plain, &AccessPattern::stride, 2));
    add("column", fmt::format("a column of a {0} x {0} tile: stride {0}", lanes), column);
    add("padded", fmt::format("the same column of a tile with rows of {}", lanes + 1),
        with(column, &AccessPattern::padding, 1));
    add("XOR", "the same column, whose elements are moved by an XOR with their row",
        with(column, &AccessPattern::xor_bits, lanes - 1));
    add("block", fmt::format("{} elements of each of four rows of that tile", lanes / 4),
        with(column, &AccessPattern::lanes_in_row, lanes / 4));
    add("broadcast", "one word for all lanes", with(plain, &AccessPattern::stride, 0));
    AccessPattern vectors = plain;
    vectors.width = AccessPattern::Width::sixteen;
    add("float4", "16 bytes for each lane, side by side", vectors);
    return all;
}

PatternCost cost_of(const AccessPattern& pattern)
{
    PatternCost cost;
    cost.pattern = {
        .width = pattern.bytes(), .mask = pattern.machine == AccessPattern::Machine::eight ? 0xffu : ~0u, .offset = {}};
    const std::string formula = formula_of(pattern);
    for (int lane = 0; lane < pattern.lanes(); ++lane) {
        const LaneByte one = byte_of(pattern, formula, lane);
        if (one.refusal) {
            cost.refusal = one.refusal;
            return cost;
        }
        cost.pattern.offset[static_cast<std::size_t>(lane)] = *one.byte;
    }
    pattern.shared() ? add_shared(cost, pattern) : add_global(cost, pattern);
    return cost;
}

std::array<std::optional<PatternCost>, 5> costs_over_width(const AccessPattern& pattern)
{
    std::array<std::optional<PatternCost>, 5> costs;
    for (std::size_t i = 0; i < costs.size(); ++i) {
        AccessPattern other = pattern;
        other.width = static_cast<AccessPattern::Width>(i);
        if (PatternCost cost = cost_of(other); cost.valid())
            costs[i] = std::move(cost);
    }
    return costs;
}

std::vector<std::optional<int>> costs_over_stride(const AccessPattern& pattern, int most)
{
    if (!pattern.formula.empty() && !formula_uses(pattern, "stride"))
        return {};
    std::vector<std::optional<int>> costs;
    AccessPattern other = pattern;
    for (other.stride = 1; other.stride <= most; ++other.stride) {
        const PatternCost cost = cost_of(other);
        costs.push_back(cost.valid() ? std::optional(cost.figure) : std::nullopt);
    }
    return costs;
}

AccessPattern led_to(const AccessPattern& pattern, int lane, int column, uint64_t line)
{
    int AccessPattern::*const member = lane == 0 ? &AccessPattern::offset : &AccessPattern::stride;
    const int most = lane == 0 ? most_offset : most_stride;
    const auto away = [&](uint64_t byte) { // distance, in words, to the wanted position
        if (!pattern.shared())
            return std::abs(static_cast<int64_t>(byte / model::bank_bytes) -
                            static_cast<int64_t>(line * line_bytes / model::bank_bytes) - column);
        const int64_t apart = std::abs(model::bank_of(byte, pattern.banks()) - column);
        return std::min(apart, pattern.banks() - apart); // the last bank is beside the first one
    };
    std::optional<std::tuple<int64_t, int, int>> best; // distance, change, value
    AccessPattern other = pattern;
    for (int value = 0; value <= most; ++value) {
        other.*member = value;
        const LaneByte at = byte_of(other, formula_of(other), lane);
        if (!at.byte)
            continue;
        const std::tuple candidate{away(*at.byte), std::abs(value - pattern.*member), value};
        best = best ? std::min(*best, candidate) : candidate;
    }
    if (best)
        other.*member = std::get<2>(*best);
    return best ? other : pattern;
}

std::optional<model::PatternRow> row_to_measure(const AccessPattern& pattern)
{
    const PatternCost cost = cost_of(pattern);
    if (pattern.machine == AccessPattern::Machine::eight || pattern.bytes() < model::bank_bytes || !cost.valid())
        return {};
    model::PatternRow row;
    row.op = fmt::format("{}.{}", pattern.access == AccessPattern::Access::load ? "ld" : "st",
                         pattern.shared() ? "shared" : "global");
    row.pattern = cost.pattern;
    return row;
}

} // namespace viz
