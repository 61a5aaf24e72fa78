// Arrays that cannot be in registers are in local memory: in compiled stages, and when a kernel runs without a GPU.
#include "error.h"
#include "machine_code/machine_code.h"
#include "ptx/file_launch.h"
#include "ptx/trace.h"
#include "tests/ladder.h"
#include "tests/says.h"
#include "traced/launch.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using test::says;

// Returns the number of local loads and stores in the stage's machine code for sm_90.
std::size_t local_instructions(const char* slug, const std::vector<std::string>& parameters = {})
{
    const kernels::Stage& stage = test::stage(slug);
    const kernels::MachineCode code = kernels::machine_code(stage, kernels::parse_parameters(stage, parameters), 90);
    return static_cast<std::size_t>(std::ranges::count_if(
        code.kernels.at(0).instructions,
        [](const kernels::Instruction& one) { return one.name.starts_with("LDL") || one.name.starts_with("STL"); }));
}

TEST(LocalMemory, HasFragmentsThatAreIndexedByThread)
{
    try {
        EXPECT_EQ(local_instructions("swizzled_reads"), 0u);
        EXPECT_GE(local_instructions("swizzled_reads_indexed"), 4u) << "two fragments of two chunks each";
    } catch (const kernels::Unavailable& missing) {
        GTEST_SKIP() << missing.what();
    }
}

TEST(LocalMemory, HasWhatATooLargeThreadTileSpills)
{
    try {
        EXPECT_EQ(local_instructions("thread_tile_2d_registers"), 0u);
        EXPECT_GT(local_instructions("thread_tile_2d_registers", {"TM=16", "TN=16"}), 0u) << "256 sums, 255 registers";
    } catch (const kernels::Unavailable& missing) {
        GTEST_SKIP() << missing.what();
    }
}

// Two warps of 32 threads run. Each thread stores four values and loads one whose index the compiler cannot know.
TEST(LocalMemory, IsCountedWhereAKernelIsExecuted)
{
    const std::string text = R"(
__global__ void pick(const int* A, const int* B, int* C)
{
    volatile int some[4];
    for (int i = 0; i < 4; ++i)
        some[i] = A[i];
    C[threadIdx.x] = some[B[threadIdx.x] & 3];
}
)";
    traced::Request request;
    request.file = "pick.cu";
    request.kernel = "pick";
    request.grid = "1";
    request.block = "64";
    request.arguments = {"A", "B", "C"};
    request.buffers = {"A=256:iota", "B=256:iota", "C=256:zeros"};
    request.most_steps = 100'000;
    try {
        request = traced::with_facts_of_file(request, text);
        const traced::UserKernel kernel = ptx::kernel_of(request, text);
        const ptx::Traced traced = ptx::trace(request, kernel, traced::compile(kernel), {});
        std::string notes;
        for (const std::string& note : traced.recording.executed->notes)
            notes += note + "\n";
        EXPECT_TRUE(says(notes, "2 loads and 8 stores of warps, 1280 bytes"));
    } catch (const kernels::Unavailable& missing) {
        GTEST_SKIP() << missing.what();
    }
}

} // namespace
