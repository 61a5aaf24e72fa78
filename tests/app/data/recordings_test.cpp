// Shipped recordings were made from the current kernels, apart from comments and code for the host.
#include "app/data/recordings.h"
#include "tests/ladder.h"

#include <gtest/gtest.h>

namespace {

TEST(ShippedRecordings, AreOfTheKernelsAsTheyAre)
{
    std::size_t read = 0;
    for (const kernels::Stage& stage : test::ladder())
        try {
            const recording::Recording recording = app::read_shipped_recording(app::shipped_folder(), stage);
            EXPECT_FALSE(app::changed_since(recording, stage))
                << stage.slug << ": scripts/make-assets --only recordings makes it anew on a machine with a GPU";
            ++read;
        } catch (const kernels::Unavailable&) { // none is shipped, and the stage's row says so
        }
    EXPECT_GE(read, 27u);
}

} // namespace
