#include "traced/telling_launch.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace traced {

namespace {

// The words of a name, in small letters: "init", "rand", "kernel" of "initRandKernel" and of "init_rand_kernel". Template arguments and
// scopes are no part of it.
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

} // namespace

int rank_of(const LaunchToShow& launch)
{
    return (only_prepares(launch.kernel) ? 0 : 2) + (launch.shared_bytes > 0 ? 1 : 0);
}

bool is_shown_instead(const LaunchToShow& later, const LaunchToShow& earlier)
{
    if (const int of_later = rank_of(later), of_earlier = rank_of(earlier); of_later != of_earlier)
        return of_later > of_earlier;
    return later.work >= earlier.work;
}

std::optional<std::size_t> telling_launch(std::span<const LaunchToShow> launches)
{
    std::optional<std::size_t> shown;
    for (std::size_t i = 0; i < launches.size(); ++i)
        if (!shown || is_shown_instead(launches[i], launches[*shown]))
            shown = i;
    return shown;
}

} // namespace traced
