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

using Unit = CounterUnit;

constexpr auto columns = std::to_array<CounterColumn>({
    CounterColumn{"dram_bytes", Unit::bytes, true, false, 1, "counters.title_dram_bytes"},
    CounterColumn{"dram_gbps", Unit::gbps, true, true, 5, "counters.title_dram_gbps"},
    CounterColumn{"dram_share", Unit::share, true, true, 4, "counters.title_dram_share"},
    CounterColumn{"l1_hit_rate", Unit::share, true, true, 2, "counters.title_l1_hit_rate"},
    CounterColumn{"l2_hit_rate", Unit::share, true, true, 0, "counters.title_l2_hit_rate"},
    CounterColumn{"duration", Unit::nanoseconds, true, false, 3, "counters.title_duration"},
    CounterColumn{"gflops", Unit::gflops, false, true, 0, "counters.title_gflops"},
    CounterColumn{"over_naive", Unit::times, false, true, 0, "counters.title_over_naive"},
    CounterColumn{"error", Unit::error, false, false, 0, "counters.title_error"},
    CounterColumn{"compute_throughput", Unit::share, false, true, 0, "counters.title_compute_throughput"},
    CounterColumn{"memory_throughput", Unit::share, false, true, 0, "counters.title_memory_throughput"},
    CounterColumn{"dram_throughput", Unit::share, false, true, 0, "counters.title_dram_throughput"},
    CounterColumn{"joules", Unit::joules, false, false, 0, "counters.title_joules"},
    CounterColumn{"gflop_per_joule", Unit::per_joule, false, true, 0, "counters.title_gflop_per_joule"},
    CounterColumn{"l2_bytes", Unit::bytes, false, false, 0, "counters.title_l2_bytes"},
    CounterColumn{"global_sectors", Unit::count, false, false, 0, "counters.title_global_sectors"},
    CounterColumn{"shared_wavefronts", Unit::count, false, false, 0, "counters.title_shared_wavefronts"},
    CounterColumn{"bank_conflicts", Unit::count, false, false, 0, "counters.title_bank_conflicts"},
    CounterColumn{"instructions", Unit::count, false, false, 0, "counters.title_instructions"},
    CounterColumn{"issued_per_cycle", Unit::per_cycle, false, true, 0, "counters.title_issued_per_cycle"},
    CounterColumn{"issue_slots", Unit::share, false, true, 0, "counters.title_issue_slots"},
    CounterColumn{"occupancy", Unit::share, false, true, 0, "counters.title_occupancy"},
    CounterColumn{"active_cycles", Unit::count, false, false, 0, "counters.title_active_cycles"},
    CounterColumn{"registers", Unit::count, false, false, 0, "counters.title_registers"},
    CounterColumn{"pipe_fmaheavy", Unit::share, false, true, 0, "counters.title_pipe_fmaheavy"},
    CounterColumn{"pipe_fmalite", Unit::share, false, true, 0, "counters.title_pipe_fmalite"},
    CounterColumn{"pipe_tensor", Unit::share, false, true, 0, "counters.title_pipe_tensor"},
    CounterColumn{"pipe_fp64", Unit::share, false, true, 0, "counters.title_pipe_fp64"},
    CounterColumn{"pipe_alu", Unit::share, false, true, 0, "counters.title_pipe_alu"},
    CounterColumn{"pipe_xu", Unit::share, false, true, 0, "counters.title_pipe_xu"},
    CounterColumn{"pipe_lsu", Unit::share, false, true, 0, "counters.title_pipe_lsu"},
    CounterColumn{"pipe_tma", Unit::share, false, true, 0, "counters.title_pipe_tma"},
    CounterColumn{"pipe_uniform", Unit::share, false, true, 0, "counters.title_pipe_uniform"},
    CounterColumn{"pipe_cbu", Unit::share, false, true, 0, "counters.title_pipe_cbu"},
    CounterColumn{"pipe_adu", Unit::share, false, true, 0, "counters.title_pipe_adu"},
});

// A column's place; an id that is none does not compile.
consteval std::size_t at(std::string_view id)
{
    std::size_t place = 0;
    while (columns[place].id != id)
        ++place;
    return place;
}

// The last columns: instructions that went to these, of all that were executed.
constexpr std::size_t first_pipe = at("pipe_fmaheavy");
constexpr std::array<std::string_view, columns.size() - first_pipe> pipes = {
    "fmaheavy", "fmalite", "tensor", "fp64", "alu", "xu", "lsu", "tma", "uniform", "cbu", "adu"};

template <class T>
Measured<double> counted(const std::optional<T>& value, const recording::Provenance& from,
                         const recording::Reason& why_not = {})
{
    if (!value)
        return why_not;
    return {static_cast<double>(*value), from};
}

template <class T>
std::optional<double> sum(const std::optional<T>& a, const std::optional<T>& b)
{
    return a && b ? std::optional(static_cast<double>(*a) + static_cast<double>(*b)) : std::nullopt;
}

std::optional<double> over(const std::optional<double>& a, const std::optional<double>& b)
{
    return a && b && *b > 0 ? std::optional(*a / *b) : std::nullopt;
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
    return counted(value, from, {Missing::not_shipped, {what}});
}

void add_throughputs(const kernels::CounterFigures& f, const recording::Provenance& from, Figures& figures)
{
    constexpr const char* throughput = "counter of throughput of this launch";
    figures[at("compute_throughput")] = counted_lately(f.compute_throughput, from, throughput);
    figures[at("memory_throughput")] = counted_lately(f.memory_throughput, from, throughput);
    figures[at("dram_throughput")] = counted_lately(f.dram_throughput, from, throughput);
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
    const auto set = [&](std::size_t column, const auto& value) { figures[column] = counted(value, from); };
    set(at("dram_bytes"), bytes);
    set(at("dram_gbps"), over(bytes, ns));
    const auto& gpu = catalogue.gpu.facts;
    if (gpu && gpu->properties.name == counters.device.name)
        set(at("dram_share"), over(over(bytes, ns), gpu->properties.memory_gbps()));
    else
        figures[at("dram_share")] = catalogue.gpu.missing.empty() ? recording::Reason{} : catalogue.gpu.missing.front();
    set(at("l1_hit_rate"), f.l1_hit_rate);
    set(at("l2_hit_rate"), f.l2_hit_rate);
    set(at("duration"), ns);
    const auto l2 =
        sum(counter(counters, "lts__t_sectors_lookup_hit.sum"), counter(counters, "lts__t_sectors_lookup_miss.sum"));
    set(at("l2_bytes"), l2 ? std::optional(*l2 * l2_sector_bytes) : std::nullopt);
    set(at("global_sectors"), sum(f.global_load.sectors, f.global_store.sectors));
    set(at("shared_wavefronts"), sum(f.shared_load.wavefronts, f.shared_store.wavefronts));
    set(at("bank_conflicts"), sum(f.shared_load.conflicts, f.shared_store.conflicts));
    set(at("instructions"), f.issued);
    set(at("issued_per_cycle"), f.ipc);
    set(at("issue_slots"), over(f.ipc, schedulers));
    set(at("occupancy"), f.occupancy);
    set(at("active_cycles"), counter(counters, "sm__cycles_active.sum"));
    const uint32_t used = counters.resources.registers_per_thread;
    set(at("registers"), used > 0 ? std::optional(used) : std::nullopt);
    add_throughputs(f, from, figures);
}

// As timed without counters, with warm caches.
void add_timed(const Catalogue& catalogue, std::string_view slug, const kernels::ParameterValues* parameters,
               uint32_t side, Figures& figures)
{
    const ShippedSpeeds& speeds = catalogue.speeds;
    figures[at("gflops")] = figures[at("error")] = figures[at("joules")] = figures[at("gflop_per_joule")] =
        why_no_row(speeds.missing);
    for (const auto* rows : {&speeds.rows, &speeds.by_size})
        for (const TimedRow& row : *rows) {
            if (figures[at("gflops")] || row.slug != slug || !row.gflops || !same_sides(row.problem, side) ||
                (parameters != nullptr && row.parameters != *parameters && rows != &speeds.by_size))
                continue;
            const recording::Provenance from = provenance_of(speeds, row);
            const kernels::Energy& energy = row.timing.energy;
            figures[at("gflops")] = {*row.gflops, from};
            figures[at("error")] = {row.total_error, from};
            if (!energy.joules && !energy.missing.empty()) {
                figures[at("joules")] = figures[at("gflop_per_joule")] =
                    recording::Reason{Missing::failed, {energy.missing}};
                continue;
            }
            constexpr const char* what = "measurement of energy of this launch";
            figures[at("joules")] = counted_lately(energy.joules, from, what);
            figures[at("gflop_per_joule")] = counted_lately(gflop_per_joule(row), from, what);
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

const std::string& heading_of(std::size_t column)
{
    static const std::vector<std::string> all = [] {
        std::vector<std::string> made;
        for (const CounterColumn& one : columns)
            made.push_back(viz::plain(viz::Message{one.title}));
        return made;
    }();
    return all.at(column);
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
    const recording::Reason why = why_no_row(catalogue.counters.missing);
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
        row.figures[at("over_naive")] =
            viz::over_naive(row.figures[at("gflops")],
                            naive != table.rows.end() ? naive->figures[at("gflops")] : Measured<double>(why));
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
