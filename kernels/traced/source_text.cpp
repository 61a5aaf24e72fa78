#include "traced/source_text.h"

#include "error.h"
#include "traced/struct_text.h"
#include "traced/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

namespace traced {

namespace {

bool is_same(const TypeName& a, const TypeName& b)
{
    return a.base == b.base && a.pointers == b.pointers &&
           (a.pointers == 0 || a.points_to_constant == b.points_to_constant);
}

std::size_t skip_blanks(std::string_view text, std::size_t at)
{
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0)
        ++at;
    return at;
}

WrittenParameter parameter_of(const std::string& text)
{
    std::string rest = trimmed(std::string_view(text).substr(0, text.find('=')));
    bool is_array = false;
    if (const std::size_t bracket = rest.find('['); bracket != std::string::npos) {
        rest = trimmed(std::string_view(rest).substr(0, bracket));
        is_array = true;
    }
    std::size_t begin = rest.size();
    while (begin > 0 && is_word(rest[begin - 1]))
        --begin;
    WrittenParameter result{trimmed(std::string_view(rest).substr(0, begin)) + (is_array ? "*" : ""),
                            rest.substr(begin)};
    if (result.type.empty()) // the parameter has no name
        std::swap(result.type, result.name);
    return result;
}

// Returns the parameters of the "template <...>" that ends right before the kernel.
std::vector<std::string> template_before(std::string_view text, std::size_t kernel)
{
    std::size_t end = kernel;
    while (end > 0 && (std::isspace(static_cast<unsigned char>(text[end - 1])) != 0))
        --end;
    for (const std::string_view word : {"static", "inline"})
        if (end >= word.size() && text.substr(end - word.size(), word.size()) == word) {
            end -= word.size();
            while (end > 0 && std::isspace(static_cast<unsigned char>(text[end - 1])) != 0)
                --end;
        }
    if (end == 0 || text[end - 1] != '>')
        return {};
    int depth = 0;
    std::size_t begin = end;
    while (begin > 0) {
        --begin;
        depth += text[begin] == '>';
        depth -= text[begin] == '<';
        if (depth == 0)
            break;
    }
    std::size_t before = begin;
    while (before > 0 && std::isspace(static_cast<unsigned char>(text[before - 1])) != 0)
        --before;
    constexpr std::string_view mark = "template";
    if (before < mark.size() || text.substr(before - mark.size(), mark.size()) != mark) // for example #include <...>
        return {};
    std::vector<std::string> names;
    for (const std::string& one : split_at_commas(text.substr(begin + 1, end - begin - 2)))
        names.push_back(parameter_of(one).name);
    return names;
}

} // namespace

std::string only_code(std::string_view text)
{
    std::string result(text);
    const std::vector<Part> parts = parts_of(text);
    for (std::size_t i = 0; i < result.size(); ++i)
        if (parts[i] != Part::code && result[i] != '\n')
            result[i] = ' ';
    return result;
}

namespace {

constexpr std::string_view kernel_word = "__global__", device_word = "__device__";
static_assert(kernel_word.size() == device_word.size());

// Returns the positions of "__global__", and of macros for it: KERNEL in "#define KERNEL __global__ void".
std::map<std::size_t, std::size_t> marks_of_kernels(const std::string& code)
{
    std::map<std::size_t, std::size_t> marks; // position and length of each
    std::vector<std::string> words = {std::string(kernel_word)};
    for (std::size_t i = 0; i < words.size(); ++i)
        for (std::size_t at = find_word(code, words[i]); at != std::string::npos;
             at = find_word(code, words[i], at + words[i].size())) {
            const std::size_t line = at == 0 ? 0 : code.rfind('\n', at - 1) + 1; // npos + 1 is 0
            const std::string before = trimmed(std::string_view(code).substr(line, at - line));
            constexpr std::string_view define = "#define ";
            if (!before.starts_with('#'))
                marks[at] = words[i].size();
            else if (before.starts_with(define)) {
                const std::size_t name = skip_blanks(before, define.size());
                std::string macro = word_at(before, name);
                if (name + macro.size() < before.size() && before[name + macro.size()] == '(')
                    continue;
                if (!macro.empty() && std::ranges::find(words, macro) == words.end())
                    words.push_back(std::move(macro));
            }
        }
    return marks;
}

struct MarkedKernel {
    std::size_t at = 0; // position of its marker
    WrittenKernel kernel;
    bool specializes = false; // whether it specializes a template
};

// Returns whether two functions of one name are overloads. A declaration may omit the names of parameters. The name
// found here is then a part of the type.
bool overload(const WrittenKernel& one, const WrittenKernel& other)
{
    if (!one.template_parameters.empty() || !other.template_parameters.empty())
        return false;
    return !std::ranges::equal(one.parameters, other.parameters,
                               [](const WrittenParameter& a, const WrittenParameter& b) {
                                   return a.type.empty() || b.type.empty() || a.name.empty() || b.name.empty() ||
                                          is_same(type_name(a.type), type_name(b.type));
                               });
}

// Returns the kernels in the order of the text, including declarations.
std::vector<MarkedKernel> marked_kernels(const std::string& code)
{
    std::vector<MarkedKernel> result;
    uint32_t line = 1;
    std::size_t counted = 0; // position up to which lines have been counted
    for (const auto& [at, length] : marks_of_kernels(code)) {
        WrittenKernel kernel;
        bool specializes = false;
        line += static_cast<uint32_t>(std::count(code.begin() + static_cast<std::ptrdiff_t>(counted),
                                                 code.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
        counted = at;
        kernel.line = line;
        std::size_t next = at + length;
        while (next < code.size()) {
            next = skip_blanks(code, next);
            const std::string word = word_at(code, next);
            if (word.empty())
                break;
            next = skip_blanks(code, next + word.size());
            if (next >= code.size() || code[next] != '(') {
                specializes = next < code.size() && code[next] == '<';
                if (specializes)
                    next = after_bracket(code, next, "<", ">");
                if (next >= code.size() || code[next] != '(')
                    continue;
            }
            const std::size_t end = after_bracket(code, next, "(", ")");
            if (word == "__launch_bounds__" || word == "__cluster_dims__" || word == "__attribute__" ||
                word == "__maxnreg__") {
                next = end;
                continue;
            }
            kernel.name = word;
            for (const std::string& one : split_at_commas(std::string_view(code).substr(next + 1, end - next - 2)))
                if (!one.empty() && one != "void")
                    kernel.parameters.push_back(parameter_of(one));
            break;
        }
        kernel.template_parameters = template_before(code, at);
        if (!kernel.name.empty())
            result.push_back({at, std::move(kernel), specializes});
    }
    return result;
}

} // namespace

std::vector<WrittenKernel> kernels_in(std::string_view text)
{
    std::vector<WrittenKernel> result;
    for (MarkedKernel& one : marked_kernels(only_code(text)))
        if (std::ranges::none_of(result, [&one](const WrittenKernel& other) {
                return other.name == one.kernel.name && (one.specializes || !overload(other, one.kernel));
            }))
            result.push_back(std::move(one.kernel));
    return result;
}

std::string name_among(const std::vector<WrittenKernel>& all, const WrittenKernel& kernel)
{
    if (std::ranges::count(all, kernel.name, &WrittenKernel::name) < 2)
        return kernel.name;
    std::string types;
    for (const WrittenParameter& parameter : kernel.parameters)
        types += (types.empty() ? "" : ", ") + parameter.type;
    return fmt::format("{}({})", kernel.name, types);
}

std::string_view base_of_kernel(std::string_view name)
{
    return name.substr(0, name.find_first_of("<("));
}

const WrittenKernel* kernel_called(const std::vector<WrittenKernel>& all, std::string_view name)
{
    const std::size_t open = name.find('(');
    std::string_view base = base_of_kernel(name);
    if (const std::size_t scope = base.rfind("::"); scope != std::string_view::npos)
        base.remove_prefix(scope + 2);
    std::vector<std::string> types;
    if (open != std::string_view::npos)
        types = split_at_commas(name.substr(open + 1, name.rfind(')') - open - 1));
    const auto has_types = [&](const WrittenKernel& kernel) {
        return open == std::string_view::npos ||
               std::ranges::equal(types, kernel.parameters,
                                  [](const std::string& type, const WrittenParameter& parameter) {
                                      return is_same(type_name(type), type_name(parameter.type));
                                  });
    };
    for (const WrittenKernel& kernel : all)
        if (kernel.name == base && has_types(kernel))
            return &kernel;
    return nullptr;
}

std::string with_one_kernel(std::string_view text, std::string_view named, std::size_t many)
{
    std::string_view name = base_of_kernel(named);
    if (const std::size_t scope = name.rfind("::"); scope != std::string_view::npos)
        name.remove_prefix(scope + 2);
    std::string result(text);
    const std::vector<MarkedKernel> all = marked_kernels(only_code(text));
    if (all.size() < many)
        return result;
    for (const MarkedKernel& one : all)
        if (one.kernel.name != name && text.substr(one.at, kernel_word.size()) == kernel_word)
            result.replace(one.at, device_word.size(), device_word);
    return result;
}

bool has_main(std::string_view text)
{
    const std::string code = only_code(text);
    for (std::size_t at = find_word(code, "main"); at != std::string::npos; at = find_word(code, "main", at + 1))
        if (std::string_view(code).substr(skip_blanks(code, at + 4)).starts_with('('))
            return true;
    return false;
}

bool has_host_code(std::string_view text)
{
    const std::string code = only_code(text);
    return code.find("<<<") != std::string::npos || code.find("cudaMalloc") != std::string::npos || has_main(text);
}

std::map<std::string, WrittenArray> shared_arrays_in(std::string_view text, uint32_t from_line)
{
    const std::string code = only_code(text);
    std::map<std::string, WrittenArray> before, result;
    constexpr std::string_view mark = "__shared__";
    for (std::size_t at = code.find(mark); at != std::string::npos; at = code.find(mark, at + mark.size())) {
        const std::size_t end = code.find_first_of(";{=", at);
        std::string rest = trimmed(
            std::string_view(code).substr(at + mark.size(), end == std::string::npos ? end : end - at - mark.size()));
        const auto line = 1 + std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        std::map<std::string, WrittenArray>& found = line < from_line ? before : result;
        std::string type;
        for (const std::string& one : split_at_commas(rest)) { // float As[8][128], Bs[8][128]
            const std::size_t bracket = one.find('[');
            WrittenArray array;
            for (std::size_t open = bracket; open != std::string::npos; open = one.find('[', open + 1)) {
                const std::size_t close = one.find(']', open);
                array.extents.push_back(trimmed(
                    std::string_view(one).substr(open + 1, close == std::string::npos ? close : close - open - 1)));
            }
            WrittenParameter named = parameter_of(one.substr(0, bracket));
            if (named.name.empty()) // has the type of the previous array
                std::swap(named.name, named.type);
            std::string own = named.type;
            if (own.starts_with("__align__") || own.starts_with("alignas"))
                own = trimmed(std::string_view(own).substr(std::min(own.find(')') + 1, own.size())));
            if (!own.empty())
                type = own;
            array.type = type;
            if (!named.name.empty())
                found.emplace(named.name, array);
        }
    }
    result.merge(before);
    return result;
}

Names constants_in(std::string_view text, Names known)
{
    const std::string code = only_code(text);
    Names result = std::move(known);
    const auto add = [&](const std::string& name, std::string_view value) {
        try {
            result[name] = evaluate(trimmed(value), result, name);
        } catch (const kernels::Error&) { // not a number
        }
    };
    for (std::size_t line = 0; line < code.size();) {
        const std::size_t end = std::min(code.find('\n', line), code.size());
        const std::string one = trimmed(std::string_view(code).substr(line, end - line));
        line = end + 1;
        if (one.starts_with("#define ")) {
            const std::string name = word_at(one, skip_blanks(one, 8));
            add(name, std::string_view(one).substr(std::min(one.size(), skip_blanks(one, 8) + name.size())));
            continue;
        }
        const std::size_t first = one.find('=');
        if (first == std::string::npos || one.find("const") == std::string::npos)
            continue;
        const std::size_t semicolon = one.find(';', first);
        bool is_constant = false;
        for (const std::string& part : split_at_commas(one.substr(0, semicolon))) { // const int A = 32, B = 8;
            const std::size_t equals = part.find('=');
            if (equals == std::string::npos)
                break;
            const WrittenParameter named = parameter_of(part.substr(0, equals));
            is_constant = is_constant || named.type.find("const") != std::string::npos;
            const std::string& name = named.name.empty() ? named.type : named.name; // a single word is the name
            if (is_constant && !name.empty() && !result.contains(name))
                add(name, std::string_view(part).substr(equals + 1));
        }
    }
    return result;
}

std::vector<std::pair<std::string, std::string>> facts_in(std::string_view text)
{
    constexpr std::string_view mark = "gemmscope:";
    std::vector<std::pair<std::string, std::string>> result;
    for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + mark.size())) {
        const std::size_t line = text.rfind('\n', at) == std::string_view::npos ? 0 : text.rfind('\n', at) + 1;
        if (trimmed(text.substr(line, at - line)) != "//")
            continue;
        std::string_view rest =
            text.substr(at + mark.size(), std::min(text.find('\n', at), text.size()) - at - mark.size());
        while (!(rest = rest.substr(std::min(rest.find_first_not_of(" \t\r"), rest.size()))).empty()) {
            const std::size_t equals = rest.find('=');
            if (equals == std::string_view::npos)
                throw kernels::Error(fmt::format(
                    "The comment '// gemmscope:' has '{}', which is no NAME=VALUE; it takes kernel, grid, block, "
                    "cluster, args, size, shared, buffer, include, define and check.",
                    trimmed(rest)));
            const std::string key(rest.substr(0, equals));
            rest.remove_prefix(equals + 1);
            const bool quoted = !rest.empty() && (rest[0] == '\'' || rest[0] == '"');
            const std::size_t end = quoted ? rest.find(rest[0], 1) : rest.find_first_of(" \t\r");
            if (quoted && end == std::string_view::npos)
                throw kernels::Error(
                    fmt::format("The comment '// gemmscope:' has a quote after {}= that is not closed.", key));
            result.emplace_back(key, rest.substr(quoted ? 1 : 0, quoted ? end - 1 : end));
            rest.remove_prefix(
                std::min(rest.size(), end == std::string_view::npos ? rest.size() : end + (quoted ? 1 : 0)));
        }
    }
    return result;
}

TypeName type_name(std::string_view text)
{
    TypeName result;
    bool is_constant = false;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] == '*') {
            if (result.pointers++ == 0)
                result.points_to_constant = is_constant;
            ++i;
        } else if (is_word(text[i])) {
            std::string word = word_at(text, i);
            i += word.size();
            while (text.substr(i).starts_with("::")) { // std::uint32_t
                const std::string inner = word_at(text, i + 2);
                i += 2 + inner.size();
                word = inner;
            }
            if (word == "const")
                is_constant = true;
            else if (word != "volatile" && word != "__restrict__" && word != "restrict" && word != "__restrict" &&
                     word != "struct" && word != "__grid_constant__")
                result.base += (result.base.empty() ? "" : " ") + word;
        } else if (text[i] == '<') {
            const std::size_t end = after_bracket(text, i, "<", ">");
            result.base += text.substr(i, end - i);
            i = end;
        } else {
            ++i;
        }
    }
    return result;
}

uint32_t bytes_of_type(std::string_view base)
{
    using Row = std::pair<std::string_view, uint32_t>;
    static constexpr std::array rows = {Row{"float", 4},         Row{"double", 8},
                                        Row{"int", 4},           Row{"unsigned int", 4},
                                        Row{"unsigned", 4},      Row{"char", 1},
                                        Row{"signed char", 1},   Row{"unsigned char", 1},
                                        Row{"short", 2},         Row{"unsigned short", 2},
                                        Row{"long", 8},          Row{"unsigned long", 8},
                                        Row{"long long", 8},     Row{"unsigned long long", 8},
                                        Row{"bool", 1},          Row{"int8_t", 1},
                                        Row{"uint8_t", 1},       Row{"int16_t", 2},
                                        Row{"uint16_t", 2},      Row{"int32_t", 4},
                                        Row{"uint32_t", 4},      Row{"int64_t", 8},
                                        Row{"uint64_t", 8},      Row{"size_t", 8},
                                        Row{"half", 2},          Row{"__half", 2},
                                        Row{"__nv_bfloat16", 2}, Row{"nv_bfloat16", 2},
                                        Row{"half2", 4},         Row{"__half2", 4},
                                        Row{"float2", 8},        Row{"float4", 16},
                                        Row{"int2", 8},          Row{"int4", 16},
                                        Row{"uint4", 16},        Row{"double2", 16},
                                        Row{"uchar4", 4},        Row{"uint", 4}};
    const auto found = std::ranges::find(rows, base, &Row::first);
    return found == rows.end() ? 0 : found->second;
}

std::string shown_text(std::string_view text)
{
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u; };
        const unsigned first = byte(i);
        const std::size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
        bool good = length == 1 ? first >= 0x20 && first != 0x7f : length > 0 && first < 0xf5;
        good = good || first == '\n' || first == '\t' || first == '\r' || first == '\f';
        for (std::size_t j = 1; j < length; ++j)
            good = good && (byte(i + j) & 0xc0) == 0x80;
        const unsigned second = byte(i + 1);
        if (length > 1 &&
            ((first == 0xc2 && second < 0xa0) || (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
             (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)))
            good = false;
        result += good ? std::string(text.substr(i, length)) : "?";
        i += good ? length : 1;
    }
    return result;
}

std::string with_short_lists(const std::string& instruction)
{
    std::string result;
    std::size_t at = 0;
    for (std::size_t open = instruction.find('{'); open != std::string::npos; open = instruction.find('{', at)) {
        const std::size_t close = std::min(instruction.find('}', open), instruction.size());
        const std::vector<std::string> parts =
            split_at_commas(std::string_view(instruction).substr(open + 1, close - open - 1));
        result += instruction.substr(at, open - at);
        result +=
            parts.size() > 8 ? "{" + parts.front() + ", ..., " + parts.back() : instruction.substr(open, close - open);
        at = close;
    }
    return result + instruction.substr(at);
}

} // namespace traced
