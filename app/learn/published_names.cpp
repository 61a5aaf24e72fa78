#include "app/learn/published_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace app {

namespace {

constexpr std::string_view siboehm = "siboehm/SGEMM_CUDA", wangzyon = "wangzyon/NVIDIA_SGEMM_PRACTICE",
                           yzhaiustc = "yzhaiustc/Optimizing-SGEMM-on-NVIDIA-Turing-GPUs";

constexpr auto kernels_of_others = std::to_array<PublishedKernel>({
    {siboehm, 1, "naive", "", "naive"},
    {siboehm, 2, "global memory coalescing", "", "coalesced"},
    {siboehm, 3, "shared memory caching", "", "shared_tile"},
    {siboehm, 4, "1D blocktiling", "", "thread_tile_1d"},
    {siboehm, 5, "2D blocktiling", "", "thread_tile_2d_registers"},
    {siboehm, 6, "vectorized memory access", "", "vectorized"},
    {siboehm, 7, "avoid bank conflicts (linearize)", "", "linearized_b"},
    {siboehm, 8, "avoid bank conflicts (offset)", "", "padded_b"},
    {siboehm, 9, "autotuning", "", "autotuned"},
    {siboehm, 10, "warptiling", "", "warp_tile"},
    {siboehm, 11, "double buffering", "", "double_buffered_halves"},
    {siboehm, 12, "double buffering with cp.async", "", "async_copy"},
    {wangzyon, 1, "naive", "mysgemm_v1", "coalesced"},
    {wangzyon, 2, "shared memory", "mysgemm_v2", "shared_tile"},
    {wangzyon, 3, "1D thread tile", "mysgemm_v3", "thread_tile_1d"},
    {wangzyon, 4, "2D thread tile", "mysgemm_v4", "thread_tile_2d"},
    {wangzyon, 5, "registers cache shared memory", "mysgemm_v5", "thread_tile_2d_registers"},
    {wangzyon, 6, "float4", "mysgemm_v6", "vectorized"},
    {wangzyon, 7, "prefetching with two buffers", "mysgemm_v7", "prefetched"},
    {yzhaiustc, 1, "naive", "mysgemm_v1", "naive"},
    {yzhaiustc, 2, "32 x 32 tiles", "mysgemm_v2", "shared_tile"},
    {yzhaiustc, 5, "4 x 1 micro kernel", "mysgemm_v5", "thread_tile_1d"},
    {yzhaiustc, 8, "128 x 128 tiles, 8 x 8 results", "mysgemm_v8", "vectorized"},
    {yzhaiustc, 9, "warp-level tiling", "mysgemm_v9", "warp_tile"},
    {yzhaiustc, 10, "prefetching", "mysgemm_v10", "prefetched"},
    {yzhaiustc, 11, "double buffer", "mysgemm_v11", "prefetched"},
});

using Meaning = std::pair<std::string_view, std::string_view>; // beginning of the name, and what it counts

constexpr std::string_view by_pipeline = "sm__inst_executed_pipe_";
constexpr auto meanings = std::to_array<Meaning>({
    {"smsp__sass_inst_executed_op_shared_ld.", "instructions that load from shared memory"},
    {"smsp__sass_inst_executed_op_ldsm.", "ldmatrix instructions"},
    {"smsp__sass_inst_executed_op_shared_st.", "instructions that store to shared memory"},
    {"smsp__sass_inst_executed_op_ldgsts.", "asynchronous copies, cp.async"},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.", "wavefronts of shared loads, by their addresses"},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.", "wavefronts of ldmatrix, by their addresses"},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.", "wavefronts of shared stores, by their addresses"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.", "wavefronts of shared loads, as the hardware counts them"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.", "wavefronts of shared stores, as the hardware counts them"},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.", "bank conflicts of loads from shared memory"},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.", "bank conflicts of stores to shared memory"},
    {"l1tex__data_bank_conflicts_type_arbitration.", "cycles in which other traffic had the port of L1"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.", "requests of warps that load from global memory"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.", "requests of warps that store to global memory"},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.", "sectors of 32 bytes that loads touch"},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.", "sectors of 32 bytes that cp.async touches"},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.", "sectors of 32 bytes that stores touch"},
    {"l1tex__t_sectors_lookup_hit.", "sectors found in L1"},
    {"l1tex__t_sectors_lookup_miss.", "sectors not found in L1"},
    {"lts__t_sectors_lookup_hit.", "sectors found in L2"},
    {"lts__t_sectors_lookup_miss.", "sectors not found in L2"},
    {"dram__bytes_read.", "bytes read from DRAM"},
    {"dram__bytes_write.", "bytes written to DRAM"},
    {"sm__warps_active.", "resident warps, added up over cycles: achieved occupancy"},
    {"sm__cycles_active.", "cycles in which an SM has a warp"},
    {"smsp__inst_issued.", "warp instructions that schedulers issued"},
    {"smsp__inst_executed.", "warp instructions that were executed"},
    {"gpu__time_duration.", "time of the launch"},
    {"sm__throughput.", "how busy the busiest unit of the SMs is"},
    {"gpu__compute_memory_throughput.", "how busy the busiest unit of the memory system is"},
    {"gpu__dram_throughput.", "how busy DRAM is"},
});

} // namespace

std::span<const PublishedKernel> published_kernels()
{
    return kernels_of_others;
}

std::string title_of(const PublishedKernel& kernel)
{
    return fmt::format("kernel {}: {}{}{}", kernel.number, kernel.name, kernel.function.empty() ? "" : ", ",
                       kernel.function);
}

std::string meaning_of_metric(std::string_view metric)
{
    if (metric.starts_with(by_pipeline)) {
        const std::string_view pipe = metric.substr(by_pipeline.size());
        return fmt::format("warp instructions that the pipeline {} executed", pipe.substr(0, pipe.find('.')));
    }
    const auto found = std::ranges::find_if(
        meanings, [&](const Meaning& one) { return metric.substr(0, metric.find('.') + 1) == one.first; });
    return found == meanings.end() ? std::string() : std::string(found->second);
}

std::string metrics_of(std::string_view group, std::string_view figure)
{
    constexpr std::array<Meaning, 5> beginnings = {
        {{"instructions", "smsp__sass_inst_executed_op_shared_"},
         {"wavefronts", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"},
         {"conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_"},
         {"requests", "l1tex__t_requests_pipe_lsu_mem_global_op_"},
         {"sectors", "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_"}}};
    const auto found = std::ranges::find(beginnings, figure, &Meaning::first);
    if (found == beginnings.end())
        return {};
    const bool load = group.ends_with("load");
    // ldmatrix and cp.async have counters of their own, which are added.
    const char* more = !load                                                ? ""
                       : figure == "sectors"                                ? " (+ ldgsts)"
                       : figure == "instructions" || figure == "wavefronts" ? " (+ ldsm)"
                                                                            : "";
    return fmt::format("{}{}.sum{}", found->second, load ? "ld" : "st", more);
}

std::string how_to_read(std::string_view metric, std::string_view stage)
{
    return fmt::format("gemmscope counters {} --only-counted, or ncu --metrics {}", stage, metric);
}

} // namespace app
