#include "app/catalogue/counters.h"

#include "app/catalogue/fields_json.h"
#include "app/catalogue/run_profile.h"

#include "gemm/size.h"
#include "measure/baseline.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace app {

namespace {

using nlohmann::json;

json counted_json(const std::string& slug, kernels::Operation operation, const recording::Problem& problem,
                  const kernels::Counters& counters)
{
    json row = to_named_json(counters);
    row.update({{"stage", slug},
                {"size", kernels::size_name(problem, operation)},
                {"alpha", problem.alpha},
                {"beta", problem.beta}});
    return row;
}

// Alpha and beta stay as they are where the operation knows none.
void read_scales(const Fields& row, recording::Problem& problem)
{
    problem.alpha = row.has("alpha") ? row.factor("alpha") : 1;
    problem.beta = row.has("beta") ? row.factor("beta") : 0;
}

} // namespace

std::vector<NamedCount> with_names(const kernels::InstructionCounters& counters, const kernels::MachineCode& code)
{
    std::vector<NamedCount> result;
    for (std::size_t kernel = 0; kernel < code.kernels.size(); ++kernel)
        for (const kernels::Instruction& one : code.kernels[kernel].instructions)
            if (const kernels::InstructionCount* count = counters.at(kernel, one.address); count && one.op)
                result.push_back({*count, one.name, one.line});
    return result;
}

bool CountedRow::fits(const kernels::MachineCode& code) const
{
    const kernels::InstructionCounters counters = instructions();
    std::size_t accesses = 0;
    for (const kernels::KernelCode& kernel : code.kernels)
        accesses += static_cast<std::size_t>(
            std::ranges::count_if(kernel.instructions, [](const auto& one) { return one.op.has_value(); }));
    const std::vector<NamedCount> found = with_names(counters, code);
    return found.size() == accesses && std::ranges::equal(found, each, {}, &NamedCount::name, &NamedCount::name);
}

kernels::InstructionCounters CountedRow::instructions() const
{
    kernels::InstructionCounters result{.device = counters.device};
    for (const NamedCount& one : each)
        result.instructions.push_back(one.count);
    return result;
}

json to_json(const CountedLibrary& row)
{
    json result = counted_json(row.slug, kernels::Operation::gemm, row.problem, row.counters);
    if (!row.date.empty())
        result["date"] = row.date;
    return result;
}

json to_json(const CountedRow& row, const kernels::Stage& stage)
{
    json result = counted_json(row.slug, stage.operation, row.problem, row.counters);
    result.update({{"parameters", parameters_json(stage, row.parameters)}, {"readings", row.readings}});
    if (!row.date.empty())
        result["date"] = row.date;
    if (row.run != nullptr)
        result["run"] = to_json(*row.run);
    if (row.each.empty())
        return result;
    result["per_instruction"] = {{"instructions", to_named_json(row.each)}, {"readings", row.instruction_readings}};
    return result;
}

std::optional<CountedRow> counted_row_from(const Fields& row, const Ladder& ladder)
{
    const kernels::Stage* stage = stage_named(ladder, row.text("stage"));
    const auto parameters = stage == nullptr ? std::nullopt : parameters_in(row, *stage);
    if (!parameters)
        return std::nullopt;
    CountedRow result{.slug = std::string(stage->slug),
                      .parameters = *parameters,
                      .problem = problem_in(row, stage->operation),
                      .counters = from_named_json<kernels::Counters>(row.json()),
                      .readings = row.whole_or<int>("readings", 1),
                      .date = row.has("date") ? row.text("date") : ""};
    if (kernels::facts(stage->operation).is_scaled)
        read_scales(row, result.problem);
    if (row.has("run"))
        result.run = std::make_shared<const recording::RunProfile>(run_profile_from(Fields(row.at("run"))));
    if (!row.has("per_instruction"))
        return result;
    const Fields each(row.at("per_instruction"));
    result.each = field_of<std::vector<NamedCount>>(each.json(), "instructions");
    std::ranges::sort(result.each, {}, // as it is looked for
                      [](const NamedCount& one) { return std::pair(one.count.kernel, one.count.address); });
    result.instruction_readings = each.whole_or<int>("readings", 1);
    return result;
}

std::optional<CountedLibrary> counted_library_from(const Fields& row)
{
    const std::string slug = row.text("stage");
    const kernels::Baseline* baseline = kernels::find_baseline(slug);
    if (baseline == nullptr || !baseline->needs_gpu())
        return std::nullopt;
    CountedLibrary result{.slug = slug,
                          .problem = problem_in(row, kernels::Operation::gemm),
                          .counters = from_named_json<kernels::Counters>(row.json()),
                          .date = row.has("date") ? row.text("date") : ""};
    read_scales(row, result.problem);
    return result;
}

double least_dram_bytes(const kernels::Job& job)
{
    const kernels::OperandShapes shapes =
        kernels::device_shapes(job.stage->operation, kernels::types_of(job), job.problem);
    const bool reads_C = kernels::facts(job.stage->operation).is_scaled && job.problem.beta != 0;
    return static_cast<double>(shapes.A.bytes() + shapes.B.bytes() + (reads_C ? shapes.C.bytes() : 0));
}

viz::HardwareFigures hardware_figures(const kernels::Job& job, const kernels::Counters& counters)
{
    const kernels::CounterFigures f = kernels::figures(counters);
    viz::HardwareFigures result{.problem = job.problem,
                                .l1_hits = f.l1_hit_rate,
                                .l2_hits = f.l2_hit_rate,
                                .dram_read = f.dram_read_bytes,
                                .dram_written = f.dram_write_bytes,
                                .occupancy = f.occupancy,
                                .issued = f.issued,
                                .issued_per_cycle = f.ipc,
                                .load_sectors = f.global_load.sectors,
                                .shared_wavefronts = f.shared_load.wavefronts,
                                .shared_store_wavefronts = f.shared_store.wavefronts,
                                .least_read = least_dram_bytes(job)};
    for (const kernels::PipeCount& one : f.pipes)
        result.pipes.push_back({std::string(one.pipe), one.executed});
    result.executed = f.executed;
    const auto hits = counters.sums.find("lts__t_sectors_lookup_hit.sum");
    const auto misses = counters.sums.find("lts__t_sectors_lookup_miss.sum");
    if (hits != counters.sums.end() && misses != counters.sums.end())
        result.l2_sectors = static_cast<double>(hits->second + misses->second);
    return result;
}

const CountedRow* ShippedCounters::find(const kernels::Job& job) const
{
    const auto found = std::ranges::find_if(rows, [&](const CountedRow& row) {
        return row.slug == job.stage->slug && row.parameters == job.parameters && row.problem == job.problem;
    });
    return found == rows.end() ? nullptr : &*found;
}

recording::Reasons ShippedCounters::why_none() const
{
    return !missing.empty() ? missing : recording::Reasons{{recording::Missing::other_launch}};
}

recording::Provenance ShippedCounters::from_of(const kernels::Counters& counters, const std::string& date) const
{
    return {.how = recording::How::counted,
            .shipped = true,
            .device = counters.device.name,
            .date = date.empty() ? from.date : date};
}

recording::Provenance ShippedCounters::from_of(const CountedRow& row) const
{
    return from_of(row.counters, row.date);
}

recording::Provenance ShippedCounters::from_of(const CountedLibrary& row) const
{
    return from_of(row.counters, row.date);
}

std::vector<viz::HardwareFigures> ShippedCounters::of(const kernels::Stage& stage,
                                                      const kernels::ParameterValues& parameters) const
{
    std::vector<viz::HardwareFigures> found;
    for (const CountedRow& row : rows)
        if (row.slug == stage.slug && row.parameters == parameters) {
            found.push_back(hardware_figures({&stage, parameters, row.problem}, row.counters));
            found.back().from = from_of(row);
        }
    std::ranges::sort(found, {}, &viz::HardwareFigures::least_read);
    return found;
}

std::optional<viz::CountedRun> ShippedCounters::run_of(const kernels::Stage& stage,
                                                       const kernels::ParameterValues& parameters) const
{
    std::optional<viz::CountedRun> largest;
    for (const CountedRow& row : rows)
        if (row.run != nullptr && row.slug == stage.slug && row.parameters == parameters &&
            (!largest || least_dram_bytes({&stage, parameters, row.problem}) >
                             least_dram_bytes({&stage, parameters, largest->problem})))
            largest = {row.run, row.problem, from_of(row)};
    return largest;
}

ShippedCounters read_counters(const std::filesystem::path& folder, const Ladder& ladder)
{
    ShippedCounters result;
    result.missing = read_shipped(
        {.folder = folder, .name = "counters.json", .how = recording::How::counted},
        [&](const Fields&, const recording::Provenance& from) { result.from = from; },
        [&](std::string_view, const Fields& row) {
            if (std::optional<CountedRow> counted = counted_row_from(row, ladder))
                result.rows.push_back(std::move(*counted));
            else if (std::optional<CountedLibrary> library = counted_library_from(row))
                result.libraries.push_back(std::move(*library));
        });
    return result;
}

} // namespace app
