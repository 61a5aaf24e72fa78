#include "measure/counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace kernels {

namespace {

// Counters that begin with smsp__sass are counted per instruction from the addresses and are the same in every run.
// l1tex__ and lts__ count what the hardware did. ldsm is ldmatrix; ldgsts is cp.async.
namespace name {
constexpr std::string_view load_instructions = "smsp__sass_inst_executed_op_shared_ld.sum";
constexpr std::string_view matrix_load_instructions = "smsp__sass_inst_executed_op_ldsm.sum";
constexpr std::string_view store_instructions = "smsp__sass_inst_executed_op_shared_st.sum";
constexpr std::string_view async_copies = "smsp__sass_inst_executed_op_ldgsts.sum";
constexpr std::string_view load_wavefronts = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
constexpr std::string_view matrix_load_wavefronts = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum";
constexpr std::string_view store_wavefronts = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
constexpr std::string_view hardware_load_wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
constexpr std::string_view hardware_store_wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
constexpr std::string_view load_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
constexpr std::string_view store_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum";
constexpr std::string_view arbitration = "l1tex__data_bank_conflicts_type_arbitration.sum";
// Also counts the requests of cp.async.
constexpr std::string_view load_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
constexpr std::string_view store_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";
constexpr std::string_view load_sectors = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr std::string_view async_sectors = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum";
constexpr std::string_view store_sectors = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum";
constexpr std::string_view l1_hits = "l1tex__t_sectors_lookup_hit.sum";
constexpr std::string_view l1_misses = "l1tex__t_sectors_lookup_miss.sum";
constexpr std::string_view l2_hits = "lts__t_sectors_lookup_hit.sum";
constexpr std::string_view l2_misses = "lts__t_sectors_lookup_miss.sum";
constexpr std::string_view dram_read = "dram__bytes_read.sum";
constexpr std::string_view dram_write = "dram__bytes_write.sum";
constexpr std::string_view warps_active = "sm__warps_active.sum";
constexpr std::string_view cycles_active = "sm__cycles_active.sum";
constexpr std::string_view issued = "smsp__inst_issued.sum";
constexpr std::string_view executed = "smsp__inst_executed.sum";
constexpr std::string_view time = "gpu__time_duration.sum";
constexpr std::string_view compute_throughput = "sm__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view memory_throughput = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view dram_throughput = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";
} // namespace name

// A pipeline and its counter. "fma" counts both halves, fmaheavy and fmalite.
struct Pipe {
    std::string_view name, counter;
};
constexpr auto pipes = std::to_array<Pipe>({
    {"fma", "sm__inst_executed_pipe_fma.sum"},
    {"fmaheavy", "sm__inst_executed_pipe_fmaheavy.sum"},
    {"fmalite", "sm__inst_executed_pipe_fmalite.sum"},
    {"tensor", "sm__inst_executed_pipe_tensor.sum"},
    {"fp64", "sm__inst_executed_pipe_fp64.sum"},
    {"alu", "sm__inst_executed_pipe_alu.sum"},
    {"xu", "sm__inst_executed_pipe_xu.sum"},
    {"lsu", "sm__inst_executed_pipe_lsu.sum"},
    {"tma", "sm__inst_executed_pipe_tma.sum"},
    {"tex", "sm__inst_executed_pipe_tex.sum"},
    {"uniform", "sm__inst_executed_pipe_uniform.sum"},
    {"cbu", "sm__inst_executed_pipe_cbu.sum"},
    {"adu", "sm__inst_executed_pipe_adu.sum"},
});

constexpr std::array unit_names = {
    name::load_instructions,
    name::matrix_load_instructions,
    name::store_instructions,
    name::async_copies,
    name::load_wavefronts,
    name::matrix_load_wavefronts,
    name::store_wavefronts,
    name::hardware_load_wavefronts,
    name::hardware_store_wavefronts,
    name::load_conflicts,
    name::store_conflicts,
    name::arbitration,
    name::load_requests,
    name::store_requests,
    name::load_sectors,
    name::async_sectors,
    name::store_sectors,
    name::l1_hits,
    name::l1_misses,
    name::l2_hits,
    name::l2_misses,
    name::dram_read,
    name::dram_write,
    name::warps_active,
    name::cycles_active,
    name::issued,
    name::executed,
    name::time,
};

constexpr std::array all_percents = {name::compute_throughput, name::memory_throughput, name::dram_throughput};

std::optional<uint64_t> sum(const Counters& counters, std::initializer_list<std::string_view> names)
{
    uint64_t result = 0;
    for (const std::string_view name : names) {
        const auto found = counters.sums.find(name);
        if (found == counters.sums.end())
            return std::nullopt;
        result += found->second;
    }
    return result;
}

std::optional<double> ratio(std::optional<uint64_t> part, std::optional<uint64_t> whole)
{
    if (!part || !whole || *whole == 0)
        return std::nullopt;
    return static_cast<double>(*part) / static_cast<double>(*whole);
}

} // namespace

std::span<const std::string_view> counter_names()
{
    static const std::vector<std::string_view> all = [] {
        std::vector<std::string_view> names(unit_names.begin(), unit_names.end());
        std::ranges::transform(pipes, std::back_inserter(names), &Pipe::counter);
        return names;
    }();
    return all;
}

std::span<const std::string_view> percent_names()
{
    return all_percents;
}

void add_up(std::span<const std::string> names, std::span<const std::vector<double>> values, Counters& counters)
{
    const auto of_time = std::ranges::find(names, name::time);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool percent = std::ranges::find(all_percents, names[i]) != all_percents.end();
        double sum = 0, weights = 0;
        for (const std::vector<double>& kernel : values) {
            const double weight = !percent                 ? 1
                                  : of_time == names.end() ? std::nan("")
                                                           : kernel[static_cast<std::size_t>(of_time - names.begin())];
            sum += kernel[i] * weight;
            weights += weight;
        }
        if (!std::isfinite(sum) || !(weights > 0))
            continue;
        if (percent)
            counters.percents[names[i]] = sum / weights;
        else
            counters.sums[names[i]] = static_cast<uint64_t>(std::llround(sum));
    }
}

std::optional<uint64_t> CounterFigures::executed_by(std::string_view pipe) const
{
    const auto found = std::ranges::find(pipes, pipe, &PipeCount::pipe);
    return found == pipes.end() ? std::nullopt : std::optional(found->executed);
}

CounterFigures figures(const Counters& counters)
{
    const auto one = [&counters](std::string_view name) { return sum(counters, {name}); };
    CounterFigures result;
    result.shared_load = {.instructions = sum(counters, {name::load_instructions, name::matrix_load_instructions}),
                          .wavefronts = sum(counters, {name::load_wavefronts, name::matrix_load_wavefronts}),
                          .conflicts = one(name::load_conflicts),
                          .hardware_wavefronts = one(name::hardware_load_wavefronts)};
    result.shared_store = {.instructions = one(name::store_instructions),
                           .wavefronts = one(name::store_wavefronts),
                           .conflicts = one(name::store_conflicts),
                           .hardware_wavefronts = one(name::hardware_store_wavefronts)};
    result.async_copies = one(name::async_copies);
    result.global_load = {.requests = one(name::load_requests),
                          .sectors = sum(counters, {name::load_sectors, name::async_sectors})};
    result.global_store = {.requests = one(name::store_requests), .sectors = one(name::store_sectors)};
    result.arbitration = one(name::arbitration);
    // The denominator is not lts__t_sectors, counted in another run: on an H200 there were 103 hits in 100 sectors.
    result.l1_hit_rate = ratio(one(name::l1_hits), sum(counters, {name::l1_hits, name::l1_misses}));
    result.l2_hit_rate = ratio(one(name::l2_hits), sum(counters, {name::l2_hits, name::l2_misses}));
    result.dram_read_bytes = one(name::dram_read);
    result.dram_write_bytes = one(name::dram_write);
    if (const auto warps = ratio(one(name::warps_active), one(name::cycles_active));
        warps && counters.device.max_threads_per_sm > 0)
        result.occupancy = *warps * recording::warp_size / counters.device.max_threads_per_sm;
    result.issued = one(name::issued);
    result.executed = one(name::executed);
    result.ipc = ratio(one(name::issued), one(name::cycles_active));
    result.time_ns = one(name::time);
    const auto share = [&counters](std::string_view name) -> std::optional<double> {
        const auto found = counters.percents.find(name);
        return found == counters.percents.end() ? std::nullopt : std::optional(found->second / 100);
    };
    result.compute_throughput = share(name::compute_throughput);
    result.memory_throughput = share(name::memory_throughput);
    result.dram_throughput = share(name::dram_throughput);
    for (const Pipe& pipe : pipes)
        if (const auto executed = one(pipe.counter))
            result.pipes.push_back({pipe.name, *executed});
    return result;
}

namespace {

using Key = std::tuple<std::size_t, uint32_t, std::string, recording::Op>;

CountedAccesses::Figures figures(const recording::Totals& t)
{
    return {.executed = t.shared_load.instructions + t.shared_store.instructions + t.global_load.requests +
                        t.global_store.requests,
            .wavefronts = t.shared_load.wavefronts + t.shared_store.wavefronts,
            .sectors = t.global_load.sectors + t.global_store.sectors};
}

// Returns whether these are copies that bypass L1. In some kernels the counters of their writes are too high. For
// mma_ldmatrix at 128^3, which copies 65,536 bytes, an H200 reported 94,336. It also reported 1,168 wavefronts,
// although its patterns take 768 when measured one by one.
bool is_past_l1(const CountedAccesses& accesses)
{
    return accesses.op == recording::Op::async_load && accesses.name == "LDGSTS.128";
}

} // namespace

bool CountedAccesses::agrees() const
{
    return derived && (is_past_l1(*this) || derived->wavefronts == counted.wavefronts) &&
           derived->sectors == counted.sectors &&
           (derived->executed == counted.executed || (may_be_off && derived->executed < counted.executed));
}

std::string why_counted_otherwise(const CountedAccesses& accesses)
{
    std::string why;
    if (!accesses.derived)
        return why;
    if (accesses.derived->executed != accesses.counted.executed)
        why = accesses.op == recording::Op::async_load
                  ? "the GPU also counts copies that copy nothing in any lane"
                  : "the GPU also counts instructions whose predicate holds in no lane, which access nothing";
    if (is_past_l1(accesses) && accesses.derived->wavefronts != accesses.counted.wavefronts)
        why += fmt::format("{}the counter of what copies past L1 write counts more than that in some kernels, bytes "
                           "too; those derived are as such copies were measured one by one",
                           why.empty() ? "" : "; ");
    return why;
}

recording::RunProfile run_profile(const MachineCode& code, const InstructionCounters& counted,
                                  std::optional<recording::WarpSamples> samples)
{
    std::set<std::pair<std::size_t, uint32_t>> sampled;
    if (samples)
        for (const recording::WarpSample& one : samples->samples)
            sampled.emplace(one.kernel, one.address);
    recording::RunProfile result{.instructions = {}, .samples = std::move(samples)};
    for (std::size_t kernel = 0; kernel < code.kernels.size(); ++kernel)
        for (const Instruction& one : code.kernels[kernel].instructions) {
            const InstructionCount* const count = counted.at(kernel, one.address);
            const uint64_t executed = count == nullptr ? 0 : count->executed;
            if (executed > 0 || sampled.contains({kernel, one.address}))
                result.instructions.push_back({kernel, one.address, one.name, one.line, executed});
        }
    return result;
}

std::vector<CountedAccesses> compare_instructions(const MachineCode& code, const Executed* executed,
                                                  const InstructionCounters& counted)
{
    std::map<Key, CountedAccesses> rows;
    const auto row = [&rows](const Key& key) -> CountedAccesses& {
        CountedAccesses& result = rows[key];
        std::tie(result.kernel, result.line, result.name, result.op) = key;
        return result;
    };
    for (std::size_t kernel = 0; kernel < code.kernels.size(); ++kernel)
        for (const Instruction& one : code.kernels[kernel].instructions)
            if (const InstructionCount* count = counted.at(kernel, one.address); count != nullptr && one.op) {
                CountedAccesses& accesses = row({kernel, one.line, one.name, *one.op});
                accesses.may_be_off |= !one.predicate.empty() || *one.op == recording::Op::async_load;
                accesses.counted.executed += count->executed;
                accesses.counted.wavefronts += count->shared_wavefronts;
                accesses.counted.sectors += count->global_sectors;
            }
    const std::vector<SassAccessCounts> none;
    for (const SassAccessCounts& one : executed == nullptr ? none : executed->instructions) {
        std::optional<CountedAccesses::Figures>& derived = row({one.kernel, one.line, one.name, one.op}).derived;
        CountedAccesses::Figures more = figures(one.totals);
        more.wavefronts += one.copy_wavefronts;
        const CountedAccesses::Figures before = derived.value_or(CountedAccesses::Figures{});
        derived = {before.executed + more.executed, before.wavefronts + more.wavefronts, before.sectors + more.sectors};
    }
    std::vector<CountedAccesses> result;
    for (auto& [key, accesses] : rows) {
        if (executed == nullptr || executed->opaque.find(accesses.name) != std::string::npos)
            accesses.derived.reset();
        else if (!accesses.derived)
            accesses.derived = CountedAccesses::Figures{}; // no execution: the path does not reach it
        result.push_back(std::move(accesses));
    }
    return result;
}

} // namespace kernels
