// Tests files with very many kernels, and launches with very large buffers.
#include "run_kernel.h"
#include "tests/says.h"

#include "traced/source_text.h"
#include "traced/user_kernel.h"

#include <fmt/format.h>

#include <algorithm>

namespace {

using test::says;

std::string many_kernels(int count)
{
    std::string text = "// gemmscope: kernel=k7 grid=1 block=32 args=a buffer=a=128\n";
    for (int i = 0; i < count; ++i)
        text += fmt::format("__global__ void k{}(int* a) {{ a[threadIdx.x] = {}; }} // __global__\n", i, i);
    return text;
}

TEST(ManyKernels, AreFoundEachInItsLine)
{
    const std::vector<traced::WrittenKernel> all = traced::kernels_in(many_kernels(3000));
    ASSERT_EQ(all.size(), 3000u);
    for (uint32_t i = 0; i < 3000; ++i) {
        EXPECT_EQ(all[i].name, fmt::format("k{}", i));
        EXPECT_EQ(all[i].line, i + 2);
    }
}

// Positions in the text do not change, because the compiler reports lines and columns.
TEST(ManyKernels, AreDeviceFunctionsButForTheOneThatIsMeant)
{
    const std::string text = many_kernels(300), alone = traced::with_one_kernel(text, "ns::k7<int>", 200);
    ASSERT_EQ(alone.size(), text.size());
    EXPECT_EQ(std::ranges::count(alone, '\n'), 301);
    const std::vector<traced::WrittenKernel> left = traced::kernels_in(alone);
    ASSERT_EQ(left.size(), 1u);
    EXPECT_EQ(left.front().name, "k7");
    EXPECT_EQ(left.front().line, 9u);
    EXPECT_EQ(traced::with_one_kernel(text, "k7", 301), text);
}

TEST(ManyKernels, OneOfThemIsCompiledAlone)
{
    RUN_OR_SKIP(traced, many_kernels(250));
    EXPECT_EQ(test::values<int>(traced.after, "a"), std::vector<int>(32, 7));
    const std::string text = many_kernels(250);
    const traced::UserKernel kernel = traced::user_kernel("kernel.cu", text, "k7", {});
    const std::string ptx = traced::compile(kernel).ptx;
    EXPECT_EQ(ptx.find(".entry"), ptx.rfind(".entry"));
}

// Some kernels cannot be device functions, such as one with a __grid_constant__ parameter. They stay kernels.
TEST(ManyKernels, AreCompiledTogetherWhereOneCannotBeADeviceFunction)
{
    RUN_OR_SKIP(traced, many_kernels(250) +
                            "struct Two { int x, y; };\n"
                            "__global__ void other(const __grid_constant__ Two two, int* a) { *a = two.x; }\n"
                            "__global__ void caller(int* a) { void (*f)(int*) = k7; a[0] = f != nullptr; }\n");
    EXPECT_EQ(test::values<int>(traced.after, "a"), std::vector<int>(32, 7));
}

// Prepares the buffers of a launch without a compiler. Allocates none before all are known to fit.
traced::PreparedLaunch prepared(const std::vector<std::string>& buffers)
{
    traced::Request request{.file = "kernel.cu", .grid = "1", .block = "32"};
    std::vector<traced::KernelParameter> parameters;
    for (const std::string& buffer : buffers) {
        request.arguments.push_back(buffer.substr(0, buffer.find('=')));
        request.buffers.push_back(buffer);
        parameters.push_back({.type = {.base = "int", .pointers = 1}, .words = "A parameter", .bytes = 8});
    }
    return traced::prepare(request, {.name = "k"}, parameters, {});
}

TEST(LargeBuffers, AreLimitedTogether)
{
    const traced::PreparedLaunch launch = prepared({"a=4096:iota", "b=8"});
    ASSERT_EQ(launch.buffers.size(), 2u);
    EXPECT_EQ(test::values<int>(launch.buffers, "a")[1023], 1023);
    EXPECT_EQ(launch.buffers[1].bytes.size(), 8u);
    const std::string said = test::refusal([] { prepared({"a=2147483648", "b=2147483648", "c=4"}); });
    EXPECT_TRUE(says(said, "4294967300"));
    EXPECT_TRUE(says(said, "4294967296"));
}

} // namespace
