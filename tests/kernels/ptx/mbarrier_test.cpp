// Tests mbarriers, which count arrivals and bytes, and bulk copies, against their definition in PTX.
#include "error.h"
#include "ptx/machine.h"
#include "tests/says.h"

#include <fmt/format.h>

#include <gtest/gtest.h>

#include <cstring>

namespace {

using test::says;

constexpr std::string_view frame = R"(
.version 9.0
.target sm_90
.address_size 64
.visible .entry kernel(
	.param .u64 kernel_param_0
)
{{
	.reg .pred %p<8>;
	.reg .b32 %r<16>;
	.reg .b64 %rd<16>;
	.shared .align 16 .b8 tile[512];
	.shared .align 8 .b8 barrier[16];
	ld.param.u64 %rd1, [kernel_param_0];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	mov.u32 %r2, tile;
	shl.b32 %r3, %r1, 2;
	add.s32 %r4, %r2, %r3;
	mov.u32 %r5, barrier;
	setp.ne.u32 %p1, %r1, 0;
{}
	ret;
}}
)";

struct Ran {
    std::vector<uint32_t> data; // content of the only buffer
    uint64_t steps = 0;
    std::vector<recording::Op> ops;
};

// Runs a kernel with this body, which can use these registers: %r1, the thread; %rd1, the buffer; %rd3, the thread's
// own word in the buffer; %r4, its own word of the tile; %r2, the tile; %r5, the mbarrier; %p1, true except in thread
// 0. The buffer initially contains 100, 101, ...
Ran run(std::string_view body, uint32_t threads = 64)
{
    const ptx::Module module = ptx::parse(fmt::format(fmt::runtime(frame), body), {});
    const ptx::Program program = ptx::make_program(module, "kernel", 1);
    std::vector<ptx::Region> regions(1);
    regions[0] = {"data", std::vector<std::byte>(1024)};
    for (uint32_t i = 0; i < 256; ++i) {
        const uint32_t value = 100 + i;
        std::memcpy(regions[0].bytes.data() + 4 * std::size_t{i}, &value, 4);
    }
    ptx::MachineLaunch launch{.extent = {.grid = {1, 1, 1}, .block = {threads, 1, 1}}, .most_steps = 20000};
    launch.arguments.resize(16);
    const uint64_t address = ptx::global_address(0);
    std::memcpy(launch.arguments.data(), &address, 8);
    Ran ran;
    const ptx::Watch watch = [&](uint64_t, uint32_t, const traced::Step& step) { ran.ops.push_back(step.op); };
    ran.steps = ptx::run(program, launch, regions, watch).steps;
    ran.data.resize(256);
    std::memcpy(ran.data.data(), regions[0].bytes.data(), 1024);
    return ran;
}

std::string refusal(std::string_view body, uint32_t threads = 64)
{
    return test::refusal([&] { run(body, threads); });
}

// Warp 1 arrives with 32 lanes when it has written its words. Warp 0, which runs first, waits and reads them.
TEST(PtxMbarrier, OneWarpWaitsForTheWordsOfAnother)
{
    const Ran ran = run(R"(
	@%p1 bra $L_made;
	mbarrier.init.shared::cta.b64 [%r5], 32;
$L_made:
	bar.sync 0;
	setp.ge.u32 %p2, %r1, 32;
	@%p2 bra $L_second;
$L_wait:
	mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r5], 0;
	@!%p3 bra $L_wait;
	ld.shared.u32 %r6, [%r4+128];
	st.global.u32 [%rd3], %r6;
	bra $L_end;
$L_second:
	mul.lo.u32 %r7, %r1, 3;
	st.shared.u32 [%r4], %r7;
	mbarrier.arrive.shared::cta.b64 %rd4, [%r5];
$L_end:
)");
    for (uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(ran.data[lane], 3 * (32 + lane));
    EXPECT_LT(ran.steps, 60u) << "a waiting warp executes no further instructions";
    EXPECT_EQ(std::count(ran.ops.begin(), ran.ops.end(), recording::Op::arrive), 1);
    EXPECT_EQ(std::count(ran.ops.begin(), ran.ops.end(), recording::Op::wait), 1);
}

// The only arrival expects 256 bytes, so the phase completes with the last of these bytes.
TEST(PtxMbarrier, BulkCopiesThereAndBack)
{
    const Ran ran = run(R"(
	@%p1 bra $L_made;
	mbarrier.init.shared::cta.b64 [%r5], 1;
	mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%r5], 256;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 128, [%r5];
	mbarrier.test_wait.parity.shared::cta.b64 %p4, [%r5], 0;
	selp.u32 %r8, 1, 0, %p4;
	st.global.u32 [%rd1+1000], %r8;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2+128], [%rd1+128], 128, [%r5];
$L_made:
	bar.sync 0;
$L_wait:
	mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r5], 0;
	@!%p3 bra $L_wait;
	ld.shared.u32 %r6, [%r4];
	add.u32 %r7, %r6, 1000;
	st.shared.u32 [%r4], %r7;
	fence.proxy.async;
	bar.sync 0;
	@%p1 bra $L_end;
	cp.async.bulk.global.shared::cta.bulk_group [%rd1+512], [%r2], 256;
	cp.async.bulk.commit_group;
	cp.async.bulk.wait_group 0;
$L_end:
)");
    for (uint32_t i = 0; i < 64; ++i)
        EXPECT_EQ(ran.data[128 + i], 1100 + i);
    EXPECT_EQ(ran.data[250], 0u) << "only half of the bytes have arrived";
}

// An arrival returns a state that contains the number of pending arrivals before it. Testing this state succeeds once
// its phase is complete.
TEST(PtxMbarrier, StatesAndPhases)
{
    const Ran ran = run(R"(
	mbarrier.init.shared::cta.b64 [%r5], 2;
	mbarrier.arrive.shared::cta.b64 %rd4, [%r5];
	mbarrier.pending_count.b64 %r6, %rd4;
	st.global.u32 [%rd1], %r6;
	mbarrier.test_wait.shared::cta.b64 %p3, [%r5], %rd4;
	selp.u32 %r7, 1, 0, %p3;
	st.global.u32 [%rd1+4], %r7;
	mbarrier.arrive.shared::cta.b64 %rd5, [%r5];
	mbarrier.pending_count.b64 %r6, %rd5;
	st.global.u32 [%rd1+8], %r6;
	mbarrier.test_wait.shared::cta.b64 %p3, [%r5], %rd4;
	selp.u32 %r7, 1, 0, %p3;
	st.global.u32 [%rd1+12], %r7;
	mbarrier.test_wait.parity.shared::cta.b64 %p3, [%r5], 1;
	selp.u32 %r7, 1, 0, %p3;
	st.global.u32 [%rd1+16], %r7;
	mbarrier.arrive.shared::cta.b64 _, [%r5], 2;
	mbarrier.test_wait.parity.shared::cta.b64 %p3, [%r5], 1;
	selp.u32 %r7, 1, 0, %p3;
	st.global.u32 [%rd1+20], %r7;
	mbarrier.arrive_drop.shared::cta.b64 _, [%r5];
	mbarrier.arrive.shared::cta.b64 _, [%r5];
	mbarrier.arrive.shared::cta.b64 %rd6, [%r5];
	mbarrier.pending_count.b64 %r6, %rd6;
	st.global.u32 [%rd1+24], %r6;
)",
                        1);
    EXPECT_EQ(ran.data[0], 2u);
    EXPECT_EQ(ran.data[1], 0u);
    EXPECT_EQ(ran.data[2], 1u);
    EXPECT_EQ(ran.data[3], 1u);
    EXPECT_EQ(ran.data[4], 0u) << "phase 1 is not complete";
    EXPECT_EQ(ran.data[5], 1u) << "two arrivals at once complete it";
    EXPECT_EQ(ran.data[6], 1u) << "a thread that has dropped out is not expected";
}

TEST(PtxMbarrier, AsynchronousCopiesArriveWhenTheyAreDone)
{
    const Ran ran = run(R"(
	@%p1 bra $L_made;
	mbarrier.init.shared::cta.b64 [%r5], 64;
$L_made:
	bar.sync 0;
	cp.async.ca.shared.global [%r4], [%rd3], 4;
	cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r5];
$L_wait:
	mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r5], 0;
	@!%p3 bra $L_wait;
	xor.b32 %r6, %r3, 4;
	add.s32 %r7, %r2, %r6;
	ld.shared.u32 %r8, [%r7];
	st.global.u32 [%rd3+512], %r8;
)");
    for (uint32_t i = 0; i < 64; ++i)
        EXPECT_EQ(ran.data[128 + i], 100 + (i ^ 1));
}

// The copies of lanes that have exited must not be made again when other lanes wait for their own copies. Later stores
// to the same place must remain.
TEST(PtxMbarrier, ACopyOfALaneThatHasEndedIsMadeOnce)
{
    const Ran ran = run(R"(
	setp.lt.u32 %p2, %r1, 16;
	cp.async.ca.shared.global [%r4], [%rd3], 4;
	cp.async.commit_group;
	@%p2 exit;
	sub.u32 %r6, %r4, 64;
	mov.u32 %r7, 7;
	st.shared.u32 [%r6], %r7;
	cp.async.wait_all;
	ld.shared.u32 %r8, [%r6];
	st.global.u32 [%rd3], %r8;)",
                        32);
    for (uint32_t lane = 16; lane < 32; ++lane)
        EXPECT_EQ(ran.data[lane], 7u) << lane;
}

TEST(PtxMbarrier, WhatIsWrongIsSaid)
{
    EXPECT_TRUE(says(refusal("mbarrier.arrive.shared::cta.b64 _, [%r5];"), "none was made by mbarrier.init"));
    EXPECT_TRUE(
        says(refusal("mbarrier.init.shared::cta.b64 [%r5], 1;\nmbarrier.arrive.shared::cta.b64 _, [%r5], 2;", 1),
             "arrives 2 times at an mbarrier that waits for 1 of 1 arrivals"));
    EXPECT_TRUE(says(refusal("mbarrier.init.shared::cta.b64 [%r5], 0;", 1), "for 0 arrivals"));
    const std::string stuck = refusal(R"(
	mbarrier.init.shared::cta.b64 [%r5], 2;
	mbarrier.arrive.shared::cta.b64 _, [%r5];
$L_wait:
	mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r5], 0;
	@!%p3 bra $L_wait;
)",
                                      1);
    EXPECT_TRUE(says(stuck, "waits for the mbarrier of line"));
    EXPECT_TRUE(says(refusal("mbarrier.init.shared::cta.b64 [%r5], 1;\ncp.async.bulk.shared::cluster.global.mbarrier::"
                             "complete_tx::bytes [%r2], [%rd1], 24, [%r5];",
                             1),
                     "copies 24 bytes"));
    EXPECT_TRUE(says(refusal("mbarrier.init.shared::cta.b64 [%r5], 1;\ncp.async.bulk.shared::cluster.global.mbarrier::"
                             "complete_tx::bytes [%r2], [%rd1+1008], 32, [%r5];",
                             1),
                     "at byte 1008 of data, which has 1024"));
    EXPECT_TRUE(
        says(refusal("mbarrier.init.shared::cta.b64 [%r5], 1;\ncp.async.bulk.tensor.2d.shared::cluster.global.tile."
                     "mbarrier::complete_tx::bytes [%r2], [%rd1, {%r1, %r1}], [%r5];",
                     1),
             "copies by a tensor map, and what it gives is none"));
}

} // namespace
