// Blocks on several cores give the same results as blocks in order. If their order matters, they run in order.
#include "error.h"
#include "ptx/machine.h"
#include "tests/says.h"

#include <fmt/format.h>

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <numeric>
#include <tuple>

namespace {

using test::says;

constexpr std::string_view grid_frame = R"(
.version 9.0
.target sm_90
.address_size 64
.visible .entry kernel(
	.param .u64 kernel_param_0
)
{{
	.reg .pred %p<4>;
	.reg .b32 %r<16>;
	.reg .b64 %d<16>;
	.shared .align 16 .b8 tile[512];
	ld.param.u64 %d1, [kernel_param_0];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
	shl.b32 %r3, %r2, 6;
	add.s32 %r4, %r3, %r1;
	mul.wide.u32 %d2, %r4, 4;
	add.s64 %d3, %d1, %d2;
	shl.b32 %r5, %r1, 2;
	mov.u32 %r6, tile;
	add.s32 %r7, %r6, %r5;
{}
	ret;
}}
)";

constexpr uint32_t blocks_of_grid = 7, threads_of_block = 64;

// Compiles a kernel with this body, which can use these registers: %r1, the thread; %r2, the block; %r4, the thread in
// the grid; %d1, the buffer; %d3, the thread's own word in the buffer; %r7, its own word of the tile.
ptx::Program grid_program(std::string_view body)
{
    return ptx::make_program(ptx::parse(fmt::format(fmt::runtime(grid_frame), body), {}), "kernel", 1);
}

std::vector<ptx::Region> regions_before()
{
    std::vector<uint32_t> values(blocks_of_grid * threads_of_block);
    std::iota(values.begin(), values.end(), 100);
    std::vector<ptx::Region> regions(1);
    regions[0] = {"data", std::vector<std::byte>(4 * values.size())};
    std::memcpy(regions[0].bytes.data(), values.data(), regions[0].bytes.size());
    return regions;
}

ptx::MachineLaunch launch_of(const ptx::Program& program)
{
    ptx::MachineLaunch launch{.extent = {.grid = {blocks_of_grid, 1, 1}, .block = {threads_of_block, 1, 1}}};
    launch.arguments.resize(program.parameter_bytes);
    const uint64_t address = ptx::global_address(0);
    std::memcpy(launch.arguments.data(), &address, sizeof address);
    return launch;
}

using StepsOfWarps =
    std::map<std::pair<uint64_t, uint32_t>, std::vector<std::tuple<recording::Op, uint32_t, uint64_t>>>;

ptx::Watch noting_steps(StepsOfWarps& steps)
{
    return [&steps](uint64_t block, uint32_t warp, const traced::Step& step) {
        steps[{block, warp}].emplace_back(step.op, step.instruction, step.address[0]);
    };
}

struct GridRan {
    std::optional<ptx::Outcome> outcome;
    StepsOfWarps steps;
    std::vector<std::byte> data;
};

GridRan run_in_order(std::string_view body)
{
    const ptx::Program program = grid_program(body);
    std::vector<ptx::Region> regions = regions_before();
    GridRan ran;
    ran.outcome = ptx::run(program, launch_of(program), regions, noting_steps(ran.steps));
    ran.data = regions[0].bytes;
    return ran;
}

GridRan run_shared_out(std::string_view body, std::size_t cores)
{
    const ptx::Program program = grid_program(body);
    std::vector<ptx::Region> regions = regions_before();
    std::vector<StepsOfWarps> steps(cores);
    std::vector<ptx::Watch> watches;
    for (StepsOfWarps& one : steps)
        watches.push_back(noting_steps(one));
    GridRan ran;
    ran.outcome = ptx::run_on_cores(program, launch_of(program), regions, watches, {});
    for (StepsOfWarps& one : steps)
        ran.steps.merge(one);
    ran.data = regions[0].bytes;
    return ran;
}

// Each block changes only its own words, and uses shared memory.
constexpr std::string_view blocks_apart = R"(
	ld.global.u32 %r8, [%d3];
	mad.lo.s32 %r8, %r8, %r2, %r1;
	st.shared.u32 [%r7], %r8;
	bar.sync 0;
	ld.shared.u32 %r9, [%r6+4];
	add.s32 %r9, %r9, %r8;
	st.global.u32 [%d3], %r9;)";

// In each block, both warps write the words that the other warp reads.
constexpr std::string_view race_in_blocks = R"(
	xor.b32 %r8, %r5, 128;
	add.s32 %r8, %r6, %r8;
	st.shared.u32 [%r7], %r4;
	ld.shared.u32 %r9, [%r8];
	st.global.u32 [%d3], %r1;)";

// Only the last blocks have the race. They run on a different core than the first ones.
constexpr std::string_view race_in_last_blocks = R"(
	xor.b32 %r8, %r5, 128;
	add.s32 %r8, %r6, %r8;
	setp.lt.u32 %p1, %r2, 5;
	@%p1 bra done;
	st.shared.u32 [%r7], %r4;
	ld.shared.u32 %r9, [%r8];
done:
	st.global.u32 [%d3], %r1;)";

TEST(PtxCores, GiveWhatBlocksInOrderGive)
{
    for (const std::string_view body : {blocks_apart, race_in_blocks, race_in_last_blocks}) {
        const GridRan expected = run_in_order(body);
        for (const std::size_t cores : {2u, 3u, blocks_of_grid}) {
            const GridRan ran = run_shared_out(body, cores);
            ASSERT_TRUE(ran.outcome);
            EXPECT_EQ(ran.data, expected.data);
            EXPECT_EQ(ran.steps, expected.steps);
            EXPECT_EQ(ran.outcome->steps, expected.outcome->steps);
            EXPECT_EQ(ran.outcome->warnings, expected.outcome->warnings);
        }
    }
    EXPECT_EQ(run_in_order(blocks_apart).outcome->warnings.size(), 0u);
    EXPECT_GE(run_in_order(race_in_blocks).outcome->warnings.size(), 1u);
    EXPECT_GE(run_in_order(race_in_last_blocks).outcome->warnings.size(), 1u);
}

// The last blocks read or write words that the first ones have written. With two cores, another core wrote them.
TEST(PtxCores, DoNotShareBlocksWhoseOrderShows)
{
    constexpr std::string_view reads_neighbour = R"(
	st.global.u32 [%d3], %r1;
	and.b32 %r8, %r4, 63;
	mul.wide.u32 %d4, %r8, 4;
	add.s64 %d5, %d1, %d4;
	ld.global.u32 %r9, [%d5];)";
    constexpr std::string_view writes_the_same = "	st.global.u32 [%d1], %r2;";
    constexpr std::string_view faults = R"(
	setp.lt.u32 %p1, %r2, 6;
	@%p1 bra done;
	ld.global.u32 %r8, [%d3+4096];
done:)";
    EXPECT_FALSE(run_shared_out(reads_neighbour, 2).outcome);
    EXPECT_FALSE(run_shared_out(writes_the_same, 2).outcome);
    EXPECT_FALSE(run_shared_out(faults, 2).outcome);
    EXPECT_TRUE(says(test::refusal([&] { run_in_order(faults); }), "block (6,0,0)"));
}

TEST(PtxCores, AreOneWhereBlocksDependOnOneAnother)
{
    const auto cores = [](std::string_view body, bool only_first = false) {
        const ptx::Program program = grid_program(body);
        ptx::MachineLaunch launch = launch_of(program);
        launch.only_first_block = only_first;
        return ptx::cores_for(program, launch, regions_before());
    };
    EXPECT_EQ(cores(blocks_apart), std::min<std::size_t>(blocks_of_grid, std::thread::hardware_concurrency()));
    EXPECT_EQ(cores(blocks_apart, true), 1u);
    EXPECT_EQ(cores("	atom.global.add.u32 %r8, [%d1], 1;"), 1u);
    EXPECT_EQ(cores("	atom.shared.add.u32 %r8, [%r7], 1;"), cores(blocks_apart));
    EXPECT_EQ(cores("	mov.u32 %r8, %clock;"), 1u);
    EXPECT_EQ(cores("	ld.acquire.gpu.global.u32 %r8, [%d1];"), 1u);
}

struct CountingSink {
    uint64_t taken = 0;
    void take(uint64_t, uint32_t, traced::Step&) { ++taken; }
    void join(CountingSink&& after) { taken += after.taken; }
};

TEST(PtxCores, TakeTheStepsOfARunInOrderWhereTheOrderShows)
{
    for (const std::string_view body : {blocks_apart, std::string_view("	st.global.u32 [%d1], %r2;")}) {
        const ptx::Program program = grid_program(body);
        std::vector<ptx::Region> regions = regions_before();
        const auto [outcome, sink] =
            ptx::run_watched(program, launch_of(program), regions, [] { return CountingSink{}; }, {});
        const GridRan expected = run_in_order(body);
        uint64_t steps = 0;
        for (const auto& [warp, of_warp] : expected.steps)
            steps += of_warp.size();
        EXPECT_EQ(sink.taken, steps);
        EXPECT_EQ(regions[0].bytes, expected.data);
        EXPECT_EQ(outcome.warnings, expected.outcome->warnings);
    }
}

// Only the first block sets %r10.
TEST(PtxCores, BlocksFindNoRegistersOfTheBlockBefore)
{
    const GridRan ran = run_in_order(R"(
	setp.ne.u32 %p1, %r2, 0;
	@%p1 bra use;
	mov.u32 %r10, 5;
use:
	st.global.u32 [%d3], %r10;)");
    std::vector<uint32_t> values(blocks_of_grid * threads_of_block);
    std::memcpy(values.data(), ran.data.data(), ran.data.size());
    EXPECT_EQ(values.front(), 5u);
    EXPECT_EQ(values.back(), 0u);
}

} // namespace
