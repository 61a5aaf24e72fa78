#include "tests/fuzz/changed_ptx.h"

#include "ptx/program.h"
#include "ptx/tensor_map.h"
#include "ptx/text.h"
#include "recording/disk.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <span>

namespace fuzz {

namespace {

using Words = std::vector<PtxWord>;

constexpr std::array numbers = {"0",
                                "1",
                                "2",
                                "3",
                                "4",
                                "7",
                                "8",
                                "15",
                                "16",
                                "17",
                                "31",
                                "32",
                                "33",
                                "63",
                                "64",
                                "96",
                                "127",
                                "128",
                                "255",
                                "256",
                                "1023",
                                "1024",
                                "-1",
                                "-16",
                                "-32",
                                "100",
                                "511",
                                "4096",
                                "65535",
                                "65536",
                                "2147483647",
                                "2147483648",
                                "4294967295",
                                "4294967296",
                                "9223372036854775808",
                                "18446744073709551615",
                                "0f7FC00000",
                                "0d7FF0000000000000"};
constexpr std::array types = {"pred",  "b8",   "b16",    "b32",  "b64",    "b128",   "u8",   "u16",
                              "u32",   "u64",  "s8",     "s16",  "s32",    "s64",    "f16",  "f32",
                              "f16x2", "bf16", "bf16x2", "tf32", "e4m3x2", "e5m2x2", "e4m3", "f64",
                              "e5m2",  "v2",   "v4",     "v8",   "x1",     "x2",     "x4"};

template <class List>
const auto& any(const List& list, Random& random)
{
    return list[random() % std::size(list)];
}

bool is_mark(const PtxWord& word, std::string_view mark)
{
    return word.text == mark;
}

struct Range {
    std::size_t first = 0, end = 0;
};

// Returns the range of words on the line of this word.
Range line_of(const Words& words, std::size_t at)
{
    Range range{at, at};
    while (range.first > 0 && words[range.first - 1].line == words[at].line)
        --range.first;
    while (range.end < words.size() && words[range.end].line == words[at].line)
        ++range.end;
    return range;
}

std::vector<std::size_t> places(const Words& words, const auto& wanted)
{
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (wanted(words[i]))
            result.push_back(i);
    return result;
}

bool is_opcode(const PtxWord& word)
{
    return word.text.find('.') != std::string::npos && word.text[0] >= 'a' && word.text[0] <= 'z';
}

std::vector<std::string> parts_of_opcode(const std::string& text)
{
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('.', at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

// Returns a random type, or a random suffix of an opcode in the seeds.
std::string some_suffix(const std::vector<PtxSeed>& seeds, Random& random)
{
    if (random() % 2 == 0)
        return any(types, random);
    const Words& words = any(seeds, random).words;
    const std::vector<std::size_t> opcodes = places(words, is_opcode);
    if (opcodes.empty())
        return any(types, random);
    const std::vector<std::string> parts = parts_of_opcode(words[any(opcodes, random)].text);
    return parts[1 + random() % (parts.size() - 1)];
}

void change_opcode(const std::vector<PtxSeed>& seeds, Words& words, Random& random)
{
    const std::vector<std::size_t> opcodes = places(words, is_opcode);
    if (opcodes.empty())
        return;
    std::string& text = words[any(opcodes, random)].text;
    std::vector<std::string> parts = parts_of_opcode(text);
    const std::size_t at = 1 + random() % (parts.size() - 1);
    switch (random() % 4) {
    case 0: parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at)); break;
    case 1: parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(at), some_suffix(seeds, random)); break;
    default: parts[at] = some_suffix(seeds, random);
    }
    text = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i)
        text += "." + parts[i];
}

// Removes or repeats a comma together with the word before or after it.
void change_operands(Words& words, Random& random)
{
    const std::vector<std::size_t> commas = places(words, [](const PtxWord& word) { return is_mark(word, ","); });
    if (commas.empty())
        return;
    const auto at = words.begin() + static_cast<std::ptrdiff_t>(any(commas, random));
    const auto other = random() % 2 == 0 || at + 1 == words.end() ? at - 1 : at + 1;
    if (random() % 2 == 0) {
        words.erase(std::min(at, other), std::max(at, other) + 1);
        return;
    }
    const Words pair(std::min(at, other), std::max(at, other) + 1);
    words.insert(at, pair.begin(), pair.end());
}

// Makes a list in braces shorter, longer or empty, or replaces it by its first element without braces.
void change_list(Words& words, Random& random)
{
    std::vector<Range> lists;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (is_mark(words[i], "{")) {
            const Range line = line_of(words, i);
            const auto close = std::find_if(words.begin() + static_cast<std::ptrdiff_t>(i),
                                            words.begin() + static_cast<std::ptrdiff_t>(line.end),
                                            [](const PtxWord& word) { return is_mark(word, "}"); });
            if (close != words.begin() + static_cast<std::ptrdiff_t>(line.end))
                lists.push_back({i, static_cast<std::size_t>(close - words.begin())});
        }
    if (lists.empty())
        return;
    const auto [first, end] = any(lists, random);
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(first);
    const std::size_t count = (end - first) / 2; // the commas are counted as well
    switch (random() % 4) {
    case 0: words.erase(begin + 1, words.begin() + static_cast<std::ptrdiff_t>(end)); break;
    case 1: // removes the last ones
        if (count > 1) {
            const std::size_t kept = 1 + random() % (count - 1);
            words.erase(begin + static_cast<std::ptrdiff_t>(2 * kept),
                        words.begin() + static_cast<std::ptrdiff_t>(end));
        }
        break;
    case 2: // repeats some
        if (count > 0) {
            const Words more(begin + 1, begin + 1 + static_cast<std::ptrdiff_t>(2 * (1 + random() % count) - 1));
            words.insert(begin + 1, {",", words[first].line});
            words.insert(words.begin() + static_cast<std::ptrdiff_t>(first) + 1, more.begin(), more.end());
        }
        break;
    default: // keeps one, without braces
        if (count > 0) {
            const PtxWord one = words[first + 1];
            words.erase(begin, words.begin() + static_cast<std::ptrdiff_t>(end) + 1);
            words.insert(words.begin() + static_cast<std::ptrdiff_t>(first), one);
        }
    }
}

// Replaces a register, a name or a number by another one of the text, by a special number, or by "_".
void change_word(Words& words, Random& random)
{
    const auto is_operand = [](const PtxWord& word) {
        const char c = word.text.empty() ? ' ' : word.text[0];
        return c == '%' || c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z' && !is_opcode(word));
    };
    const std::vector<std::size_t> operands = places(words, is_operand);
    if (operands.empty())
        return;
    PtxWord& one = words[any(operands, random)];
    one.text = random() % 3 == 0 ? any(numbers, random) : random() % 16 == 0 ? "_" : words[any(operands, random)].text;
}

void change_number(Words& words, Random& random)
{
    const std::vector<std::size_t> all = places(
        words, [](const PtxWord& word) { return !word.text.empty() && word.text[0] >= '0' && word.text[0] <= '9'; });
    if (!all.empty())
        words[any(all, random)].text = any(numbers, random);
}

// Changes the type in a declaration of registers, variables or parameters.
void change_declaration(Words& words, Random& random)
{
    const std::vector<std::size_t> all = places(words, [](const PtxWord& word) {
        return word.text.size() > 1 && word.text[0] == '.' &&
               ptx::type_of(std::string_view(word.text).substr(1)).has_value();
    });
    if (!all.empty())
        words[any(all, random)].text = std::string(".") + any(types, random);
}

// Removes, repeats or moves a line, or inserts one of another seed.
void change_line(const std::vector<PtxSeed>& seeds, Words& words, Random& random)
{
    if (words.empty())
        return;
    const std::size_t at = random() % words.size();
    const Range line = line_of(words, at);
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(line.first),
               end = words.begin() + static_cast<std::ptrdiff_t>(line.end);
    Words moved(first, end);
    switch (random() % 4) {
    case 0: words.erase(first, end); return;
    case 1: words.insert(first, moved.begin(), moved.end()); return;
    case 2: words.erase(first, end); break;
    default: {
        const Words& others = any(seeds, random).words;
        if (others.empty())
            return;
        const Range other = line_of(others, random() % others.size());
        moved.assign(others.begin() + static_cast<std::ptrdiff_t>(other.first),
                     others.begin() + static_cast<std::ptrdiff_t>(other.end));
    }
    }
    if (words.empty())
        return;
    const std::size_t to = line_of(words, random() % words.size()).first;
    for (PtxWord& word : moved)
        word.line = words[to].line;
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(to), moved.begin(), moved.end());
}

// Removes any word, or inserts a copy of one.
void change_any(Words& words, Random& random)
{
    if (words.empty())
        return;
    const std::size_t at = random() % words.size();
    if (random() % 2 == 0)
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
    else
        words.insert(words.begin() + static_cast<std::ptrdiff_t>(at),
                     Words(1 + random() % 3, words[random() % words.size()]).front());
}

void change(const std::vector<PtxSeed>& seeds, Words& words, Random& random)
{
    switch (random() % 16) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: return change_opcode(seeds, words, random);
    case 5:
    case 6: return change_operands(words, random);
    case 7:
    case 8: return change_list(words, random);
    case 9:
    case 10: return change_word(words, random);
    case 11: return change_number(words, random);
    case 12: return change_declaration(words, random);
    case 13:
    case 14: return change_line(seeds, words, random);
    default: return change_any(words, random);
    }
}

} // namespace

std::vector<PtxSeed> ptx_seeds(const std::filesystem::path& folder)
{
    std::vector<PtxSeed> seeds;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".ptx")
            continue;
        PtxSeed seed{.name = entry.path().stem().string()};
        const std::string text = recording::read_whole(entry.path(), recording::largest_source);
        if (std::sscanf(text.c_str(), "// threads %u, clusters of %u, dynamic shared memory %u", &seed.threads,
                        &seed.cluster, &seed.dynamic_shared) != 3)
            seed.threads = 64, seed.cluster = 1, seed.dynamic_shared = 0;
        for (const ptx::Token& token : ptx::tokens_of(text)) {
            const bool quoted = token.kind == ptx::Token::Kind::string;
            if (seed.kernel.empty() && !seed.words.empty() && seed.words.back().text == ".entry")
                seed.kernel = token.text;
            if (token.kind != ptx::Token::Kind::end)
                seed.words.push_back(
                    {quoted ? "\"" + std::string(token.text) + "\"" : std::string(token.text), token.line});
        }
        seeds.push_back(std::move(seed));
    }
    std::ranges::sort(seeds, {}, &PtxSeed::name); // an order that does not depend on the file system
    return seeds;
}

std::string text_of(const std::vector<PtxWord>& words)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0)
            text += words[i].line != words[i - 1].line ? '\n' : ' ';
        text += words[i].text;
    }
    return text;
}

std::vector<PtxWord> changed(const std::vector<PtxSeed>& seeds, const PtxSeed& seed, Random& random)
{
    std::vector<PtxWord> words = seed.words;
    for (uint64_t changes = 1 + random() % 4; changes > 0; --changes)
        change(seeds, words, random);
    return words;
}

std::array<std::byte, 128> changed_map(Random& random)
{
    ptx::TensorMap map{.address = ptx::global_address(0),
                       .axes = 2,
                       .element_bytes = 4,
                       .extent = {16, 16},
                       .stride = {4, 64},
                       .box = {8, 8}};
    map.swizzle = static_cast<uint32_t>(random() % 2 * 32);
    map.element = random() % 2 == 0 ? ptx::Type::f32 : ptx::Type::u32;
    auto bytes = ptx::bytes_of(map);
    constexpr std::array<uint64_t, 16> values = {0,   1,   2,   3,   5,      6,          8,          16,
                                                 127, 128, 255, 256, 0xffff, 0x7fffffff, 0xffffffff, ~uint64_t{0}};
    if (random() % 2 == 0)
        for (uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
            const std::size_t width = std::size_t{1} << random() % 4, at = random() % (96 / width) * width;
            const uint64_t value = random() % 4 == 0 ? random() : any(values, random);
            std::memcpy(bytes.data() + at, &value, width);
        }
    return bytes;
}

} // namespace fuzz
