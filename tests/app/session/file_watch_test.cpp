// Changes of a watched file are noticed; changes of other files are not.
#include "app/session/user_files.h"
#include "temporary_folder.h"
#include "tests/waiting.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// Replaces the file atomically by another file with a later time.
void replace(const fs::path& file, const char* text, std::chrono::seconds later)
{
    const fs::path beside = file.string() + ".tmp";
    std::ofstream(beside) << text;
    fs::last_write_time(beside, fs::file_time_type::clock::now() + later);
    fs::rename(beside, file);
}

TEST(FileWatch, NoticesThatAFileIsWritten)
{
    const kernels::TemporaryFolder folder;
    const fs::path file = folder / "mine.cu";
    replace(file, "one", -10s);
    std::atomic<int> woken = 0;
    {
        app::FileWatch watch([&woken] { ++woken; });
        const auto notices = [&] { return test::happens([&] { return watch.changed(); }); };
        EXPECT_FALSE(watch.changed());
        watch.watch(file);
        std::this_thread::sleep_for(500ms);
        EXPECT_FALSE(watch.changed()) << "the state at the beginning is no change";
        replace(file, "two", 0s);
        EXPECT_TRUE(notices());
        EXPECT_GE(woken, 1);
        EXPECT_FALSE(watch.changed());
        watch.watch({});
        replace(file, "three", 10s);
        std::this_thread::sleep_for(500ms);
        EXPECT_FALSE(watch.changed());
    }
}

// Some editors write into the existing file, so its inode number stays the same.
TEST(FileWatch, NoticesThatAFileIsWrittenInPlace)
{
    const kernels::TemporaryFolder folder;
    const fs::path file = folder / "mine.cu";
    std::ofstream(file) << "one";
    const fs::file_time_type begin = fs::file_time_type::clock::now() - 10s;
    fs::last_write_time(file, begin);
    app::FileWatch watch([] {});
    watch.watch(file);
    std::this_thread::sleep_for(500ms); // until the file has been checked
    const auto notices = [&] { return test::happens([&] { return watch.changed(); }); };
    fs::last_write_time(file, begin + 1s);
    EXPECT_TRUE(notices()) << "another time, the same length";
    std::ofstream(file, std::ios::app) << " more";
    fs::last_write_time(file, begin + 1s);
    EXPECT_TRUE(notices()) << "the same time, another length";
}

} // namespace
