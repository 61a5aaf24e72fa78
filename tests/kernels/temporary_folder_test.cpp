// Temporary folders and their removal.
#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;

// Another process with a temporary folder, which contains a file, below the given folder.
class OtherProcess {
public:
    explicit OtherProcess(const fs::path& parent)
    {
        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0)
            return;
        id_ = fork();
        if (id_ == 0) {
            const kernels::TemporaryFolder folder(parent);
            std::ofstream(folder / "file") << "text";
            const std::string name = folder.path().string();
            if (write(ends[1], name.data(), name.size()) > 0)
                pause();
            _exit(1);
        }
        close(ends[1]);
        std::array<char, 4096> name{};
        const ssize_t count = read(ends[0], name.data(), name.size());
        close(ends[0]);
        folder_ = std::string(name.data(), count < 0 ? 0 : static_cast<std::size_t>(count));
    }
    ~OtherProcess() { end(); }
    OtherProcess(const OtherProcess&) = delete;
    OtherProcess& operator=(const OtherProcess&) = delete;

    void end()
    {
        if (id_ > 0) {
            kill(id_, SIGKILL);
            waitpid(id_, nullptr, 0);
        }
        id_ = -1;
    }
    const fs::path& folder() const { return folder_; }

private:
    pid_t id_ = -1;
    fs::path folder_;
};

TEST(TemporaryFolder, GoesWithWhatIsInIt)
{
    fs::path path;
    {
        const kernels::TemporaryFolder folder;
        path = folder.path();
        std::ofstream(folder / "file") << "text";
        EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, OfAProcessThatWasKilledGoesAtTheNextStart)
{
    const kernels::TemporaryFolder parent;
    OtherProcess killed(parent.path()), living(parent.path());
    ASSERT_TRUE(fs::exists(killed.folder() / "file"));
    ASSERT_TRUE(fs::exists(living.folder() / "file"));
    killed.end();
    fs::create_directory(parent / "gemmscope-temporary-short");
    fs::create_directory_symlink(living.folder(), parent / "gemmscope-temporary-linked");
    const kernels::TemporaryFolder next(parent.path());
    EXPECT_FALSE(fs::exists(killed.folder()));
    EXPECT_TRUE(fs::exists(living.folder() / "file")) << "its process still uses it";
    EXPECT_TRUE(fs::exists(parent / "gemmscope-temporary-short")) << "not a folder of this program";
    EXPECT_TRUE(fs::is_symlink(parent / "gemmscope-temporary-linked"));
}

} // namespace
