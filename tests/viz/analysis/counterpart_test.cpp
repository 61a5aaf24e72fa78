#include "viz/analysis/comparison.h"

#include "tests/viz/analysis/recordings.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace viz;
using recording::Access;
using recording::Op;

Access on(Op op, uint8_t array)
{
    return access_of(op, array, 4, 1, [](uint32_t lane) { return lane * 4; });
}

recording::Recording with_arrays(const std::vector<std::string>& names)
{
    recording::Recording recording;
    for (const std::string& name : names)
        recording.arrays.push_back({.name = name, .rows = 8, .cols = 8});
    return recording;
}

TEST(Counterpart, IsTheStepOfTheSameKindAndArrayThatIsAsFarAlong)
{
    const recording::Recording first = with_arrays({"A", "As", "Bs"}),
                               second = with_arrays({"Bs[0]", "As[0]", "As[1]"});
    const recording::WarpTrace ours{{on(Op::shared_store, 1), on(Op::shared_load, 1), on(Op::shared_load, 2),
                                     on(Op::shared_load, 2), on(Op::shared_load, 2), on(Op::shared_load, 2)}};
    const recording::WarpTrace theirs{{on(Op::shared_load, 0), on(Op::async_store, 2), on(Op::shared_load, 0)}};
    std::vector<std::size_t> steps;
    for (std::size_t step = 0; step < ours.accesses.size(); ++step)
        steps.push_back(matching_step({first, ours}, step, {second, theirs}));
    // A store matches the store of a copy. A load of As matches nothing and keeps its number. Four loads of Bs match
    // two.
    EXPECT_EQ(steps, (std::vector<std::size_t>{1, 1, 0, 0, 2, 2}));
    EXPECT_EQ(matching_step({first, ours}, 9, {second, theirs}), 9u);
}

TEST(Counterpart, IsTheSameStepWhereBothDoTheSame)
{
    const recording::Recording both = with_arrays({"A", "As", "Bs"});
    const recording::WarpTrace ours{{on(Op::shared_load, 1), on(Op::shared_load, 2), on(Op::shared_load, 1)}};
    const recording::WarpTrace theirs{{on(Op::shared_load, 1), on(Op::shared_load, 1), on(Op::shared_load, 1)}};
    EXPECT_EQ(matching_step({both, ours}, 2, {both, theirs}), 2u);
    EXPECT_EQ(matching_step({both, ours}, 0, {both, theirs}), 0u);
}

} // namespace
