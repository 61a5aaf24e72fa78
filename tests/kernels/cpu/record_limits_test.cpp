// Launches that cannot be recorded are refused before operands are created and kernels run.
#include "backend.h"
#include "tests/ladder.h"
#include "tests/says.h"

#include <gtest/gtest.h>

namespace {

using test::says;

std::string refusal(std::string_view slug, const recording::Problem& problem)
{
    return test::refusal([&] { test::record(slug, problem); });
}

TEST(RecordLimits, MatricesThatARecordingCannotAddress)
{
    const std::string reason = refusal("naive", {.M = 40000, .N = 40000, .K = 1});
    EXPECT_TRUE(says(reason, "array C has 6400000000 bytes, more than 4 GiB. Choose a smaller size"));
}

TEST(RecordLimits, OwnersThatAFileCannotHold)
{
    const std::string reason = refusal("naive", {.M = 20000, .N = 20000, .K = 1});
    EXPECT_TRUE(says(reason, "who owns which element of C takes 1525 MiB, and a file has room for 1024"));
}

TEST(RecordLimits, AGridThatCudaDoesNotAllow)
{
    const std::string reason =
        refusal("naive", {.M = 1, .N = 3'000'000, .K = 1}); // its columns are the grid's y dimension
    EXPECT_TRUE(says(reason, "is too large for CUDA. Choose a smaller size"));
}

TEST(RecordLimits, ATraceOfATooLongSum)
{
    // The multiplication itself would take minutes.
    const std::string reason = refusal("naive", {.M = 1, .N = 1, .K = 268435456});
    EXPECT_TRUE(says(reason, "The 1 chosen blocks make about 537 million accesses"));
    EXPECT_EQ(refusal("naive", {.M = 1, .N = 1, .K = 10000}), "");
}

} // namespace
