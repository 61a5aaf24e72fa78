// Measures the time to start the window, and its processor time and memory at rest and during playback.
#include "display.h"
#include "goals.h"
#include "program.h"

#include <unistd.h>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace bench {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono_literals::operator""s;

constexpr int starts_timed = 5;
constexpr double idle_share = 0.5, playing_share = 60, frame_ms = 1000.0 / 30, megabytes = 200;

double seconds_since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Returns the fields of /proc/PID/stat after the name of the program, which may contain blanks: state, parent, ...
std::vector<std::string> stat_of(pid_t process)
{
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text{std::istreambuf_iterator<char>(file), {}};
    std::istringstream fields(text.substr(std::min(text.size(), text.rfind(')') + 1)));
    return {std::istream_iterator<std::string>(fields), {}};
}

// Returns the process and all its descendants.
std::vector<pid_t> family_of(pid_t process)
{
    std::vector<pid_t> family{process};
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const std::string name = entry.path().filename();
        pid_t child = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), child).ec != std::errc{})
            continue;
        const std::vector<std::string> stat = stat_of(child);
        if (stat.size() > 1 && stat[1] == std::to_string(process))
            for (const pid_t one : family_of(child))
                family.push_back(one);
    }
    return family;
}

// Returns the processor time of the window and of its workers so far.
double processor_seconds(pid_t process)
{
    double ticks = 0;
    for (const pid_t one : family_of(process))
        if (const std::vector<std::string> stat = stat_of(one); stat.size() > 12)
            ticks += std::stod(stat[11]) + std::stod(stat[12]);
    return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

// Returns the memory of the window and of its workers. Memory that several processes share counts once (PSS).
double resident_megabytes(pid_t process)
{
    double kilobytes = 0;
    for (const pid_t one : family_of(process)) {
        std::ifstream file("/proc/" + std::to_string(one) + "/smaps_rollup");
        for (std::string word; file >> word;)
            if (word == "Pss:") {
                file >> word;
                kilobytes += std::stod(word);
            }
    }
    return kilobytes / 1024;
}

int frames_of(const test::Program& program)
{
    return program.state().at("frame").get<int>();
}

void see(test::Program& program)
{
    program.wait_for("a frame", [](const auto&) { return true; });
}

// Starts playback from the beginning unless it is playing.
void play_on(test::Program& program)
{
    see(program);
    if (program.state().at("playing").get<bool>())
        return;
    program.press("Home");
    program.press("space");
    program.wait_for("playing", [](const auto& state) { return state.at("playing").template get<bool>(); });
}

} // namespace

// Measures warm starts: the program was started once before, so its files are cached.
void start_results(const Take& take)
{
    const test::Display display({1600, 1000});
    Result frame{"start to the first frame", "s", {}, 0.3, {}};
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

// Shares are those of one processor core. Each drawn frame also writes the state that is read here.
void rest_results(double minutes, const Take& take)
{
    const test::Display display({1600, 1000});
    test::Program program(display, {"--backend", "cpu"}, test::shipped_without_gpu());
    program.wait_for("measurements", [](const auto& state) { return state.at("measured").template get<bool>(); });
    std::this_thread::sleep_for(5s);
    Result idle{"nothing moves: share of a core, window and worker", "%", {}, idle_share, {}};
    for (int i = 0; i < 5; ++i) {
        const double before = processor_seconds(program.process());
        const auto start = Clock::now();
        std::this_thread::sleep_for(4s);
        idle.samples.push_back(100 * (processor_seconds(program.process()) - before) / seconds_since(start));
    }
    take(std::move(idle));

    Result pace{"playing: from frame to frame", "ms", {}, frame_ms, {}};
    Result share{"playing: share of a core, window and worker", "%", {}, playing_share, {}};
    for (int i = 0; i < 5; ++i) {
        play_on(program);
        const int frames = frames_of(program);
        const double before = processor_seconds(program.process());
        const auto start = Clock::now();
        std::this_thread::sleep_for(4s);
        see(program);
        const double seconds = seconds_since(start);
        pace.samples.push_back(1000 * seconds / (frames_of(program) - frames));
        share.samples.push_back(100 * (processor_seconds(program.process()) - before) / seconds);
    }
    take(std::move(pace));
    take(std::move(share));

    Result memory{"memory of window and worker, playing", "MB", {}, megabytes, {}};
    const auto start = Clock::now();
    do {
        play_on(program);
        std::this_thread::sleep_for(10s);
        memory.samples.push_back(resident_megabytes(program.process()));
    } while (seconds_since(start) < 60 * minutes);
    take(std::move(memory));
}

} // namespace bench
