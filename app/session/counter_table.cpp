#include "app/session/counter_table.h"

#include "error.h"
#include "gemm/element_type.h"
#include "gemm/size.h"
#include "measure/baseline.h"

#include "viz/analysis/over_naive.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <set>

namespace app {

bool same_sides(const recording::Problem& problem, uint32_t side)
{
    return problem.M == side && problem.N == side && problem.K == side;
}

namespace {

using recording::Measured;
using recording::Missing;
using Figures = std::vector<Measured<double>>;

constexpr double l2_sector_bytes = 32;
constexpr double schedulers = 4; // of an SM, each of which issues one instruction in a cycle at most

enum Column : std::size_t {
    dram_bytes,
    dram_gbps,
    dram_share,
    l1_hits,
    l2_hits,
    duration,
    gflops,
    over_naive,
    error,
    compute,
    memory,
    dram,
    joules,
    gflop_per_joule,
    l2_bytes,
    global_sectors,
    shared_wavefronts,
    conflicts,
    instructions,
    per_cycle,
    issue_slots,
    occupancy,
    cycles,
    registers,
    first_pipe, // of those in `pipes`
};

using Unit = CounterUnit;

constexpr auto columns = std::to_array<CounterColumn>({
    CounterColumn{"dram_bytes", "DRAM bytes", Unit::bytes, true, false, 1},
    CounterColumn{"dram_gbps", "DRAM GB/s", Unit::gbps, true, true, 5},
    CounterColumn{"dram_share", "of the peak", Unit::share, true, true, 4},
    CounterColumn{"l1_hit_rate", "L1 hits", Unit::share, true, true, 2},
    CounterColumn{"l2_hit_rate", "L2 hits", Unit::share, true, true, 0},
    CounterColumn{"duration", "duration", Unit::nanoseconds, true, false, 3},
    CounterColumn{"gflops", "GFLOPS", Unit::gflops, false, true},
    CounterColumn{"over_naive", "over naive", Unit::times, false, true},
    CounterColumn{"error", "error of C", Unit::error, false, false},
    CounterColumn{"compute_throughput", "compute", Unit::share, false, true},
    CounterColumn{"memory_throughput", "memory", Unit::share, false, true},
    CounterColumn{"dram_throughput", "DRAM", Unit::share, false, true},
    CounterColumn{"joules", "energy", Unit::joules, false, false},
    CounterColumn{"gflop_per_joule", "GFLOP per J", Unit::per_joule, false, true},
    CounterColumn{"l2_bytes", "L2 bytes", Unit::bytes, false, false},
    CounterColumn{"global_sectors", "global sectors", Unit::count, false, false},
    CounterColumn{"shared_wavefronts", "wavefronts", Unit::count, false, false},
    CounterColumn{"bank_conflicts", "conflicts", Unit::count, false, false},
    CounterColumn{"instructions", "instructions", Unit::count, false, false},
    CounterColumn{"issued_per_cycle", "per cycle", Unit::per_cycle, false, true},
    CounterColumn{"issue_slots", "issue slots", Unit::share, false, true},
    CounterColumn{"occupancy", "occupancy", Unit::share, false, true},
    CounterColumn{"active_cycles", "SM cycles", Unit::count, false, false},
    CounterColumn{"registers", "registers", Unit::count, false, false},
    CounterColumn{"pipe_fmaheavy", "FMA heavy", Unit::share, false, true},
    CounterColumn{"pipe_fmalite", "FMA lite", Unit::share, false, true},
    CounterColumn{"pipe_tensor", "tensor", Unit::share, false, true},
    CounterColumn{"pipe_fp64", "FP64", Unit::share, false, true},
    CounterColumn{"pipe_alu", "ALU", Unit::share, false, true},
    CounterColumn{"pipe_xu", "XU", Unit::share, false, true},
    CounterColumn{"pipe_lsu", "LSU", Unit::share, false, true},
    CounterColumn{"pipe_tma", "TMA", Unit::share, false, true},
    CounterColumn{"pipe_uniform", "uniform", Unit::share, false, true},
    CounterColumn{"pipe_cbu", "CBU", Unit::share, false, true},
    CounterColumn{"pipe_adu", "ADU", Unit::share, false, true},
});

// The last columns: instructions that went to these, of all that were executed.
constexpr std::array<std::string_view, columns.size() - first_pipe> pipes = {
    "fmaheavy", "fmalite", "tensor", "fp64", "alu", "xu", "lsu", "tma", "uniform", "cbu", "adu"};

template <class T>
Measured<double> counted(const std::optional<T>& value, const recording::Provenance& from)
{
    if (!value)
        return Missing::unknown;
    return {static_cast<double>(*value), from};
}

template <class T>
std::optional<double> sum(const std::optional<T>& a, const std::optional<T>& b)
{
    return a && b ? std::optional(static_cast<double>(*a) + static_cast<double>(*b)) : std::nullopt;
}

std::optional<double> over(const std::optional<double>& a, const std::optional<double>& b, double factor = 1)
{
    return a && b && *b > 0 ? std::optional(*a / *b * factor) : std::nullopt;
}

std::optional<double> counter(const kernels::Counters& counters, const char* name)
{
    const auto found = counters.sums.find(name);
    return found == counters.sums.end() ? std::nullopt : std::optional(static_cast<double>(found->second));
}

// Rows that were counted before these were asked for have none.
template <class T>
Measured<double> counted_lately(const std::optional<T>& value, const recording::Provenance& from, const char* what)
{
    if (!value)
        return recording::Reason{Missing::not_shipped, {what}};
    return {static_cast<double>(*value), from};
}

void add_throughputs(const kernels::CounterFigures& f, const recording::Provenance& from, Figures& figures)
{
    constexpr const char* throughput = "counter of throughput of this launch";
    figures[compute] = counted_lately(f.compute_throughput, from, throughput);
    figures[memory] = counted_lately(f.memory_throughput, from, throughput);
    figures[dram] = counted_lately(f.dram_throughput, from, throughput);
    for (std::size_t i = 0; i < pipes.size(); ++i) {
        const std::optional<uint64_t> here = f.executed_by(pipes[i]);
        figures[first_pipe + i] =
            counted_lately(here && f.executed && *f.executed > 0
                               ? std::optional(static_cast<double>(*here) / static_cast<double>(*f.executed))
                               : std::nullopt,
                           from, "counter of pipes of this launch");
    }
}

void add_counted(const Catalogue& catalogue, const kernels::Counters& counters, const recording::Provenance& from,
                 Figures& figures)
{
    const kernels::CounterFigures f = kernels::figures(counters);
    const std::optional<double> bytes = sum(f.dram_read_bytes, f.dram_write_bytes);
    const std::optional<double> ns = f.time_ns ? std::optional(static_cast<double>(*f.time_ns)) : std::nullopt;
    const auto set = [&](Column column, const auto& value) { figures[column] = counted(value, from); };
    set(dram_bytes, bytes);
    set(dram_gbps, over(bytes, ns));
    const auto& gpu = catalogue.gpu.facts;
    if (gpu && gpu->properties.name == counters.device.name)
        set(dram_share, over(over(bytes, ns), gpu->properties.memory_gbps()));
    else
        figures[dram_share] = catalogue.gpu.missing.empty() ? recording::Reason{} : catalogue.gpu.missing.front();
    set(l1_hits, f.l1_hit_rate);
    set(l2_hits, f.l2_hit_rate);
    set(duration, ns);
    const auto l2 =
        sum(counter(counters, "lts__t_sectors_lookup_hit.sum"), counter(counters, "lts__t_sectors_lookup_miss.sum"));
    set(l2_bytes, l2 ? std::optional(*l2 * l2_sector_bytes) : std::nullopt);
    set(global_sectors, sum(f.global_load.sectors, f.global_store.sectors));
    set(shared_wavefronts, sum(f.shared_load.wavefronts, f.shared_store.wavefronts));
    set(conflicts, sum(f.shared_load.conflicts, f.shared_store.conflicts));
    set(instructions, f.issued);
    set(per_cycle, f.ipc);
    set(issue_slots, over(f.ipc, schedulers));
    set(occupancy, f.occupancy);
    set(cycles, counter(counters, "sm__cycles_active.sum"));
    const uint32_t used = counters.resources.registers_per_thread;
    set(registers, used > 0 ? std::optional(used) : std::nullopt);
    add_throughputs(f, from, figures);
}

// As timed without counters, with warm caches.
void add_timed(const Catalogue& catalogue, std::string_view slug, const kernels::ParameterValues* parameters,
               uint32_t side, Figures& figures)
{
    const ShippedSpeeds& speeds = catalogue.speeds;
    const auto none = speeds.missing.empty() ? recording::Reason{Missing::other_launch} : speeds.missing.front();
    figures[gflops] = figures[error] = figures[joules] = figures[gflop_per_joule] = none;
    for (const auto* rows : {&speeds.rows, &speeds.by_size})
        for (const TimedRow& row : *rows) {
            if (figures[gflops] || row.slug != slug || !row.gflops || !same_sides(row.problem, side) ||
                (parameters != nullptr && row.parameters != *parameters && rows != &speeds.by_size))
                continue;
            const recording::Provenance from = provenance_of(speeds, row);
            const kernels::Energy& energy = row.timing.energy;
            figures[gflops] = {*row.gflops, from};
            figures[error] = {row.total_error, from};
            if (!energy.joules && !energy.missing.empty()) {
                figures[joules] = figures[gflop_per_joule] = recording::Reason{Missing::failed, {energy.missing}};
                continue;
            }
            constexpr const char* what = "measurement of energy of this launch";
            figures[joules] = counted_lately(energy.joules, from, what);
            figures[gflop_per_joule] = counted_lately(app::gflop_per_joule(row), from, what);
        }
}

const CountedRow* counted_at(const Catalogue& catalogue, const kernels::Stage& stage, uint32_t side)
{
    const CountedRow* result = nullptr;
    for (const CountedRow& row : catalogue.counters.rows)
        if (row.slug == stage.slug && same_sides(row.problem, side))
            if (result == nullptr || row.parameters == stage.standard_parameters())
                result = &row;
    return result;
}

const CountedLibrary* counted_at(const Catalogue& catalogue, const kernels::Baseline& baseline, uint32_t side)
{
    const auto& rows = catalogue.counters.libraries;
    const auto found = std::ranges::find_if(
        rows, [&](const CountedLibrary& row) { return row.slug == baseline.slug && same_sides(row.problem, side); });
    return found == rows.end() ? nullptr : &*found;
}

recording::Provenance at_size(recording::Provenance from, const recording::Problem& problem)
{
    from.problem = problem;
    return from;
}

CounterTableRow empty_row(std::string_view slug, std::string_view type, const recording::Reason& why)
{
    return {.slug = std::string(slug), .type = std::string(type), .figures = Figures(columns.size(), why)};
}

bool contains(std::string_view words, std::string_view part)
{
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    return !std::ranges::search(words, part, same).empty() || part.empty();
}

} // namespace

std::span<const CounterColumn> counter_columns()
{
    return columns;
}

std::size_t counter_column(std::string_view id)
{
    const auto found = std::ranges::find(columns, id, &CounterColumn::id);
    if (found != columns.end())
        return static_cast<std::size_t>(found - columns.begin());
    std::string all;
    for (const CounterColumn& column : columns)
        all += fmt::format("{}{}", all.empty() ? "" : ", ", column.id);
    throw kernels::Error(fmt::format("There is no column '{}'; the columns are {}.", id, all));
}

std::vector<uint32_t> counted_sides(const Catalogue& catalogue, const Ladder& ladder)
{
    std::set<uint32_t> sides;
    for (const CountedRow& row : catalogue.counters.rows)
        if (const kernels::Stage* stage = stage_named(ladder, row.slug);
            stage != nullptr && kernels::facts(stage->operation).is_gemm && same_sides(row.problem, row.problem.M))
            sides.insert(row.problem.M);
    return {sides.begin(), sides.end()};
}

CounterTable counter_table(const Catalogue& catalogue, const Ladder& ladder, uint32_t side)
{
    CounterTable table{.problem = {.M = side, .N = side, .K = side}};
    const recording::Reason why = catalogue.counters.missing.empty() ? recording::Reason{Missing::other_launch}
                                                                     : catalogue.counters.missing.front();
    for (const kernels::Stage& stage : ladder) {
        if (!kernels::facts(stage.operation).is_gemm)
            continue;
        const CountedRow* row = counted_at(catalogue, stage, side);
        const kernels::ParameterValues parameters = row != nullptr ? row->parameters : stage.standard_parameters();
        CounterTableRow& made =
            table.rows.emplace_back(empty_row(stage.slug, kernels::name_of(stage.type(parameters)), why));
        if (row != nullptr)
            add_counted(catalogue, row->counters, at_size(catalogue.counters.from_of(*row), row->problem),
                        made.figures);
        add_timed(catalogue, stage.slug, &parameters, side, made.figures);
    }
    for (const kernels::Baseline& baseline : kernels::baselines()) {
        if (!baseline.needs_gpu())
            continue;
        CounterTableRow& made = table.rows.emplace_back(
            empty_row(baseline.slug, baseline.precision.fp64 ? "fp64" : kernels::name_of(baseline.precision.type),
                      recording::Reason{Missing::not_shipped, {"counter of this library at this size"}}));
        made.library = true;
        if (const CountedLibrary* row = counted_at(catalogue, baseline, side))
            add_counted(catalogue, row->counters, at_size(catalogue.counters.from_of(*row), row->problem),
                        made.figures);
        add_timed(catalogue, baseline.slug, nullptr, side, made.figures);
    }
    const auto naive = std::ranges::find(table.rows, viz::first_rung, &CounterTableRow::slug);
    for (CounterTableRow& row : table.rows)
        row.figures[over_naive] = viz::over_naive(
            row.figures[gflops], naive != table.rows.end() ? naive->figures[gflops] : Measured<double>(why));
    return table;
}

void sort_rows(std::vector<CounterTableRow>& rows, std::size_t column, bool descending)
{
    std::ranges::stable_sort(rows, [&](const CounterTableRow& a, const CounterTableRow& b) {
        const std::optional<double> x = a.figures[column].value(), y = b.figures[column].value();
        if (!x || !y)
            return x.has_value() && !y.has_value();
        return descending ? *x > *y : *x < *y;
    });
}

std::vector<CounterTableRow> filtered(std::vector<CounterTableRow> rows, std::string_view text)
{
    std::erase_if(rows,
                  [&](const CounterTableRow& row) { return !contains(row.slug, text) && !contains(row.type, text); });
    return rows;
}

std::string figure_words(const CounterColumn& column, const Measured<double>& figure)
{
    if (!figure)
        return "-";
    const double value = *figure;
    switch (column.unit) {
    case Unit::bytes: return viz::bytes_words(value);
    case Unit::gbps: return viz::thousands(value);
    case Unit::share: return viz::percent(value);
    case Unit::nanoseconds: return viz::time_words(value);
    case Unit::gflops: return viz::thousands(value);
    case Unit::times: return fmt::format("{} ×", viz::thousands(value));
    case Unit::per_cycle: return fmt::format("{:.2f}", value);
    case Unit::joules: return value < 1 ? fmt::format("{:.3g} mJ", 1e3 * value) : fmt::format("{:.3g} J", value);
    case Unit::per_joule: return fmt::format("{:.1f}", value);
    case Unit::error: return fmt::format("{:.1e}", value);
    case Unit::count: break;
    }
    return value < 1e5   ? viz::thousands(static_cast<uint64_t>(value))
           : value < 1e9 ? fmt::format("{:.2f} M", value * 1e-6)
                         : fmt::format("{:.2f} G", value * 1e-9);
}

nlohmann::json to_json(const CounterTable& table, std::span<const std::size_t> wanted)
{
    nlohmann::json rows = nlohmann::json::array();
    for (const CounterTableRow& row : table.rows) {
        nlohmann::json one = {{"name", row.slug},
                              {"type", row.type},
                              {"library", row.library},
                              {"size", kernels::size_name(table.problem, kernels::Operation::gemm)}};
        nlohmann::json missing = nlohmann::json::object();
        for (const std::size_t column : wanted) {
            const Measured<double>& figure = row.figures[column];
            one[std::string(columns[column].id)] = figure ? nlohmann::json(*figure) : nlohmann::json(nullptr);
            if (!figure)
                missing[std::string(columns[column].id)] = viz::plain(viz::in_a_sentence(figure.missing()));
            else if (!figure.from().device.empty())
                one["device"] = figure.from().device;
        }
        one["missing"] = missing;
        rows.push_back(std::move(one));
    }
    return rows;
}

std::string to_csv(const CounterTable& table, std::span<const std::size_t> wanted)
{
    std::string text = "name,type,size";
    for (const std::size_t column : wanted)
        text += fmt::format(",{}", columns[column].id);
    text += "\n";
    for (const CounterTableRow& row : table.rows) {
        text +=
            fmt::format("{},{},{}", row.slug, row.type, kernels::size_name(table.problem, kernels::Operation::gemm));
        for (const std::size_t column : wanted)
            text += row.figures[column] ? fmt::format(",{}", *row.figures[column]) : ",";
        text += "\n";
    }
    return text;
}

} // namespace app
