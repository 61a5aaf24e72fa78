// What a person has allowed to run is remembered by content, in a file that only they can have written.
#include "app/catalogue/allowed_host_code.h"
#include "app/catalogue/sha256.h"

#include "temporary_folder.h"
#include "tests/paths.h"
#include "tests/says.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;

// The examples of FIPS 180-4, and lengths around those at which another block begins.
TEST(Sha256, IsThatOfTheStandard)
{
    EXPECT_EQ(app::sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(app::sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(app::sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(app::sha256(std::string(1000000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

class AllowedHostCode : public testing::Test {
protected:
    bool allows(std::string_view text) const { return app::may_run_host_code(text, file_); }
    mode_t mode() const
    {
        struct stat status {};
        EXPECT_EQ(stat(file_.c_str(), &status), 0);
        return status.st_mode & 0777;
    }

    kernels::TemporaryFolder folder_;
    fs::path file_ = folder_ / "data/allowed";
};

TEST_F(AllowedHostCode, IsThisTextAndNoOther)
{
    EXPECT_FALSE(allows("one"));
    app::allow_host_code("one", file_);
    app::allow_host_code("two", file_);
    EXPECT_TRUE(allows("one"));
    EXPECT_TRUE(allows("two"));
    EXPECT_FALSE(allows("one "));
    EXPECT_FALSE(allows(""));
    EXPECT_EQ(mode(), 0600u);
    EXPECT_EQ(fs::file_size(file_), 2u * 65);
    app::allow_host_code("one", file_);
    EXPECT_EQ(fs::file_size(file_), 2u * 65) << "once is enough";
}

TEST_F(AllowedHostCode, IsNotWhatOthersCouldHaveWritten)
{
    app::allow_host_code("one", file_);
    const std::string lines = test::text_of(file_);
    ASSERT_EQ(chmod(file_.c_str(), 0620), 0);
    EXPECT_FALSE(allows("one"));
    app::allow_host_code("two", file_); // begins anew
    EXPECT_TRUE(allows("two"));
    EXPECT_FALSE(allows("one"));
    EXPECT_EQ(mode(), 0600u);
    std::ofstream(folder_ / "elsewhere") << lines;
    fs::remove(file_);
    fs::create_symlink(folder_ / "elsewhere", file_);
    EXPECT_FALSE(allows("one")) << "a link leads to a file of which nothing is known";
    if (geteuid() != 0)
        return;
    fs::remove(file_);
    std::ofstream(file_) << lines;
    EXPECT_TRUE(allows("one"));
    ASSERT_EQ(chown(file_.c_str(), 1, 1), 0);
    EXPECT_FALSE(allows("one")) << "another user's";
}

TEST_F(AllowedHostCode, IsNothingWhereTheFileIsDamaged)
{
    fs::create_directories(file_.parent_path());
    std::ofstream(file_) << "x" << app::sha256("one") << "\n";
    EXPECT_FALSE(allows("one"));
    std::ofstream(file_) << std::string(1 << 20, 'a');
    EXPECT_FALSE(allows("one"));
    EXPECT_NE(test::refusal([] { app::allow_host_code("one", ""); }), "");
    fs::remove(file_);
    fs::create_directory(file_);
    std::ofstream(file_ / "in it") << "";
    EXPECT_NE(test::refusal([&] { app::allow_host_code("one", file_); }), "");
}

} // namespace
