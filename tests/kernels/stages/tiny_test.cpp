// Tests the tiny forms of the stages, in which every value can be displayed.
#include "backend.h"
#include "measure/speed.h"
#include "tests/ladder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using kernels::Stage;

TEST(Tiny, EveryStageThatTheCpuRunsHasATinyFormThatIsRight)
{
    const std::unique_ptr<kernels::Backend> backend = kernels::make_cpu_backend();
    for (const Stage& stage : test::ladder()) {
        ASSERT_EQ(stage.tiny.has_value(), !stage.cpu_variants.empty()) << stage.slug;
        if (!stage.tiny)
            continue;
        EXPECT_EQ(stage.refusal(stage.tiny->parameters), "") << stage.slug;
        EXPECT_NE(std::ranges::find(stage.cpu_variants, stage.tiny->parameters), stage.cpu_variants.end());
        for (const auto inputs : {recording::Inputs::random, recording::Inputs::small}) {
            const kernels::Job job{&stage, stage.tiny->parameters, stage.tiny->problem, inputs};
            const kernels::Verification found = kernels::verify(*backend, job, kernels::ProbeKind::none, {});
            EXPECT_TRUE(found.ok) << stage.slug << ", error " << found.error;
            if (inputs == recording::Inputs::small && stage.slug != "thread_coords") {
                EXPECT_EQ(found.error, 0) << stage.slug << ": whole numbers are exact";
            }
        }
    }
}

TEST(Tiny, FourLanesWorkOrItIsSaidWhyMoreDo)
{
    for (const Stage& stage : test::ladder()) {
        if (!stage.tiny)
            continue;
        const recording::Launch launch = stage.launch(stage.tiny->parameters, stage.tiny->problem);
        const recording::Problem& problem = stage.tiny->problem;
        const uint32_t largest = std::max({problem.M, problem.N, problem.K});
        if (stage.tiny->limit.empty()) {
            EXPECT_LE(launch.threads_per_block(), 6u) << stage.slug; // thread_coords has blocks of 2 x 3
            EXPECT_LE(largest, 16u) << stage.slug;
        } else {
            EXPECT_EQ(stage.tiny->limit.back(), '.') << stage.slug;
            EXPECT_LE(largest, 64u) << stage.slug;
        }
        EXPECT_LE(launch.threads_per_block(), 64u) << stage.slug;
    }
}

} // namespace
