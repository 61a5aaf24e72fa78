#include "viz/analysis/launches.h"

#include "viz/analysis/occupancy.h"

#include <algorithm>
#include <charconv>
#include <regex>

namespace viz {

namespace {

uint32_t number(const std::csub_match& digits)
{
    uint32_t value = 0;
    std::from_chars(digits.first, digits.second, value);
    return value;
}

bool find(std::string_view text, const char* pattern, std::cmatch& found)
{
    return std::regex_search(text.data(), text.data() + text.size(), found, std::regex(pattern));
}

bool is_word(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

} // namespace

const LibraryKernels::Row* LibraryKernels::find(std::string_view type, const recording::Problem& problem) const
{
    const auto found = std::ranges::find_if(rows, [&](const Row& row) {
        const recording::Problem& p = row.at.problem;
        return row.type == type && p.M == problem.M && p.N == problem.N && p.K == problem.K;
    });
    return found == rows.end() ? nullptr : &*found;
}

std::optional<TileOfName> tile_in(std::string_view name)
{
    std::cmatch found;
    TileOfName tile;
    if (find(name, "tilesize(\\d+)x(\\d+)x(\\d+)", found)) { // sm80_xmma_gemm_..._tilesize128x128x8_stage3_...
        tile = {number(found[1]), number(found[2]), number(found[3]), {}};
        if (find(name, "_stage(\\d+)_", found))
            tile.stages = number(found[1]);
        return tile;
    }
    if (find(name, "_(\\d+)x(\\d+)_(\\d+)x(\\d+)_", found)) // cutlass_80_simt_sgemm_256x128_8x4_nn_align1, nvjet_...
        return TileOfName{number(found[1]), number(found[2]), number(found[3]), number(found[4])};
    if (find(name, "gemm_(\\d+)x(\\d+)_", found)) // ampere_sgemm_128x64_nn
        return TileOfName{number(found[1]), number(found[2]), {}, {}};
    return {};
}

std::optional<TileOfName> tile_in(const std::vector<recording::Parameter>& parameters)
{
    const auto value = [&](std::string_view name) -> std::optional<uint32_t> {
        const auto found = std::ranges::find(parameters, name, &recording::Parameter::name);
        return found == parameters.end() || found->value <= 0 ? std::nullopt
                                                              : std::optional(static_cast<uint32_t>(found->value));
    };
    const auto rows = value("BM"), cols = value("BN");
    if (!rows || !cols)
        return {};
    return TileOfName{*rows, *cols, value("BK"), value("STAGES")};
}

std::string short_name(std::string_view name)
{
    std::string_view best; // the longest of its words that says a tile; else the word before the first bracket
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
    std::cmatch found;
    return find(name, "split[kK]_?[rR]educe|execute_split_k_kernel|reduce_?[kK]ernel|_reduce\\b", found);
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
