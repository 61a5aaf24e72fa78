// A file that is written again is noticed; another one, and one that is not watched, are not.
#include "app/session/file_watch.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>

#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

bool soon(const std::function<bool()>& holds)
{
    for (int i = 0; i < 200; ++i, std::this_thread::sleep_for(20ms))
        if (holds())
            return true;
    return false;
}

TEST(FileWatch, NoticesThatAFileIsWritten)
{
    const kernels::TemporaryFolder folder;
    const fs::path file = folder / "mine.cu";
    std::ofstream(file) << "one";
    fs::last_write_time(file, fs::file_time_type::clock::now() - 10s);
    std::atomic<int> woken = 0;
    {
        app::FileWatch watch([&woken] { ++woken; });
        EXPECT_FALSE(watch.changed());
        watch.watch(file);
        std::this_thread::sleep_for(500ms);
        EXPECT_FALSE(watch.changed()) << "it is as it was when it was first looked at";
        std::ofstream(file) << "two";
        EXPECT_TRUE(soon([&] { return watch.changed(); }));
        EXPECT_GE(woken, 1);
        EXPECT_FALSE(watch.changed());
        watch.watch({});
        std::ofstream(file) << "three";
        fs::last_write_time(file, fs::file_time_type::clock::now() + 10s);
        std::this_thread::sleep_for(500ms);
        EXPECT_FALSE(watch.changed());
        watch.watch({});
        watch.watch(file, true);
        EXPECT_TRUE(soon([&] { return watch.changed(); })) << "what is found at first is new, where that was asked";
        EXPECT_FALSE(watch.changed());
    }
}

} // namespace
