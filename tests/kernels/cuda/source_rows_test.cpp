#include "cuda/nvrtc.h"
#include "error.h"
#include "machine_code/line_table.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

constexpr const char* text = R"(#include "doubled.h"
extern "C" __global__ void other(float* p) { p[0] = 1.0f; }
extern "C" __global__ void kernel(float* p)
{
    p[threadIdx.x] = doubled(p[threadIdx.x]);
}
)";

// A module has two kernels, and one of them inlines code from another file.
TEST(SourceRows, LinesAreThoseOfOneKernelOfSeveral)
try {
    const cuda::Nvrtc nvrtc;
    const cuda::Program program{
        .text = text,
        .headers = {{"doubled.h", "__device__ inline float doubled(float x)\n{\n    return x * 2;\n}\n"}}};
    const std::string cubin = nvrtc.compile(program, "kernel", {"--gpu-architecture=sm_90", "-lineinfo"}).image;
    const cuda::SourceRows rows = cuda::source_rows(cubin, "kernel");
    ASSERT_EQ(rows.files.size(), 2u);
    const std::size_t own = rows.files[0].ends_with("doubled.h") ? 1 : 0;
    const auto inlined = std::ranges::find(rows.rows, 1 - own, &cuda::SourceRow::file);
    ASSERT_NE(inlined, rows.rows.end());
    EXPECT_EQ(inlined->line, 3u);
    EXPECT_EQ(cuda::line_at(rows, inlined->address, 1 - own), 3u);
    EXPECT_EQ(cuda::line_at(rows, inlined->address, own), 5u); // the line of the call
    for (const cuda::SourceRow& row : rows.rows)
        EXPECT_TRUE(row.file != own || (row.line >= 3 && row.line <= 6)) << row.line;
    const cuda::SourceRows others = cuda::source_rows(cubin, "other");
    ASSERT_FALSE(others.rows.empty());
    EXPECT_EQ(others.rows.front().line, 2u);
    EXPECT_TRUE(cuda::source_rows(cubin, "none").rows.empty());
} catch (const kernels::Unavailable& missing) {
    GTEST_SKIP() << missing.what();
}

} // namespace
