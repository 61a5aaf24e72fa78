#include "viz/stage_column.h"

namespace viz {

std::pair<Speed, Speed> comparable_speeds(const StageColumn& a, const StageColumn& b)
{
    if (!(a.speed.gflops && b.speed.gflops) && a.shipped.gflops && b.shipped.gflops)
        return {a.shipped, b.shipped};
    const auto best = [](const StageColumn& stage) {
        return !stage.speed.gflops && stage.shipped.gflops ? stage.shipped : stage.speed;
    };
    return {best(a), best(b)};
}

} // namespace viz
