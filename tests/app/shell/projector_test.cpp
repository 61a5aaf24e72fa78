// The second window shows what the first one wrote, whenever that was read.
#include "app/shell/projector.h"

#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace {

using namespace std::chrono_literals;

class ProjectorTest : public testing::Test {
protected:
    ProjectorTest() { app::write_state(state("swizzled"), file_, false); }

    static app::SavedState state(const char* stage)
    {
        app::SavedState saved;
        saved.place.stage = stage;
        return saved;
    }
    // The stage that the second window is told of, asked as a frame asks; empty: none.
    std::string told(app::Projector& second) const
    {
        for (int i = 0; i < 200; ++i) {
            if (const auto news = second.news())
                return news->place.stage;
            std::this_thread::sleep_for(20ms); // what it reads is there before the frame ends
            second.tell(state("its own"));
        }
        return {};
    }

    kernels::TemporaryFolder folder_;
    std::filesystem::path file_ = folder_.path() / "first.gstate";
};

TEST_F(ProjectorTest, NothingThatTheFirstWindowWritesIsMissed)
{
    app::WindowOptions options;
    options.follow = file_;
    app::Projector second(options, [] {});
    EXPECT_EQ(told(second), "swizzled") << "may have been written since the program read it";
    for (const char* stage : {"vectorized", "padded_b", "naive"}) {
        app::write_state(state(stage), file_, false);
        EXPECT_EQ(told(second), stage);
    }
    EXPECT_FALSE(second.over());
    std::filesystem::remove(file_);
    EXPECT_FALSE(second.news());
    EXPECT_TRUE(second.over());
}

} // namespace
