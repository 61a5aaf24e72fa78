// Tests folders from which code is loaded. No other user may be able to write there.
#include "temporary_folder.h"

#include "tests/says.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

namespace fs = std::filesystem;

std::string refused(const fs::path& folder)
{
    return test::refusal([&] { kernels::private_folder(folder); });
}

TEST(PrivateFolder, IsMadeForItsOwnerAlone)
{
    const kernels::TemporaryFolder folder;
    const fs::path made = folder / "a/b";
    EXPECT_EQ(kernels::private_folder(made), made);
    EXPECT_EQ(fs::status(made).permissions(), fs::perms::owner_all);
    EXPECT_EQ(refused(made), "") << "the folder exists already";
}

TEST(PrivateFolder, IsNoneThatOthersCanWriteTo)
{
    const kernels::TemporaryFolder folder;
    const fs::path made = kernels::private_folder(folder / "made");
    for (const mode_t mode : {0777, 0770, 0702}) {
        chmod(made.c_str(), mode);
        EXPECT_NE(refused(made), "") << std::oct << mode;
    }
    chmod(made.c_str(), 0755);
    EXPECT_EQ(refused(made), "");
    fs::create_symlink(made, folder / "link");
    EXPECT_NE(refused(folder / "link"), "");
    EXPECT_NE(refused("/proc/self/none"), "") << "the folder cannot be created";
    if (getuid() == 0) {
        ASSERT_EQ(chown(made.c_str(), 12345, 12345), 0);
        EXPECT_NE(refused(made), "") << "another user owns it";
    } else {
        EXPECT_NE(refused("/usr"), "") << "root owns it";
    }
}

TEST(UserCache, IsBelowAnAbsoluteFolder)
{
    const char* home = std::getenv("HOME");
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const std::string kept_home = home == nullptr ? "" : home, kept_cache = cache == nullptr ? "" : cache;
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", "relative", 1);
    EXPECT_EQ(kernels::user_cache(), "");
    setenv("HOME", "/home/me", 1);
    EXPECT_EQ(kernels::user_cache(), "/home/me/.cache/gemmscope");
    home == nullptr ? unsetenv("HOME") : setenv("HOME", kept_home.c_str(), 1);
    if (cache != nullptr)
        setenv("XDG_CACHE_HOME", kept_cache.c_str(), 1);
}

} // namespace
