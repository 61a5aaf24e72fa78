#include "traced/host_text.h"

#include "error.h"
#include "traced/source_text.h"
#include "traced/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace traced {

namespace {

// Places in the code of a whole word.
std::size_t find_word(std::string_view code, std::string_view word)
{
    for (std::size_t at = code.find(word); at != std::string_view::npos; at = code.find(word, at + 1))
        if ((at == 0 || !is_word(code[at - 1])) &&
            (at + word.size() == code.size() || !is_word(code[at + word.size()])))
            return at;
    return std::string_view::npos;
}

bool has_word(std::string_view code, std::string_view word)
{
    return find_word(code, word) != std::string_view::npos;
}

unsigned line_of(std::string_view text, std::size_t at)
{
    return static_cast<unsigned>(1 + std::ranges::count(text.substr(0, at), '\n'));
}

std::string without_directives(std::string code)
{
    for (std::size_t line = 0; line < code.size();) {
        std::size_t end = std::min(code.find('\n', line), code.size());
        const std::size_t first = code.find_first_not_of(" \t", line);
        if (first < end && code[first] == '#') {
            while (end < code.size() && code[end - 1] == '\\')
                end = std::min(code.find('\n', end + 1), code.size());
            std::replace_if(
                code.begin() + static_cast<std::ptrdiff_t>(line), code.begin() + static_cast<std::ptrdiff_t>(end),
                [](char c) { return c != '\n'; }, ' ');
        }
        line = end + 1;
    }
    return code;
}

class HostCode {
public:
    explicit HostCode(std::string_view text) : text_(text), code_(without_directives(only_code(text))) {}

    std::string out()
    {
        scan(0, code_.size());
        return std::move(text_);
    }

private:
    std::size_t behind(std::size_t open) const
    {
        int depth = 0;
        for (std::size_t i = open; i < code_.size(); ++i) {
            depth += code_[i] == '{' || code_[i] == '(';
            depth -= code_[i] == '}' || code_[i] == ')';
            if (depth == 0)
                return i + 1;
        }
        return code_.size();
    }

    std::string_view part(std::size_t first, std::size_t end) const
    {
        return std::string_view(code_).substr(first, end - first);
    }

    void blank(std::size_t first, std::size_t end)
    {
        std::replace_if(
            text_.begin() + static_cast<std::ptrdiff_t>(first), text_.begin() + static_cast<std::ptrdiff_t>(end),
            [](char c) { return c != '\n'; }, ' ');
    }

    static bool is_of_device(std::string_view code)
    {
        constexpr std::array words = {"__global__", "__device__", "__constant__", "__shared__", "__managed__"};
        return std::ranges::any_of(words, [&](const char* word) { return has_word(code, word); });
    }

    // It names what only a host has.
    static bool is_of_host(std::string_view code)
    {
        for (std::size_t at = code.find("cuda"); at != std::string_view::npos; at = code.find("cuda", at + 1))
            if ((at == 0 || !is_word(code[at - 1])) && at + 4 < code.size() &&
                std::isupper(static_cast<unsigned char>(code[at + 4])) != 0)
                return true;
        return code.find("std::") != std::string_view::npos || code.find("namespace std") != std::string_view::npos;
    }

    // A '=' that gives a variable its value: not one of a default argument, nor an operator's name.
    static bool is_variable(std::string_view head)
    {
        int depth = 0; // of parentheses and of template arguments
        for (std::size_t at = 0; at < head.size(); ++at) {
            const char c = head[at];
            depth += c == '(' || c == '<' ? 1 : c == ')' || c == '>' ? -1 : 0;
            if (c == '=' && depth == 0)
                return !has_word(head.substr(0, at), "operator");
        }
        return false;
    }

    void declaration(std::size_t first, std::size_t end)
    {
        const std::string_view all = part(first, end);
        if (is_of_host(all) && !is_of_device(all) && !has_word(all, "constexpr"))
            blank(first, end);
    }

    // What stands before a brace begins at `first`. Returns where what it belongs to ends.
    std::size_t braces(std::size_t first, std::size_t open, bool has_parameters)
    {
        const std::string_view head = part(first, open);
        const std::size_t end = behind(open);
        const bool is_type =
            has_word(head, "struct") || has_word(head, "class") || has_word(head, "union") || has_word(head, "enum");
        const bool aligned =
            has_word(head, "alignas") || has_word(head, "__align__") || has_word(head, "__attribute__");
        if (!has_parameters && (has_word(head, "namespace") || has_word(head, "extern"))) {
            scan(open + 1, end - 1);
            return end;
        }
        if ((is_type && (!has_parameters || aligned)) || is_variable(head)) {
            const std::size_t last = std::min(code_.find(';', end), code_.size() - 1) + 1;
            declaration(first, last);
            return last;
        }
        if (!is_of_device(head) && !has_word(head, "constexpr"))
            blank(first, end);
        return end;
    }

    void scan(std::size_t at, std::size_t end)
    {
        std::size_t first = at;
        bool has_parameters = false;
        while (at < end) {
            const char c = code_[at];
            if (c == '(') {
                has_parameters = true;
                at = behind(at);
                continue;
            }
            if (c != '{' && c != ';') {
                ++at;
                continue;
            }
            if (c == ';')
                declaration(first, at + 1);
            first = at = c == '{' ? braces(first, at, has_parameters) : at + 1;
            has_parameters = false;
        }
    }

    std::string text_;
    const std::string code_;
};

} // namespace

std::string without_host_code(std::string_view text)
{
    return HostCode(text).out();
}

namespace {

// What stands between the first bracket and the one that closes it, each extent without blanks at its ends.
std::string within_brackets(std::string_view text)
{
    const std::size_t open = text.find_first_of("({");
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        depth += text[i] == '(' || text[i] == '{';
        depth -= text[i] == ')' || text[i] == '}';
        if (depth == 0)
            return fmt::format("{}", fmt::join(split_at_commas(text.substr(open + 1, i - open - 1)), ","));
    }
    return {};
}

// What a dim3 is made with: "4,2" of "dim3(4,2)", and of "grid" where the code has "dim3 grid(4, 2)".
std::string extents_of(std::string_view code, const std::string& argument)
{
    constexpr std::string_view type = "dim3";
    if (argument.starts_with(type))
        return within_brackets(argument);
    if (argument.empty() || !std::ranges::all_of(argument, is_word) ||
        std::isdigit(static_cast<unsigned char>(argument.front())) != 0)
        return argument;
    for (std::size_t at = find_word(code, type); at != std::string_view::npos;) {
        const std::size_t end = std::min(code.find(';', at), code.size());
        const std::string_view statement = code.substr(at, end - at);
        if (const std::size_t name = find_word(statement, argument); name != std::string_view::npos)
            if (std::string inside = within_brackets(statement.substr(name)); !inside.empty())
                return inside;
        const std::size_t next = find_word(code.substr(end), type);
        at = next == std::string_view::npos ? next : end + next;
    }
    return argument;
}

} // namespace

std::optional<WrittenLaunch> launch_in(std::string_view text, std::string_view kernel)
{
    const std::string code = only_code(text);
    for (std::size_t at = code.find("<<<"); at != std::string::npos; at = code.find("<<<", at + 3)) {
        std::size_t name = at;
        while (name > 0 && code[name - 1] != ';' && code[name - 1] != '{' && code[name - 1] != '}' &&
               code[name - 1] != '\n')
            --name;
        const std::size_t end = code.find(">>>", at);
        const std::string_view called = std::string_view(code).substr(name, at - name);
        if (end != std::string::npos && has_word(called, kernel) && end - name < 200) {
            const std::vector<std::string> said = split_at_commas(std::string_view(code).substr(at + 3, end - at - 3));
            return WrittenLaunch{.text = shown_text(trimmed(text.substr(name, end + 3 - name))),
                                 .line = line_of(code, at),
                                 .grid = said.empty() ? "" : extents_of(code, said[0]),
                                 .block = said.size() < 2 ? "" : extents_of(code, said[1])};
        }
    }
    return {};
}

std::string example_of(const WrittenLaunch& launch, const Names& names)
{
    try {
        for (const std::string& extents : {launch.grid, launch.block}) {
            const std::vector<std::string> parts = split_at_commas(extents);
            if (parts.empty() || parts.size() > 3)
                return "grid=ceil(N/256) block=256";
            for (const std::string& part : parts)
                evaluate(part, names, "");
        }
    } catch (const kernels::Error&) { // a name of the host program's
        return "grid=ceil(N/256) block=256";
    }
    const auto without_blanks = [](std::string text) {
        std::erase(text, ' ');
        return text;
    };
    return fmt::format("grid={} block={}", without_blanks(launch.grid), without_blanks(launch.block));
}

std::vector<std::string> notes_of_launches(std::string_view text, bool clusters)
{
    const std::string code = only_code(text);
    std::vector<std::string> notes;
    const auto note = [&](std::string_view word, const char* sentence) {
        if (const std::size_t at = find_word(code, word); at != std::string::npos)
            notes.push_back(fmt::format(fmt::runtime(sentence), line_of(code, at)));
    };
    if (!clusters)
        note(
            "cudaLaunchAttributeClusterDimension",
            "Line {} launches in clusters. The host program is not run: say it with --cluster, or with cluster= in the "
            "file's comment.");
    note("cudaGraphLaunch",
         "Line {} launches a CUDA graph. The host program is not run: this is one launch of the kernel alone.");
    note("cudaLaunchCooperativeKernel",
         "Line {} launches cooperatively, so that all blocks run at once. Here they run one after another.");
    note("cudaLaunchAttributeCooperative",
         "Line {} launches cooperatively, so that all blocks run at once. Here they run one after another.");
    note("cudaLaunchAttributeProgrammaticStreamSerialization",
         "Line {} lets the kernel begin before the one ahead of it has ended. Here it runs alone.");
    return notes;
}

} // namespace traced
