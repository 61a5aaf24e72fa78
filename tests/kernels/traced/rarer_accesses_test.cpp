// Compares the totals of atomic operations, constant loads and bulk copies with those computed by hand, also after
// reading them from a recording's file.
#include "recording/file.h"
#include "run_kernel.h"
#include "temporary_folder.h"

namespace {

using recording::AtomicTotals;
using recording::BulkTotals;
using recording::ConstantTotals;

constexpr const char* sums = R"(// gemmscope: grid=4 block=64 args=in,total buffer=in=4*256:iota buffer=total=4
__global__ void each(const int* in, int* total) { atomicAdd(total, in[blockIdx.x * 64 + threadIdx.x]); }
__global__ void of_warp(const int* in, int* total)
{
    int v = __reduce_add_sync(~0u, in[blockIdx.x * 64 + threadIdx.x]);
    if (threadIdx.x % 32 == 0) atomicAdd(total, v);
}
)";

// In 8 warps, either all 256 lanes add to one address, or one lane of each warp adds.
TEST(RarerAccesses, AtomicOperationsOnOneAddress)
{
    RUN_OR_SKIP(each, sums, {.kernel = "each"});
    EXPECT_EQ(each.written.global_atomic, (AtomicTotals{8, 256, 256}));
    EXPECT_EQ(each.written.global_store.requests, 0u);
    RUN_OR_SKIP(of_warp, sums, {.kernel = "of_warp"});
    EXPECT_EQ(of_warp.written.global_atomic, (AtomicTotals{8, 8, 8}));
    EXPECT_EQ(test::values<int>(each.after, "total"), test::values<int>(of_warp.after, "total"));
}

// An H200 executes atomic operations like this (traced 2026-11-28). If a warp adds to one address, it first adds its
// values, and one lane makes the access. Additions of floats and to different addresses are executed as written.
TEST(RarerAccesses, AtomicOperationsOfOneLaneForItsWarp)
{
    const auto executed = [](const std::string& kernel) {
        const std::string text = std::string("// gemmscope: kernel=") + kernel +
                                 R"( grid=1 block=64 args=in,total buffer=in=4*64:iota buffer=total=4*64
__global__ void value(const int* in, int* total) { atomicAdd(total, in[threadIdx.x]); }
__global__ void constant(const int* in, int* total) { atomicAdd(total, 1); }
__global__ void result(const int* in, int* total) { total[threadIdx.x] = atomicMax(total, in[threadIdx.x]); }
__global__ void number(const float* in, float* total) { atomicAdd(total, in[threadIdx.x]); }
__global__ void bins(const int* in, int* total) { atomicAdd(total + in[threadIdx.x] % 4, 1); }
)";
        const ptx::Traced traced = test::run(text);
        return recording::is_as_executed(traced.recording) ? traced.recording.totals().global_atomic : AtomicTotals{};
    };
    try {
        if (executed("bins") == AtomicTotals{})
            GTEST_SKIP() << "there is no ptxas";
        EXPECT_EQ(executed("bins"), (AtomicTotals{2, 64, 16}));
        EXPECT_EQ(executed("number"), (AtomicTotals{2, 64, 64}));
        EXPECT_EQ(executed("value"), (AtomicTotals{2, 2, 2}));
        EXPECT_EQ(executed("constant"), (AtomicTotals{2, 2, 2}));
    } catch (const kernels::Unavailable& missing) {
        GTEST_SKIP() << missing.what();
    }
}

// 4 of a warp's 32 lanes add to each of 8 bins. Lanes with odd numbers add a second time.
TEST(RarerAccesses, AtomicOperationsOnBinsInSharedMemory)
{
    RUN_OR_SKIP(traced, R"(// gemmscope: grid=3 block=32 args=out buffer=out=4*8
__global__ void histogram(int* out)
{
    __shared__ int bins[8];
    if (threadIdx.x < 8) bins[threadIdx.x] = 0;
    __syncthreads();
    atomicMax(&bins[threadIdx.x % 8], (int)threadIdx.x);
    __syncthreads();
    if (threadIdx.x % 2 == 1) atomicMin(&bins[threadIdx.x % 8], (int)threadIdx.x);
    __syncthreads();
    if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];
}
)");
    EXPECT_EQ(traced.written.shared_atomic, (AtomicTotals{3 * 2, 3 * (32 + 16), 3 * (4 + 4)}));
}

constexpr const char* from_table = R"(// gemmscope: grid=2 block=64 args=out,1 buffer=out=4*64
__constant__ int table[256] = {0, 1, 2, 3};
__global__ void look_up(int* out, int spread) { out[threadIdx.x] = table[threadIdx.x / 4 * spread]; }
)";

// Either each warp reads 8 different words, or all its lanes read the same word.
TEST(RarerAccesses, PassesOfConstantLoads)
{
    RUN_OR_SKIP(spread, from_table);
    EXPECT_EQ(spread.written.constant_load, (ConstantTotals{4, 32}));
    std::string same = from_table;
    same.replace(same.find("out,1"), 5, "out,0");
    RUN_OR_SKIP(one, same);
    EXPECT_EQ(one.written.constant_load, (ConstantTotals{4, 4}));
    EXPECT_EQ(one.written.global_load.requests, 0u);
}

// Each block copies 4 KiB to shared memory and 1 KiB back. A file and its copy contain both.
TEST(RarerAccesses, BytesOfBulkCopiesAndTheFile)
{
    RUN_OR_SKIP(traced, R"(// gemmscope: grid=2 block=32 args=in,out buffer=in=4096:iota buffer=out=2048
__global__ void bulk(const float* in, float* out)
{
    __shared__ alignas(128) float s[1024];
    __shared__ alignas(8) unsigned long long barrier;
    unsigned b = (unsigned)__cvta_generic_to_shared(&barrier), to = (unsigned)__cvta_generic_to_shared(s);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4096;" ::"r"(b) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];"
                     ::"r"(to), "l"(in), "r"(b) : "memory");
    }
    __syncthreads();
    asm volatile("{ .reg.pred done;\nagain: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n@!done bra again; }"
                 ::"r"(b) : "memory");
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;"
                     ::"l"(out + blockIdx.x * 256), "r"(to) : "memory");
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}
)");
    EXPECT_EQ(traced.written.bulk_load, (BulkTotals{2, 8192}));
    EXPECT_EQ(traced.written.bulk_store, (BulkTotals{2, 2048}));
    const kernels::TemporaryFolder folder;
    recording::write(traced.recording, folder.path() / "bulk.gscope");
    const recording::Recording read = recording::read(folder.path() / "bulk.gscope");
    EXPECT_EQ(read.totals(), traced.recording.totals());
    EXPECT_EQ(read.totals().bulk_load, (BulkTotals{2, 8192}));
}

} // namespace
