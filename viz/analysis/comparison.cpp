#include "viz/analysis/comparison.h"

#include "viz/analysis/occupancy.h"
#include "viz/analysis/ownership.h"
#include "viz/analysis/roofline.h"
#include "viz/text/figures.h"

#include "model/recorded_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace viz {

using recording::Op;
using recording::Recording;

namespace {

constexpr MeasureInfo infos[measure_count] = {
    {"GFLOPS", "Speed"},
    {"results per thread", "Who computes what"},
    {"threads per block", nullptr},
    {"loads", "Shared memory, per 1,000 multiplications", true, "shared loads"},
    {"stores", nullptr, true, "shared stores"},
    {"wavefronts", nullptr, true, "shared wavefronts"},
    {"bank conflicts", nullptr, true, "bank conflicts"},
    {"requests", "Global memory, per 1,000 multiplications", true, "global requests"},
    {"sectors of 32 bytes", nullptr, true, "global sectors"},
    {"barriers", "Other steps of its warps, per 1,000 multiplications", true, "barriers"},
    {"asynchronous copies", nullptr, false, "asynchronous copies"},
    {"shuffles", nullptr, false, "shuffles"},
    {"tensor-core steps", nullptr, false, "tensor-core steps"},
    {"registers per thread", "What it takes of an SM"},
    {"spilled bytes per thread", nullptr},
    {"shared bytes per block", nullptr},
    {"blocks per SM", nullptr},
    {"occupancy", nullptr},
};

uint64_t count(const std::map<Op, uint64_t>& ops, Op op)
{
    const auto found = ops.find(op);
    return found == ops.end() ? 0 : found->second;
}

// The most elements of C that any one thread of the block writes.
double results_per_thread(const std::vector<OwnedCell>& owned, uint32_t threads)
{
    std::vector<uint32_t> of(threads, 0);
    uint32_t most = 0;
    for (const OwnedCell& cell : owned)
        if (cell.thread < threads)
            most = std::max(most, ++of[cell.thread]);
    return most;
}

// Slices of K beside each other: C belongs to the first one's threads.
std::vector<OwnedCell> owned_cells(const Recording& recording, const recording::BlockTrace& block)
{
    return cells_of_block(recording, linear_of({block.block.x, block.block.y, 0}, recording.launch.grid));
}

} // namespace

const MeasureInfo& info(Measure measure)
{
    return infos[static_cast<std::size_t>(measure)];
}

Computes computes(const Recording& recording)
{
    if (adds_vectors(recording))
        return Computes::sums;
    const bool reads = recording.arrays.size() >= 3 && recording.arrays[0].rows > 0;
    return reads ? Computes::products : Computes::neither;
}

double multiplications(const Recording& recording)
{
    if (computes(recording) != Computes::products)
        return 0;
    const recording::Problem& p = recording.problem;
    return static_cast<double>(p.M) * p.N * p.K;
}

double multiplications(const Recording& recording, const recording::BlockTrace& block)
{
    if (computes(recording) != Computes::products)
        return 0;
    return static_cast<double>(owned_cells(recording, block).size()) * recording.problem.K /
           std::max(1u, recording.launch.grid.z);
}

KernelFigures figures_of(const Recording& recording, const recording::BlockTrace& block)
{
    KernelFigures figures;
    const auto set = [&](Measure measure, std::optional<double> value) {
        figures.values[static_cast<std::size_t>(measure)] = value;
    };
    const recording::Totals totals = recording.totals();
    recording::SharedTotals shared = shared_totals(totals);
    shared += model::copy_writes(recording).value_or(recording::SharedTotals{}); // else see uncounted()
    const double launch = multiplications(recording) / 1000, own = multiplications(recording, block) / 1000;
    const auto set_per = [&](Measure measure, uint64_t total, double thousand) {
        set(measure, thousand > 0 ? std::optional(static_cast<double>(total) / thousand) : std::nullopt);
    };
    const auto of_launch = [&](Measure measure, uint64_t total) { set_per(measure, total, launch); };
    of_launch(Measure::shared_loads, totals.shared_load.instructions);
    of_launch(Measure::shared_stores, totals.shared_store.instructions);
    of_launch(Measure::wavefronts, shared.wavefronts);
    of_launch(Measure::conflicts, shared.conflicts);
    of_launch(Measure::requests, totals.global_load.requests + totals.global_store.requests);
    of_launch(Measure::sectors, totals.global_load.sectors + totals.global_store.sectors);
    std::map<Op, uint64_t> ops;
    for (const recording::WarpTrace& warp : block.warps)
        for (const recording::Access& access : warp.accesses)
            ++ops[access.op];
    const auto of_block = [&](Measure measure, uint64_t total) { set_per(measure, total, own); };
    of_block(Measure::barriers, count(ops, Op::barrier));
    of_block(Measure::copies, count(ops, Op::async_load) + count(ops, Op::bulk_load));
    of_block(Measure::shuffles, count(ops, Op::shuffle));
    of_block(Measure::products, count(ops, Op::matrix_multiply));
    const uint32_t threads = recording.launch.threads_per_block();
    set(Measure::results_per_thread, results_per_thread(owned_cells(recording, block), threads));
    set(Measure::threads_per_block, threads);
    const RecordedNeeds needs = needs_of(recording);
    set(Measure::shared_bytes, needs.needs.shared_bytes);
    const Figure regs = registers(recording), resident = occupancy(recording);
    set(Measure::registers, regs.value);
    set(Measure::occupancy, resident.value);
    figures.why_missing = regs.why_missing;
    if (recording.resources) {
        set(Measure::local_bytes, recording.resources->local_bytes_per_thread);
        set(Measure::blocks_per_sm, recording.resources->blocks_per_sm);
    }
    return figures;
}

namespace {

// What a rung moves that no lane's addresses say, and that so is in none of its wavefronts, requests and sectors.
std::string uncounted(const Recording& recording)
{
    bool bulk = false, operands = false, tiles = false, copies = false;
    for (const recording::BlockTrace& block : recording.blocks)
        for (const recording::WarpTrace& warp : block.warps)
            for (const recording::Access& access : warp.accesses) {
                bulk |= access.op == Op::bulk_load;
                operands |= access.op == Op::matrix_multiply && recording::has_addresses(access);
                tiles |= access.op == Op::tile_load;
                copies |= access.op == Op::async_store;
            }
    copies &= recording.blocks.size() != recording.launch.grid.volume(); // then they are in the wavefronts
    std::string text;
    const auto add = [&](bool there, const char* what) {
        if (there)
            text += (text.empty() ? "" : ", ") + std::string(what);
    };
    add(bulk, "what TMA copies");
    add(operands, "what the tensor cores read from shared memory themselves");
    add(tiles, "WMMA's loads and stores of fragments");
    add(copies, "what asynchronous copies write to shared memory");
    return text;
}

// "As" of "As[2]": the stages of a ring are alike.
std::string ring_name(const std::string& array)
{
    return array.substr(0, array.find('['));
}

} // namespace

std::vector<std::string> reservations(const ComparedRung& first, const ComparedRung& second)
{
    std::vector<std::string> sentences;
    const auto bytes = [](const ComparedRung& rung) {
        return rung.recording.arrays.empty() ? 0 : rung.recording.arrays[0].element_bytes;
    };
    const auto multiplies = [](const ComparedRung& rung) { return computes(rung.recording) == Computes::products; };
    if (multiplies(first) && multiplies(second) && bytes(first) != bytes(second))
        sentences.push_back(
            fmt::format("They do not multiply the same numbers: elements of A and B have {} bytes in {}, "
                        "{} in {}.",
                        bytes(first), first.slug, bytes(second), second.slug));
    for (const ComparedRung* rung : {&first, &second}) {
        const recording::Problem& p = rung->recording.problem;
        for (const recording::Parameter& parameter : rung->recording.parameters) {
            const bool rows = parameter.name == "BM";
            const uint32_t side = rows ? p.M : p.N;
            if ((!rows && parameter.name != "BN") || parameter.value <= 0 ||
                side % static_cast<uint32_t>(parameter.value) == 0)
                continue;
            sentences.push_back(
                fmt::format("At {} x {} x {} the tiles of {}, {} {}, reach out of C: their work there is "
                            "counted too, but is no multiplication.",
                            p.M, p.N, p.K, rung->slug, parameter.value, rows ? "rows high" : "columns wide"));
        }
        if (const std::string missing = uncounted(rung->recording); !missing.empty())
            sentences.push_back(fmt::format("Not counted for {}: {}.", rung->slug, missing));
        if (const auto writes = model::copy_writes(rung->recording); writes && writes->instructions > 0)
            sentences.push_back(
                fmt::format("Wavefronts and bank conflicts of {} have those of its asynchronous copies' "
                            "writes among them, which are no stores.",
                            rung->slug));
    }
    return sentences;
}

std::vector<std::string> setting_changes(const Recording& before, const Recording& after)
{
    std::vector<std::string> changes;
    for (const recording::Parameter& now : after.parameters) {
        const auto old = std::find_if(before.parameters.begin(), before.parameters.end(),
                                      [&](const recording::Parameter& p) { return p.name == now.name; });
        if (now.name == "TYPE") // a number that says nothing; the sizes of the elements do
            continue;
        if (old != before.parameters.end() && old->value != now.value)
            changes.push_back(fmt::format("{} {} instead of {}", now.name, now.value, old->value));
    }
    return changes;
}

std::vector<std::string> layout_changes(const Recording& before, const Recording& after)
{
    std::vector<std::string> changes;
    std::set<std::string> done;
    for (const recording::Array& now : after.arrays) {
        const auto old = std::find_if(before.arrays.begin(), before.arrays.end(), [&](const recording::Array& array) {
            return array.name == now.name && array.space == now.space;
        });
        const std::string name = ring_name(now.name);
        if (now.space != recording::Space::shared || old == before.arrays.end() || !done.insert(name).second)
            continue;
        if (old->rows != now.rows || old->cols != now.cols) {
            changes.push_back(
                fmt::format("{} has {} x {} elements, not {} x {}", name, now.rows, now.cols, old->rows, old->cols));
            continue;
        }
        uint64_t moved = 0;
        for (uint32_t row = 0; row < now.rows; ++row)
            for (uint32_t col = 0; col < now.cols; ++col)
                moved += now.offset_of(row, col) != old->offset_of(row, col) ? 1 : 0;
        if (moved > 0)
            changes.push_back(fmt::format("{} of the {} elements of {} lie in another place", thousands(moved),
                                          thousands(uint64_t{now.rows} * now.cols), name));
        if (now.bytes != old->bytes)
            changes.push_back(
                fmt::format("{} takes {} bytes instead of {}", name, thousands(now.bytes), thousands(old->bytes)));
    }
    return changes;
}

} // namespace viz
