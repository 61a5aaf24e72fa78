#include "measure/instruction_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace kernels {

namespace {

using Key = std::tuple<std::size_t, uint32_t, std::string, recording::Op>;

CountedAccesses::Figures figures(const recording::Totals& t)
{
    return {.executed = t.shared_load.instructions + t.shared_store.instructions + t.global_load.requests +
                        t.global_store.requests,
            .wavefronts = t.shared_load.wavefronts + t.shared_store.wavefronts,
            .sectors = t.global_load.sectors + t.global_store.sectors};
}

// Returns whether these are copies that bypass L1. In some kernels the counters of such copies' writes exceed the real
// number: an H200 reported 94,336 bytes for mma_ldmatrix at 128^3, which copies 65,536, and 1,168 wavefronts, while its
// patterns take 768 when measured one by one.
bool is_past_l1(const CountedAccesses& accesses)
{
    return accesses.op == recording::Op::async_load && accesses.name == "LDGSTS.128";
}

} // namespace

bool CountedAccesses::agrees() const
{
    return derived && (is_past_l1(*this) || derived->wavefronts == counted.wavefronts) &&
           derived->sectors == counted.sectors &&
           (derived->executed == counted.executed || (may_be_off && derived->executed < counted.executed));
}

std::string why_counted_otherwise(const CountedAccesses& accesses)
{
    std::string why;
    if (!accesses.derived)
        return why;
    if (accesses.derived->executed != accesses.counted.executed)
        why = accesses.op == recording::Op::async_load
                  ? "the GPU also counts copies that copy nothing in any lane"
                  : "the GPU also counts instructions whose predicate holds in no lane, which access nothing";
    if (is_past_l1(accesses) && accesses.derived->wavefronts != accesses.counted.wavefronts)
        why += fmt::format("{}the counter of what copies past L1 write counts more than that in some kernels, bytes "
                           "too; those derived are as such copies were measured one by one",
                           why.empty() ? "" : "; ");
    return why;
}

recording::RunProfile run_profile(const MachineCode& code, const InstructionCounters& counted,
                                  std::optional<recording::WarpSamples> samples)
{
    std::set<std::pair<std::size_t, uint32_t>> sampled;
    if (samples)
        for (const recording::WarpSample& one : samples->samples)
            sampled.emplace(one.kernel, one.address);
    recording::RunProfile result{.instructions = {}, .samples = std::move(samples)};
    for (std::size_t kernel = 0; kernel < code.kernels.size(); ++kernel)
        for (const Instruction& one : code.kernels[kernel].instructions) {
            const InstructionCount* const count = counted.at(kernel, one.address);
            const uint64_t executed = count == nullptr ? 0 : count->executed;
            if (executed > 0 || sampled.contains({kernel, one.address}))
                result.instructions.push_back({kernel, one.address, one.name, one.line, executed});
        }
    return result;
}

std::vector<CountedAccesses> compare_instructions(const MachineCode& code, const Executed* executed,
                                                  const InstructionCounters& counted)
{
    std::map<Key, CountedAccesses> rows;
    const auto row = [&rows](const Key& key) -> CountedAccesses& {
        CountedAccesses& result = rows[key];
        std::tie(result.kernel, result.line, result.name, result.op) = key;
        return result;
    };
    for (std::size_t kernel = 0; kernel < code.kernels.size(); ++kernel)
        for (const Instruction& one : code.kernels[kernel].instructions)
            if (const InstructionCount* count = counted.at(kernel, one.address); count != nullptr && one.op) {
                CountedAccesses& accesses = row({kernel, one.line, one.name, *one.op});
                accesses.may_be_off |= !one.predicate.empty() || *one.op == recording::Op::async_load;
                accesses.counted.executed += count->executed;
                accesses.counted.wavefronts += count->shared_wavefronts;
                accesses.counted.sectors += count->global_sectors;
            }
    const std::vector<SassAccessCounts> none;
    for (const SassAccessCounts& one : executed == nullptr ? none : executed->instructions) {
        std::optional<CountedAccesses::Figures>& derived = row({one.kernel, one.line, one.name, one.op}).derived;
        CountedAccesses::Figures more = figures(one.totals);
        more.wavefronts += one.copy_wavefronts;
        const CountedAccesses::Figures before = derived.value_or(CountedAccesses::Figures{});
        derived = {before.executed + more.executed, before.wavefronts + more.wavefronts, before.sectors + more.sectors};
    }
    std::vector<CountedAccesses> result;
    for (auto& [key, accesses] : rows) {
        if (executed == nullptr || executed->opaque.find(accesses.name) != std::string::npos)
            accesses.derived.reset();
        else if (!accesses.derived)
            accesses.derived = CountedAccesses::Figures{}; // none: the path never reaches it
        result.push_back(std::move(accesses));
    }
    return result;
}

} // namespace kernels
