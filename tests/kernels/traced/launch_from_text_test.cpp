#include "traced/launch_from_text.h"

#include "ptx/file_launch.h"
#include "ptx/trace.h"
#include "run_kernel.h"
#include "tests/says.h"
#include "traced/host_text.h"
#include "traced/launch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using traced::completed;
using traced::CompletedLaunch;
using traced::KernelChoice;

const std::string scale_by = "template <typename T> __global__ void scale(T* x, T by, int n)\n"
                             "{\n"
                             "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "    if (i < n) x[i] *= by;\n"
                             "}\n";

TEST(LaunchFromText, ALiteralLaunchIsTaken)
{
    const CompletedLaunch done =
        completed({}, scale_by + "void run(float* p) { scale<float><<<dim3(8, 2), 0x40, 32 * 4>>>"
                                 "(p, 2.5f, (1000 + 255) / 256); }\n");
    EXPECT_TRUE(done.missing.empty());
    EXPECT_EQ(done.request.kernel, "scale<float>");
    EXPECT_EQ(done.request.grid, "8,2");
    EXPECT_EQ(done.request.block, "0x40");
    EXPECT_EQ(done.request.shared, "32 * 4");
    EXPECT_EQ(done.request.arguments, (std::vector<std::string>{"x", "2.5f", "(1000 + 255) / 256"}));
    EXPECT_EQ(done.request.buffers, std::vector<std::string>{"x=auto:random"});
}

// The names mean --size only if the file has no constants with these names.
TEST(LaunchFromText, TheFilesOwnConstantsAreMeant)
{
    const std::string kernel = "__global__ void fill(int* x, int n) { constexpr int K = 3; x[n + K] = 1; }\n";
    const std::string launch = "void run(int* p) { fill<<<N / 32, 32>>>(p, K); }\n";
    const auto value = [&](const std::string& text, const std::string& name) {
        return traced::names_of({.size = "256x512x1024"}, text).at(name);
    };
    EXPECT_EQ(value("constexpr int N = 64;\n" + kernel + launch, "N"), 64);
    EXPECT_EQ(value("#define N 64\n" + kernel + launch, "N"), 64);
    EXPECT_EQ(value("__device__ float table[4];\nconst int N = 96;\n" + kernel + launch, "N"), 96);
    EXPECT_EQ(value(kernel + launch, "N"), 512);
    EXPECT_EQ(value(kernel + launch, "M"), 256);
    EXPECT_EQ(value(kernel + launch, "K"), 1024) << "the launch does not use the kernel's own constant";
    EXPECT_EQ(traced::names_of({.size = "256", .defines = {"N=32"}}, kernel + launch).at("N"), 32);
}

TEST(LaunchFromText, WhatTheRequestSaysIsKept)
{
    const traced::Request asked{
        .kernel = "scale<double>", .grid = "3", .block = "32", .arguments = {"b", "1", "96"}, .buffers = {"b=768"}};
    const CompletedLaunch done =
        completed(asked, scale_by + "void run(float* p) { scale<float><<<8, 64>>>(p, 2, 9); }\n");
    EXPECT_TRUE(done.missing.empty());
    EXPECT_EQ(done.request, asked);
}

TEST(LaunchFromText, InstantiationsAndLaunchBoundsAreTaken)
{
    const std::string bounded =
        "template <int N> __global__ void __launch_bounds__(96, 2) fill(int* x) { x[threadIdx.x] = N; }\n"
        "template __global__ void fill<7>(int*);\n";
    const CompletedLaunch done = completed({.grid = "1"}, bounded);
    EXPECT_TRUE(done.missing.empty());
    EXPECT_EQ(done.request.kernel, "fill<7>");
    EXPECT_EQ(done.request.block, "96");
    EXPECT_EQ(done.request.buffers, std::vector<std::string>{"x=auto:iota"});
    EXPECT_EQ(completed({.kernel = "fill", .grid = "1"}, bounded).request.kernel, "fill<7>");
    const std::string before = "__global__ void __launch_bounds__(64) first(int* x) { x[0] = 1; }\n";
    EXPECT_EQ(completed({.kernel = "second"}, before + "__global__ void second(int* x) { x[0] = 1; }\n").missing.size(),
              2u)
        << "the bounds are those of another kernel";
}

TEST(LaunchFromText, SeveralKernelsHaveNumbers)
{
    const std::string text = "__global__ void one(int* x) { x[0] = 1; }\n" + scale_by +
                             "template __global__ void scale<float>(float*, float, int);\n"
                             "template __global__ void scale<double>(double*, double, int);\n";
    EXPECT_EQ(traced::kernel_choices(text),
              (std::vector<KernelChoice>{{"one", false, 1}, {"scale<float>", false, 2}, {"scale<double>", false, 2}}));
    EXPECT_EQ(completed({.kernel = "3"}, text).request.kernel, "scale<double>");
    const CompletedLaunch open = completed({.grid = "1", .block = "32"}, text);
    ASSERT_EQ(open.missing.size(), 1u);
    EXPECT_TRUE(test::says(open.missing[0], "2 scale<float>"));
    EXPECT_TRUE(test::says(test::refusal([&] { completed({.kernel = "4"}, text); }), "3 scale<double>"));
}

TEST(LaunchFromText, OverloadsAreListedWithTheirTypesAndNumbers)
{
    const std::string text = "__global__ void shift(int* x) { x[0] = 1; }\n"
                             "__global__ void scale(float* x, float by) { x[0] *= by; }\n"
                             "__global__ void scale(int* x, int by) { x[0] *= by; }\n";
    EXPECT_EQ(completed({.kernel = "3"}, text).request.kernel, "scale(int*, int)");
    const CompletedLaunch open =
        completed({.kernel = "scale", .grid = "1", .block = "32", .arguments = {"x", "2"}}, text);
    ASSERT_EQ(open.missing.size(), 1u);
    EXPECT_TRUE(test::says(open.missing[0], "which of 2 kernels: 2 scale(float*, float), 3 scale(int*, int)"));
}

TEST(LaunchFromText, ExtentsThatALaunchLacksAreMissing)
{
    const auto done = [](const std::string& launch) {
        return completed({}, "__global__ void k(int* x) { x[0] = 1; }\n"
                             "void run(int* p, int n) { dim3 other((n + 31) / 32); " +
                                 launch + " }\n");
    };
    const auto lacks = [&](const std::string& launch, const char* option) {
        return std::ranges::any_of(done(launch).missing,
                                   [&](const std::string& one) { return one.starts_with(option); });
    };
    EXPECT_EQ(done("k<<<4>>>(p);").request.grid, "4");
    EXPECT_TRUE(lacks("k<<<4>>>(p);", "--block") && !lacks("k<<<4>>>(p);", "--grid"));
    EXPECT_TRUE(lacks("k<<<>>>(p);", "--block") && lacks("k<<<>>>(p);", "--grid"));
    EXPECT_EQ(done("k<<<other, 32>>>(p);").request.block, "32");
    EXPECT_TRUE(lacks("k<<<other, 32>>>(p);", "--grid") && !lacks("k<<<other, 32>>>(p);", "--block"));
}

TEST(LaunchFromText, AllThatIsMissingIsSaidTogether)
{
    const CompletedLaunch done =
        completed({}, "__global__ void k(float* x, int count, float by) { x[0] = count * by; }\n"
                      "void run(float* p, int blocks, int n) { k<<<blocks, 256>>>(p, n, 2.0f); }\n");
    EXPECT_EQ(done.request.block, "256");
    EXPECT_EQ(done.request.arguments, (std::vector<std::string>{"x", "N", "2.0f"})) << "missing values have an example";
    ASSERT_EQ(done.missing.size(), 2u);
    EXPECT_TRUE(test::says(done.missing[0], "--grid, of which line 2 says k<<<blocks, 256>>>"));
    EXPECT_TRUE(test::says(done.missing[1], "'int count'"));
}

TEST(LaunchFromText, BuffersAreAsLargeAsTheAccessesNeed)
{
    const std::string text = "__global__ void spread(const float* in, float* out, int step)\n"
                             "{\n"
                             "    int i = blockIdx.x * 64 + threadIdx.x;\n"
                             "    out[i * step] = in[i];\n"
                             "}\n"
                             "void run(float* a, float* b) { spread<<<4, 64>>>(a, b, 100); }\n";
    traced::Request request = completed({.file = "kernel.cu"}, text).request;
    const traced::UserKernel kernel = ptx::kernel_of(request, text);
    ptx::Traced traced;
    SKIP_WHERE_UNAVAILABLE(traced =
                               ptx::trace_with_sizes(request, kernel, traced::compile(kernel), {}, [](uint64_t) {}));
    EXPECT_EQ(traced.recording.totals().global_store.requests, 8u);
    EXPECT_EQ(request.buffers, (std::vector<std::string>{"in=4096:random", "out=131072:random"}))
        << "255 * 100 * 4 + 4 bytes are needed";
    traced::Request wild{.file = "kernel.cu", .grid = "1", .block = "1", .arguments = {"x"}, .buffers = {"x=auto"}};
    const std::string far = "__global__ void far(float* x) { x[1ll << 30] = 1; }\n";
    const traced::UserKernel far_kernel = ptx::kernel_of(wild, far);
    EXPECT_TRUE(test::says(test::refusal([&] {
                               ptx::trace_with_sizes(wild, far_kernel, traced::compile(far_kernel), {},
                                                     [](uint64_t) {});
                           }),
                           "writes 4 bytes at byte 4294967296 of x"));
}

TEST(LaunchFromText, BuffersAreFilledWithANumber)
{
    const std::string kernel =
        "__global__ void k(const float* x, int* y) { y[threadIdx.x] += x[threadIdx.x] < -1e38f; }\n";
    const std::string facts = "// gemmscope: grid=1 block=32 args=x,y buffer=x=128:-inf ";
    RUN_OR_SKIP(traced, facts + "buffer=y=128:7\n" + kernel);
    EXPECT_EQ(test::values<int>(traced.after, "y"), std::vector<int>(32, 8));
    EXPECT_TRUE(test::says(test::why_refused(facts + "buffer=y=128:inf\n" + kernel), "cannot be filled with inf"));
}

// A named dim3 is replaced by its extents.
TEST(LaunchFromText, LaunchesAreReadAsTheyAreWritten)
{
    const auto launch = [](const std::string& words) {
        const auto all = traced::launches_in(
            "int main() { dim3 grid((N + 31) / 32, 4), block{32, 8}, other((n + 31) / 32);\n" + words + " }");
        return all.empty() ? traced::WrittenLaunch{} : all.front();
    };
    const traced::WrittenLaunch named = launch("ns::add<float, 4> <<<grid, block>>> (x, f(1, 2));");
    EXPECT_EQ(named.kernel, "add<float,4>");
    EXPECT_EQ(named.grid + " " + named.block, "(N + 31) / 32,4 32,8");
    EXPECT_EQ(named.arguments, (std::vector<std::string>{"x", "f(1, 2)"}));
    EXPECT_EQ(launch("add<<<dim3(2, 3), 64, 0, stream>>>(x);").grid, "2,3");
    EXPECT_EQ(launch("add<<<blocks, 64>>>(x);").grid, "blocks");
    EXPECT_EQ(launch("// add<<<1, 64>>>(x);").kernel, "");
    EXPECT_EQ(launch("<<<1, 2>>>").kernel, "");
}

} // namespace
