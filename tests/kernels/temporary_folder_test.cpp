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

// A process that starts removes unlocked folders, and so may remove one that another process has made and not yet
// locked. That one then makes another.
TEST(TemporaryFolder, IsMadeByProcessesThatStartAtTheSameTime)
{
    const kernels::TemporaryFolder parents;
    for (int round = 0; round < 100; ++round) {
        const fs::path parent = parents / std::to_string(round).c_str();
        fs::create_directory(parent);
        std::array<int, 2> gate{};
        ASSERT_EQ(pipe(gate.data()), 0);
        std::array<pid_t, 8> processes{};
        for (pid_t& process : processes) {
            process = fork();
            if (process != 0)
                continue;
            close(gate[1]);
            char end = 0;
            const bool opened = read(gate[0], &end, 1) == 0; // the gate opens as the parent closes it
            try {
                const kernels::TemporaryFolder folder(parent);
                _exit(opened && fs::exists(folder.path()) ? 0 : 1);
            } catch (const std::exception&) {
                _exit(1);
            }
        }
        close(gate[0]);
        close(gate[1]);
        for (const pid_t process : processes) {
            int status = 1;
            waitpid(process, &status, 0);
            ASSERT_EQ(status, 0) << "in round " << round;
        }
    }
}

} // namespace
