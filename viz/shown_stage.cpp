#include "viz/shown_stage.h"

namespace viz {

std::pair<Speed, Speed> comparable_speeds(const ShownStage& first, const ShownStage& second)
{
    if (!(first.speed.gflops && second.speed.gflops) && first.shipped.gflops && second.shipped.gflops)
        return {first.shipped, second.shipped};
    const auto best = [](const ShownStage& stage) {
        return !stage.speed.gflops && stage.shipped.gflops ? stage.shipped : stage.speed;
    };
    return {best(first), best(second)};
}

} // namespace viz
