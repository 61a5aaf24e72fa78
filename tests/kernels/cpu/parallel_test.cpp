#include "processor.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace {

TEST(InParallel, CallsEachIndexOnce)
{
    std::vector<std::atomic<int>> calls(1000);
    kernels::in_parallel(calls.size(), [&](uint64_t i) { ++calls[i]; });
    for (std::size_t i = 0; i < calls.size(); ++i)
        EXPECT_EQ(calls[i], 1) << i;
    kernels::in_parallel(0, [](uint64_t i) { ADD_FAILURE() << "there is no " << i; });
}

TEST(InParallel, AnExceptionReachesTheCallerAndEndsTheLoop)
{
    constexpr uint64_t too_far = 1'000'000'000; // the other threads have finished long before this
    std::atomic<uint64_t> last = 0;
    const auto work = [&](uint64_t i) {
        last = i;
        if (i == 0)
            throw std::runtime_error("no");
        if (i >= too_far)
            throw std::logic_error("the loop went on");
    };
    EXPECT_THROW(kernels::in_parallel(uint64_t{1} << 40, work), std::runtime_error);
    EXPECT_LT(last, too_far);
}

} // namespace
