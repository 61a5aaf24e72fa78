#include "viz/analysis/waits.h"

#include "viz/analysis/access.h"
#include "viz/analysis/counted.h"
#include "viz/text/figures.h"
#include "viz/text/rich.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <ranges>
#include <type_traits>
#include <utility>

namespace viz {

namespace {

// Returns whether the access is part of an asynchronous copy besides its read from global memory.
bool belongs_to_copy(recording::Op op)
{
    return op == recording::Op::async_store || op == recording::Op::async_commit;
}

} // namespace

std::optional<LoadsTogether> most_loads_together(const recording::Recording& recording)
{
    LoadsTogether most;
    bool shared = false;
    for (const recording::BlockTrace& block : recording.blocks)
        for (const recording::WarpTrace& warp : block.warps) {
            LoadsTogether now;
            for (const recording::Access& access : warp.accesses) {
                shared = shared || touches_shared(access.op);
                if (reads_global(access.op)) {
                    ++now.loads;
                    now.bytes += static_cast<uint64_t>(global_cost(access).sectors) * model::sector_bytes;
                } else if (!belongs_to_copy(access.op)) {
                    now = {};
                }
                if (now.bytes > most.bytes)
                    most = now;
            }
        }
    return most.loads == 0 || !shared ? std::nullopt : std::optional(most);
}

std::optional<recording::Latency> farthest_latency(const recording::GpuMeasurement& measured)
{
    std::optional<recording::Latency> farthest;
    for (const recording::DependentChain& one : measured.chains)
        if (one.instructions == 1 && (!farthest || one.bytes > farthest->bytes))
            farthest = {.bytes = one.bytes, .ns = one.ns, .cycles = one.cycles};
    if (!farthest && !measured.latency.empty())
        farthest = measured.latency.back();
    return farthest;
}

std::optional<DramNeeds> dram_needs(const recording::GpuMeasurement& measured, uint32_t sms)
{
    const auto latency = farthest_latency(measured);
    if (!latency || measured.bandwidth.empty() || sms == 0)
        return std::nullopt;
    DramNeeds needs{.latency_ns = latency->ns, .gbps = measured.bandwidth.back().gbps};
    needs.bytes_per_sm = needs.latency_ns * needs.gbps / sms;
    return needs;
}

namespace {

using recording::RunProfile;
using recording::WarpSample;

// NVIDIA's name, which Nsight Compute's documentation explains, and its meaning in few words and in more.
struct KnownState {
    std::string_view state, brief, words;
};

Waits of_sums(const std::vector<uint64_t>& sums, const std::vector<std::string>& states)
{
    Waits result;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (states[i] == recording::issued_state)
            result.issued += sums[i];
        else if (sums[i] > 0)
            result.waits.push_back({states[i], sums[i]});
    }
    std::ranges::sort(result.waits, [](const WaitCount& a, const WaitCount& b) {
        return a.warps != b.warps ? a.warps > b.warps : a.state < b.state;
    });
    return result;
}

// Sums the samples by key(sample).
template <class Key>
auto by_key(const RunProfile& run, const Key& key)
{
    using Place = std::invoke_result_t<Key, const WarpSample&>;
    std::map<Place, Waits> result;
    if (!run.samples)
        return result;
    const std::vector<std::string>& states = run.samples->states;
    std::map<Place, std::vector<uint64_t>> sums;
    for (const WarpSample& one : run.samples->samples) {
        std::vector<uint64_t>& own = sums[key(one)];
        own.resize(states.size());
        own.at(one.state) += one.warps;
    }
    for (const auto& [place, own] : sums)
        result.emplace(place, of_sums(own, states));
    return result;
}

uint32_t line_of(const RunProfile& run, const WarpSample& sample)
{
    const recording::RunInstruction* const one = run.at(sample.kernel, sample.address);
    return one == nullptr ? 0 : one->line;
}

} // namespace

uint64_t Waits::waiting() const
{
    return std::accumulate(waits.begin(), waits.end(), uint64_t{0},
                           [](uint64_t sum, const WaitCount& one) { return sum + one.warps; });
}

double Waits::share(const WaitCount& one) const
{
    return ratio_or_zero(one.warps, waiting());
}

double Waits::share_of(std::string_view state) const
{
    const auto found = std::ranges::find(waits, state, &WaitCount::state);
    return found == waits.end() ? 0 : share(*found);
}

const WaitCount* Waits::most() const
{
    return waits.empty() ? nullptr : &waits.front();
}

Waits waits_of(const RunProfile& run)
{
    const auto all = by_key(run, [](const WarpSample&) { return 0; });
    return all.empty() ? Waits{} : all.at(0);
}

std::map<uint32_t, Waits> waits_by_line(const RunProfile& run)
{
    return by_key(run, [&](const WarpSample& one) { return line_of(run, one); });
}

std::vector<LineWait> lines_waiting(const RunProfile& run, std::string_view state)
{
    std::vector<LineWait> lines;
    uint64_t all = 0;
    for (const auto& [line, waits] : waits_by_line(run)) {
        const auto found = std::ranges::find(waits.waits, state, &WaitCount::state);
        if (found == waits.waits.end())
            continue;
        all += found->warps;
        if (line != 0)
            lines.push_back({line, static_cast<double>(found->warps)});
    }
    for (LineWait& one : lines)
        one.share /= static_cast<double>(all);
    std::ranges::stable_sort(lines, std::ranges::greater{}, &LineWait::share);
    return lines;
}

std::map<std::pair<std::size_t, uint32_t>, Waits> waits_by_instruction(const RunProfile& run)
{
    return by_key(run, [](const WarpSample& one) { return std::pair(one.kernel, one.address); });
}

std::string state_name(std::string_view state)
{
    std::string words(state);
    std::ranges::replace(words, '_', ' ');
    return words;
}

namespace {

const KnownState& known_state(std::string_view state)
{
    static constexpr std::array<KnownState, 20> known = {{
        {"long_scoreboard", "global memory", "for data from global or local memory"},
        {"short_scoreboard", "shared memory", "for data from shared memory, or of another slow unit"},
        {"mio_throttle", "queue to shared memory", "for room in the queue to shared memory"},
        {"lg_throttle", "queue to global memory", "for room in the queue to global and local memory"},
        {"tex_throttle", "queue to textures", "for room in the queue to the texture unit"},
        {"math_pipe_throttle", "busy arithmetic unit", "for an arithmetic unit that is busy"},
        {"barrier", "other warps, barrier", "at a barrier, for other warps of the block"},
        {"membar", "writes to be seen", "for its writes to be seen by others"},
        {"wait", "fixed cycles", "the few fixed cycles that the instruction before it takes"},
        {"not_selected", "its turn", "for its turn: it is ready, and another warp was chosen"},
        {"no_instructions", "next instruction", "for its next instruction to be fetched"},
        {"branch_resolving", "target of a branch", "for the target of a branch"},
        {"dispatch_stall", "dispatcher", "for the dispatcher, which holds it back"},
        {"imc_miss", "constant", "for a constant that was not in the cache"},
        {"drain", "last writes", "after its end, for its last writes"},
        {"sleeping", "asleep", "asleep, as its code asks"},
        {"gmma", "tensor cores", "for the tensor cores' matrix product"},
        {"warpgroup_arrive", "its warp group", "for the other warps of its warp group"},
        {"no_instruction", "next instruction", "for its next instruction to be fetched"},
        {"misc", "rare reasons", "for several rare reasons"},
    }};
    static constexpr KnownState unknown{{}, {}, "for something that has no plain words here"};
    const auto found = std::ranges::find(known, state, &KnownState::state);
    return found == known.end() ? unknown : *found;
}

} // namespace

std::string_view state_words(std::string_view state)
{
    return known_state(state).words;
}

std::string state_brief(std::string_view state)
{
    const std::string_view brief = known_state(state).brief;
    return brief.empty() ? state_name(state) : std::string(brief);
}

Rich wait_words(const Waits& here, const Waits& all)
{
    if (here.most() == nullptr || all.waiting() == 0)
        return {};
    return rich("**{}** of all waits ({} of {} of warps that waited): {}",
                share(ratio_or_zero(here.waiting(), all.waiting())), here.waiting(), counted(all.waiting(), "sample"),
                reason_words(here));
}

Rich reason_words(const Waits& waits)
{
    std::vector<Rich> said;
    for (const WaitCount& one : waits.waits | std::views::take(3))
        said.push_back(
            rich("{} wait **{}** ({}).", share(waits.share(one)), state_words(one.state), state_name(one.state)));
    return joined(std::move(said));
}

Rich sample_words(const recording::WarpSamples& samples)
{
    const Rich taken = rich("{}, one each {} cycles of an SM, in {}.", counted(samples.kept(), "sample"),
                            samples.cycles, counted(samples.launches, "launch", "launches"));
    return samples.dropped == 0
               ? taken
               : rich("{} The GPU dropped **{}** of {} samples.", taken, samples.dropped, samples.taken);
}

} // namespace viz
