// Measures the time to start the window.
#include "display.h"
#include "goals.h"
#include "program.h"

#include <utility>

namespace bench {

namespace {

constexpr int starts_timed = 5;

} // namespace

// Warm start: the file system has cached the program, and it was started once before.
void start_results(const Take& take)
{
    const test::Display display({1600, 1000});
    Result frame{"start to the first frame", "s", {}, 1.0, {}};
    Result shown{"start to the first frame with a recording in it", "s", {}, 2.0, {}};
    for (int i = -1; i < starts_timed; ++i) {
        const test::Program program(display, {"--backend", "cpu"});
        if (i < 0)
            continue;
        frame.samples.push_back(program.first_frame_seconds());
        shown.samples.push_back(program.first_recording_seconds());
    }
    take(std::move(frame));
    take(std::move(shown));
}

} // namespace bench
