// The calls in the host code of a file, and the activities of host and device.
#include "viz/analysis/host_calls.h"

#include "tests/paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

using namespace viz;
using Doing = HostInterval::Doing;

std::vector<HostStep> steps_of(const std::vector<HostCall>& calls)
{
    std::vector<HostStep> steps;
    for (const HostCall& call : calls)
        steps.push_back(call.step);
    return steps;
}

std::vector<HostCall> of_first_program()
{
    return host_calls(test::text_of(test::shipped("programs/first_program.cu")));
}

TEST(HostCalls, AreTheSevenStepsOfAFirstProgram)
{
    const std::vector<HostCall> calls = of_first_program();
    ASSERT_EQ(steps_of(calls),
              (std::vector{HostStep::allocate_host, HostStep::allocate_device, HostStep::copy_in, HostStep::launch,
                           HostStep::synchronize, HostStep::copy_out, HostStep::release}));
    EXPECT_EQ(calls[0].calls, 3u);
    EXPECT_EQ(calls[2].calls, 2u);
    EXPECT_EQ(calls[6].calls, 6u);
    EXPECT_EQ(calls[1].code, "cudaMalloc(&device_a, bytes)");
    EXPECT_EQ(calls[5].code, "cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost)");
    EXPECT_LT(calls[3].line, calls[4].line);
}

TEST(HostCalls, AreNotThoseOfCommentsNorOfKernels)
{
    EXPECT_TRUE(host_calls("__global__ void k() { malloc(4); }").empty());
    EXPECT_TRUE(host_calls("int main() { // k<<<1, 1>>>();\n /* cudaFree(p); */ return 0; }").empty());
    EXPECT_TRUE(host_calls("int domain(int) { k<<<1, 1>>>(); }").empty());
    const auto calls = host_calls("__device__ void f() { free(0); }\nint main()\n{\n    k<<<1,\n        1>>>();\n}\n");
    ASSERT_EQ(calls.size(), 1u);
    EXPECT_EQ(calls[0].line, 4u);
    EXPECT_EQ(calls[0].code, "k<<<1, 1>>>()");
}

TEST(HostTimes, OfALaunchEndBeforeItsKernel)
{
    const std::vector<HostCall> calls = of_first_program();
    const HostTimes times = host_times(calls);
    const auto of_host = [&](std::size_t call) { return *std::ranges::find(times.host, call, &HostInterval::call); };
    ASSERT_EQ(times.device.size(), 3u);
    const HostInterval kernel = times.device[1];
    EXPECT_EQ(kernel.doing, Doing::computes);
    EXPECT_LE(of_host(3).until, kernel.from) << "the launch has returned";
    EXPECT_EQ(of_host(4).doing, Doing::waits);
    EXPECT_DOUBLE_EQ(of_host(4).until, kernel.until);
    EXPECT_GE(times.device[2].from, kernel.until) << "the result is copied after the kernel";
    EXPECT_DOUBLE_EQ(times.end, times.host.back().until);
}

// cudaMemcpy waits for the kernel.
TEST(HostTimes, OfACopyBeginAfterTheKernel)
{
    const HostTimes times =
        host_times(host_calls("int main() { k<<<1, 1>>>(); cudaMemcpy(a, b, n, cudaMemcpyDeviceToHost); }"));
    ASSERT_EQ(times.host.size(), 3u);
    EXPECT_EQ(times.host[1].doing, Doing::waits);
    EXPECT_EQ(times.host[2].doing, Doing::copies);
    EXPECT_DOUBLE_EQ(times.host[2].from, times.device[0].until);
}

} // namespace
