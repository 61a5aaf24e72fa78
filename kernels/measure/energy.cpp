#include "measure/energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kernels {

namespace {

// Time of the launches between two readings of the counter: a fraction of its update interval.
constexpr double batch_ms = 5;
constexpr int most_launches = 20'000;      // launches per batch
constexpr int least_batches = 8;           // used if one launch takes longer than a batch should
constexpr double longest_wait_seconds = 3; // for the counter to change

struct Reading {
    uint64_t millijoules = 0;
    double seconds = 0;
    int64_t launches = 0;
};

class Run {
public:
    Run(const EnergyWork& work, double ms)
        : work_(work),
          each_(static_cast<int>(std::clamp(std::ceil(batch_ms / std::max(ms, 1e-6)), 1.0, double{most_launches})))
    {
    }

    // Returns a reading right after the counter has changed; nothing if it did not change.
    std::optional<Reading> next_change()
    {
        const double begun = work_.seconds();
        const uint64_t before = work_.millijoules();
        while (true) {
            batch();
            if (const uint64_t now = work_.millijoules(); now != before)
                return Reading{now, work_.seconds(), launches_};
            if (work_.seconds() - begun > longest_wait_seconds)
                return {};
        }
    }

    void run_until(double end)
    {
        for (int batches = 0; batches < least_batches || work_.seconds() < end; ++batches)
            batch();
    }

private:
    void batch()
    {
        work_.check_stop();
        work_.launch(each_);
        launches_ += each_;
    }

    const EnergyWork& work_;
    int each_;
    int64_t launches_ = 0;
};

} // namespace

Energy energy_of_launch(const EnergyWork& work, double ms, double seconds)
{
    Run run(work, ms);
    const std::optional<Reading> first = run.next_change();
    if (first)
        run.run_until(first->seconds + seconds);
    const std::optional<Reading> last = first ? run.next_change() : std::nullopt;
    if (!last || last->millijoules < first->millijoules)
        return {.missing =
                    fmt::format("The GPU's counter of energy did not move in {} s of work.", longest_wait_seconds)};
    const auto launches = static_cast<double>(last->launches - first->launches);
    return {.joules = static_cast<double>(last->millijoules - first->millijoules) * 1e-3 / launches,
            .ms = 1e3 * (last->seconds - first->seconds) / launches,
            .missing = {}};
}

} // namespace kernels
