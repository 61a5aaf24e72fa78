#include "viz/analysis/launches.h"

#include "viz/analysis/counted.h"
#include "viz/analysis/occupancy.h"
#include "viz/analysis/parameters.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace viz {

namespace {

// Returns the numbers at the positions of # in the first match of the pattern: "_#x#_" gives 256 and 128 for
// "sgemm_256x128_8". std::regex is not used: compiling one takes longer than a frame has for all names of a table, and
// its search overflows the stack on a long name.
std::vector<uint32_t> numbers_in(std::string_view text, std::string_view pattern)
{
    for (std::size_t start = 0; start < text.size(); ++start) {
        std::vector<uint32_t> numbers;
        const char *at = text.data() + start, *const end = text.data() + text.size();
        bool fits = true;
        for (std::size_t i = 0; fits && i < pattern.size(); ++i) {
            if (pattern[i] != '#') {
                fits = at != end && *at == pattern[i];
                at += fits ? 1 : 0;
                continue;
            }
            const auto [after, error] = std::from_chars(at, end, numbers.emplace_back());
            fits = error == std::errc{};
            at = after;
        }
        if (fits)
            return numbers;
    }
    return {};
}

bool is_word(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

} // namespace

const LibraryKernels::Row* LibraryKernels::find(std::string_view type, const recording::Problem& problem) const
{
    const auto found = std::ranges::find_if(
        rows, [&](const Row& row) { return row.type == type && same_sides(row.at.problem, problem); });
    return found == rows.end() ? nullptr : &*found;
}

std::optional<TileOfName> tile_in(std::string_view name)
{
    if (const auto sides = numbers_in(name, "tilesize#x#x#");
        !sides.empty()) { // sm80_xmma_..._tilesize128x128x8_stage3_
        const auto stages = numbers_in(name, "_stage#_");
        return TileOfName{sides[0], sides[1], sides[2], stages.empty() ? std::nullopt : std::optional(stages[0])};
    }
    if (const auto n = numbers_in(name, "_#x#_#x#_");
        !n.empty()) // cutlass_80_simt_sgemm_256x128_8x4_nn_align1, nvjet_...
        return TileOfName{n[0], n[1], n[2], n[3]};
    if (const auto n = numbers_in(name, "gemm_#x#_"); !n.empty()) // ampere_sgemm_128x64_nn
        return TileOfName{n[0], n[1], {}, {}};
    return {};
}

std::optional<TileOfName> tile_in(const std::vector<recording::Parameter>& parameters)
{
    const auto value = [&](std::string_view name) -> std::optional<uint32_t> {
        const int found = parameter_of(parameters, name).value_or(0);
        return found <= 0 ? std::nullopt : std::optional(static_cast<uint32_t>(found));
    };
    if (const auto edge = value("tile")) // shared_tile's tiles are square
        return TileOfName{*edge, *edge, edge, {}};
    const auto rows = value("BM"), cols = value("BN");
    if (!rows || !cols)
        return {};
    return TileOfName{*rows, *cols, value("BK"), value("STAGES")};
}

std::string short_name(std::string_view name)
{
    std::string_view best; // the longest word that defines a tile, or else the text before the first bracket
    for (std::size_t from = 0; from < name.size();) {
        std::size_t until = from;
        while (until < name.size() && is_word(name[until]))
            ++until;
        const std::string_view word = name.substr(from, until - from);
        if (word.size() > best.size() && tile_in(word))
            best = word;
        from = std::max(until, from + 1);
    }
    if (!best.empty())
        return std::string(best);
    std::string_view plain = name.substr(0, name.find_first_of("<("));
    if (plain.starts_with("void "))
        plain.remove_prefix(5);
    return std::string(plain.substr(plain.rfind(':') == std::string_view::npos ? 0 : plain.rfind(':') + 1));
}

bool reduces(std::string_view name)
{
    std::string lower(name); // splitKreduce_kernel, splitKReduce ...
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const char* part :
         {"splitkreduce", "splitk_reduce", "execute_split_k_kernel", "reducekernel", "reduce_kernel"})
        if (lower.find(part) != std::string::npos)
            return true;
    constexpr std::string_view word = "_reduce";
    for (std::size_t at = lower.find(word); at != std::string::npos; at = lower.find(word, at + 1))
        if (at + word.size() == lower.size() || !is_word(lower[at + word.size()]))
            return true;
    return false;
}

std::optional<Fill> fill_of(const recording::LaunchedKernel& kernel, uint32_t compute_capability, uint32_t sm_count)
{
    const std::optional<SmLimits> limits = limits_of(compute_capability);
    if (!limits || kernel.resources.registers_per_thread == 0)
        return {};
    const Residency resident = residency(*limits, {.threads = kernel.launch.threads_per_block(),
                                                   .registers = kernel.resources.registers_per_thread,
                                                   .shared_bytes = kernel.resources.shared_bytes_per_block});
    if (resident.blocks == 0)
        return {};
    Fill fill{.blocks = kernel.launch.grid.volume(), .per_sm = resident.blocks};
    if (sm_count > 0)
        fill.waves = static_cast<double>(fill.blocks) / (double{1} * resident.blocks * sm_count);
    return fill;
}

} // namespace viz
