#include "traced/host_text.h"

#include "error.h"
#include "traced/source_text.h"
#include "traced/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace traced {

namespace {

unsigned line_of(std::string_view text, std::size_t at)
{
    return static_cast<unsigned>(1 + std::ranges::count(text.substr(0, at), '\n'));
}

// Returns the text within the first bracket and its closing bracket; the blanks around each extent are removed.
std::string within_brackets(std::string_view text)
{
    const std::size_t open = text.find_first_of("({");
    const std::size_t close = closing_bracket(text, open, "({", ")}");
    if (close == std::string_view::npos)
        return {};
    return fmt::format("{}", fmt::join(split_at_commas(text.substr(open + 1, close - open - 1)), ","));
}

// Returns the constructor arguments of a dim3: "4,2" for "dim3(4,2)", and for "grid" if the code has "dim3 grid(4, 2)".
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
    } catch (const kernels::Error&) { // a name of the host program
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
