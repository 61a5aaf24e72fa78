#include "app/data/metrics.h"

#include "error.h"

#include "viz/analysis/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace app {

namespace {

using kernels::CounterFigures;
using recording::Measured;
using recording::Missing;

constexpr double sector_bytes = 32; // in L1 and in L2
constexpr double schedulers = 4;    // per SM; each issues at most one instruction per cycle

// Returns a figure of the counters. `function` returns nothing if a required counter is missing. `lately` names what
// older shipped counters lack because it was not requested when they were made.
template <class Function>
Measured<double> counted(const LaunchFacts& facts, Function function, const char* lately = nullptr)
{
    if (facts.counters == nullptr)
        return facts.why_not_counted;
    if (const auto figure = function(facts))
        return {static_cast<double>(*figure), facts.counted_from};
    return lately == nullptr ? recording::Reason{} : recording::Reason{Missing::not_shipped, {lately}};
}

// Returns a member of CounterFigures unchanged.
template <auto member>
Measured<double> figure(const LaunchFacts& facts)
{
    return counted(facts, [](const LaunchFacts& f) { return f.figures.*member; });
}

template <auto member>
Measured<double> throughput(const LaunchFacts& facts)
{
    return counted(
        facts, [](const LaunchFacts& f) { return f.figures.*member; }, "counter of throughput of this launch");
}

template <class T>
std::optional<double> sum(const std::optional<T>& a, const std::optional<T>& b)
{
    return a && b ? std::optional(static_cast<double>(*a) + static_cast<double>(*b)) : std::nullopt;
}

template <class A, class B>
std::optional<double> over(const std::optional<A>& a, const std::optional<B>& b)
{
    return a && b && *b > 0 ? std::optional(static_cast<double>(*a) / static_cast<double>(*b)) : std::nullopt;
}

// Returns the sum of loads and stores.
template <auto loads, auto stores, auto member>
Measured<double> of_both(const LaunchFacts& facts)
{
    return counted(facts,
                   [](const LaunchFacts& f) { return sum(f.figures.*loads.*member, f.figures.*stores.*member); });
}

template <auto kind, auto member>
Measured<double> figure_of(const LaunchFacts& facts)
{
    return counted(facts, [](const LaunchFacts& f) { return f.figures.*kind.*member; });
}

std::optional<double> counter(const LaunchFacts& facts, const char* name)
{
    const auto found = facts.counters->sums.find(name);
    return found == facts.counters->sums.end() ? std::nullopt : std::optional(static_cast<double>(found->second));
}

std::optional<double> dram_bytes(const LaunchFacts& facts)
{
    return sum(facts.figures.dram_read_bytes, facts.figures.dram_write_bytes);
}

std::optional<double> dram_gbps(const LaunchFacts& facts)
{
    return over(dram_bytes(facts), facts.figures.time_ns);
}

Measured<double> dram_share(const LaunchFacts& facts)
{
    if (facts.counters != nullptr && !facts.peak_gbps)
        return facts.peak_gbps.missing();
    return counted(facts, [](const LaunchFacts& f) { return over(dram_gbps(f), f.peak_gbps.value()); });
}

std::optional<double> l2_sectors(const LaunchFacts& facts)
{
    return sum(counter(facts, "lts__t_sectors_lookup_hit.sum"), counter(facts, "lts__t_sectors_lookup_miss.sum"));
}

std::optional<double> l2_bytes(const LaunchFacts& facts)
{
    const auto sectors = l2_sectors(facts);
    return sectors ? std::optional(*sectors * sector_bytes) : std::nullopt;
}

// Returns bytes per nanosecond.
std::optional<double> l2_gbps(const LaunchFacts& facts)
{
    return over(l2_bytes(facts), facts.figures.time_ns);
}

std::optional<double> l1_tbps(const LaunchFacts& facts)
{
    const auto sectors =
        sum(counter(facts, "l1tex__t_sectors_lookup_hit.sum"), counter(facts, "l1tex__t_sectors_lookup_miss.sum"));
    const auto per_ns = over(sectors, facts.figures.time_ns);
    return per_ns ? std::optional(*per_ns * sector_bytes * 1e-3) : std::nullopt;
}

std::optional<double> registers(const LaunchFacts& facts)
{
    const uint32_t used = facts.counters->resources.registers_per_thread;
    return used > 0 ? std::optional<double>(used) : std::nullopt;
}

// Returns the share of the executed warp instructions that used this pipe.
Measured<double> share_of_pipe(const LaunchFacts& facts, std::string_view pipe)
{
    return counted(
        facts, [pipe](const LaunchFacts& f) { return over(f.figures.executed_by(pipe), f.figures.executed); },
        "counter of pipes of this launch");
}

// Returns a figure of the timed row. `function` returns nothing if the figure was not requested.
template <class Function>
Measured<double> timed(const LaunchFacts& facts, Function function)
{
    if (facts.timed == nullptr)
        return facts.why_not_timed;
    if (!facts.timed->missing.empty())
        return recording::Reason{Missing::failed, {facts.timed->missing}};
    if (const std::optional<double> value = function(*facts.timed); value && std::isfinite(*value))
        return {*value, facts.timed_from};
    return Missing::not_asked;
}

// Returns a speed, which a wrong result does not have. `why_none` returns the reason if a right result has no speed.
Measured<double> speed(const LaunchFacts& facts, std::optional<double> TimedRow::*member, const auto& why_none)
{
    if (facts.timed != nullptr && facts.timed->missing.empty()) {
        if (!facts.timed->right)
            return Missing::wrong_result;
        if (!(facts.timed->*member))
            return why_none(*facts.timed);
    }
    return timed(facts, [&](const TimedRow& row) { return row.*member; });
}

Measured<double> gflops(const LaunchFacts& facts)
{
    return speed(facts, &TimedRow::gflops, [](const TimedRow& row) {
        return recording::Reason{Missing::no_arithmetic, {fmt::format("{:.3f}", row.timing.median_ms)}};
    });
}

template <std::optional<double> TimedRow::*member>
Measured<double> share(const LaunchFacts& facts)
{
    return speed(facts, member, [](const TimedRow& row) {
        return row.cublas_missing.empty() ? recording::Reason{Missing::not_asked}
                                          : recording::Reason{Missing::failed, {row.cublas_missing}};
    });
}

Measured<double> median_ms(const LaunchFacts& facts)
{
    return timed(facts, [](const TimedRow& row) { return std::optional(row.timing.median_ms); });
}

Measured<double> spread(const LaunchFacts& facts)
{
    return timed(facts, [](const TimedRow& row) {
        const kernels::Timing& timing = row.timing;
        return timing.median_ms > 0
                   ? std::optional(timing.high_ms / timing.median_ms - timing.low_ms / timing.median_ms)
                   : std::nullopt;
    });
}

template <auto function>
Measured<double> of(const LaunchFacts& facts)
{
    return counted(facts, function);
}

std::optional<double> issue_slots(const LaunchFacts& facts)
{
    return over(facts.figures.ipc, std::optional(schedulers));
}

std::optional<double> active_cycles(const LaunchFacts& facts)
{
    return counter(facts, "sm__cycles_active.sum");
}

// Returns a figure that needs the energy of a launch.
Measured<double> of_energy(const LaunchFacts& facts, const auto& function)
{
    if (facts.timed == nullptr)
        return facts.why_not_timed;
    const kernels::Energy& energy = facts.timed->timing.energy;
    if (!energy.joules && !energy.missing.empty())
        return recording::Reason{Missing::failed, {energy.missing}};
    if (const std::optional<double> value = function(*facts.timed))
        return {*value, facts.timed_from};
    return recording::Reason{Missing::not_shipped, {"measurement of energy of this launch"}};
}

template <double TimedRow::*member>
Measured<double> error(const LaunchFacts& facts)
{
    return timed(facts, [](const TimedRow& row) { return std::optional(row.*member); });
}

Measured<double> joules(const LaunchFacts& facts)
{
    return of_energy(facts, [](const TimedRow& row) { return row.timing.energy.joules; });
}

Measured<double> watts(const LaunchFacts& facts)
{
    return of_energy(facts, [](const TimedRow& row) {
        const auto& [joules, ms, missing] = row.timing.energy;
        return joules && ms > 0 ? std::optional(1e3 * *joules / ms) : std::nullopt;
    });
}

LaunchFacts facts_of_row(const ShippedCounters& shipped, const auto& row)
{
    LaunchFacts facts = app::facts_of(row.counters);
    facts.counted_from = shipped.from_of(row);
    facts.counted_from.problem = row.problem;
    return facts;
}

using F = CounterFigures;
using Shared = CounterFigures::Shared;
using Global = CounterFigures::Global;

using enum Better;

// Marks a metric that the table of the whole ladder does not have.
constexpr Metric elsewhere(Metric metric)
{
    metric.in_table = false;
    return metric;
}

// The values are in the order of Metric's fields.
constexpr auto all_metrics = std::to_array<Metric>({
    Metric{"dram_bytes", "DRAM bytes", "bytes", fewer, of<dram_bytes>,
           "Bytes that DRAM gave and took, of the launch with an empty L2 cache. Each matrix once is the least.", "",
           1},
    Metric{"dram_gbps", "DRAM GB/s", "thousands", neither, of<dram_gbps>, "Those bytes over the duration.", "", 5},
    Metric{"dram_share", "of the peak", "%", neither, dram_share,
           "That over the bandwidth that the memory's clock and width allow.", "", 4},
    Metric{"l1_hit_rate", "L1 hits", "%", neither, figure<&F::l1_hit_rate>,
           "Of the sectors looked up in L1, those that were there.", "l1_hit_rate", 2},
    Metric{"l2_hit_rate", "L2 hits", "%", neither, figure<&F::l2_hit_rate>,
           "Of the sectors looked up in L2, those that were there; it was empty before the launch.", "l2_hit_rate", 0},
    Metric{"duration", "duration", "time", fewer, figure<&F::time_ns>,
           "From the launch's first cycle to its last while it is counted, from an empty L2 cache: longer than the "
           "time that GFLOPS are of.",
           "time_ns", 3},
    Metric{"gflops", "GFLOPS", "thousands", more, gflops, "As timed: without counters, many runs, warm caches."},
    Metric{"over_naive", "over naive", "times", more,
           [](const LaunchFacts& f) { return viz::speedup_over_naive(gflops(f), f.naive_gflops); },
           "GFLOPS over those of naive, timed in the same way at the same size."},
    Metric{"error", "error of C", "{:.1e}", fewer, error<&TimedRow::total_error>,
           "How far C is off, against float64 of the FP32 operands, relative: what rounding A and B to the type costs, "
           "and the order of the sums."},
    Metric{"compute_throughput", "compute", "%", neither, throughput<&F::compute_throughput>,
           "Of the most that the SMs can do, what their busiest part does, over the launch's time: Nsight Compute's "
           "throughput of compute.",
           "compute_throughput"},
    Metric{"memory_throughput", "memory", "%", neither, throughput<&F::memory_throughput>,
           "Of the most that the way to memory can do (L1, L2, DRAM and between), what its busiest part does: Nsight "
           "Compute's throughput of memory.",
           "memory_throughput"},
    Metric{"dram_throughput", "DRAM", "%", neither, throughput<&F::dram_throughput>,
           "Of the most that DRAM can do, what it does: Nsight Compute's throughput of DRAM.", "dram_throughput"},
    Metric{"joules", "energy", "energy", fewer, joules,
           "Energy of the whole GPU for one launch, without counters, with warm caches: the driver's count over a "
           "second or more of launches without a pause."},
    Metric{"gflop_per_joule", "GFLOP per J", "{:.1f}", more,
           [](const LaunchFacts& f) { return of_energy(f, gflop_per_joule); },
           "Floating-point operations for one joule, in units of 1,000 million."},
    Metric{"l2_bytes", "L2 bytes", "bytes", fewer, of<l2_bytes>, "Sectors of 32 bytes looked up in L2."},
    Metric{"l2_gbps", "L2 GB/s", "thousands", neither, of<l2_gbps>, "Those bytes over the duration."},
    Metric{
        "l1_tbps", "L1 TB/s", "{:.2f}", neither, of<l1_tbps>,
        "Sectors of 32 bytes looked up in L1, in all SMs, over the duration. Accesses of shared memory are not among "
        "them."},
    Metric{"global_sectors", "global sectors", "count", fewer,
           of_both<&F::global_load, &F::global_store, &Global::sectors>,
           "Sectors of 32 bytes that loads and stores of global memory touch."},
    Metric{"shared_wavefronts", "wavefronts", "count", fewer,
           of_both<&F::shared_load, &F::shared_store, &Shared::wavefronts>,
           "Wavefronts of loads and stores of shared memory, counted per instruction from its addresses."},
    Metric{"bank_conflicts", "conflicts", "count", fewer,
           of_both<&F::shared_load, &F::shared_store, &Shared::conflicts>,
           "Bank conflicts of shared loads and stores as the hardware counts them, with waits for other traffic among "
           "them."},
    Metric{"instructions", "instructions", "count", fewer, figure<&F::issued>, "Instructions that warps issued.",
           "issued_warp_instructions"},
    Metric{"issued_per_cycle", "per cycle", "{:.2f}", neither, figure<&F::ipc>,
           "Warp instructions that an SM issues per cycle in which it is active: at most 4.", "ipc"},
    Metric{"issue_slots", "issue slots", "%", neither, of<issue_slots>,
           "Of the cycles in which a scheduler can issue an instruction, those in which it does."},
    Metric{"occupancy", "occupancy", "%", neither, figure<&F::occupancy>,
           "Resident warps over the most that an SM can have, over its active cycles.", "achieved_occupancy"},
    Metric{"active_cycles", "SM cycles", "count", fewer, of<active_cycles>,
           "Cycles in which an SM has a warp, of all SMs together."},
    Metric{"registers", "registers", "count", fewer, of<registers>, "Registers of a thread."},
    Metric{"pipe_fmaheavy", "FMA heavy", "%", neither,
           [](const LaunchFacts& f) { return share_of_pipe(f, "fmaheavy"); },
           "Of the warp instructions executed, those that went to the heavy half of the FMA pipe: FP32 arithmetic, and "
           "integer multiplications."},
    Metric{
        "pipe_fmalite", "FMA lite", "%", neither, [](const LaunchFacts& f) { return share_of_pipe(f, "fmalite"); },
        "Of the warp instructions executed, those that went to the light half of the FMA pipe: FP32 arithmetic only."},
    Metric{"pipe_tensor", "tensor", "%", neither, [](const LaunchFacts& f) { return share_of_pipe(f, "tensor"); },
           "Of the warp instructions executed, those that went to the tensor cores."},
    Metric{"pipe_fp64", "FP64", "%", neither, [](const LaunchFacts& f) { return share_of_pipe(f, "fp64"); },
           "Of the warp instructions executed, those that went to the FP64 pipe."},
    Metric{
        "pipe_alu", "ALU", "%", neither, [](const LaunchFacts& f) { return share_of_pipe(f, "alu"); },
        "Of the warp instructions executed, those that went to the ALU: integer additions, logic, comparisons, moves."},
    Metric{"pipe_xu", "XU", "%", neither, [](const LaunchFacts& f) { return share_of_pipe(f, "xu"); },
           "Of the warp instructions executed, those that went to the XU: square roots, sines, conversions between "
           "integer and floating point."},
    Metric{"pipe_lsu", "LSU", "%", neither, [](const LaunchFacts& f) { return share_of_pipe(f, "lsu"); },
           "Of the warp instructions executed, those that went to the load-store unit: global, local and shared "
           "memory, and shuffles."},
    Metric{"pipe_tma", "TMA", "%", neither, [](const LaunchFacts& f) { return share_of_pipe(f, "tma"); },
           "Of the warp instructions executed, those that went to the tensor memory accelerator, which copies tiles by "
           "itself."},
    Metric{"pipe_uniform", "uniform", "%", neither, [](const LaunchFacts& f) { return share_of_pipe(f, "uniform"); },
           "Of the warp instructions executed, those that went to the uniform pipe, which computes once for a whole "
           "warp."},
    Metric{"pipe_cbu", "CBU", "%", neither, [](const LaunchFacts& f) { return share_of_pipe(f, "cbu"); },
           "Of the warp instructions executed, those that went to the convergence barrier unit: branches, and warps "
           "that part and meet."},
    Metric{"pipe_adu", "ADU", "%", neither, [](const LaunchFacts& f) { return share_of_pipe(f, "adu"); },
           "Of the warp instructions executed, those that went to the address divergence unit: barriers, and branches "
           "and constants at addresses that differ by thread."},
    elsewhere({"arbitration", "bank conflicts by arbitration", "count", fewer, figure<&F::arbitration>,
               "Bank conflicts with other traffic, as the hardware counts them.", "arbitration"}),
    elsewhere({"async_copies", "cp.async instructions", "count", neither, figure<&F::async_copies>,
               "Warp instructions cp.async.", "async_copies"}),
    elsewhere({"shared_load_hardware_wavefronts", "wavefronts of shared loads, by the hardware", "count", fewer,
               figure_of<&F::shared_load, &Shared::hardware_wavefronts>,
               "Wavefronts of shared loads as the hardware counts them, with waits for other traffic among them.",
               "shared_load_hardware_wavefronts"}),
    elsewhere({"shared_store_hardware_wavefronts", "wavefronts of shared stores, by the hardware", "count", fewer,
               figure_of<&F::shared_store, &Shared::hardware_wavefronts>,
               "Wavefronts of shared stores as the hardware counts them, with waits for other traffic among them.",
               "shared_store_hardware_wavefronts"}),
    elsewhere({"dram_read_bytes", "bytes read from DRAM", "bytes", fewer, figure<&F::dram_read_bytes>,
               "Bytes that DRAM gave, of the launch with an empty L2 cache.", "dram_read_bytes"}),
    elsewhere({"dram_write_bytes", "bytes written to DRAM", "bytes", fewer, figure<&F::dram_write_bytes>,
               "Bytes that DRAM took.", "dram_write_bytes"}),
    elsewhere({"executed_warp_instructions", "warp instructions executed", "count", fewer, figure<&F::executed>,
               "Warp instructions executed, each once: what is issued again and again is executed once.",
               "executed_warp_instructions"}),
    elsewhere({"l2_sectors", "L2 sectors", "count", fewer, of<l2_sectors>, "Sectors of 32 bytes looked up in L2."}),
    elsewhere({"global_load_sectors", "sectors loaded", "count", fewer, figure_of<&F::global_load, &Global::sectors>,
               "Sectors of 32 bytes that loads of global memory touch, asynchronous copies among them."}),
    elsewhere({"shared_load_wavefronts", "wavefronts of shared loads", "count", fewer,
               figure_of<&F::shared_load, &Shared::wavefronts>,
               "Wavefronts of loads of shared memory, counted per instruction from its addresses."}),
    elsewhere({"shared_store_wavefronts", "wavefronts of shared stores", "count", fewer,
               figure_of<&F::shared_store, &Shared::wavefronts>,
               "Wavefronts of stores of shared memory, likewise, without those of asynchronous copies."}),
    elsewhere({"median_ms", "median ms", "{:.4f}", fewer, median_ms,
               "Milliseconds of one launch, without counters and with warm caches: the median of many."}),
    elsewhere({"spread", "spread", "%", fewer, spread,
               "The middle half of the timed launches, from the 25th to the 75th percentile, over the median."}),
    elsewhere({"of_cublas", "of cuBLAS", "%", more, share<&TimedRow::of_cublas>,
               "GFLOPS over those of cuBLAS, which multiplied the same matrices in the same type in the same run."}),
    elsewhere({"of_best", "of its best", "%", more, share<&TimedRow::of_best>,
               "GFLOPS over those of the fastest of all of cuBLASLt's algorithms, timed in the same run."}),
    elsewhere({"of_peak", "of peak", "%", more, share<&TimedRow::of_peak>,
               "GFLOPS over the most that the GPU's clock and its units for the type allow."}),
    elsewhere({"error_of_sums", "error of the sums", "{:.1e}", fewer, error<&TimedRow::error>,
               "How far C is off, against float64 of the operands as the kernel gets them, relative."}),
    elsewhere(
        {"watts", "W", "{:.0f}", neither, watts, "Power of the whole GPU while it runs the launch again and again."}),
});

} // namespace

LaunchFacts facts_of(const kernels::Counters& counters)
{
    return {.counters = &counters, .figures = kernels::figures(counters)};
}

LaunchFacts facts_of(const ShippedCounters& shipped, const CountedRow& row)
{
    return facts_of_row(shipped, row);
}

LaunchFacts facts_of(const ShippedCounters& shipped, const CountedLibrary& row)
{
    return facts_of_row(shipped, row);
}

LaunchFacts facts_of(const ShippedSpeeds& shipped, const TimedRow& row)
{
    return {.timed = &row, .timed_from = provenance_of(shipped, row)};
}

std::span<const Metric> metrics()
{
    return all_metrics;
}

const Metric& metric(std::string_view id)
{
    if (const auto found = std::ranges::find(all_metrics, id, &Metric::id); found != all_metrics.end())
        return *found;
    throw kernels::Error("There is no metric '" + std::string(id) + "'.");
}

TableColumn column_of(const Metric& metric)
{
    return {std::string(metric.id), std::string(metric.title), std::string(metric.format)};
}

} // namespace app
