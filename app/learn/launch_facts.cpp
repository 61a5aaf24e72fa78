#include "app/learn/facts.h"

#include "error.h"

#include "viz/analysis/bulk_copy.h"
#include "viz/analysis/fragments.h"
#include "viz/analysis/hierarchy.h"
#include "viz/analysis/occupancy.h"
#include "viz/analysis/parameters.h"
#include "viz/analysis/reuse.h"
#include "viz/analysis/roofline.h"
#include "viz/analysis/tiling.h"
#include "viz/analysis/timeline.h"
#include "viz/text/figures.h"

#include <algorithm>
#include <array>

namespace app {

namespace {

using recording::Op;

viz::Reuse reuse_of(const FactContext& shown)
{
    auto reuse = viz::reuse_of(*shown.recording, shown.block());
    if (!reuse)
        throw kernels::Error("it multiplies no matrices");
    return std::move(*reuse);
}

viz::KernelNeeds needs_of(const FactContext& shown)
{
    if (!shown.recording->resources)
        throw kernels::Error("no driver said how many registers it has: nothing is shipped");
    return viz::needs_of(*shown.recording);
}

viz::ThreadProduct product_of(const FactContext& shown)
{
    const viz::BlockTiling tiling(shown.recording, shown.block());
    const auto product =
        viz::thread_product(tiling, shown.place.warp * 32 + shown.place.lane, shown.recording->problem.K);
    if (!product)
        throw kernels::Error("the thread has no results");
    return *product;
}

std::size_t count_of(const FactContext& shown, Op op)
{
    return static_cast<std::size_t>(std::ranges::count(shown.warp().accesses, op, &recording::Access::op));
}

viz::MmaShape mma_of(const FactContext& shown)
{
    if (count_of(shown, Op::matrix_multiply) == 0)
        throw kernels::Error("it does not use the tensor cores");
    return viz::mma_shape(shown.recording->arrays.front().element_bytes);
}

int k_tiles_of(const FactContext& shown)
{
    return viz::k_tiles_of(viz::phases(*shown.recording, shown.warp()));
}

uint64_t tile_bytes(const FactContext& shown)
{
    uint64_t bytes = 0;
    for (const recording::Array& array : shown.recording->arrays)
        bytes += array.space == recording::Space::shared ? array.bytes : 0;
    return bytes;
}

int stages_of_ring(const FactContext& shown)
{
    int stages = 1;
    for (std::size_t i = 0; i < shown.recording->arrays.size(); ++i)
        stages = std::max(stages, viz::ring_place(*shown.recording, i).stages);
    return stages;
}

// Returns how many k-tiles the loads are ahead of the next computed one.
int tiles_ahead(const FactContext& shown)
{
    return viz::k_tiles_ahead(viz::phases(*shown.recording, shown.warp()));
}

viz::Value bulk_bytes(const FactContext& shown)
{
    for (const recording::WarpTrace& warp : shown.block().warps)
        for (const viz::BulkCopy& copy : viz::bulk_copies(*shown.recording, warp))
            return viz::bytes(double{1} * copy.target.rows * copy.target.cols *
                              shown.recording->arrays.at(copy.to).element_bytes);
    throw kernels::Error("it has no bulk copies");
}

std::size_t warps_of_scheduler(const FactContext& shown)
{
    return viz::residency(shown.examples.limits(), needs_of(shown)).warps / viz::sm_parts;
}

void add_parameters(Facts& facts)
{
    constexpr std::array names = {"BM",     "BN",    "BK",  "TM",    "TN",      "WM",    "WN",     "WNITER",
                                  "STAGES", "SPLIT", "KEY", "block", "threads", "width", "height", "warps"};
    for (const char* name : names) {
        std::string lower = name;
        std::ranges::transform(lower, lower.begin(),
                               [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
        facts.add("p_" + lower, "the parameter of that name", [name](const FactContext& shown) -> viz::Value {
            const auto value = viz::parameter_of(shown.recording->parameters, name);
            if (!value)
                throw kernels::Error("the stage has no such parameter");
            return *value;
        });
    }
}

void add_totals(Facts& facts)
{
    using Totals = recording::Totals;
    const auto add = [&facts](const char* name, const char* meaning, uint64_t (*of)(const Totals&)) {
        facts.add(name, meaning, [of](const FactContext& shown) { return of(shown.recording->totals()); });
    };
    add("all_wavefronts", "wavefronts of shared memory, of the whole launch",
        [](const Totals& t) { return t.shared_load.wavefronts + t.shared_store.wavefronts; });
    add("all_conflicts", "conflicts of the whole launch",
        [](const Totals& t) { return t.shared_load.conflicts + t.shared_store.conflicts; });
    add("load_conflicts", "conflicts of loads", [](const Totals& t) { return t.shared_load.conflicts; });
    add("store_conflicts", "conflicts of stores", [](const Totals& t) { return t.shared_store.conflicts; });
    add("load_wavefronts", "wavefronts of loads", [](const Totals& t) { return t.shared_load.wavefronts; });
    add("store_wavefronts", "wavefronts of stores", [](const Totals& t) { return t.shared_store.wavefronts; });
    add("shared_loads", "loads of shared memory, by warps", [](const Totals& t) { return t.shared_load.instructions; });
    add("shared_stores", "stores to shared memory, by warps",
        [](const Totals& t) { return t.shared_store.instructions; });
    add("global_requests", "requests to global memory",
        [](const Totals& t) { return t.global_load.requests + t.global_store.requests; });
    add("all_sectors", "sectors that they touch",
        [](const Totals& t) { return t.global_load.sectors + t.global_store.sectors; });
}

void add_launch(Facts& facts)
{
    facts.add("stage", "name of the stage", [](const FactContext& s) { return s.slug; });
    facts.add("size", "size that was recorded",
              [](const FactContext& s) { return viz::size_words(s.recording->problem); });
    facts.add("m", "rows of C", [](const FactContext& s) { return s.recording->problem.M; });
    facts.add("n", "columns of C, or elements of a vector",
              [](const FactContext& s) { return s.recording->problem.N; });
    facts.add("k", "length of K", [](const FactContext& s) { return s.recording->problem.K; });
    facts.add("blocks", "blocks of the launch", [](const FactContext& s) { return s.recording->launch.grid.volume(); });
    facts.add("grid", "the grid, as 4x2",
              [](const FactContext& s) { return viz::typed_text(s.recording->launch.grid); });
    facts.add("block", "a block, as 16x16",
              [](const FactContext& s) { return viz::typed_text(s.recording->launch.block); });
    facts.add("block_x", "threads of a block along x",
              [](const FactContext& s) { return s.recording->launch.block.x; });
    facts.add("block_y", "threads of a block along y",
              [](const FactContext& s) { return s.recording->launch.block.y; });
    facts.add("threads", "threads of a block",
              [](const FactContext& s) { return s.recording->launch.threads_per_block(); });
    facts.add("all_threads", "threads of the launch", [](const FactContext& s) {
        return s.recording->launch.grid.volume() * s.recording->launch.threads_per_block();
    });
    facts.add("warps", "warps of a block", [](const FactContext& s) { return s.recording->launch.warps_per_block(); });
    facts.add("surplus", "threads without an element",
              [](const FactContext& s) { return viz::idle_threads(*s.recording).total; });
    facts.add("k_tiles", "k-tiles of a block", [](const FactContext& s) { return k_tiles_of(s); });
    facts.add("barriers", "barriers that a warp meets", [](const FactContext& s) { return count_of(s, Op::barrier); });
    facts.add("steps", "accesses of the warp", [](const FactContext& s) { return s.warp().accesses.size(); });
    facts.add("shuffles", "shuffles of the warp", [](const FactContext& s) { return count_of(s, Op::shuffle); });
    facts.add("products_by_tensor_cores", "tensor-core steps of the warp",
              [](const FactContext& s) { return count_of(s, Op::matrix_multiply); });
    facts.add("mma_packed", "elements of A in a register of mma",
              [](const FactContext& s) { return mma_of(s).packed(); });
    facts.add("mma_products", "multiply-adds of one mma",
              [](const FactContext& s) { return mma_of(s).multiply_adds(); });
    facts.add("mma_bytes", "bytes of A and B that one mma multiplies",
              [](const FactContext& s) { return mma_of(s).operand_bytes(); });
    facts.add("copies", "asynchronous copies of the warp",
              [](const FactContext& s) { return count_of(s, Op::async_load); });
    facts.add("ring", "tiles in the ring: stages", [](const FactContext& s) { return stages_of_ring(s); });
    facts.add("ahead", "k-tiles that loads are ahead", [](const FactContext& s) { return tiles_ahead(s); });
    facts.add("bulk", "bytes of one bulk copy", [](const FactContext& s) { return bulk_bytes(s); });
    facts.add("local_bytes", "bytes of local memory of a thread", [](const FactContext& s) {
        if (!s.recording->resources)
            throw kernels::Error("nobody said what it spills");
        return viz::bytes(s.recording->resources->local_bytes_per_thread);
    });
    facts.add("tile_bytes", "bytes of the shared tiles of a block",
              [](const FactContext& s) { return viz::bytes(static_cast<double>(tile_bytes(s))); });
}

void add_reuse(Facts& facts)
{
    facts.add("tile_rows", "rows of C of a block", [](const FactContext& s) { return reuse_of(s).block_tile.rows; });
    facts.add("tile_cols", "columns of C of a block", [](const FactContext& s) { return reuse_of(s).block_tile.cols; });
    facts.add("results", "results of the thread", [](const FactContext& s) { return product_of(s).results(); });
    facts.add("result_rows", "rows of its results", [](const FactContext& s) { return product_of(s).rows; });
    facts.add("result_cols", "columns of its results", [](const FactContext& s) { return product_of(s).cols; });
    facts.add("inner_reads", "values for one k as inner products",
              [](const FactContext& s) { return product_of(s).inner_reads(); });
    facts.add("outer_reads", "values for one k as an outer product",
              [](const FactContext& s) { return product_of(s).outer_reads(); });
    facts.add("uses", "multiplications of the block with each value of A", [](const FactContext& s) {
        const viz::Reuse reuse = reuse_of(s);
        return viz::rounded(reuse.uses(reuse.operands[0]));
    });
    facts.add("global_reads", "reads of each value of A from global memory, by the block",
              [](const FactContext& s) { return viz::rounded(reuse_of(s).operands[0].from_global()); });
    facts.add("shared_reads", "the same from shared memory",
              [](const FactContext& s) { return viz::rounded(reuse_of(s).operands[0].from_shared()); });
    facts.add("global_reads_b", "reads of each value of B from global memory, by the block",
              [](const FactContext& s) { return viz::rounded(reuse_of(s).operands[1].from_global()); });
    facts.add("set_warp", "bytes that a warp touches in a step of k",
              [](const FactContext& s) { return viz::bytes(static_cast<double>(reuse_of(s).working_set.warp)); });
    facts.add("set_block", "the same of a block",
              [](const FactContext& s) { return viz::bytes(static_cast<double>(reuse_of(s).working_set.block)); });
    facts.add("intensity", "FLOP per byte at global memory, as recorded", [](const FactContext& s) {
        const viz::Traffic traffic = viz::traffic_of(*s.recording);
        if (!traffic.complete)
            throw kernels::Error("no lane asks for what bulk copies move");
        return viz::rounded(traffic.intensity_at(traffic.problem));
    });
    facts.add("tile_intensity", "FLOP per byte of the tile, by formula", [](const FactContext& s) {
        const auto tile = viz::reuse_tile(*s.recording);
        if (!tile)
            throw kernels::Error("nobody knows its tile");
        return viz::rounded(tile->intensity());
    });
}

void add_residency(Facts& facts)
{
    facts.add("registers", "registers of a thread", [](const FactContext& s) { return needs_of(s).registers; });
    facts.add("resident_blocks", "blocks that an SM holds",
              [](const FactContext& s) { return viz::residency(s.examples.limits(), needs_of(s)).blocks; });
    facts.add("resident_warps", "warps that an SM holds of it",
              [](const FactContext& s) { return viz::residency(s.examples.limits(), needs_of(s)).warps; });
    facts.add("scheduler_warps", "warps that each scheduler has",
              [](const FactContext& s) { return warps_of_scheduler(s); });
    facts.add("occupancy", "share of the warps that an SM can hold",
              [](const FactContext& s) { return viz::share(viz::residency(s.examples.limits(), needs_of(s)).share); });
    facts.add("lose_block", "further registers that cost a block", [](const FactContext& s) -> viz::Value {
        const auto more = viz::registers_to_lose_a_block(s.examples.limits(), needs_of(s));
        if (!more)
            throw kernels::Error("no further register costs a block");
        return *more;
    });
    facts.add("sm_warps", "warps that an SM can hold", [](const FactContext& s) { return s.examples.limits().warps; });
    facts.add("sm_registers", "registers of an SM", [](const FactContext& s) { return s.examples.limits().registers; });
    facts.add("sm_shared", "shared memory of an SM",
              [](const FactContext& s) { return viz::bytes(s.examples.limits().shared_bytes); });
    facts.add("most_registers", "registers that a thread can have",
              [](const FactContext&) { return viz::most_registers; });
    facts.add("schedulers", "schedulers of an SM", [](const FactContext&) { return viz::sm_parts; });
}

} // namespace

void add_launch_facts(Facts& facts)
{
    add_launch(facts);
    add_reuse(facts);
    add_residency(facts);
    add_parameters(facts);
    add_totals(facts);
}

} // namespace app
