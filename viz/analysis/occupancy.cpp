#include "viz/analysis/occupancy.h"

#include "viz/analysis/access.h"
#include "viz/ladder_facts.h"
#include "viz/text/figures.h"

#include <algorithm>

namespace viz {

namespace {

using recording::warp_size;

constexpr uint32_t kibi = 1024;

// Columns: compute capability, warps, blocks, shared memory, reserved bytes, granularity.
constexpr std::array<SmLimits, 7> table = {{
    {70, 64, 32, 96 * kibi, 0, 256},
    {75, 32, 16, 64 * kibi, 0, 256},
    {80, 64, 32, 164 * kibi, kibi, 128},
    {86, 48, 16, 100 * kibi, kibi, 128},
    {89, 48, 24, 100 * kibi, kibi, 128},
    {90, 64, 32, 228 * kibi, kibi, 128},
    {100, 64, 32, 228 * kibi, kibi, 128},
}};

uint32_t rounded_up(uint32_t value, uint32_t unit)
{
    return (value + unit - 1) / unit * unit;
}

uint32_t shared_of_block(const SmLimits& limits, const KernelNeeds& needs)
{
    return rounded_up(needs.shared_bytes + limits.shared_reserved, limits.shared_unit);
}

// Returns how many warps the register file allows. The part of each scheduler holds whole warps. An unknown register
// count (0) is no limit.
uint32_t warps_by_registers(const SmLimits& limits, uint32_t registers_per_thread)
{
    return sm_parts * (limits.registers / sm_parts / registers_of_warp(limits, std::max(registers_per_thread, 1u)));
}

std::optional<Message> refusal_of(const SmLimits& limits, const KernelNeeds& needs)
{
    if (needs.threads < 1 || needs.threads > most_threads)
        return Message{"occupancy.threads_refused", {{"most", most_threads}}};
    if (needs.registers < 1 || needs.registers > most_registers)
        return Message{"occupancy.registers_refused", {{"most", most_registers}}};
    if (needs.shared_bytes > limits.most_shared_per_block())
        return Message{"occupancy.shared_refused", {{"most", limits.most_shared_per_block()}}};
    if (needs.warps() > warps_by_registers(limits, needs.registers))
        return Message{"occupancy.block_refused",
                       {{"threads", needs.threads}, {"registers", needs.registers}, {"most", limits.registers}}};
    return {};
}

} // namespace

std::span<const SmLimits> known_sms()
{
    return table;
}

std::optional<SmLimits> limits_of(uint32_t compute_capability)
{
    const auto found = std::ranges::find(table, compute_capability, &SmLimits::compute_capability);
    return found == table.end() ? std::nullopt : std::optional(*found);
}

uint32_t registers_of_warp(const SmLimits& limits, uint32_t registers_per_thread)
{
    return rounded_up(registers_per_thread * warp_size, limits.register_unit);
}

Residency residency(const SmLimits& limits, const KernelNeeds& needs)
{
    Residency result;
    result.refusal = refusal_of(limits, needs);
    if (result.refusal)
        return result;
    const uint32_t warps = needs.warps();
    const uint32_t shared = shared_of_block(limits, needs);
    const auto set = [&](Limit limit, uint32_t blocks) { result.allowed[static_cast<std::size_t>(limit)] = blocks; };
    set(Limit::registers, warps_by_registers(limits, needs.registers) / warps);
    set(Limit::shared, shared == 0 ? limits.blocks : limits.shared_bytes / shared);
    set(Limit::warps, limits.warps / warps);
    set(Limit::blocks, limits.blocks);
    result.blocks = *std::min_element(result.allowed.begin(), result.allowed.end());
    result.warps = result.blocks * warps;
    result.share = static_cast<double>(result.warps) / limits.warps;
    return result;
}

Residency residency_without_registers(const SmLimits& limits, KernelNeeds needs)
{
    needs.registers = 1; // so few that registers are no limit
    return residency(limits, needs);
}

std::optional<uint32_t> registers_to_lose_a_block(const SmLimits& limits, KernelNeeds needs)
{
    const uint32_t now = residency(limits, needs).blocks;
    for (uint32_t more = 1; needs.registers + more <= most_registers; ++more) {
        KernelNeeds changed = needs;
        changed.registers += more;
        if (residency(limits, changed).blocks < now)
            return more;
    }
    return {};
}

std::optional<uint32_t> registers_to_gain_a_block(const SmLimits& limits, KernelNeeds needs)
{
    const uint32_t now = residency(limits, needs).blocks;
    for (uint32_t fewer = 1; fewer < needs.registers; ++fewer) {
        KernelNeeds changed = needs;
        changed.registers -= fewer;
        if (residency(limits, changed).blocks > now)
            return fewer;
    }
    return {};
}

std::optional<uint32_t> shared_to_gain_a_block(const SmLimits& limits, const KernelNeeds& needs)
{
    const Residency now = residency(limits, needs);
    if (now.blocks == 0)
        return {};
    const uint32_t each = limits.shared_bytes / (now.blocks + 1) / limits.shared_unit * limits.shared_unit;
    if (each < limits.shared_reserved || each - limits.shared_reserved >= needs.shared_bytes)
        return {};
    KernelNeeds changed = needs;
    changed.shared_bytes = each - limits.shared_reserved;
    if (residency(limits, changed).blocks <= now.blocks)
        return {};
    return needs.shared_bytes - changed.shared_bytes;
}

LimitUse use_of(const SmLimits& limits, const KernelNeeds& needs, Limit limit)
{
    const uint32_t warps = needs.warps();
    switch (limit) {
    case Limit::registers: {
        const uint32_t of_warp = registers_of_warp(limits, needs.registers);
        return {limits.registers, warps_by_registers(limits, needs.registers) * of_warp, warps * of_warp};
    }
    case Limit::shared: return {limits.shared_bytes, limits.shared_bytes, shared_of_block(limits, needs)};
    case Limit::warps: return {limits.warps, limits.warps, warps};
    case Limit::blocks: break;
    }
    return {limits.blocks, limits.blocks, 1};
}

std::array<std::vector<ResidentWarp>, sm_parts> warps_of_schedulers(const Residency& now)
{
    std::array<std::vector<ResidentWarp>, sm_parts> schedulers;
    for (uint32_t i = 0; i < now.warps; ++i) {
        const uint32_t per_block = now.warps / now.blocks;
        schedulers[i % sm_parts].push_back({i / per_block, i % per_block});
    }
    return schedulers;
}

KernelNeeds needs_of(const recording::Recording& recording)
{
    KernelNeeds needs{.threads = recording.launch.threads_per_block(),
                      .shared_bytes = static_cast<uint32_t>(shared_tile_bytes(recording.arrays))};
    if (recording.resources) {
        needs.registers = recording.resources->registers_per_thread;
        needs.shared_bytes = recording.resources->shared_bytes_per_block;
    }
    return needs;
}

recording::Measured<uint32_t> blocks_per_sm(const recording::Recording& recording)
{
    if (!recording.resources)
        return not_recorded_on_gpu(recording);
    if (recording.resources->blocks_per_sm > 0)
        return {recording.resources->blocks_per_sm, recording::provenance_of(recording, false)};
    const auto limits = limits_of(recording.device.compute_capability);
    if (!limits || recording.resources->registers_per_thread == 0)
        return recording::Missing::not_recorded;
    return {residency(*limits, needs_of(recording)).blocks, recording::provenance_of(recording, false)};
}

recording::Measured<double> occupancy(const recording::Recording& recording)
{
    const recording::Measured<uint32_t> blocks = blocks_per_sm(recording);
    if (!blocks)
        return blocks.missing();
    const auto limits = limits_of(recording.device.compute_capability);
    const uint32_t threads = recording.device.max_threads_per_sm;
    const uint32_t most = threads > 0 ? threads / warp_size : limits ? limits->warps : 0;
    if (most == 0)
        return recording::Missing::not_recorded;
    return {static_cast<double>(*blocks) * recording.launch.warps_per_block() / most, blocks.from()};
}

std::optional<uint32_t> registers_per_thread(const recording::Recording& recording, const LadderFacts* ladder_facts)
{
    if (recording.resources)
        return recording.resources->registers_per_thread;
    const StageFacts* rung = ladder_facts != nullptr ? ladder_facts->of(recording) : nullptr;
    if (rung == nullptr || !rung->launched || rung->launched->resources.registers_per_thread == 0)
        return {};
    return rung->launched->resources.registers_per_thread;
}

} // namespace viz
