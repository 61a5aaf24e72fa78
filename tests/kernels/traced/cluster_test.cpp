// Tests clusters, whose blocks synchronize at their barrier and access each other's shared memory. The results are
// compared with plain loops.
#include "run_kernel.h"
#include "tests/says.h"

#include <algorithm>

namespace {

using recording::Op;
using test::says;
using test::why_refused;
using test::values;

// Inline PTX that the kernels below share.
const std::string with = R"(
__device__ unsigned at(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ unsigned rank() { unsigned r; asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
__device__ unsigned in_block(unsigned place, unsigned rank)
{ unsigned r; asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(r) : "r"(place), "r"(rank)); return r; }
__device__ void meet() { asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory"); }
__device__ void make(unsigned barrier, int count)
{ asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory"); }
__device__ void expect(unsigned barrier, int bytes)
{ asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory"); }
__device__ void wait(unsigned barrier, int parity)
{ asm volatile("{ .reg .pred done;\nagain: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra again; }"
  ::"r"(barrier), "r"(parity) : "memory"); }
)";

// Each block counts its part of the text into bins that are spread over the blocks of its cluster.
TEST(Cluster, AHistogramInTheSharedMemoryOfFourBlocks)
{
    RUN_OR_SKIP(traced,
                R"(// gemmscope: grid=8 block=64 args=text,bins,N size=4096 buffer=text=N:random buffer=bins=4*256
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4, 1, 1) histogram(const unsigned char* text, unsigned* bins, int n)
{
    __shared__ unsigned own[64];
    cg::cluster_group cluster = cg::this_cluster();
    own[threadIdx.x] = 0;
    cluster.sync();
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) {
        unsigned* const there = cluster.map_shared_rank(own, text[i] / 64);
        atomicAdd(&there[text[i] % 64], 1u);
    }
    cluster.sync();
    atomicAdd(&bins[cluster.block_rank() * 64 + threadIdx.x], own[threadIdx.x]);
}
)");
    std::vector<unsigned> bins(256);
    for (const unsigned char one : values<unsigned char>(traced.before, "text"))
        ++bins[one];
    EXPECT_EQ(values<unsigned>(traced.after, "bins"), bins);
    EXPECT_TRUE(traced.warnings.empty());
    EXPECT_TRUE(std::ranges::any_of(traced.recording.executed->notes, [](const std::string& note) {
        return note.starts_with("Blocks run in clusters of 4 x 1 x 1. ");
    }));
    const auto& steps = traced.recording.blocks.at(0).warps.at(0).accesses;
    EXPECT_EQ(std::ranges::count(steps, Op::barrier, &recording::Access::op), 2);
}

// Reads every special register of clusters, in a grid of 4 x 2 x 2 with clusters of 2 x 1 x 2.
const std::string registers = R"(// gemmscope: grid=4,2,2 block=32 args=out buffer=out=4*16*16
__global__ void CLUSTER k(unsigned* out)
{
    unsigned v[14], is;
    asm volatile("mov.u32 %0, %%cluster_ctaid.x;\nmov.u32 %1, %%cluster_ctaid.y;\nmov.u32 %2, %%cluster_ctaid.z;\n"
        "mov.u32 %3, %%cluster_nctaid.x;\nmov.u32 %4, %%cluster_nctaid.y;\nmov.u32 %5, %%cluster_nctaid.z;\n"
        "mov.u32 %6, %%clusterid.x;\nmov.u32 %7, %%clusterid.y;\nmov.u32 %8, %%clusterid.z;\n"
        "mov.u32 %9, %%nclusterid.x;\nmov.u32 %10, %%nclusterid.y;\nmov.u32 %11, %%nclusterid.z;\n"
        "mov.u32 %12, %%cluster_ctarank;\nmov.u32 %13, %%cluster_nctarank;"
        : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]), "=r"(v[4]), "=r"(v[5]), "=r"(v[6]), "=r"(v[7]), "=r"(v[8]),
          "=r"(v[9]), "=r"(v[10]), "=r"(v[11]), "=r"(v[12]), "=r"(v[13]));
    asm volatile("{ .reg .pred p;\nmov.pred p, %%is_explicit_cluster;\nselp.u32 %0, 1, 0, p; }" : "=r"(is));
    if (threadIdx.x == 0) {
        unsigned* const to = out + 16 * (blockIdx.x + 4 * (blockIdx.y + 2 * blockIdx.z));
        for (int i = 0; i < 14; ++i)
            to[i] = v[i];
        to[14] = is;
    }
}
)";

void expect_registers(const ptx::Traced& traced, const recording::Index3& of, bool is_explicit)
{
    const auto out = values<unsigned>(traced.after, "out");
    for (uint32_t block = 0; block < 16; ++block) {
        const uint32_t x = block % 4, y = block / 4 % 2, z = block / 8;
        const std::vector<unsigned> wanted = {x % of.x,
                                              y % of.y,
                                              z % of.z,
                                              of.x,
                                              of.y,
                                              of.z,
                                              x / of.x,
                                              y / of.y,
                                              z / of.z,
                                              4 / of.x,
                                              2 / of.y,
                                              2 / of.z,
                                              x % of.x + of.x * (y % of.y + of.y * (z % of.z)),
                                              of.x * of.y * of.z,
                                              is_explicit ? 1u : 0u};
        EXPECT_EQ(std::vector(out.begin() + block * 16, out.begin() + block * 16 + 15), wanted) << block;
    }
}

TEST(Cluster, SpecialRegisters)
{
    const std::string plain = std::string(registers).replace(registers.find("CLUSTER"), 7, "");
    RUN_OR_SKIP(traced, plain);
    expect_registers(traced, {1, 1, 1}, false);
    expect_registers(test::run(plain, {.cluster = "2,1,2"}), {2, 1, 2}, true);
    const std::string fixed = std::string(registers).replace(registers.find("CLUSTER"), 7, "__cluster_dims__(2, 1, 2)");
    expect_registers(test::run(fixed), {2, 1, 2}, true);
    expect_registers(test::run(fixed, {.cluster = "2,1,2"}), {2, 1, 2}, true);
    EXPECT_TRUE(says(why_refused(fixed, {.cluster = "2"}),
                     "has clusters of 2 x 1 x 2 blocks (__cluster_dims__), and 2 x 1 x 1"));
    EXPECT_TRUE(says(why_refused(plain, {.cluster = "3"}),
                     "The grid of 4 x 2 x 2 blocks is no whole number of clusters of 3 x 1 x 1"));
    EXPECT_TRUE(
        says(why_refused(plain, {.grid = "32", .cluster = "32"}), "A cluster of 32 x 1 x 1 blocks is not possible"));
    EXPECT_TRUE(says(why_refused(plain, {.cluster = "0"}), "0, which is no number of blocks"));
}

// Each block writes words to the next block of a ring and reads from the previous one, with both forms of addresses. It
// reads its own words by its own rank.
TEST(Cluster, LoadsAndStoresInOtherBlocks)
{
    RUN_OR_SKIP(traced,
                with + R"(// gemmscope: grid=6 block=64 cluster=3 args=in,out buffer=in=4*6*64:iota buffer=out=4*6*64
__global__ void ring(const unsigned* in, unsigned* out)
{
    __shared__ unsigned own[64], got[64];
    __shared__ unsigned pairs[128];
    const unsigned i = threadIdx.x, before = (rank() + 2) % 3, next = (rank() + 1) % 3;
    own[i] = in[blockIdx.x * 64 + i];
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(in_block(at(&got[63 - i]), next)), "r"(3 * own[i]) : "memory");
    const unsigned two = in_block(at(&pairs[2 * i]), next);
    asm volatile("st.shared::cluster.v2.u32 [%0], {%1, %2};" ::"r"(two), "r"(i), "r"(own[i]) : "memory");
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    const unsigned mine = own[i] + 1;
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    unsigned long long generic;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(generic) : "l"(&own[i]), "r"(before));
    unsigned other_rank, is_own, is_of_cluster;
    asm volatile("getctarank.u64 %0, %1;" : "=r"(other_rank) : "l"(generic));
    asm volatile("{ .reg .pred p;\nisspacep.shared::cta p, %2;\nselp.u32 %0, 1, 0, p;\n"
                 "isspacep.shared::cluster p, %2;\nselp.u32 %1, 1, 0, p; }" : "=r"(is_own), "=r"(is_of_cluster) : "l"(generic));
    unsigned self;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(self) : "r"(in_block(at(&own[i]), rank())));
    out[blockIdx.x * 64 + i] = got[i] + 1000 * pairs[2 * i + 1] + 7 * *(const unsigned*)generic + (self + 1 - mine)
                             + 100000000 * (other_rank == before && !is_own && is_of_cluster && pairs[2 * i] == i);
    meet();
}
)");
    const auto out = values<unsigned>(traced.after, "out");
    for (uint32_t block = 0; block < 6; ++block)
        for (uint32_t i = 0; i < 64; ++i) {
            const uint32_t before = block / 3 * 3 + (block + 2) % 3;
            EXPECT_EQ(out[block * 64 + i],
                      3 * (before * 64 + 63 - i) + 1000 * (before * 64 + i) + 7 * (before * 64 + i) + 100000000);
        }
}

// One block fetches a row for all four blocks. Each block waits at its own mbarrier.
TEST(Cluster, MulticastCopies)
{
    RUN_OR_SKIP(traced,
                with + R"(// gemmscope: grid=8 block=32 cluster=4 args=in,out buffer=in=4*64:iota buffer=out=4*8*32
__global__ void to_all(const unsigned* in, unsigned* out)
{
    __shared__ alignas(128) unsigned tile[32];
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        make(at(&full), 1);
        expect(at(&full), rank() == 1 ? 0 : 128);
    }
    meet();
    if (rank() == 0 && threadIdx.x == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 128, "
                     "[%2], %3;" ::"r"(at(tile)), "l"(in + blockIdx.x / 4 * 32), "r"(at(&full)), "h"((short)13) : "memory");
    wait(at(&full), 0);
    out[blockIdx.x * 32 + threadIdx.x] = rank() == 1 ? 5 : tile[threadIdx.x];
    meet();
}
)");
    const auto out = values<unsigned>(traced.after, "out");
    for (uint32_t i = 0; i < out.size(); ++i)
        EXPECT_EQ(out[i], i / 32 % 4 == 1 ? 5 : i / 128 * 32 + i % 32) << i;
}

// Each of two blocks fetches half of each box for both.
TEST(Cluster, MulticastOfBoxes)
{
    RUN_OR_SKIP(traced, with + R"(// gemmscope: grid=2 block=64 cluster=2 args=map(in:float,4,32,128),out size=32x32x1
// gemmscope: buffer=in=4*M*N:iota buffer=out=4*2*256
struct alignas(64) CUtensorMap { char bytes[128]; };
__global__ void boxes(const __grid_constant__ CUtensorMap map, float* out)
{
    __shared__ alignas(1024) float tile[256];
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        make(at(&full), 1);
        expect(at(&full), 1024);
    }
    meet();
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
                     "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(at(tile) + rank() * 512), "l"(&map), "r"(0), "r"(8 + 4 * rank()),
                     "r"(at(&full)), "h"((short)3) : "memory");
    wait(at(&full), 0);
    for (int i = threadIdx.x; i < 256; i += 64) // as 128 bytes are swizzled
        out[blockIdx.x * 256 + i] = tile[i ^ (i / 32 % 8) * 4];
    meet();
}
)");
    const auto out = values<float>(traced.after, "out");
    for (uint32_t i = 0; i < out.size(); ++i)
        EXPECT_EQ(out[i], static_cast<float>(8 * 32 + i % 256)) << i;
}

// The receiver's mbarrier counts stores and additions, an arrival from another block, and a copy of a row.
TEST(Cluster, WhatAnMbarrierOfAnotherBlockCounts)
{
    RUN_OR_SKIP(traced, with + R"(// gemmscope: grid=4 block=32 cluster=2 args=out buffer=out=4*4*32
__global__ void counted(unsigned* out)
{
    __shared__ alignas(128) unsigned got[32], row[32], sum[2], source[32];
    __shared__ unsigned long long full, free;
    const unsigned other = rank() ^ 1, i = threadIdx.x;
    source[i] = 500 * blockIdx.x + i;
    if (i == 0) {
        sum[0] = 10;
        make(at(&full), 1);
        make(at(&free), 32);
        expect(at(&full), 32 * 4 + 32 * 4 + 128);
    }
    asm volatile("fence.proxy.async;" ::: "memory");
    meet();
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(in_block(at(&free), other)) : "memory");
    wait(at(&free), 0);
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];"
                 ::"r"(in_block(at(&got[i]), other)), "r"(100 * blockIdx.x + i), "r"(in_block(at(&full), other)) : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];"
                 ::"r"(in_block(at(&sum[0]), other)), "r"(i), "r"(in_block(at(&full), other)) : "memory");
    if (i == 0)
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];"
                     ::"r"(in_block(at(row), other)), "r"(at(source)), "r"(in_block(at(&full), other)) : "memory");
    wait(at(&full), 0);
    out[blockIdx.x * 32 + i] = got[i] + row[i] + 10000 * sum[0];
    meet();
}
)");
    const auto out = values<unsigned>(traced.after, "out");
    for (uint32_t i = 0; i < out.size(); ++i)
        EXPECT_EQ(out[i], 600 * (i / 32 ^ 1) + 2 * (i % 32) + 10000 * (10 + 31 * 16)) << i;
}

TEST(Cluster, WhatIsWrongIsSaid)
{
    const auto said = [](const std::string& body, const char* facts = "grid=4 cluster=2") {
        return why_refused(
            with + "// gemmscope: block=32 args=out buffer=out=128 " + facts +
            "\n__global__ void k(unsigned* out)\n{\n    __shared__ unsigned s[32]; __shared__ unsigned long long b;\n" +
            body + "\n}\n");
    };
    try {
        EXPECT_EQ(said("meet();"), "");
    } catch (const kernels::Unavailable& missing) {
        GTEST_SKIP() << missing.what();
    }
    const std::string load =
        "unsigned v; asm volatile(\"ld.shared::cluster.u32 %0, [%1];\" : \"=r\"(v) : \"r\"(in_block("
        "at(&s[threadIdx.x]), ";
    EXPECT_TRUE(
        says(said("if (rank() == 0) return; s[threadIdx.x] = 1; meet(); " + load + "0))); out[threadIdx.x] = v;"),
             "reads 4 bytes of shared memory of block (0,0,0) of its cluster, which has ended; all blocks must wait"));
    EXPECT_TRUE(
        says(said("meet(); " + load + "2))); out[threadIdx.x] = v;"), "of shared memory, of which the block has"));
    EXPECT_TRUE(says(said("meet(); " + load + "1) + 4096)); out[threadIdx.x] = v; meet();"), "at byte 4096 of "));
    EXPECT_TRUE(says(said("asm volatile(\"barrier.cluster.wait.aligned;\");"),
                     "waits at the barrier of its cluster without having"));
    EXPECT_TRUE(says(said("asm volatile(\"barrier.cluster.arrive.aligned;\\nbarrier.cluster.arrive.aligned;\");"),
                     "arrives at the barrier of its cluster again"));
    EXPECT_TRUE(says(said("if (threadIdx.x < 7) meet();"),
                     "only 7 of the 32 threads of warp 0 reach the barrier of their cluster"));
    EXPECT_TRUE(says(
        said("if (threadIdx.x == 0) make(at(&b), 1); meet(); if (rank() == 0) wait(at(&b), 0); meet();"),
        "The cluster of block (0,0,0) cannot go on, as its threads wait for one another: of its block 0, warp 0 waits "
        "for the mbarrier of line"));
    EXPECT_TRUE(
        says(said("make(at(&b), 1); meet(); asm volatile(\"{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, "
                  "[%0], 0; }\" ::\"r\"(in_block(at(&b), rank() ^ 1))); meet();"),
             "only its own block can wait for it"));
    EXPECT_TRUE(
        says(said("make(at(&b), 1); meet(); asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                  "bytes.multicast::cluster [%0], [%1], 16, [%2], %3;\" ::\"r\"(at(s)), \"l\"(out), \"r\"(at(&b)), "
                  "\"h\"((short)4)); meet();"),
             "copies to block 2 of its cluster, which has 2"));
}

} // namespace
