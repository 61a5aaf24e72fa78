#include "viz/views/50_occupancy/occupancy_case.h"

#include <cmath>
#include <utility>

namespace viz {

namespace {

Value::List names_of_limits(const OccupancyCase& one)
{
    Value::List names;
    for (int i = 0; i < limit_count; ++i)
        if (one.now.limited_by(static_cast<Limit>(i)))
            names.push_back(Value(limit_names[i]).as(Meaning::conflict));
    return names;
}

} // namespace

OccupancyCase case_of_stage(const StageColumn& stage, const Board& board)
{
    OccupancyCase one;
    one.stage = &stage;
    one.needs = needs_of(*stage.recording);
    if (stage.recording->resources)
        return one;
    one.needs.registers = registers_per_thread(*stage.recording, &board).value_or(0);
    one.registers_of_gpu = !one.unknown();
    return one;
}

void fill_sm(const SmLimits& limits, OccupancyCase& one)
{
    if (one.needs.registers > most_registers)
        one.beyond = std::exchange(one.needs.registers, most_registers) - most_registers;
    one.now = one.unknown() ? residency_without_registers(limits, one.needs) : residency(limits, one.needs);
}

Message headline(const SmLimits& limits, const OccupancyCase& one)
{
    if (one.beyond > 0)
        return {"occupancy.spills_headline", {{"most", Value(most_registers).as(Meaning::conflict)}}};
    if (one.now.refusal)
        return {"occupancy.refused_headline"};
    if (one.unknown())
        return {"occupancy.unknown_headline", {{"warps", one.now.warps}, {"most", limits.warps}}};
    if (one.now.warps == limits.warps)
        return {"occupancy.full", {{"warps", Value(one.now.warps).as(Meaning::good)}, {"most", limits.warps}}};
    return {"occupancy.headline",
            {{"warps", Value(one.now.warps).as(Meaning::strong)},
             {"most", limits.warps},
             {"limits", names_of_limits(one)}}};
}

Message next_block_message(const SmLimits& limits, const OccupancyCase& one)
{
    if (one.now.refusal)
        return *one.now.refusal;
    if (one.unknown())
        return {"occupancy.type_registers"};
    if (one.now.warps == limits.warps)
        return {"occupancy.no_slot_left"};
    if (const auto fewer = registers_to_gain_a_block(limits, one.needs))
        return {"occupancy.gain_by_registers", {{"registers", *fewer}, {"block", index(one.now.blocks)}}};
    if (const auto fewer = shared_to_gain_a_block(limits, one.needs))
        return {"occupancy.gain_by_shared", {{"bytes", bytes(*fewer)}, {"block", index(one.now.blocks)}}};
    return {"occupancy.no_single_gain"};
}

Messages residency_messages(const SmLimits& limits, const OccupancyCase& one)
{
    if (one.now.refusal)
        return {{"occupancy.refused", {{"why", *one.now.refusal}}}};
    if (one.unknown())
        return {{"occupancy.unknown", {{"warps", one.now.warps}, {"most", limits.warps}}}};
    Messages messages;
    if (one.beyond > 0)
        messages.push_back({"occupancy.beyond",
                            {{"registers", most_registers + one.beyond},
                             {"beyond", Value(one.beyond).as(Meaning::conflict)},
                             {"most", most_registers}}});
    messages.push_back({"occupancy.residency",
                        {{"blocks", one.now.blocks},
                         {"warps", one.now.warps},
                         {"most", limits.warps},
                         {"share", share(one.now.share)},
                         {"limits", names_of_limits(one)}}});
    if (const uint32_t given = registers_of_warp(limits, one.needs.registers) / recording::warp_size;
        given > one.needs.registers)
        messages.push_back({"occupancy.dealt_out",
                            {{"registers", one.needs.registers},
                             {"given", given},
                             {"unit", limits.register_unit / recording::warp_size}}});
    if (const auto more = registers_to_lose_a_block(limits, one.needs))
        messages.push_back({"occupancy.more_registers", {{"registers", *more}}});
    if (const auto fewer = registers_to_gain_a_block(limits, one.needs))
        messages.push_back({"occupancy.fewer_registers", {{"registers", *fewer}}});
    else
        messages.push_back({"occupancy.fewer_gain_nothing"});
    if (one.typed) {
        messages.push_back({"occupancy.typed"});
    } else if (one.registers_of_gpu) {
        messages.push_back({"occupancy.registers_of_gpu", {{"registers", one.needs.registers}}});
    } else if (one.stage->recording->device.compute_capability == limits.compute_capability) {
        const uint32_t driver = one.stage->recording->resources->blocks_per_sm;
        if (driver > 0) // else nobody asked it
            messages.push_back(driver == one.now.blocks ? Message{"occupancy.driver_agrees"}
                                                        : Message{"occupancy.driver_differs",
                                                                  {{"blocks", Value(driver).as(Meaning::conflict)}}});
    }
    return messages;
}

const HardwareFigures* issue_figures(const Board& board, const StageColumn& stage)
{
    const HardwareFigures* figures = largest_counted(board.find(stage.slug));
    return figures && figures->issued_per_cycle ? figures : nullptr;
}

uint64_t blocks_at(const recording::Recording& recording, const recording::Problem& problem)
{
    const auto results = [](const recording::Problem& of) { return static_cast<double>(of.M) * of.N; };
    const double scale = results(problem) / results(recording.problem);
    return static_cast<uint64_t>(std::llround(static_cast<double>(recording.launch.grid.volume()) * scale));
}

std::optional<DramNeeds> dram_needs(const Board& board)
{
    const GpuState& gpu = board.gpu;
    return gpu.measured && gpu.properties ? dram_needs(*gpu.measured, gpu.properties->sm_count) : std::nullopt;
}

} // namespace viz
