#include "app/catalogue/metrics.h"

#include "error.h"

#include "viz/analysis/over_naive.h"

#include <algorithm>
#include <array>
#include <optional>

namespace app {

namespace {

using kernels::CounterFigures;
using recording::Measured;
using recording::Missing;
using Facts = LaunchFacts;

constexpr double l2_sector_bytes = 32;
constexpr double schedulers = 4; // of an SM, each of which issues one instruction in a cycle at most

// `function` makes a figure of the counters, or nothing where one that it needs is not there. `lately`: what the shipped counters
// lack, where these were counted before it was asked for.
template <class Function>
Measured<double> counted(const Facts& facts, Function function, const char* lately = nullptr)
{
    if (facts.counters == nullptr)
        return facts.why_not_counted;
    if (const auto figure = function(facts))
        return {static_cast<double>(*figure), facts.counted_from};
    return lately == nullptr ? recording::Reason{} : recording::Reason{Missing::not_shipped, {lately}};
}

// A member of CounterFigures as it is.
template <auto member>
Measured<double> figure(const Facts& facts)
{
    return counted(facts, [](const Facts& f) { return f.figures.*member; });
}

template <auto member>
Measured<double> throughput(const Facts& facts)
{
    return counted(
        facts, [](const Facts& f) { return f.figures.*member; }, "counter of throughput of this launch");
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

// Of loads and stores together.
template <auto loads, auto stores, auto member>
Measured<double> of_both(const Facts& facts)
{
    return counted(facts, [](const Facts& f) { return sum(f.figures.*loads.*member, f.figures.*stores.*member); });
}

template <auto kind, auto member>
Measured<double> figure_of(const Facts& facts)
{
    return counted(facts, [](const Facts& f) { return f.figures.*kind.*member; });
}

std::optional<double> counter(const Facts& facts, const char* name)
{
    const auto found = facts.counters->sums.find(name);
    return found == facts.counters->sums.end() ? std::nullopt : std::optional(static_cast<double>(found->second));
}

std::optional<double> dram_bytes(const Facts& facts)
{
    return sum(facts.figures.dram_read_bytes, facts.figures.dram_write_bytes);
}

std::optional<double> dram_gbps(const Facts& facts)
{
    return over(dram_bytes(facts), facts.figures.time_ns);
}

Measured<double> dram_share(const Facts& facts)
{
    if (facts.counters != nullptr && !facts.peak_gbps)
        return facts.peak_gbps.missing();
    return counted(facts, [](const Facts& f) { return over(dram_gbps(f), f.peak_gbps.value()); });
}

std::optional<double> l2_bytes(const Facts& facts)
{
    const auto sectors =
        sum(counter(facts, "lts__t_sectors_lookup_hit.sum"), counter(facts, "lts__t_sectors_lookup_miss.sum"));
    return sectors ? std::optional(*sectors * l2_sector_bytes) : std::nullopt;
}

std::optional<double> registers(const Facts& facts)
{
    const uint32_t used = facts.counters->resources.registers_per_thread;
    return used > 0 ? std::optional<double>(used) : std::nullopt;
}

// Of the warp instructions that were executed, those that went to this pipe.
Measured<double> share_of_pipe(const Facts& facts, std::string_view pipe)
{
    return counted(
        facts, [pipe](const Facts& f) { return over(f.figures.executed_by(pipe), f.figures.executed); },
        "counter of pipes of this launch");
}

template <class Function>
Measured<double> timed(const Facts& facts, Function function)
{
    if (facts.timed == nullptr)
        return facts.why_not_timed;
    return {function(*facts.timed), facts.timed_from};
}

Measured<double> gflops(const Facts& facts)
{
    return timed(facts, [](const TimedRow& row) { return *row.gflops; });
}

// What needs the energy of a launch.
Measured<double> of_energy(const Facts& facts, const auto& function)
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

LaunchFacts facts_of_row(const ShippedCounters& shipped, const auto& row)
{
    LaunchFacts facts{
        .counters = &row.counters, .figures = kernels::figures(row.counters), .counted_from = shipped.from_of(row)};
    facts.counted_from.problem = row.problem;
    return facts;
}

using F = CounterFigures;
using Shared = CounterFigures::Shared;
using Global = CounterFigures::Global;

constexpr auto all_metrics =
    std::to_array<Metric>({
        Metric{
            .id = "dram_bytes",
            .title = "DRAM bytes",
            .format = "bytes",
            .better = Better::fewer,
            .of = [](const Facts& f) { return counted(f, dram_bytes); },
            .about =
                "Bytes that DRAM gave and took, of the launch with an empty L2 cache. Each matrix once is the least.",
            .of_profile = 1},
        Metric{.id = "dram_gbps",
               .title = "DRAM GB/s",
               .format = "thousands",
               .of = [](const Facts& f) { return counted(f, dram_gbps); },
               .about = "Those bytes over the duration.",
               .of_profile = 5},
        Metric{.id = "dram_share",
               .title = "of the peak",
               .format = "%",
               .of = dram_share,
               .about = "That over the bandwidth that the memory's clock and width allow.",
               .of_profile = 4},
        Metric{.id = "l1_hit_rate",
               .title = "L1 hits",
               .format = "%",
               .of = figure<&F::l1_hit_rate>,
               .about = "Of the sectors looked up in L1, those that were there.",
               .counter = "l1_hit_rate",
               .of_profile = 2},
        Metric{.id = "l2_hit_rate",
               .title = "L2 hits",
               .format = "%",
               .of = figure<&F::l2_hit_rate>,
               .about = "Of the sectors looked up in L2, those that were there; it was empty before the launch.",
               .counter = "l2_hit_rate",
               .of_profile = 0},
        Metric{.id = "duration",
               .title = "duration",
               .format = "time",
               .better = Better::fewer,
               .of = figure<&F::time_ns>,
               .about = "From the launch's first cycle to its last while it is counted, from an empty L2 cache: longer "
                        "than the time that GFLOPS are of.",
               .counter = "time_ns",
               .of_profile = 3},
        Metric{.id = "gflops",
               .title = "GFLOPS",
               .format = "thousands",
               .better = Better::more,
               .of = gflops,
               .about = "As timed: without counters, many runs, warm caches."},
        Metric{.id = "over_naive",
               .title = "over naive",
               .format = "times",
               .better = Better::more,
               .of = [](const Facts& f) { return viz::over_naive(gflops(f), f.naive_gflops); },
               .about = "GFLOPS over those of naive, timed in the same way at the same size."},
        Metric{.id = "error",
               .title = "error of C",
               .format = "{:.1e}",
               .better = Better::fewer,
               .of = [](const Facts& f) { return timed(f, [](const TimedRow& row) { return row.total_error; }); },
               .about = "How far C is off, against float64 of the FP32 operands, relative: what rounding A and B to "
                        "the type costs, and the order of the sums."},
        Metric{.id = "compute_throughput",
               .title = "compute",
               .format = "%",
               .of = throughput<&F::compute_throughput>,
               .about = "Of the most that the SMs can do, what their busiest part does, over the launch's time: Nsight "
                        "Compute's throughput of compute.",
               .counter = "compute_throughput"},
        Metric{.id = "memory_throughput",
               .title = "memory",
               .format = "%",
               .of = throughput<&F::memory_throughput>,
               .about = "Of the most that the way to memory can do (L1, L2, DRAM and between), what its busiest part "
                        "does: Nsight Compute's throughput of memory.",
               .counter = "memory_throughput"},
        Metric{.id = "dram_throughput",
               .title = "DRAM",
               .format = "%",
               .of = throughput<&F::dram_throughput>,
               .about = "Of the most that DRAM can do, what it does: Nsight Compute's throughput of DRAM.",
               .counter = "dram_throughput"},
        Metric{.id = "joules",
               .title = "energy",
               .format = "energy",
               .better = Better::fewer,
               .of =
                   [](const Facts& f) {
                       return of_energy(f, [](const TimedRow& row) { return row.timing.energy.joules; });
                   },
               .about = "Energy of the whole GPU for one launch, without counters, with warm caches: the driver's "
                        "count over a second or more of launches without a pause."},
        Metric{.id = "gflop_per_joule",
               .title = "GFLOP per J",
               .format = "{:.1f}",
               .better = Better::more,
               .of = [](const Facts& f) { return of_energy(f, gflop_per_joule); },
               .about = "Floating-point operations for one joule, in units of 1,000 million."},
        Metric{.id = "l2_bytes",
               .title = "L2 bytes",
               .format = "bytes",
               .better = Better::fewer,
               .of = [](const Facts& f) { return counted(f, l2_bytes); },
               .about = "Sectors of 32 bytes looked up in L2."},
        Metric{.id = "global_sectors",
               .title = "global sectors",
               .format = "count",
               .better = Better::fewer,
               .of = of_both<&F::global_load, &F::global_store, &Global::sectors>,
               .about = "Sectors of 32 bytes that loads and stores of global memory touch."},
        Metric{.id = "shared_wavefronts",
               .title = "wavefronts",
               .format = "count",
               .better = Better::fewer,
               .of = of_both<&F::shared_load, &F::shared_store, &Shared::wavefronts>,
               .about = "Wavefronts of loads and stores of shared memory, counted per instruction from its addresses."},
        Metric{.id = "bank_conflicts",
               .title = "conflicts",
               .format = "count",
               .better = Better::fewer,
               .of = of_both<&F::shared_load, &F::shared_store, &Shared::conflicts>,
               .about = "Bank conflicts of shared loads and stores as the hardware counts them, with waits for other "
                        "traffic among them."},
        Metric{.id = "instructions",
               .title = "instructions",
               .format = "count",
               .better = Better::fewer,
               .of = figure<&F::issued>,
               .about = "Instructions that warps issued.",
               .counter = "issued_warp_instructions"},
        Metric{.id = "issued_per_cycle",
               .title = "per cycle",
               .format = "{:.2f}",
               .of = figure<&F::ipc>,
               .about = "Warp instructions that an SM issues per cycle in which it is active: at most 4.",
               .counter = "ipc"},
        Metric{.id = "issue_slots",
               .title = "issue slots",
               .format = "%",
               .of =
                   [](const Facts& f) {
                       return counted(f, [](const Facts& g) { return over(g.figures.ipc, std::optional(schedulers)); });
                   },
               .about = "Of the cycles in which a scheduler can issue an instruction, those in which it does."},
        Metric{.id = "occupancy",
               .title = "occupancy",
               .format = "%",
               .of = figure<&F::occupancy>,
               .about = "Resident warps over the most that an SM can have, over its active cycles.",
               .counter = "achieved_occupancy"},
        Metric{.id = "active_cycles",
               .title = "SM cycles",
               .format = "count",
               .better = Better::fewer,
               .of =
                   [](const Facts& f) {
                       return counted(f, [](const Facts& g) { return counter(g, "sm__cycles_active.sum"); });
                   },
               .about = "Cycles in which an SM has a warp, of all SMs together."},
        Metric{.id = "registers",
               .title = "registers",
               .format = "count",
               .better = Better::fewer,
               .of = [](const Facts& f) { return counted(f, registers); },
               .about = "Registers of a thread."},
        Metric{.id = "pipe_fmaheavy",
               .title = "FMA heavy",
               .format = "%",
               .of = [](const Facts& f) { return share_of_pipe(f, "fmaheavy"); },
               .about = "Of the warp instructions executed, those that went to the heavy half of the FMA pipe: FP32 "
                        "arithmetic, and integer multiplications."},
        Metric{.id = "pipe_fmalite",
               .title = "FMA lite",
               .format = "%",
               .of = [](const Facts& f) { return share_of_pipe(f, "fmalite"); },
               .about = "Of the warp instructions executed, those that went to the light half of the FMA pipe: FP32 "
                        "arithmetic only."},
        Metric{.id = "pipe_tensor",
               .title = "tensor",
               .format = "%",
               .of = [](const Facts& f) { return share_of_pipe(f, "tensor"); },
               .about = "Of the warp instructions executed, those that went to the tensor cores."},
        Metric{.id = "pipe_fp64",
               .title = "FP64",
               .format = "%",
               .of = [](const Facts& f) { return share_of_pipe(f, "fp64"); },
               .about = "Of the warp instructions executed, those that went to the FP64 pipe."},
        Metric{.id = "pipe_alu",
               .title = "ALU",
               .format = "%",
               .of = [](const Facts& f) { return share_of_pipe(f, "alu"); },
               .about = "Of the warp instructions executed, those that went to the ALU: integer additions, logic, "
                        "comparisons, moves."},
        Metric{.id = "pipe_xu",
               .title = "XU",
               .format = "%",
               .of = [](const Facts& f) { return share_of_pipe(f, "xu"); },
               .about = "Of the warp instructions executed, those that went to the XU: square roots, sines, "
                        "conversions between integer and floating point."},
        Metric{.id = "pipe_lsu",
               .title = "LSU",
               .format = "%",
               .of = [](const Facts& f) { return share_of_pipe(f, "lsu"); },
               .about = "Of the warp instructions executed, those that went to the load-store unit: global, local and "
                        "shared memory, and shuffles."},
        Metric{.id = "pipe_tma",
               .title = "TMA",
               .format = "%",
               .of = [](const Facts& f) { return share_of_pipe(f, "tma"); },
               .about = "Of the warp instructions executed, those that went to the tensor memory accelerator, which "
                        "copies tiles by itself."},
        Metric{.id = "pipe_uniform",
               .title = "uniform",
               .format = "%",
               .of = [](const Facts& f) { return share_of_pipe(f, "uniform"); },
               .about = "Of the warp instructions executed, those that went to the uniform pipe, which computes once "
                        "for a whole warp."},
        Metric{.id = "pipe_cbu",
               .title = "CBU",
               .format = "%",
               .of = [](const Facts& f) { return share_of_pipe(f, "cbu"); },
               .about = "Of the warp instructions executed, those that went to the convergence barrier unit: branches, "
                        "and warps that part and meet."},
        Metric{.id = "pipe_adu",
               .title = "ADU",
               .format = "%",
               .of = [](const Facts& f) { return share_of_pipe(f, "adu"); },
               .about = "Of the warp instructions executed, those that went to the address divergence unit: barriers, "
                        "and branches and constants at addresses that differ by thread."},
        Metric{.id = "arbitration",
               .title = "bank conflicts by arbitration",
               .format = "count",
               .better = Better::fewer,
               .of = figure<&F::arbitration>,
               .about = "Bank conflicts with other traffic, as the hardware counts them.",
               .counter = "arbitration",
               .in_table = false},
        Metric{.id = "async_copies",
               .title = "cp.async instructions",
               .format = "count",
               .of = figure<&F::async_copies>,
               .about = "Warp instructions cp.async.",
               .counter = "async_copies",
               .in_table = false},
        Metric{.id = "shared_load_hardware_wavefronts",
               .title = "wavefronts of shared loads, by the hardware",
               .format = "count",
               .better = Better::fewer,
               .of = figure_of<&F::shared_load, &Shared::hardware_wavefronts>,
               .about =
                   "Wavefronts of shared loads as the hardware counts them, with waits for other traffic among them.",
               .counter = "shared_load_hardware_wavefronts",
               .in_table = false},
        Metric{.id = "shared_store_hardware_wavefronts",
               .title = "wavefronts of shared stores, by the hardware",
               .format = "count",
               .better = Better::fewer,
               .of = figure_of<&F::shared_store, &Shared::hardware_wavefronts>,
               .about =
                   "Wavefronts of shared stores as the hardware counts them, with waits for other traffic among them.",
               .counter = "shared_store_hardware_wavefronts",
               .in_table = false},
        Metric{.id = "dram_read_bytes",
               .title = "bytes read from DRAM",
               .format = "bytes",
               .better = Better::fewer,
               .of = figure<&F::dram_read_bytes>,
               .about = "Bytes that DRAM gave, of the launch with an empty L2 cache.",
               .counter = "dram_read_bytes",
               .in_table = false},
        Metric{.id = "dram_write_bytes",
               .title = "bytes written to DRAM",
               .format = "bytes",
               .better = Better::fewer,
               .of = figure<&F::dram_write_bytes>,
               .about = "Bytes that DRAM took.",
               .counter = "dram_write_bytes",
               .in_table = false},
        Metric{.id = "executed_warp_instructions",
               .title = "warp instructions executed",
               .format = "count",
               .better = Better::fewer,
               .of = figure<&F::executed>,
               .about = "Warp instructions executed, each once: what is issued again and again is executed once.",
               .counter = "executed_warp_instructions",
               .in_table = false},
    });

} // namespace

LaunchFacts facts_of(const ShippedCounters& shipped, const CountedRow& row)
{
    return facts_of_row(shipped, row);
}

LaunchFacts facts_of(const ShippedCounters& shipped, const CountedLibrary& row)
{
    return facts_of_row(shipped, row);
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

} // namespace app
