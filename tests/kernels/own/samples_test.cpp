// The sample kernels run unchanged, without a GPU.
#include "error.h"
#include "own/copy.h"
#include "ptx/trace.h"
#include "tests/kernels/traced/run_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using test::run;

TEST(Samples, RunAsTheyAre)
{
    for (const kernels::Sample& sample : kernels::samples()) {
        ptx::Traced traced;
        SKIP_WHERE_UNAVAILABLE(traced = run(std::string(sample.text)));
        EXPECT_TRUE(traced.warnings.empty()) << sample.name;
        EXPECT_GT(traced.recording.totals().shared_load.wavefronts, 0u) << sample.name;
        if (sample.name == "product") {
            ASSERT_TRUE(traced.check);
            EXPECT_TRUE(traced.check->ok);
        }
        if (sample.name == "reduction") { // 0 + 1 + ... + 511 for the first block
            EXPECT_EQ(traced::element(traced.after.at(1), 0, 0), 511.0 * 512 / 2);
        }
    }
}

// The first line of the sample says so.
TEST(Samples, ThePaddedTransposeHasNoConflict)
{
    std::string text(std::ranges::find(kernels::samples(), "transpose", &kernels::Sample::name)->text);
    ptx::Traced traced;
    SKIP_WHERE_UNAVAILABLE(traced = run(text));
    EXPECT_GT(traced.recording.totals().shared_load.conflicts, 0u);
    text.replace(text.find("COLUMNS = 32"), 12, "COLUMNS = 33");
    EXPECT_EQ(run(text).recording.totals().shared_load.conflicts, 0u);
}

} // namespace
