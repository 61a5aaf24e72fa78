// Tests which files a buffer may be read from. Reading a pipe blocks forever, and /dev/zero has no end.
#include "temporary_folder.h"
#include "tests/says.h"
#include "traced/buffer.h"
#include "traced/own_files.h"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

class FilesOfAKernel : public testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
        fs::create_symlink("/dev/zero", folder_ / "zero");
        std::ofstream(folder_ / "short") << "1234";
        std::ofstream(folder_ / "long") << "123456789";
        fs::resize_file(folder_ / "long", uint64_t{1} << 36); // sparse
    }
    const kernels::TemporaryFolder folder_;
};

TEST_F(FilesOfAKernel, ABufferIsFilledFromTheFrontOfARegularFile)
{
    traced::Buffer buffer{.name = "x", .bytes = std::vector<std::byte>(8)};
    for (const char* file : {"pipe", "zero", ".", "missing", "short"})
        EXPECT_NE(test::refusal([&] { traced::fill_from_file(buffer, folder_ / file); }), "") << file;
    traced::fill_from_file(buffer, folder_ / "long");
    EXPECT_EQ(buffer.bytes.back(), std::byte{'8'});
}

TEST_F(FilesOfAKernel, HeadersAreRegularFilesOfABoundedSize)
{
    const std::string text = "#include \"pipe\"\n#include \"zero\"\n#include <long>\n#include \"short\"\n";
    const std::vector<traced::OwnFile> files = traced::own_files(folder_ / "k.cu", text, {folder_.path().string()});
    ASSERT_EQ(files.size(), 2u);
    EXPECT_EQ(files[1].text, "1234");
    for (const char* file : {"pipe", "zero", "long"})
        EXPECT_TRUE(!traced::is_source(folder_ / file) && traced::is_no_source(folder_ / file)) << file;
    EXPECT_TRUE(traced::is_source(folder_ / "short") && !traced::is_no_source(folder_ / "short"));
    EXPECT_FALSE(traced::is_source(folder_ / "missing") || traced::is_no_source(folder_ / "missing"));
    EXPECT_FALSE(traced::is_source(folder_.path()) || traced::is_no_source(folder_.path()));
}

TEST(NamesInDirectives, AreAllThatACompilerCouldOpen)
{
    const std::vector<std::string> names = traced::names_in_directives(
        "#define H \"a.h\"\n # if __has_include(<b.h>) || 1 < 2\n// #define I \"c.h\"\n\"d.h\"\n"
        "#include \"e e\"\n#include \"\"\n%:include \\\n\"f.h\"\n/* */ #include M(g.h)\n");
    for (const char* name : {"a.h", "b.h", "e e", "f.h", "g.h"})
        EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
    for (const char* name : {"c.h", "d.h", ""})
        EXPECT_EQ(std::ranges::find(names, name), names.end()) << name;
}

} // namespace
