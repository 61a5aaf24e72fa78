// The text of a source file, as the window and every command read it.
#include "app/engine/trace.h"

#include "recording/disk.h"
#include "temporary_folder.h"
#include "tests/says.h"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;

TEST(ReadSource, TakesRegularFilesOfABoundedSize)
{
    const kernels::TemporaryFolder folder;
    ASSERT_EQ(mkfifo((folder / "pipe.cu").c_str(), 0600), 0);
    fs::create_symlink("/dev/zero", folder / "zero.cu");
    std::ofstream(folder / "k.cu") << "text";
    EXPECT_EQ(app::read_source(folder / "k.cu"), "text");
    fs::resize_file(folder / "k.cu", recording::largest_source + 1); // sparse
    for (const char* name : {"pipe.cu", "zero.cu", "k.cu", "missing.cu", "."})
        EXPECT_NE(test::refusal([&] { app::read_source(folder / name); }), "") << name;
}

} // namespace
