#include "machine_code/ptx_words.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace cuda {

namespace {

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blank = " \t\r";
    const std::size_t first = text.find_first_not_of(blank);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::string_view without_comment(std::string_view line)
{
    return trimmed(line.substr(0, line.find("//")));
}

bool is_body(std::string_view text) // not a directive
{
    return !text.empty() && text[0] != '.';
}

// "{", "again: ...", but not "shared::cta".
bool begins_scope_or_label(std::string_view text)
{
    if (text.empty())
        return false;
    if (text[0] == '{' || text[0] == '}')
        return true;
    const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$");
    return end != std::string_view::npos && end > 0 && text[end] == ':' &&
           (end + 1 == text.size() || text[end + 1] != ':');
}

PtxText statement_of(std::string_view text, uint32_t line)
{
    PtxText result;
    result.line = line;
    if (text.starts_with('@')) {
        const std::size_t end = text.find_first_of(" \t");
        result.predicate = text.substr(1, end - 1);
        text = trimmed(text.substr(std::min(end, text.size())));
    }
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    result.name = text.substr(0, end);
    result.operands = split_operands(text.substr(end));
    return result;
}

std::vector<std::string> modifiers_of(std::string_view name)
{
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= name.size();) {
        const std::size_t end = std::min(name.find('.', at), name.size());
        parts.emplace_back(name.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

std::optional<PtxType> type_of(std::string_view word)
{
    if (word == "pred")
        return PtxType{1, false, false};
    if (word.size() < 2 || std::string_view("subf").find(word[0]) == std::string_view::npos)
        return std::nullopt;
    int bits = 0;
    const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), bits);
    if (error != std::errc() || end != word.data() + word.size())
        return word == "bf16" || word == "f16x2" || word == "bf16x2" ? std::optional(PtxType{32, false, true})
                                                                     : std::nullopt;
    return PtxType{bits, word[0] == 's', word[0] == 'f'};
}

std::optional<PtxCompare> comparison_of(std::string_view word)
{
    static const std::map<std::string_view, PtxCompare> words = {
        {"eq", PtxCompare::equal},         {"ne", PtxCompare::not_equal},  {"lt", PtxCompare::less},
        {"le", PtxCompare::less_equal},    {"gt", PtxCompare::greater},    {"ge", PtxCompare::greater_equal},
        {"lo", PtxCompare::less},          {"ls", PtxCompare::less_equal}, {"hi", PtxCompare::greater},
        {"hs", PtxCompare::greater_equal}, {"neu", PtxCompare::not_equal}};
    const auto found = words.find(word);
    return found == words.end() ? std::nullopt : std::optional(found->second);
}

using Names = std::map<std::string_view, PtxCode>;

// The first word of names that need no more than that and a type.
const Names& simple_codes()
{
    static const Names codes = {
        {"mov", PtxCode::move},        {"cvta", PtxCode::move},       {"add", PtxCode::add},
        {"sub", PtxCode::sub},         {"div", PtxCode::divide},      {"rem", PtxCode::remainder},
        {"min", PtxCode::minimum},     {"max", PtxCode::maximum},     {"shl", PtxCode::shift_left},
        {"shr", PtxCode::shift_right}, {"and", PtxCode::bit_and},     {"or", PtxCode::bit_or},
        {"xor", PtxCode::bit_xor},     {"not", PtxCode::bit_not},     {"neg", PtxCode::negate},
        {"abs", PtxCode::absolute},    {"cvt", PtxCode::convert},     {"selp", PtxCode::select},
        {"setp", PtxCode::compare},    {"bfi", PtxCode::insert_bits}, {"bfe", PtxCode::extract_bits},
        {"bra", PtxCode::branch},      {"ret", PtxCode::leave},       {"exit", PtxCode::leave},
        {"bar", PtxCode::barrier},     {"barrier", PtxCode::barrier}, {"prefetch", PtxCode::nothing},
        {"fma", PtxCode::data},        {"shfl", PtxCode::data},       {"mma", PtxCode::data},
        {"fence", PtxCode::nothing},   {"membar", PtxCode::nothing}};
    return codes;
}

bool has(const std::vector<std::string>& words, std::string_view wanted)
{
    return std::find(words.begin(), words.end(), wanted) != words.end();
}

PtxCode multiplication(const std::vector<std::string>& words, bool adds)
{
    if (has(words, "wide"))
        return adds ? PtxCode::mad_wide : PtxCode::mul_wide;
    if (has(words, "lo"))
        return adds ? PtxCode::mad_low : PtxCode::mul_low;
    return has(words, "hi") && !adds ? PtxCode::mul_high : PtxCode::data;
}

void classify_access(const std::vector<std::string>& words, PtxStatement& statement)
{
    int vector = 1;
    for (const std::string& word : words)
        if (word == "v2" || word == "v4")
            vector = word[1] - '0';
    statement.width = vector * statement.type.bits / 8;
    statement.space = has(words, "param")    ? PtxSpace::parameter
                      : has(words, "shared") ? PtxSpace::shared
                      : has(words, "global") ? PtxSpace::global
                                             : PtxSpace::none;
    if (statement.space == PtxSpace::parameter)
        statement.code = PtxCode::load_parameter;
    else if (statement.space == PtxSpace::none)
        statement.code = PtxCode::unknown; // generic and local memory
}

PtxCode code_of(const std::vector<std::string>& words)
{
    const std::string& first = words.front();
    if (first == "mul" || first == "mad")
        return multiplication(words, first == "mad");
    if (first == "ld")
        return PtxCode::load;
    if (first == "st")
        return PtxCode::store;
    if (first == "cp" && words.size() > 2 && words[1] == "async" && (words[2] == "ca" || words[2] == "cg"))
        return PtxCode::async_copy;
    if (first == "cp" && words.size() > 2 && (words[2] == "commit_group" || words[2] == "wait_group"))
        return PtxCode::nothing;
    if (first == "ldmatrix")
        return PtxCode::matrix_load;
    const auto found = simple_codes().find(first);
    return found == simple_codes().end() ? PtxCode::unknown : found->second;
}

bool moves_bits(PtxCode code) // whatever they mean
{
    return code == PtxCode::move || code == PtxCode::select || code == PtxCode::compare || code == PtxCode::load ||
           code == PtxCode::store || code == PtxCode::load_parameter;
}

} // namespace

std::vector<std::string> split_operands(std::string_view text)
{
    std::vector<std::string> result;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : ',';
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (c != ',' || (depth > 0 && i < text.size()))
            continue;
        if (const std::string_view one = trimmed(text.substr(start, i - start)); !one.empty())
            result.emplace_back(one);
        start = i + 1;
    }
    return result;
}

std::vector<PtxText> split_ptx(const std::vector<std::string>& lines)
{
    std::vector<PtxText> result;
    std::string pending; // a statement that goes on in the next line
    uint32_t begun = 0;
    bool inside = false; // between the kernel's braces
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::string_view rest = without_comment(lines[i]);
        const auto number = static_cast<uint32_t>(i + 1);
        if (pending.empty() && rest.starts_with(".section"))
            break; // what follows is for debuggers
        inside = inside || rest == "{";
        if (!inside || (pending.empty() && rest.starts_with(".loc")))
            continue;
        while (!rest.empty()) {
            if (pending.empty() && begins_scope_or_label(rest)) {
                const bool scope = rest[0] == '{' || rest[0] == '}';
                const std::size_t size = scope ? 1 : rest.find(':') + 1;
                if (!scope)
                    result.push_back({std::string(rest.substr(0, size - 1)), {}, {}, number, true});
                rest = trimmed(rest.substr(size));
                continue;
            }
            if (pending.empty())
                begun = number;
            const std::size_t end = rest.find(';');
            pending += std::string(rest.substr(0, end)) + " ";
            if (end == std::string_view::npos)
                break;
            if (const std::string_view text = trimmed(pending); is_body(text))
                result.push_back(statement_of(text, begun));
            pending.clear();
            rest = trimmed(rest.substr(end + 1));
        }
    }
    return result;
}

std::optional<PtxSharedArray> shared_array(std::string_view line)
{
    const std::string_view text = without_comment(line);
    const std::size_t bracket = text.find('[');
    if (text.find(".shared ") == std::string_view::npos || !text.starts_with('.') || bracket == std::string_view::npos)
        return std::nullopt;
    const auto number = [](std::string_view digits) {
        uint32_t value = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return value;
    };
    PtxSharedArray result;
    const std::size_t name = text.find_last_of(" \t", bracket) + 1;
    result.name = text.substr(name, bracket - name);
    result.bytes = number(text.substr(bracket + 1)); // of .b8: elements are bytes
    if (const std::size_t align = text.find(".align "); align != std::string_view::npos)
        result.alignment = std::max(number(text.substr(align + 7)), 1u);
    return result;
}

PtxStatement classify_ptx(const std::string& name)
{
    const std::vector<std::string> words = modifiers_of(name);
    PtxStatement statement;
    statement.name = name;
    statement.code = code_of(words);
    std::vector<PtxType> types;
    for (const std::string& word : words) {
        if (const auto type = type_of(word))
            types.push_back(*type);
        if (const auto comparison = comparison_of(word))
            statement.compare = *comparison;
    }
    if (!types.empty()) {
        statement.from = types.back();
        statement.type = types.size() > 1 ? types[types.size() - 2] : types.back();
    }
    const bool is_float = statement.type.is_float || statement.from.is_float;
    if (statement.code == PtxCode::load || statement.code == PtxCode::store)
        classify_access(words, statement);
    else if (statement.code == PtxCode::matrix_load)
        statement.width = has(words, "x4") ? 16 : has(words, "x2") ? 8 : 4;
    else if (is_float && !moves_bits(statement.code) && statement.code != PtxCode::unknown)
        statement.code = PtxCode::data;
    return statement;
}

} // namespace cuda
