#include "traced/host_code.h"

#include "traced/source_text.h"
#include "traced/words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace traced {

namespace {

constexpr std::array device_words = {"__global__", "__device__", "__constant__", "__shared__", "__managed__"};

std::string without_directives(std::string code)
{
    for (std::size_t line = 0; line < code.size();) {
        std::size_t end = std::min(code.find('\n', line), code.size());
        const std::size_t first = code.find_first_not_of(" \t", line);
        if (first < end && code[first] == '#') {
            while (end < code.size() && code[end - 1] == '\\')
                end = std::min(code.find('\n', end + 1), code.size());
            blank(code, line, end);
        }
        line = end + 1;
    }
    return code;
}

// Removes a leading "template <...>", which may contain parentheses and '='.
std::string_view without_template(std::string_view head)
{
    constexpr std::string_view word = "template";
    while (true) {
        head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
        const std::size_t open = head.find_first_not_of(" \t\r\n", word.size());
        if (!head.starts_with(word) || open == std::string_view::npos || head[open] != '<')
            return head;
        int depth = 0, round = 0;
        std::size_t at = open;
        for (; at < head.size(); ++at) {
            round += head[at] == '(' ? 1 : head[at] == ')' ? -1 : 0;
            depth += round != 0 ? 0 : head[at] == '<' ? 1 : head[at] == '>' ? -1 : 0;
            if (depth == 0)
                break;
        }
        head.remove_prefix(std::min(at + 1, head.size()));
    }
}

// Returns whether '=' initializes a variable. Default arguments and operator names do not count.
bool is_initialized(std::string_view head)
{
    int depth = 0; // nesting of parentheses and template arguments
    for (std::size_t at = 0; at < head.size(); ++at) {
        const char c = head[at];
        depth += c == '(' || c == '<' ? 1 : c == ')' || c == '>' ? -1 : 0;
        if (c == '=' && depth == 0)
            return !has_word(head.substr(0, at), "operator");
    }
    return false;
}

// Returns whether the code uses names that exist only on the host.
bool names_host(std::string_view code)
{
    for (std::size_t at = code.find("cuda"); at != std::string_view::npos; at = code.find("cuda", at + 1))
        if ((at == 0 || !is_word(code[at - 1])) && at + 4 < code.size() &&
            std::isupper(static_cast<unsigned char>(code[at + 4])) != 0)
            return true;
    constexpr std::array parts = {"std::", "namespace std", "thrust::", "<<<"};
    constexpr std::array words = {"FILE", "timeval", "timespec"};
    return std::ranges::any_of(parts, [&](const char* one) { return code.find(one) != std::string_view::npos; }) ||
           std::ranges::any_of(words, [&](const char* one) { return has_word(code, one); });
}

// Returns whether this is a declaration without braces, of a variable or function that no kernel can use.
bool declares_for_host(std::string_view statement)
{
    const std::string_view head = without_template(statement);
    constexpr std::array others = {"using", "typedef", "namespace", "static_assert", "struct",   "class",
                                   "enum",  "union",   "concept",   "friend",        "template", "_Pragma",
                                   "asm",   "public",  "private",   "protected",     "texture"};
    const std::string first = word_at(head, 0);
    if (first == "template") { // an explicit instantiation
        const std::string_view what =
            head.substr(std::min(head.find_first_not_of(" \t\r\n", first.size()), head.size()));
        return !what.starts_with("struct") && !what.starts_with("class") && what.find('(') != std::string_view::npos;
    }
    if (std::ranges::find(others, first) != others.end())
        return false;
    const std::string_view declared = head.substr(0, head.find_first_of("=(["));
    const bool has_type = std::ranges::count_if(declared, is_word) > static_cast<std::ptrdiff_t>(first.size());
    if (head.substr(std::min(declared.size(), head.size())).starts_with("(*"))
        return true; // a pointer to a function
    if (!has_type)   // a macro
        return false;
    if (const std::size_t equals = head.find('='), open = head.find('('); open < equals)
        return true; // a function, or a variable with constructor arguments
    const bool constant = has_word(declared, "const") && declared.find('*') == std::string_view::npos;
    return !constant;
}

class HostCode {
public:
    HostCode(std::string_view text, const HostCodeHints& hints)
        : text_(text), code_(without_directives(only_code(text))), hints_(hints)
    {
        unsigned line = 1;
        std::size_t at = 0;
        for (const unsigned wrong : hints.wrong_lines) {
            for (; line < wrong && at < code_.size(); ++line)
                at = std::min(code_.find('\n', at), code_.size() - 1) + 1;
            wrong_.emplace_back(at, std::min(code_.find('\n', at), code_.size()));
        }
    }

    std::string out()
    {
        scan(0, code_.size(), false);
        return std::move(text_);
    }

private:
    std::size_t behind(std::size_t open) const { return after_bracket(code_, open, "({", ")}"); }

    std::string_view part(std::size_t first, std::size_t end) const
    {
        return std::string_view(code_).substr(first, end - first);
    }

    bool is_of_device(std::string_view code) const
    {
        const auto named = [&](std::string_view word) { return has_word(code, word); };
        return std::ranges::any_of(device_words, named) || std::ranges::any_of(hints_.device_macros, named);
    }

    bool is_wrong(std::size_t first, std::size_t end) const
    {
        return std::ranges::any_of(wrong_, [&](const auto& line) { return line.first < end && first <= line.second; });
    }

    // Returns where the item begins: after blanks, and in a class after "public:".
    std::size_t begin_of(std::size_t first, std::size_t end) const
    {
        while (true) {
            first = std::min(code_.find_first_not_of(" \t\r\n", first), end);
            const std::string word = word_at(code_, first);
            const std::size_t colon = code_.find_first_not_of(" \t", first + word.size());
            if ((word != "public" && word != "private" && word != "protected") || colon >= end || code_[colon] != ':')
                return first;
            first = colon + 1;
        }
    }

    bool is_method_of_host(std::string_view all) const
    {
        return all.find('(') != std::string_view::npos && names_host(all) && !is_initialized(all);
    }

    void declaration(std::size_t first, std::size_t end, bool in_class)
    {
        const std::string_view all = part(first, end);
        if (is_of_device(all))
            return;
        const bool of_host = in_class ? is_method_of_host(all)
                                      : (names_host(all) || declares_for_host(all)) && !has_word(all, "constexpr");
        if (of_host || is_wrong(first, end))
            blank(text_, first, end);
    }

    // Returns the end of the type and its declarators.
    std::size_t type(std::size_t first, std::size_t open, std::size_t end)
    {
        const std::size_t last = std::min(code_.find(';', end), code_.size() - 1) + 1;
        const std::string_view all = part(first, last);
        if (is_of_device(all) || has_word(all, "constexpr"))
            scan(open + 1, end - 1, true);
        else if (names_host(all) || is_wrong(first, last))
            blank(text_, first, last);
        return last;
    }

    // Handles a brace whose head begins at `first`. Returns the end of the item that it belongs to.
    std::size_t braces(std::size_t first, std::size_t open, bool in_class)
    {
        const std::string_view head = without_template(part(first, open));
        const std::size_t end = behind(open);
        const bool has_parameters = head.find('(') != std::string_view::npos;
        const bool is_type =
            has_word(head, "struct") || has_word(head, "class") || has_word(head, "union") || has_word(head, "enum");
        const bool aligned =
            has_word(head, "alignas") || has_word(head, "__align__") || has_word(head, "__attribute__");
        if (!has_parameters && !is_initialized(head) && (has_word(head, "namespace") || word_at(head, 0) == "extern")) {
            scan(open + 1, end - 1, false);
            return end;
        }
        const bool initialized = is_initialized(head);
        if (is_type && !initialized && (!has_parameters || aligned))
            return type(first, open, end);
        const bool constant = has_word(head, "const") && !has_parameters && head.find('*') == std::string_view::npos;
        if (initialized || constant || (in_class && !has_parameters)) { // a variable with an initializer
            const std::size_t last = std::min(code_.find(';', end), code_.size() - 1) + 1;
            declaration(first, last, in_class);
            return last;
        }
        if (!is_of_device(part(first, open)) && (!has_word(head, "constexpr") || is_wrong(first, end)))
            blank(text_, first, end);
        return end;
    }

    void scan(std::size_t at, std::size_t end, bool in_class)
    {
        std::size_t first = at;
        while (at < end) {
            const char c = code_[at];
            if (c == '(') {
                at = behind(at);
                continue;
            }
            if (c != '{' && c != ';') {
                ++at;
                continue;
            }
            first = begin_of(first, at);
            if (c == ';')
                declaration(first, at + 1, in_class);
            first = at = c == '{' ? braces(first, at, in_class) : at + 1;
        }
    }

    std::string text_;
    const std::string code_;
    const HostCodeHints& hints_;
    std::vector<std::pair<std::size_t, std::size_t>> wrong_; // ranges of lines, as [first character, end)
};

} // namespace

std::vector<std::string> device_macros(std::string_view text, std::vector<std::string> known)
{
    const std::string code = only_code(text);
    for (std::size_t line = 0; line < code.size();) {
        std::size_t end = std::min(code.find('\n', line), code.size());
        while (end > line && end < code.size() && code[end - 1] == '\\')
            end = std::min(code.find('\n', end + 1), code.size());
        const std::string one = trimmed(std::string_view(code).substr(line, end - line));
        line = end + 1;
        const std::size_t define = one.find("define");
        if (!one.starts_with('#') || define == std::string::npos || !trimmed(one.substr(1, define - 1)).empty())
            continue;
        const std::string_view rest = std::string_view(one).substr(
            std::min(one.find_first_not_of(" \t", define + std::string_view("define").size()), one.size()));
        std::string name = word_at(rest, 0);
        const auto named = [&](std::string_view word) { return has_word(rest.substr(name.size()), word); };
        if (!name.empty() && (std::ranges::any_of(device_words, named) || std::ranges::any_of(known, named)))
            known.push_back(std::move(name));
    }
    return known;
}

std::string without_host_code(std::string_view text, const HostCodeHints& hints)
{
    return HostCode(text, hints).out();
}

} // namespace traced
