#include "machine_code/elf.h"

#include <gtest/gtest.h>

namespace {

using kernels::readable_name;

TEST(ReadableName, IsThatOfTheSource)
{
    EXPECT_EQ(readable_name("_Z3fibi"), "fib(int)");
    EXPECT_EQ(readable_name("_ZZ6secondPKfPfE1t"), "second(float const*, float*)::t");
    EXPECT_EQ(readable_name(nullptr), "");
}

TEST(ReadableName, LeavesAPlainNameThatIsAlsoAMangledType)
{
    for (const char* name : {"s", "i", "f", "t", "Pf", "tile", "_Zebra"})
        EXPECT_EQ(readable_name(name), name);
}

} // namespace
