#include "traced/struct_text.h"

#include "error.h"
#include "traced/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace traced {

namespace {

// Returns whether the text contains R"(...)", also after u8, u, U or L. The end of a quoted "WNITER" does not count.
bool has_raw_string(std::string_view text)
{
    for (std::size_t at = text.find("R\""); at != std::string_view::npos; at = text.find("R\"", at + 1))
        if (at == 0 || !is_word(text[at - 1]) || std::string_view("8uUL").find(text[at - 1]) != std::string_view::npos)
            return true;
    return false;
}

} // namespace

std::vector<Part> parts_of(std::string_view text)
{
    std::vector<Part> parts(text.size(), Part::code);
    enum class In { code, line, block, quoted, letter } in = In::code;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
        const bool quoted = in == In::quoted || in == In::letter;
        if (in == In::code && c == '/' && (next == '/' || next == '*'))
            in = next == '/' ? In::line : In::block;
        else if (in == In::code && (c == '"' || (c == '\'' && (i == 0 || !is_word(text[i - 1])))))
            in = c == '"' ? In::quoted : In::letter;
        else if (in == In::line && c == '\n')
            in = In::code;
        else if (in == In::block && c == '*' && next == '/') {
            parts[i] = parts[i + 1] = Part::comment;
            ++i;
            in = In::code;
            continue;
        } else if ((in == In::quoted && c == '"') || (in == In::letter && c == '\'')) {
            in = In::code;
            continue;
        }
        const Part part = in == In::code                      ? Part::code
                          : in == In::line || in == In::block ? Part::comment
                                                              : Part::quoted;
        parts[i] = part;
        if (quoted && c == '\\' && next != '\0')
            parts[++i] = part;
    }
    return parts;
}

std::string compiled_words(std::string_view text)
{
    if (has_raw_string(text)) // a quotation mark inside it is not its end
        return std::string(text);
    std::string result;
    const std::vector<Part> parts = parts_of(text);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool blank = parts[i] != Part::quoted &&
                           (text[i] == ' ' || text[i] == '\t' || parts[i] == Part::comment) && text[i] != '\n';
        const char last = result.empty() ? '\n' : result.back();
        // After a continued line a blank separates words.
        const bool begins_line = last == '\n' && !result.ends_with("\\\n");
        if (!blank) {
            if (text[i] == '\n' && last == ' ')
                result.pop_back();
            result += text[i];
        } else if (last != ' ' && !begins_line) {
            result += ' ';
        }
    }
    return result;
}

namespace {

constexpr int deepest_struct = 8;
constexpr uint64_t most_members = 256;

// Returns the text between the braces of "struct NAME {...}" or "typedef struct {...} NAME;".
std::optional<std::string> body_of(std::string_view code, std::string_view name)
{
    for (std::size_t at = find_word(code, "struct"); at != std::string_view::npos;
         at = find_word(code, "struct", at + 1)) {
        const std::size_t open = code.find_first_of("{;", at);
        if (open == std::string_view::npos || code[open] != '{')
            continue;
        const std::size_t close = closing_bracket(code, open, "{", "}");
        if (close == std::string_view::npos)
            continue;
        const std::string before = trimmed(code.substr(at + 6, open - at - 6));
        const std::string after =
            trimmed(code.substr(close + 1, std::min(code.find(';', close), code.size()) - close - 1));
        const std::string own = before.substr(before.find_last_of(" \t\n)") + 1); // skips __align__(16)
        if (own == name || after == name)
            return std::string(code.substr(open + 1, close - open - 1));
    }
    return {};
}

// Returns the layout of a vector type: float4 is four floats, aligned together to at most 16 bytes.
std::optional<StructLayout> vector_type(std::string_view name)
{
    struct Row {
        std::string_view name;
        uint64_t bytes;
    };
    constexpr std::array scalars = {Row{"char", 1},     Row{"uchar", 1},     Row{"short", 2}, Row{"ushort", 2},
                                    Row{"int", 4},      Row{"uint", 4},      Row{"long", 8},  Row{"ulong", 8},
                                    Row{"longlong", 8}, Row{"ulonglong", 8}, Row{"float", 4}, Row{"double", 8}};
    const bool is_dim = name == "dim3";
    const std::string_view base = is_dim ? "uint" : name.substr(0, name.empty() ? 0 : name.size() - 1);
    const auto found = std::ranges::find(scalars, base, &Row::name);
    const int count = is_dim ? 3 : name.empty() ? 0 : name.back() - '0';
    if (found == scalars.end() || count < 1 || count > 4)
        return {};
    StructLayout layout;
    for (int i = 0; i < count; ++i)
        layout.members.push_back({.type = {.base = std::string(base == "uint" ? "unsigned int" : base)},
                                  .name = std::string(1, "xyzw"[i]),
                                  .first = static_cast<uint64_t>(i) * found->bytes,
                                  .bytes = found->bytes});
    layout.bytes = found->bytes * static_cast<uint64_t>(count);
    layout.alignment = count == 3 ? found->bytes : std::min<uint64_t>(16, layout.bytes);
    return layout;
}

class Reader {
public:
    Reader(std::string_view text, const std::string& code) : code_(code), names_(constants_in(text)) {}

    std::optional<StructLayout> read(std::string_view name, int depth) const
    {
        if (auto known = vector_type(name))
            return known;
        const std::optional<std::string> body = depth > deepest_struct ? std::nullopt : body_of(code_, name);
        if (!body)
            return {};
        StructLayout layout;
        for (const std::string& statement : statements_of(*body))
            if (!add(layout, statement, depth))
                return {};
        layout.bytes = (layout.bytes + layout.alignment - 1) / layout.alignment * layout.alignment;
        return layout.members.empty() ? std::nullopt : std::optional(layout);
    }

private:
    // Returns the declarations of data; functions and the content of their braces are omitted.
    static std::vector<std::string> statements_of(const std::string& body)
    {
        std::vector<std::string> result;
        std::string one;
        for (std::size_t i = 0; i < body.size(); ++i) {
            const bool function = body[i] == '{' && one.find('(') != std::string::npos;
            if (function) {
                i = std::min(closing_bracket(body, i, "{", "}"), body.size());
                one.clear();
            } else if (body[i] == ';') {
                const std::string words = trimmed(one);
                const bool data = !words.empty() && words.find('(') == std::string::npos &&
                                  !words.starts_with("static ") && !words.starts_with("using ");
                if (data)
                    result.push_back(words);
                one.clear();
            } else {
                one += body[i];
            }
        }
        return result;
    }

    // Adds the members of a declaration such as "const float *a, *b" or "int n[3] = {}".
    bool add(StructLayout& layout, const std::string& statement, int depth) const
    {
        std::string type;
        for (std::string one : split_at_commas(statement)) {
            one = trimmed(std::string_view(one).substr(0, one.find_first_of("={")));
            uint64_t count = 1;
            if (const std::size_t open = one.find('['); open != std::string::npos) {
                try {
                    const std::size_t close = std::min(one.find(']', open), one.size());
                    count = static_cast<uint64_t>(evaluate(one.substr(open + 1, close - open - 1), names_, "a member"));
                } catch (const kernels::Error&) {
                    return false;
                }
                one = trimmed(std::string_view(one).substr(0, open));
            }
            std::size_t begin = one.size();
            while (begin > 0 && is_word(one[begin - 1]))
                --begin;
            const std::string before = trimmed(std::string_view(one).substr(0, begin));
            const std::string stars = before.substr(std::min(before.find('*'), before.size()));
            if (before.find_first_not_of("* \t") != std::string::npos) // otherwise the previous member's type applies
                type = before.substr(0, before.find('*'));
            if (count > most_members || !place(layout, type_name(type + stars), {one.substr(begin), count, depth}))
                return false;
        }
        return true;
    }

    struct Placing {
        std::string name;
        uint64_t count;
        int depth;
    };

    bool place(StructLayout& layout, const TypeName& type, const Placing& what) const
    {
        const uint64_t bytes = type.pointers > 0 ? 8 : bytes_of_type(type.base);
        std::optional<StructLayout> inner;
        if (type.pointers == 0 && (bytes == 0 || bytes > 8 || vector_type(type.base)))
            inner = read(type.base, what.depth + 1);
        if (!inner && bytes == 0)
            return false;
        const uint64_t alignment = inner ? inner->alignment : bytes, size = inner ? inner->bytes : bytes;
        layout.alignment = std::max(layout.alignment, alignment);
        layout.bytes = (layout.bytes + alignment - 1) / alignment * alignment;
        for (uint64_t i = 0; i < what.count; ++i, layout.bytes += size) {
            const std::string name = what.count > 1 ? fmt::format("{}[{}]", what.name, i) : what.name;
            if (!inner)
                layout.members.push_back({type, name, layout.bytes, bytes});
            else
                for (const StructMember& member : inner->members)
                    layout.members.push_back(
                        {member.type, name + "." + member.name, layout.bytes + member.first, member.bytes});
        }
        return layout.members.size() <= most_members;
    }

    const std::string& code_;
    Names names_;
};

} // namespace

std::optional<StructLayout> struct_in(std::string_view text, std::string_view name)
{
    const std::string code = only_code(text);
    return Reader(text, code).read(name, 0);
}

} // namespace traced
