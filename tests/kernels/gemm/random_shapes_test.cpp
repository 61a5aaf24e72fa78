#include "gemm/size.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using kernels::random_shapes;

TEST(RandomShapes, TheSameSeedDrawsTheSameShapes)
{
    EXPECT_EQ(random_shapes(30, 7), random_shapes(30, 7));
    EXPECT_NE(random_shapes(30, 7), random_shapes(30, 8));
    const auto few = random_shapes(10, 7), many = random_shapes(20, 7);
    EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
}

TEST(RandomShapes, SidesAreOfTheirKind)
{
    const auto shapes = random_shapes(300, 3);
    std::size_t unaligned = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const recording::Problem& shape = shapes[i];
        const uint32_t multiple = i % 3 == 0 ? 64 : i % 3 == 1 ? 8 : 1;
        for (const uint32_t side : {shape.M, shape.N, shape.K}) {
            EXPECT_EQ(side % multiple, 0u);
            EXPECT_GE(side, 64u);
            unaligned += side % 8 != 0;
        }
        const bool special = i % 5 == 4;
        EXPECT_LE(std::max({shape.M, shape.N, shape.K}), special ? 65536u : 8192u);
        EXPECT_TRUE(!special || std::max({shape.M, shape.N, shape.K}) >= 8192u);
    }
    EXPECT_GT(unaligned, 200u);
}

TEST(RandomShapes, SmallAndLargeSidesAreAlikeInNumber)
{
    std::size_t below = 0, plain = 0;
    const auto shapes = random_shapes(3000, 11);
    for (std::size_t i = 0; i < shapes.size(); ++i)
        if (i % 5 != 4)
            below += shapes[i].K < 724, ++plain; // the geometric mean of 64 and 8192
    EXPECT_NEAR(static_cast<double>(below) / static_cast<double>(plain), 0.5, 0.05);
}

} // namespace
