#include "viz/views/50_occupancy/occupancy_case.h"

#include "viz/text/figures.h"

#include <cmath>
#include <utility>

namespace viz {

namespace {

// Returns "registers and warps per SM".
Rich names_of_limits(const OccupancyCase& one)
{
    std::vector<Rich> names;
    for (int i = 0; i < limit_count; ++i)
        if (one.now.limited_by(static_cast<Limit>(i)))
            names.push_back(rich("**{}**", Value(limit_names[i]).as(Meaning::conflict)));
    return listed(std::move(names));
}

} // namespace

OccupancyCase case_of_stage(const StageColumn& stage, const LadderFacts& ladder_facts)
{
    OccupancyCase one;
    one.stage = &stage;
    one.needs = needs_of(*stage.recording);
    if (stage.recording->resources)
        return one;
    one.needs.registers = registers_per_thread(*stage.recording, &ladder_facts).value_or(0);
    one.registers_of_gpu = !one.unknown();
    return one;
}

void fill_sm(const SmLimits& limits, OccupancyCase& one)
{
    if (one.needs.registers > most_registers)
        one.beyond = std::exchange(one.needs.registers, most_registers) - most_registers;
    one.now = one.unknown() ? residency_without_registers(limits, one.needs) : residency(limits, one.needs);
}

Rich headline(const SmLimits& limits, const OccupancyCase& one)
{
    if (one.beyond > 0)
        return rich("Beyond **{}** registers the compiler spills to local memory",
                    Value(most_registers).as(Meaning::conflict));
    if (one.now.refusal)
        return rich("It cannot be launched");
    if (one.unknown())
        return rich("Registers unknown: **at most {}** of {} warps", one.now.warps, limits.warps);
    if (one.now.warps == limits.warps)
        return rich("**{}** of {} warps: every slot is filled", Value(one.now.warps).as(Meaning::good), limits.warps);
    return rich("**{}** of {} warps, limit {}", Value(one.now.warps).as(Meaning::strong), limits.warps,
                names_of_limits(one));
}

Rich next_block_words(const SmLimits& limits, const OccupancyCase& one)
{
    if (one.now.refusal)
        return rich(*one.now.refusal);
    if (one.unknown())
        return registers_unknown_words();
    if (one.now.warps == limits.warps)
        return rich("No slot is left for another block");
    const Index next = index(one.now.blocks);
    if (const auto fewer = registers_to_gain_a_block(limits, one.needs))
        return rich("With **{}** fewer per thread block {} fits", counted(*fewer, "register"), next);
    if (const auto fewer = shared_to_gain_a_block(limits, one.needs))
        return rich("With **{}** less shared memory block {} fits", bytes(*fewer), next);
    return rich("Neither fewer registers nor less shared memory alone help");
}

Rich registers_unknown_words()
{
    return rich("How many registers the compiler gives a thread a GPU says; type a number to try it");
}

namespace {

// Describes the origin of the values, and whether the driver agrees.
Rich origin_words(const SmLimits& limits, const OccupancyCase& one)
{
    if (one.typed)
        return rich("The values are typed, not the stage's.");
    if (one.registers_of_gpu)
        return rich("The {} registers are those of the same kernel, compiled for a GPU: this recording is of the CPU.",
                    one.needs.registers);
    const recording::Recording& recording = *one.stage->recording;
    const uint32_t driver = recording.resources->blocks_per_sm; // 0 if it was not queried
    if (recording.device.compute_capability != limits.compute_capability || driver == 0)
        return {};
    return driver == one.now.blocks ? rich("The driver says the same.")
                                    : rich("**The driver says {}.**", Value(driver).as(Meaning::conflict));
}

} // namespace

Rich residency_words(const SmLimits& limits, const OccupancyCase& one)
{
    if (one.now.refusal)
        return rich("*Cannot be launched:* {}", rich(*one.now.refusal));
    if (one.unknown())
        return rich("The other limits let in {} of {} warps. How many registers a thread has the compiler for a GPU "
                    "decides. A recording of the CPU has none, and none is known of this kernel. Type a number to see "
                    "what it would give.",
                    one.now.warps, limits.warps);
    std::vector<Rich> said;
    if (one.beyond > 0)
        said.push_back(rich("*No thread has so many:* of {} registers at least **{}** would lie in local memory. Each "
                            "use of them is a load or a store. Shown is what fits with {}.",
                            most_registers + one.beyond, Value(one.beyond).as(Meaning::conflict), most_registers));
    said.push_back(rich("An SM holds **{}** at once: **{}** of {}, **{}**. Limit: {}.",
                        counted(one.now.blocks, "block"), counted(one.now.warps, "warp"), limits.warps,
                        share(one.now.share), names_of_limits(one)));
    if (const uint32_t given = registers_of_warp(limits, one.needs.registers) / recording::warp_size;
        given > one.needs.registers)
        said.push_back(rich("Registers are dealt out in units of {} a thread: **{}** take as many as **{}**.",
                            limits.register_unit / recording::warp_size, one.needs.registers, given));
    if (const auto more = registers_to_lose_a_block(limits, one.needs))
        said.push_back(rich("**{}** more per thread would cost a whole block.", counted(*more, "register")));
    if (const auto fewer = registers_to_gain_a_block(limits, one.needs))
        said.push_back(rich("**{}** fewer would give one more.", counted(*fewer, "register")));
    else
        said.push_back(rich("Fewer would give none more."));
    said.push_back(origin_words(limits, one));
    return joined(std::move(said));
}

const HardwareFigures* issue_figures(const LadderFacts& ladder_facts, const StageColumn& stage)
{
    const HardwareFigures* figures = largest_counted(ladder_facts.find(stage.slug));
    return figures && figures->issued_per_cycle ? figures : nullptr;
}

uint64_t blocks_at(const recording::Recording& recording, const recording::Problem& problem)
{
    const auto results = [](const recording::Problem& of) { return static_cast<double>(of.M) * of.N; };
    const double scale = results(problem) / results(recording.problem);
    return static_cast<uint64_t>(std::llround(static_cast<double>(recording.launch.grid.volume()) * scale));
}

std::optional<DramNeeds> dram_needs(const LadderFacts& ladder_facts)
{
    const GpuState& gpu = ladder_facts.gpu;
    return gpu.measured && gpu.properties ? dram_needs(*gpu.measured, gpu.properties->sm_count) : std::nullopt;
}

} // namespace viz
