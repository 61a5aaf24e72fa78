#include "traced/host_text.h"

#include "traced/source_text.h"
#include "traced/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace traced {

namespace {

unsigned line_of(std::string_view text, std::size_t at)
{
    return static_cast<unsigned>(1 + std::ranges::count(text.substr(0, at), '\n'));
}

// Returns the text within the first bracket and its closing bracket, without the blanks around each extent.
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

std::string called_before(std::string_view code, std::size_t end)
{
    std::size_t at = code.find_last_not_of(" \t\r\n", end == 0 ? 0 : end - 1);
    if (at == std::string_view::npos)
        return {};
    const std::size_t last = at + 1;
    if (code[at] == '>') {
        int depth = 0;
        for (; at > 0; --at) {
            depth += code[at] == '>' ? 1 : code[at] == '<' ? -1 : 0;
            if (depth == 0)
                break;
        }
        if (at == 0)
            return {};
        --at;
    }
    std::size_t first = at + 1;
    while (first > 0 && is_word(code[first - 1]))
        --first;
    return trimmed(code.substr(first, last - first));
}

std::vector<WrittenLaunch> launches_in(std::string_view text)
{
    constexpr std::size_t longest = 400;
    std::vector<WrittenLaunch> launches;
    const std::string code = only_code(text);
    for (std::size_t at = code.find("<<<"); at != std::string::npos; at = code.find("<<<", at + 3)) {
        const std::size_t end = code.find(">>>", at);
        std::string kernel = called_before(code, at);
        if (end == std::string::npos || end - at > longest || kernel.empty())
            continue;
        const std::vector<std::string> said = split_at_commas(std::string_view(code).substr(at + 3, end - at - 3));
        WrittenLaunch launch{.kernel = {},
                             .text = shown_text(kernel + std::string(text.substr(at, end + 3 - at))),
                             .line = line_of(code, at),
                             .grid = said.empty() ? "" : extents_of(code, said[0]),
                             .block = said.size() < 2 ? "" : extents_of(code, said[1]),
                             .shared = said.size() < 3 ? "" : said[2],
                             .arguments = {}};
        const std::size_t open = code.find_first_not_of(" \t\r\n", end + 3);
        const std::size_t close =
            open == std::string::npos || code[open] != '(' ? std::string::npos : closing_bracket(code, open, "(", ")");
        if (close != std::string::npos)
            launch.arguments = split_at_commas(std::string_view(text).substr(open + 1, close - open - 1));
        std::erase(kernel, ' ');
        launch.kernel = std::move(kernel);
        launches.push_back(std::move(launch));
    }
    return launches;
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
    for (std::size_t at = code.find("cudaMemcpyToSymbol"); at != std::string::npos;
         at = code.find("cudaMemcpyToSymbol", at + 1)) {
        const std::size_t open = code.find('(', at), end = code.find_first_of(",)", open);
        if (open == std::string::npos || end == std::string::npos)
            break;
        const std::string name = trimmed(std::string_view(code).substr(open + 1, end - open - 1));
        notes.push_back(
            fmt::format("Line {} sets {}. The host program is not run, so that it holds what its declaration says, or "
                        "zeros: trace the file without options of the launch to run it as it is.",
                        line_of(code, at), name));
    }
    return notes;
}

namespace {

// Visits the words of a name in lower case: "init", "rand", "kernel" for "initRandKernel" and "init_rand_kernel".
// Template arguments and scopes are ignored.
template <class Visit>
void each_word(std::string_view kernel, const Visit& visit)
{
    kernel = kernel.substr(0, kernel.find_first_of("<("));
    if (const std::size_t scope = kernel.rfind("::"); scope != std::string_view::npos)
        kernel.remove_prefix(scope + 2);
    std::string word;
    const auto end_word = [&] {
        if (!word.empty())
            visit(word);
        word.clear();
    };
    for (std::size_t i = 0; i < kernel.size(); ++i) {
        const auto c = static_cast<unsigned char>(kernel[i]);
        const bool begins =
            std::isupper(c) != 0 && i > 0 && std::islower(static_cast<unsigned char>(kernel[i - 1])) != 0;
        if (begins || std::isalpha(c) == 0)
            end_word();
        if (std::isalpha(c) != 0)
            word += static_cast<char>(std::tolower(c));
    }
    end_word();
}

bool only_prepares(std::string_view kernel)
{
    constexpr std::array<std::string_view, 15> words = {"init",   "initialize", "initialise", "fill",     "memset",
                                                        "zero",   "zeros",      "clear",      "generate", "setup",
                                                        "random", "randomize",  "warmup",     "poison",   "flush"};
    bool found = false;
    each_word(kernel, [&](const std::string& word) { found |= std::ranges::find(words, word) != words.end(); });
    return found;
}

// Returns whether the kernel belongs to Thrust or CUB. Programs launch such kernels besides their own.
bool is_of_library(std::string_view kernel)
{
    kernel = kernel.substr(0, kernel.find_first_of("<("));
    if (const std::size_t scope = kernel.rfind("::"); scope != std::string_view::npos)
        kernel.remove_prefix(scope + 2);
    return kernel == "static_kernel" || kernel == "_kernel_agent" ||
           (kernel.starts_with("Device") && kernel.ends_with("Kernel"));
}

} // namespace

int rank_of(const LaunchToShow& launch)
{
    return (only_prepares(launch.kernel) || is_of_library(launch.kernel) ? 0 : 2) + (launch.shared_bytes > 0 ? 1 : 0);
}

bool is_shown_instead(const LaunchToShow& later, const LaunchToShow& earlier)
{
    if (const int of_later = rank_of(later), of_earlier = rank_of(earlier); of_later != of_earlier)
        return of_later > of_earlier;
    return later.work >= earlier.work;
}

std::optional<std::size_t> default_launch(std::span<const LaunchToShow> launches)
{
    std::optional<std::size_t> shown;
    for (std::size_t i = 0; i < launches.size(); ++i)
        if (!shown || is_shown_instead(launches[i], launches[*shown]))
            shown = i;
    return shown;
}

} // namespace traced
