// The fibers that represent the CUDA threads of a block.
#include "cpu/fiber_pool.h"

#include "error.h"
#include "tests/kernels/cpu/threads_of_a_block.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace {

using test::says;

// Creates as many pools as a machine with 40 hardware threads needs for blocks of 1,024 threads.
TEST(FiberPool, ManyFitAProcess)
{
    const cpu::ThreadBody nothing = [](const std::byte*) {};
    std::vector<std::unique_ptr<cpu::FiberPool>> pools;
    for (int i = 0; i < 40; ++i)
        pools.push_back(std::make_unique<cpu::FiberPool>(1024, nothing, nullptr));
    for (const auto& pool : pools)
        EXPECT_TRUE(pool->resume(1023));
}

__attribute__((noinline)) void use_stack(int kib)
{
    volatile char part[1024];
    for (volatile char& byte : part)
        byte = static_cast<char>(kib);
    if (kib > 1)
        use_stack(kib - 1);
    part[0] = part[1023];
}

TEST(FiberPool, AStackThatIsTooSmallIsAnError)
{
    EXPECT_EQ(error_of([](uint32_t thread) { use_stack(thread == 3 ? 40 : 2); }), "");
    const std::string reason = error_of([](uint32_t thread) { use_stack(thread == 3 ? 68 : 2); });
    EXPECT_TRUE(says(reason, "Thread 3 of a block needs more than the 64 KiB of stack"));
    EXPECT_EQ(error_of([](uint32_t) { use_stack(2); }), "") << "the next launch works";
}

} // namespace
