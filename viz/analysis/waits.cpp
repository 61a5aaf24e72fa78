#include "viz/analysis/waits.h"

#include "viz/analysis/quotient.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <type_traits>
#include <utility>

namespace viz {

namespace {

using recording::RunProfile;
using recording::WarpSample;

struct KnownState {
    std::string_view state, words; // NVIDIA's name; id of the template that says what it means
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

// Sums of the samples by what `key` makes of each.
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
    return quotient(one.warps, waiting());
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

Message state_words(std::string_view state)
{
    static constexpr std::array<KnownState, 20> known = {{
        {"long_scoreboard", "waits.long_scoreboard"},
        {"short_scoreboard", "waits.short_scoreboard"},
        {"mio_throttle", "waits.mio_throttle"},
        {"lg_throttle", "waits.lg_throttle"},
        {"tex_throttle", "waits.tex_throttle"},
        {"math_pipe_throttle", "waits.math_pipe_throttle"},
        {"barrier", "waits.barrier"},
        {"membar", "waits.membar"},
        {"wait", "waits.wait"},
        {"not_selected", "waits.not_selected"},
        {"no_instructions", "waits.no_instructions"},
        {"branch_resolving", "waits.branch_resolving"},
        {"dispatch_stall", "waits.dispatch_stall"},
        {"imc_miss", "waits.imc_miss"},
        {"drain", "waits.drain"},
        {"sleeping", "waits.sleeping"},
        {"gmma", "waits.gmma"},
        {"warpgroup_arrive", "waits.warpgroup_arrive"},
        {"no_instruction", "waits.no_instructions"},
        {"misc", "waits.misc"},
    }};
    const auto found = std::ranges::find(known, state, &KnownState::state);
    return {found == known.end() ? "waits.unknown" : found->words};
}

Messages wait_messages(const Waits& here, const Waits& all)
{
    if (here.most() == nullptr || all.waiting() == 0)
        return {};
    Messages said{{"waits.here",
                   {{"share", share(quotient(here.waiting(), all.waiting()))},
                    {"samples", here.waiting()},
                    {"all", all.waiting()}}}};
    std::ranges::move(reason_messages(here), std::back_inserter(said));
    return said;
}

Messages reason_messages(const Waits& waits)
{
    constexpr std::size_t shown = 3;
    Messages said;
    for (std::size_t i = 0; i < std::min(shown, waits.waits.size()); ++i)
        said.push_back({"waits.reason",
                        {{"share", share(waits.share(waits.waits[i]))},
                         {"state", state_name(waits.waits[i].state)},
                         {"words", state_words(waits.waits[i].state)}}});
    return said;
}

Messages sample_messages(const recording::WarpSamples& samples)
{
    Messages said{
        {"waits.sampled", {{"samples", samples.kept()}, {"cycles", samples.cycles}, {"launches", samples.launches}}}};
    if (samples.dropped > 0)
        said.push_back({"waits.dropped", {{"dropped", samples.dropped}, {"taken", samples.taken}}});
    return said;
}

} // namespace viz
