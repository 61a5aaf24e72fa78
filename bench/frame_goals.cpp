// Measures the frame time of each view with its largest shipped example.
#include "goals.h"

#include "backend.h"
#include "program.h"
#include "recording/file.h"
#include "temporary_folder.h"
#include "tests/paths.h"
#include "tests/placed_launch.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <thread>

namespace bench {

namespace {

constexpr double goal = 1000.0 / 60;
constexpr int starts = 3;

struct Case {
    std::string what, view;
    std::string stage;                                        // recorded here at `size`, or the shipped recording
    std::optional<recording::Problem> size;                   // empty: the shipped recording
    std::vector<std::string> more = {};                       // additional arguments
    enum class Hand { none, drags, zooms } hand = Hand::none; // drag or zoom the map in every frame
};

constexpr recording::Problem whole{.M = 1024, .N = 1024, .K = 1024};

std::vector<Case> cases()
{
    return {{"data path, 1024 deep", "flow", "vectorized", whole},
            {"data path of two, 1024 deep", "flow", "vectorized", whole, {"--compare", "swizzled"}},
            {"data path, 4096 deep", "flow", "vectorized", {{.M = 128, .N = 128, .K = 4096}}},
            {"hierarchy of 1024 blocks", "hierarchy", "shared_tile", whole},
            {"the GPU", "gpu", "vectorized", whole},
            {"tiling, 1024 deep", "tiling", "vectorized", whole},
            {"tiling of a pipeline, 1024 deep", "tiling", "async_copy", whole},
            {"thread map of 1024 x 1024", "threads", "vectorized", whole},
            {"thread map of 4096 x 4096", "threads", "vectorized", {{.M = 4096, .N = 4096, .K = 1}}},
            {"thread map of 4096 x 4096, dragged",
             "threads",
             "vectorized",
             {{.M = 4096, .N = 4096, .K = 1}},
             {},
             Case::Hand::drags},
            {"thread map of 4096 x 4096, zoomed",
             "threads",
             "vectorized",
             {{.M = 4096, .N = 4096, .K = 1}},
             {},
             Case::Hand::zooms},
            {"global memory, 1024 deep", "global", "shared_tile", whole},
            {"shared memory, 1024 deep", "banks", "vectorized", whole},
            {"shared memory of two", "banks", "vectorized", whole, {"--compare", "swizzled"}},
            {"layout", "layout", "vectorized", whole},
            {"registers of 8 x 8 outer products", "registers", "vectorized", whole},
            {"registers of mma", "registers", "mma_ldmatrix", whole},
            {"reuse at 1024^3", "reuse", "vectorized", whole},
            {"occupancy", "occupancy", "vectorized", whole},
            {"roofline of the ladder", "roofline", "vectorized", whole},
            {"why faster", "faster", "vectorized", whole, {"--compare", "warp_tile"}},
            {"window as it opens", "banks", "vectorized", {}}};
}

// Records block (0,0) in full, and totals and owners of all blocks.
std::filesystem::path recorded(const Case& one, const std::filesystem::path& folder)
{
    const recording::Problem& size = *one.size;
    std::filesystem::path path = folder / fmt::format("{}-{}x{}x{}.gscope", one.stage, size.M, size.N, size.K);
    if (std::filesystem::exists(path))
        return path;
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const kernels::Stage& stage = kernels::find_stage(ladder, one.stage);
    const kernels::Job job{&stage, stage.standard_parameters(), size};
    const recording::Index3 block{0, 0, 0};
    recording::write(kernels::make_cpu_backend()->record(job, {&block, 1}, {}), path);
    return path;
}

int frames_of(const test::Program::State& state)
{
    return state.at("frame").get<int>();
}

void wait_a_frame(test::Program& program)
{
    program.wait_for("a frame", [](const auto&) { return true; });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

// Drags back and forth until this many frames have been drawn.
void drag(test::Program& program, const test::Display& display, int until)
{
    const test::Point middle = program.middle("view");
    display.move_pointer(program.window(), middle);
    display.button(true);
    for (int i = 0; frames_of(program.state()) <= until; ++i) {
        const int along = i % 200;
        display.move_pointer(program.window(), {middle.x - 3 * std::min(along, 200 - along), middle.y - along % 7});
        wait_a_frame(program);
    }
    display.button(false);
}

// Zooms from the whole matrix to single elements with their values, and back.
void zoom(test::Program& program, const test::Display& display, int until)
{
    constexpr int notches = 30;
    display.move_pointer(program.window(), program.middle("view"));
    for (int i = 0; frames_of(program.state()) <= until; ++i) {
        display.scroll(i % (2 * notches) < notches);
        wait_a_frame(program);
    }
}

// During the animation every frame is drawn anew; the state reports the medians of the last 61 frames.
void add_frames(test::Program& program, Result& result, Case::Hand hand, const test::Display& display)
{
    program.wait_for("measurements", [](const auto& state) { return state.at("measured").template get<bool>(); });
    program.press("Home");
    program.press("space");
    const int until = frames_of(program.state()) + 70;
    if (hand == Case::Hand::drags)
        drag(program, display, until);
    if (hand == Case::Hand::zooms)
        zoom(program, display, until);
    program.wait_for("frames", [&](const auto& state) { return frames_of(state) > until; });
    result.samples.push_back(program.state().at("frame_ms").get<double>());
    result.cpu_ms.push_back(program.state().at("frame_cpu_ms").get<double>());
}

Result measure(const Case& one, const std::filesystem::path& folder, const test::Display& display)
{
    Result result{"frame, " + one.what, "ms", {}, goal, {}};
    std::vector<std::string> arguments = {"--stage", one.stage};
    if (one.size)
        arguments = {"open", recorded(one, folder).string()};
    arguments.insert(arguments.end(), {"--view", one.view, "--backend", "cpu"});
    arguments.insert(arguments.end(), one.more.begin(), one.more.end());
    for (int i = 0; i < starts; ++i) {
        test::Program program(display, arguments, {{"GEMMSCOPE_RECORDINGS", test::shipped()}});
        add_frames(program, result, one.hand, display);
    }
    return result;
}

Result placement(const std::filesystem::path& folder, const test::Display& display)
{
    Result result{"frame, placement of 4096 blocks", "ms", {}, goal, {}};
    std::filesystem::create_directories(folder / "launches");
    recording::write(test::placed_launch("naive", 2048), folder / "launches" / "naive.gscope");
    for (int i = 0; i < starts; ++i) {
        test::Program program(display, {"--stage", "naive", "--view", "placement", "--backend", "cpu"},
                              {{"GEMMSCOPE_RECORDINGS", folder}});
        add_frames(program, result, Case::Hand::none, display);
    }
    return result;
}

} // namespace

void frame_results(std::string_view only, const Take& take)
{
    const test::Display display({1600, 1000});
    const kernels::TemporaryFolder folder;
    for (const Case& one : cases())
        if (one.view.find(only) != std::string::npos)
            take(measure(one, folder.path(), display));
    if (std::string_view("placement").find(only) != std::string_view::npos)
        take(placement(folder.path(), display));
}

} // namespace bench
