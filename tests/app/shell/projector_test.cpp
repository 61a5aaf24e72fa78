// The second window shows what the first one wrote, whenever that was read.
#include "app/shell/projector.h"
#include "tests/waiting.h"

#include "temporary_folder.h"

#include <gtest/gtest.h>

namespace {

class ProjectorTest : public testing::Test {
protected:
    ProjectorTest() { app::write_state(state("swizzled"), file_, false); }

    static app::SavedState state(const char* stage)
    {
        app::SavedState saved;
        saved.patch.columns[0].stage = stage;
        return saved;
    }
    // The stage that the second window is told of, asked as a frame asks; empty: none.
    std::string told(app::Projector& second) const
    {
        std::string stage;
        EXPECT_TRUE(test::happens([&] {
            if (const auto news = second.news())
                stage = news->patch.stage();
            else
                second.tell(state("its own"));
            return !stage.empty();
        }));
        return stage;
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
