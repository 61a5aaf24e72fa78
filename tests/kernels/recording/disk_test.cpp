// Files are written atomically and read with a limit.
#include "recording/disk.h"

#include "tests/kernels/recording/recording_file_support.h"

#include <gtest/gtest.h>

#include <sys/stat.h>

namespace {

using namespace file_support;

std::string refusal_to_read(const fs::path& path, uint64_t limit)
{
    return test::refusal([&] { recording::read_whole(path, limit); });
}

TEST(Disk, ReadsBackWhatItWrote)
{
    const Folder folder;
    const std::string text("a\0b\n", 4);
    recording::write_atomically(folder / "x", text);
    EXPECT_EQ(recording::read_whole(folder / "x", 4), text);
    recording::write_atomically(folder / "x", "");
    EXPECT_EQ(recording::read_whole(folder / "x", 4), "");
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"x"});
}

TEST(Disk, ReadsNoMoreThanItsLimit)
{
    const Folder folder;
    recording::write_atomically(folder / "x", "12345");
    EXPECT_TRUE(says(refusal_to_read(folder / "x", 4), "it is larger than 4 bytes"));
    EXPECT_EQ(refusal_to_read(folder / "x", 5), "");
    fs::resize_file(folder / "x", uint64_t{1} << 40); // sparse: it takes neither memory nor disk space
    EXPECT_TRUE(says(refusal_to_read(folder / "x", 1000), "it is larger than 1000 bytes"));
}

TEST(Disk, ReadsFilesThatAnnounceNoSize)
{
    EXPECT_TRUE(says(recording::read_whole("/proc/self/status", 100'000), "Threads:"));
    EXPECT_TRUE(says(refusal_to_read("/proc/self/status", 10), "larger than 10 bytes"));
    EXPECT_TRUE(says(refusal_to_read("/dev/zero", 10), "not a regular file"));
}

// Opening a pipe blocks until another process writes to it.
TEST(Disk, ReadsNoPipe)
{
    const Folder folder;
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_TRUE(says(refusal_to_read(folder / "pipe", 10), "not a regular file"));
    EXPECT_EQ(recording::content_of(folder / "pipe", 10), "");
    EXPECT_EQ(recording::content_of("/dev/zero", 10), "");
    EXPECT_EQ(recording::content_of(folder / "missing", 10), "");
}

} // namespace
