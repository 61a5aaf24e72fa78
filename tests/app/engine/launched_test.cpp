// The result that 'gemmscope launch' writes for the process that started it.
#include "app/engine/launch_file.h"

#include "error.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>

namespace {

TEST(Launched, IsReadBackAsItWasWritten)
{
    const kernels::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "launched";
    EXPECT_THROW(app::read_launched(file), kernels::Error) << "nothing was launched";
    app::write_launched(file, {.buffers = {{.name = "A", .address = 1ull << 40, .differing = {}}}, .check = {}});
    EXPECT_FALSE(app::read_launched(file).check);
    app::write_launched(file, {.buffers = {{.name = "A", .address = 1ull << 40, .differing = {}}},
                               .check = traced::Check{.ok = true, .error = 0.25, .tolerance = 0.5}});
    const app::LaunchFileResult again = app::read_launched(file);
    ASSERT_EQ(again.buffers.size(), 1u);
    EXPECT_EQ(again.buffers[0].name, "A");
    EXPECT_EQ(again.buffers[0].address, 1ull << 40);
    ASSERT_TRUE(again.check);
    EXPECT_TRUE(again.check->ok);
    EXPECT_EQ(again.check->error, 0.25);
    EXPECT_EQ(again.check->tolerance, 0.5);
}

// A wrong kernel may leave NaN in C.
TEST(Launched, AWrongKernelsErrorMayBeNoNumber)
{
    const kernels::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "launched";
    app::write_launched(file,
                        {.buffers = {}, .check = traced::Check{.ok = false, .error = std::nan(""), .tolerance = 0.5}});
    const auto check = app::read_launched(file).check;
    ASSERT_TRUE(check);
    EXPECT_FALSE(check->ok);
    EXPECT_TRUE(std::isnan(check->error));
}

} // namespace
