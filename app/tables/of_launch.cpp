#include "app/tables/of_launch.h"

#include "viz/analysis/comparison.h"
#include "viz/analysis/occupancy.h"
#include "viz/analysis/over_naive.h"
#include "viz/analysis/roofline.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"

#include "error.h"

#include <nlohmann/json.hpp>

#include <string>

namespace app {

namespace {

using Json = nlohmann::json;

std::string how(const recording::Provenance& from)
{
    return viz::plain(viz::how_had(from));
}

// The recording of a launch of many blocks where one is shipped, else the one that is shown.
const recording::Recording* launch_of(const Snapshot& snapshot, const viz::StageColumn& stage)
{
    const viz::RungFigures* rung = snapshot.board.find(stage.slug);
    if (rung != nullptr && rung->launch != nullptr && !rung->launch->placements.empty())
        return rung->launch.get();
    return stage.recording.get();
}

Json limits(const viz::Residency& now)
{
    std::string text;
    for (int i = 0; i < viz::limit_count; ++i)
        if (now.limited_by(static_cast<viz::Limit>(i)))
            text += std::string(text.empty() ? "" : " ") + (i == 0   ? "registers"
                                                            : i == 1 ? "shared"
                                                            : i == 2 ? "warps"
                                                                     : "blocks");
    return text;
}

recording::Measured<double> gflops_of(const recording::Measured<viz::SpeedAt>& speed)
{
    return speed.with([](const viz::SpeedAt& at) { return at.gflops; });
}

// Null where naive was not timed likewise.
Json over_naive_at(const Snapshot& snapshot, const recording::Measured<viz::SpeedAt>& speed)
{
    if (const viz::RungFigures* naive = snapshot.board.find(std::string(viz::first_rung)))
        for (const recording::Measured<viz::SpeedAt>& of_naive : naive->speeds)
            if (const auto times = viz::over_naive(gflops_of(speed), gflops_of(of_naive)))
                return *times;
    return {};
}

} // namespace

Table speeds_of_ladder(const Snapshot& snapshot)
{
    Table table("speeds",
                "stage | type | M | N | K | gflops | over_naive | flop_per_byte | intensity_recorded | origin");
    for (const viz::RungFigures& rung : snapshot.board.rungs)
        for (const recording::Measured<viz::SpeedAt>& speed : rung.speeds) {
            if (!speed)
                continue;
            const recording::Problem& at = speed->problem;
            const auto intensity = viz::intensity_of(rung.traffic.value(), rung.tile, at);
            table.add({rung.slug, rung.type, at.M, at.N, at.K, speed->gflops, over_naive_at(snapshot, speed),
                       intensity ? Json(intensity->value) : Json(), intensity ? Json(intensity->recorded) : Json(),
                       how(speed.from())});
        }
    return table;
}

Table ceilings_of_gpu(const Snapshot& snapshot)
{
    const viz::GpuState& gpu = snapshot.board.gpu;
    if (!gpu.properties)
        throw kernels::Error(viz::plain(viz::in_a_sentence(gpu.properties.missing())));
    Table table("ceilings", "gpu | ceiling | value | unit | measured");
    const auto measured = gpu.measured.value();
    const viz::Ceilings ceilings = viz::ceilings_of(*gpu.properties, measured ? &*measured : nullptr);
    const auto add = [&](const std::string& name, const std::optional<viz::Ceiling>& ceiling, const char* unit) {
        if (ceiling)
            table.add({gpu.properties->name, name, ceiling->value, unit, ceiling->measured});
    };
    add("dram", ceilings.dram, "GB/s");
    add("l2", ceilings.l2, "GB/s");
    add("l1", ceilings.l1, "GB/s");
    add("shared", ceilings.shared, "GB/s");
    for (const auto& [type, ceiling] : ceilings.arithmetic)
        add(type, ceiling, "GFLOPS");
    return table;
}

Table placed_blocks(const Snapshot& snapshot)
{
    Table table("placement", "stage | block_x | block_y | block_z | sm | start_ns | end_ns | device");
    for (const viz::StageColumn& stage : snapshot.recorded()) {
        const recording::Recording& recording = *launch_of(snapshot, stage);
        const recording::Index3& grid = recording.launch.grid;
        const bool timed = !recording::why_untimed(recording);
        const auto time = [timed](uint64_t ns) { return timed ? nlohmann::json(ns) : nlohmann::json(); };
        for (std::size_t i = 0; i < recording.placements.size(); ++i) {
            const recording::Placement& block = recording.placements[i];
            table.add({stage.slug, i % grid.x, i / grid.x % grid.y, i / grid.x / grid.y, block.sm, time(block.start_ns),
                       time(block.end_ns), recording.device.name});
        }
    }
    if (table.rows.empty())
        throw kernels::Error(
            "Where blocks ran is known of recordings made on a GPU only, and this one was made on the CPU, "
            "which has no SMs.");
    return table;
}

Table occupancy_by_registers(const Snapshot& snapshot)
{
    Table table("occupancy", "stage | threads_per_block | shared_bytes_per_block | registers_per_thread | "
                             "is_the_kernel | blocks | warps | share | limited_by");
    for (const viz::StageColumn& stage : snapshot.recorded()) {
        const auto& resources = stage.recording->resources;
        const viz::SmLimits sm = viz::limits_of(stage.recording->device.compute_capability).value_or(viz::SmLimits());
        viz::KernelNeeds needs = viz::needs_of(*stage.recording);
        for (needs.registers = 16; needs.registers <= viz::most_registers; ++needs.registers) {
            const viz::Residency now = viz::residency(sm, needs);
            table.add({stage.slug, needs.threads, needs.shared_bytes, needs.registers,
                       resources && needs.registers == resources->registers_per_thread, now.blocks, now.warps,
                       now.share, limits(now)});
        }
    }
    return table;
}

Table compared_figures(const Snapshot& snapshot, const State& state)
{
    Table table("figures", "stage | figure | value | unit | fewer_is_better | origin");
    for (const viz::StageColumn& stage : snapshot.recorded()) {
        const WarpTrack& track = state.tracks[stage.number];
        if (track.block() == nullptr)
            continue;
        const viz::KernelFigures figures = viz::figures_of(*stage.recording, *track.block());
        const bool shipped = snapshot.details[stage.number].shipped;
        recording::Provenance from = recording::provenance_of(*stage.recording, shipped);
        const std::string recorded = how(from);
        from.how = recording::How::derived; // from addresses, by the rules of banks and sectors, or of what an SM holds
        const std::string derived = how(from);
        const recording::Measured<double>& speed = stage.speed.gflops ? stage.speed.gflops : stage.shipped.gflops;
        table.add({stage.slug, "speed", speed ? Json(*speed) : Json(), "GFLOPS", false,
                   speed ? how(speed.from()) : viz::plain(viz::in_short(speed.missing()))});
        if (const viz::RungFigures* rung = snapshot.board.find(stage.slug))
            for (const recording::Measured<viz::SpeedAt>& at : rung->speeds)
                if (speed && gflops_of(at) == speed)
                    if (Json times = over_naive_at(snapshot, at); !times.is_null())
                        table.add(
                            {stage.slug, "speed over naive", std::move(times), "times", false, how(speed.from())});
        for (std::size_t j = 1; j < viz::measure_count; ++j) {
            const auto measure = static_cast<viz::Measure>(j);
            const auto value = figures[measure];
            if (!value)
                continue;
            const viz::MeasureInfo& about = viz::info(measure);
            const std::string unit = viz::per_multiplication(measure) ? "per 1,000 multiplications" : about.unit;
            table.add(
                {stage.slug, about.name, *value, unit, about.cost,
                 viz::per_multiplication(measure) || measure >= viz::Measure::blocks_per_sm ? derived : recorded});
        }
    }
    return table;
}

} // namespace app
