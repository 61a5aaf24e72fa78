// Computes accesses of machine code without a GPU. Compares them with an H200's counters for public kernels with the
// same tiles (docs/results/nvidia-h200-2026-11-23-files.md), and with the accesses of the PTX.
#include "recording/file.h"
#include "tests/kernels/traced/run_kernel.h"

#include <map>

namespace {

using recording::Op;
using recording::SharedTotals;
using test::says;

struct Counted {
    const char* kernel;
    const char* grid;
    const char* block;
    SharedTotals loads, stores;
};

// Counts at 128 x 128 x 128.
constexpr Counted ladder[] = {
    {"shared_tile", "N/32,M/32", "1024", {81920, 98304, 0}, {4096, 4096, 0}},
    {"column_tile<64,64,8,8>", "N/64,M/64", "512", {24576, 40960, 0}, {2048, 2048, 0}},
    {"thread_tile<rows,128,128,8,8,8>", "N/128,M/128", "256", {4096, 20480, 8192}, {640, 1536, 512}},
    {"thread_tile<dealt,128,128,8,8,8>", "N/128,M/128", "256", {10240, 12288, 0}, {1024, 2048, 1024}},
    {"thread_tile<padded,128,128,8,8,8>", "N/128,M/128", "256", {10240, 36864, 24576}, {1024, 3072, 2048}},
    {"thread_tile<rows,128,128,16,8,8>", "N/128,M/128", "256", {4096, 20480, 8192}, {640, 2560, 1536}},
    {"warp_tile<128,128,16,64,64>", "N/128,M/128", "128", {3072, 10240, 0}, {640, 2560, 1536}},
};

traced::Request request_of(const Counted& one)
{
    return {.kernel = one.kernel, .grid = one.grid, .block = one.block};
}

bool is_executed(const ptx::Traced& traced)
{
    return traced.recording.executed->language == "SASS";
}

TEST(InstructionTrace, EqualsWhatAGpuCounted)
{
    for (const Counted& one : ladder) {
        ptx::Traced traced;
        SKIP_WHERE_UNAVAILABLE(traced = test::run_file("ladder.cu", request_of(one)));
        ASSERT_TRUE(traced.check) << one.kernel;
        EXPECT_TRUE(traced.check->ok) << one.kernel;
        ASSERT_TRUE(is_executed(traced)) << one.kernel << ": " << traced.recording.executed->notes.front();
        EXPECT_EQ(traced.recording.totals().shared_load, one.loads) << one.kernel;
        EXPECT_EQ(traced.recording.totals().shared_store, one.stores) << one.kernel;
    }
    for (const auto& [kernel, block, sectors] :
         {std::tuple("naive", "32,32", 2179072), {"coalesced", "1024", 329728}}) {
        const ptx::Traced traced = test::run_file("ladder.cu", {.kernel = kernel, .grid = "N/32,M/32", .block = block});
        ASSERT_TRUE(is_executed(traced)) << kernel;
        EXPECT_EQ(traced.recording.totals().global_load.sectors, static_cast<uint64_t>(sectors)) << kernel;
    }
}

TEST(InstructionTrace, AsWrittenIsKeptAndCanBeAskedFor)
{
    const Counted& vectorized = ladder[2];
    traced::Request request = request_of(vectorized);
    ptx::Traced executed;
    SKIP_WHERE_UNAVAILABLE(executed = test::run_file("ladder.cu", request));
    const SharedTotals written = {16384, 40960, 24576};
    EXPECT_EQ(executed.written.shared_load, written);
    EXPECT_TRUE(says(executed.recording.executed->notes.front(), "As executed"));
    request.as_written = true;
    const ptx::Traced as_written = test::run_file("ladder.cu", request);
    EXPECT_FALSE(is_executed(as_written));
    EXPECT_EQ(as_written.recording.totals().shared_load, written);
    EXPECT_EQ(as_written.written, as_written.recording.totals());
    EXPECT_TRUE(says(as_written.recording.executed->notes.front(), "As written"));
}

// Counts how often each lane of a warp moves each byte between two barriers.
using Bytes = std::map<std::tuple<Op, uint8_t, std::size_t, uint32_t>, int>; // by operation, array, lane and offset

std::vector<Bytes> bytes_moved(const recording::WarpTrace& warp)
{
    std::vector<Bytes> intervals(1);
    for (const recording::Access& access : warp.accesses)
        if (access.op == Op::barrier)
            intervals.emplace_back();
        else
            for (std::size_t lane = 0; lane < recording::warp_size; ++lane)
                for (uint32_t byte = 0; (access.mask >> lane & 1) != 0 && byte < access.width; ++byte)
                    ++intervals.back()[{access.op, access.array, lane, access.offset[lane] + byte}];
    return intervals;
}

TEST(InstructionTrace, MovesTheSameBytesAsItsPtx)
{
    for (std::size_t i = 0; i < std::size(ladder); i += 2) { // one kernel of each pair
        const Counted& one = ladder[i];
        traced::Request request = request_of(one);
        request.size = "128x128x16";
        if (std::string_view(one.kernel) == "shared_tile")
            request.size = "128x128x32";
        ptx::Traced executed;
        SKIP_WHERE_UNAVAILABLE(executed = test::run_file("ladder.cu", request));
        request.as_written = true;
        const ptx::Traced written = test::run_file("ladder.cu", request);
        const std::vector<recording::WarpTrace>& warps = executed.recording.blocks.at(0).warps;
        EXPECT_LT(warps.at(0).accesses.size(), written.recording.blocks.at(0).warps.at(0).accesses.size());
        EXPECT_EQ(bytes_moved(warps.at(0)), bytes_moved(written.recording.blocks.at(0).warps.at(0))) << one.kernel;
    }
}

TEST(InstructionTrace, EachAccessNamesItsInstruction)
{
    ptx::Traced traced;
    SKIP_WHERE_UNAVAILABLE(traced = test::run_file("ladder.cu", request_of(ladder[2])));
    const recording::InstructionTrace& executed = *traced.recording.executed;
    std::map<std::string, int> names;
    for (const recording::Access& access : traced.recording.blocks.at(0).warps.at(0).accesses) {
        ASSERT_GT(access.instruction, 0u);
        const recording::MachineInstruction& one = executed.instructions.at(access.instruction - 1);
        const std::string name = one.text.substr(0, one.text.find(' '));
        ++names[name];
        if (access.op == Op::shared_load) {
            EXPECT_EQ(name, access.width == 16 ? "LDS.128" : "LDS");
            EXPECT_TRUE(says(one.text, "// ld.shared.f32"));
        }
    }
    EXPECT_EQ(recording::from_file_bytes(recording::to_file_bytes(traced.recording)).executed, executed);
    EXPECT_EQ(names["LDS.128"], 4 * 8 * 128 / 8);
    EXPECT_EQ(names["BAR"], 2 * 128 / 8);
}

// Each instruction has a line of its own kernel.
TEST(InstructionTrace, OfOneKernelAmongSeveral)
{
    const std::string text = R"(// gemmscope: grid=1 block=32 args=out buffer=out=4*64
__global__ void other(float* out) { __shared__ float s[64]; s[threadIdx.x] = out[threadIdx.x]; __syncthreads(); out[threadIdx.x] = s[threadIdx.x ^ 1]; }
__global__ void wanted(float* out) { __shared__ float2 s[32]; s[threadIdx.x] = {1, out[threadIdx.x]}; __syncwarp(); out[threadIdx.x] = s[threadIdx.x ^ 1].x; }
)";
    for (const char* const kernel : {"other", "wanted"}) {
        ptx::Traced traced;
        SKIP_WHERE_UNAVAILABLE(traced = test::run(text, {.kernel = kernel}));
        EXPECT_TRUE(is_executed(traced)) << traced.recording.executed->notes.front();
        EXPECT_EQ(traced.recording.totals().shared_store.instructions, 1u);
    }
}

TEST(InstructionTrace, WhereItIsNotKnownItIsNotSaid)
{
    const auto note_of = [](const std::string& body) {
        const ptx::Traced traced = test::run("// gemmscope: grid=1 block=32 args=out,20 buffer=out=4*256:iota\n"
                                             "__global__ void k(float* out, int n)\n{\n" +
                                             body + "}\n");
        EXPECT_FALSE(is_executed(traced));
        EXPECT_EQ(traced.recording.totals(), traced.written);
        return traced.recording.executed->notes.front();
    };
    std::string note;
    // Floats are added in a compare-and-swap loop, which repeats while other lanes interfere.
    SKIP_WHERE_UNAVAILABLE(note = note_of("__shared__ float sum;\nsum = 0;\n__syncthreads();\n"
                                          "atomicAdd(&sum, out[threadIdx.x]);\n__syncthreads();\nout[0] = sum;\n"));
    EXPECT_TRUE(says(note, "The machine code has LDS at "));
    // Only two of four loaded floats are used, so the assembler loads two.
    EXPECT_TRUE(says(note_of("const float4 four = reinterpret_cast<float4*>(out)[threadIdx.x];\n"
                             "__syncthreads();\nout[threadIdx.x] = four.z + four.w;\n"),
                     "and which part of it that accesses is not known"));
    // The assembler moves the load out of the loop. Of two equal loads it drops one.
    const std::string load = "asm volatile(\"ld.shared.f32 %0, [%1];\" : \"=f\"(value) : \"r\"(at));\n";
    const std::string begin = "__shared__ float tile[32];\ntile[threadIdx.x] = out[threadIdx.x];\n__syncthreads();\n"
                              "const auto at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x ^ 3]);\n"
                              "float sum = 1, value;\n";
    EXPECT_TRUE(says(note_of(begin + "#pragma unroll 1\nfor (int i = 0; i < n; ++i) {\n" + load +
                             "sum = sum * value + 1;\n}\nout[threadIdx.x] = sum;\n"),
                     "The assembler left out, moved or joined"));
    // The load leaves only the inner of two loops, so it still runs in a loop.
    EXPECT_TRUE(says(note_of("__shared__ float tile[32];\ntile[threadIdx.x] = out[threadIdx.x];\n__syncthreads();\n"
                             "float sum = 1, value;\n#pragma unroll 1\nfor (int i = 0; i < n; ++i) {\n"
                             "const auto at = (unsigned)__cvta_generic_to_shared(&tile[(threadIdx.x + i) % 32]);\n"
                             "#pragma unroll 1\nfor (int k = 0; k < n; ++k) {\n" +
                             load + "sum = sum * value + 1;\n}\n}\nout[threadIdx.x] = sum;\n"),
                     "out of a loop"));
    EXPECT_TRUE(says(note_of(begin + load + "sum += value;\n" + load + "out[threadIdx.x] = sum + 2 * value;\n"),
                     "The assembler left out, moved or joined"));
}

} // namespace
