#include "goals.h"

#include "../placed_launch.h"
#include "backend.h"
#include "program.h"
#include "recording/file.h"

#include <cstdlib>
#include <filesystem>
#include <span>
#include <stdexcept>

namespace bench {

namespace {

constexpr int starts = 5;

// Warm: the file system has the program, and it was started once.
std::vector<Result> start_results(const test::Display& display)
{
    Result frame{"start to the first frame", "s", {}, 1.0};
    Result shown{"start to the first frame with a recording in it", "s", {}, 2.0};
    for (int i = -1; i < starts; ++i) {
        const test::Program program(display, {"--backend", "cpu"});
        if (i < 0)
            continue;
        frame.samples.push_back(program.first_frame_seconds());
        shown.samples.push_back(program.first_recording_seconds());
    }
    return {frame, shown};
}

// A recording whose C has 1024 x 1024 elements; its K is small, which changes nothing in the thread map.
std::filesystem::path large_recording(const std::filesystem::path& folder)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const kernels::Stage& stage = kernels::find_stage(ladder, "vectorized");
    const kernels::Job job{&stage, stage.standard_parameters(), {.M = 1024, .N = 1024, .K = 8}};
    const recording::Index3 block{0, 0, 0};
    std::filesystem::path path = folder / "large.gscope";
    recording::write(kernels::make_cpu_backend()->record(job, {&block, 1}, {}), path);
    return path;
}

// While it plays, every frame is drawn anew; the state tells the median of the last 61.
double frame_milliseconds(test::Program& program)
{
    using State = test::Program::State;
    program.press("Home");
    program.press("space");
    const auto frames = [](const State& state) { return state.at("frame").get<int>(); };
    const int first = frames(program.state());
    program.wait_for("frames", [&](const State& state) { return frames(state) > first + 70; });
    return program.state().at("frame_ms").get<double>();
}

std::vector<Result> frame_results(const test::Display& display)
{
    constexpr double goal = 1000.0 / 60;
    std::string folder = (std::filesystem::temp_directory_path() / "gemmscope-bench-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr)
        throw std::runtime_error("no folder for a recording under " + folder);
    const std::filesystem::path file = large_recording(folder);
    Result playing{"frame, thread map of 1024 x 1024, playing", "ms", {}, goal};
    Result banks{"frame, shared memory, playing", "ms", {}, goal};
    for (int i = 0; i < starts; ++i) {
        for (Result* result : {&playing, &banks}) {
            const char* view = result == &playing ? "threads" : "banks";
            test::Program program(display, {"open", file.string(), "--view", view, "--backend", "cpu"});
            result->samples.push_back(frame_milliseconds(program));
        }
    }
    Result placement{"frame, placement of 4096 blocks, playing", "ms", {}, goal};
    std::filesystem::create_directories(folder + "/launches");
    recording::write(test::placed_launch("naive", 2048), folder + "/launches/naive.gscope");
    for (int i = 0; i < starts; ++i) {
        test::Program program(display, {"--stage", "naive", "--view", "placement", "--backend", "cpu"},
                              {{"GEMMSCOPE_RECORDINGS", folder}});
        placement.samples.push_back(frame_milliseconds(program));
    }
    std::filesystem::remove_all(folder);
    return {playing, banks, placement};
}

} // namespace

std::vector<Result> window_results()
{
    const test::Display display({1600, 1000});
    std::vector<Result> results = start_results(display);
    for (Result& result : frame_results(display))
        results.push_back(std::move(result));
    return results;
}

} // namespace bench
