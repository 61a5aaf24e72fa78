// Opens randomly changed recordings as the window would: reads and checks each one, computes everything that is derived
// from it, and draws a random view of it without a screen. No step may crash or take more than 60 s of CPU time. No
// step may use more memory than ten times the size that the file announces, plus 16 MiB.
//
//   fuzz_recordings [--files 1000000] [--first 0] [--seed 1] [--shipped FOLDER] [--keep FILE]
//
// Each file depends only on the seed and on its number: --first NUMBER --files 1 --keep FILE makes one of them again
// and saves it.
#include "tests/fuzz/cpu_seconds.h"
#include "tests/fuzz/mutation.h"
#include "tests/paths.h"

#include "app/engine/record.h"
#include "app/platform/gui.h"
#include "app/platform/offscreen.h"

#include "viz/analysis/access_messages.h"
#include "viz/analysis/barriers.h"
#include "viz/analysis/bulk_copy.h"
#include "viz/analysis/clock.h"
#include "viz/analysis/comparison.h"
#include "viz/analysis/comparison_messages.h"
#include "viz/analysis/heatmap.h"
#include "viz/analysis/hierarchy.h"
#include "viz/analysis/occupancy.h"
#include "viz/analysis/owner_map.h"
#include "viz/analysis/pipeline.h"
#include "viz/analysis/placement.h"
#include "viz/analysis/reuse.h"
#include "viz/analysis/sectors.h"
#include "viz/analysis/source_diff.h"
#include "viz/analysis/tile_use.h"
#include "viz/analysis/tiling.h"
#include "viz/analysis/timeline.h"
#include "viz/analysis/transfers.h"
#include "viz/analysis/waits.h"
#include "viz/view.h"

#include "error.h"
#include "recording/file.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <new>
#include <span>
#include <string_view>

#include <malloc.h>
#include <unistd.h>

namespace {

using recording::Recording;
using RecordingPtr = std::shared_ptr<const Recording>;

// Limit of the CPU time of one step, in seconds. It is a hundred times that of the slowest step, so that a slow machine
// stays below it. SIGALRM ends the program if a step has not ended after `kill_after` seconds.
constexpr double longest = 60;
constexpr unsigned kill_after = 600;
constexpr std::size_t largest_ratio = 10,
                      base_bytes = 16u << 20; // a step may use largest_ratio * announced size + base_bytes bytes

std::atomic<std::size_t> live = 0, peak = 0; // bytes allocated by operator new
volatile std::sig_atomic_t number_now = 0;   // number of the current file, for tell_crash()

} // namespace

// Counts the allocated bytes.
void* operator new(std::size_t size)
{
    void* const memory = std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr)
        throw std::bad_alloc();
    const std::size_t now = live += malloc_usable_size(memory);
    if (now > peak)
        peak = now;
    return memory;
}
void operator delete(void* memory) noexcept
{
    if (memory != nullptr)
        live -= malloc_usable_size(memory);
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    operator delete(memory);
}

namespace {

extern "C" void tell_crash(int signal)
{
    char text[80];
    const int length = std::snprintf(text, sizeof text, "\nfile %d: signal %d\n", static_cast<int>(number_now), signal);
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, static_cast<std::size_t>(length));
    std::_Exit(1);
}

struct Options {
    uint64_t files = 1000000, first = 0, seed = 1;
    std::string shipped = test::shipped(), keep;
};

struct Findings {
    std::map<std::string, uint64_t> refused; // number of refused files by error message without digits
    uint64_t read = 0, drawn = 0, bad = 0;
    double slowest = 0;
    std::string slowest_step;

    void complain(uint64_t number, const std::string& what)
    {
        ++bad;
        fmt::print(stderr, "file {}: {}\n", number, what);
    }
};

// Measures the CPU time and the memory of one step with a file.
class Watched {
public:
    Watched(Findings& findings, uint64_t number, uint64_t announced)
        : findings_(findings), number_(number), announced_(announced)
    {
    }

    template <class Step>
    void operator()(const char* name, const Step& step)
    {
        const double begin = fuzz::cpu_seconds();
        const std::size_t before = live;
        peak = before;
        alarm(kill_after);
        try {
            step();
        } catch (const kernels::Error&) { // expected
        } catch (const std::exception& error) {
            findings_.complain(number_, fmt::format("{} throws {}", name, error.what()));
        }
        alarm(0);
        const double took = fuzz::cpu_seconds() - begin;
        if (took > findings_.slowest) {
            findings_.slowest = took;
            findings_.slowest_step = fmt::format("{} of file {}", name, number_);
        }
        if (took > longest)
            findings_.complain(number_, fmt::format("{} takes {:.1f} s", name, took));
        const std::size_t used = peak - std::min<std::size_t>(before, peak);
        if (used > largest_ratio * announced_ + base_bytes)
            findings_.complain(
                number_, fmt::format("{} takes {} bytes of memory, and its file announces {}", name, used, announced_));
    }

private:
    Findings& findings_;
    uint64_t number_, announced_;
};

// Computes everything that is derived from a recording, except pictures.
void derive_all(const RecordingPtr& made, const Recording& other, fuzz::Random& random, Watched& watched)
{
    const Recording& recording = *made;
    watched("traffic and reuse tile", [&] { viz::traffic_of(recording), viz::reuse_tile(recording); });
    watched("placement", [&] { viz::placement_of(recording), viz::placed_blocks(recording); });
    watched("idle threads", [&] { viz::idle_threads(recording); });
    watched("owner map", [&] { viz::owner_map(recording, static_cast<viz::ColourBy>(random() % 4)); });
    watched("needs", [&] { viz::needs_of(recording), viz::most_loads_together(recording); });
    watched("launch race", [&] {
        const auto picture = viz::placement_of(recording);
        if (!picture || !viz::may_race(recording, recording))
            return;
        const viz::LaunchRunner runner(*picture);
        runner.done(runner.finish() / 2);
        viz::idle_sms(*picture, random() % 1000);
    });
    watched("changes", [&] { viz::setting_changes(other, recording), viz::layout_changes(recording, other); });
    watched("differences", [&] { recording::differences(recording, other); });
    watched("source", [&] {
        viz::diff_lines(viz::kernel_lines(recording.source().text, true), viz::kernel_lines(other.source().text, true));
    });
    if (recording.blocks.empty())
        return;
    const recording::BlockTrace& block = recording.blocks[random() % recording.blocks.size()];
    watched("figures", [&] { viz::figures_of(recording, block); });
    if (!other.blocks.empty())
        watched("comparison", [&] {
            const viz::ComparedRung before{other.stage, other, viz::figures_of(other, other.blocks.front()), {}};
            const viz::ComparedRung after{recording.stage, recording, viz::figures_of(recording, block), {}};
            viz::what_it_bought(before, after);
            viz::reservations(before, after);
        });
    watched("k-tiles", [&] { viz::tiles_along_k(recording, block, 3), viz::work_of_warp(recording, other); });
    watched("heatmap", [&] { viz::heatmap(block); });
    watched("global use", [&] { viz::launch_moves(viz::global_use(recording, block)); });
    watched("reuse", [&] { viz::reuse_of(recording, block); });
    watched("guards", [&] { viz::guard_use(recording.launch, block); });
    watched("pipeline", [&] { viz::pipeline_of(recording, block, viz::BlockOrder(block), 0); });
    watched("barriers", [&] {
        const viz::BlockBarriers barriers(recording, block);
        if (!barriers.missing())
            barriers.summary();
    });
    if (!recording.arrays.empty())
        watched("tile use",
                [&] { viz::tile_use(recording, block, static_cast<uint8_t>(random() % recording.arrays.size())); });
    if (block.warps.empty())
        return;
    const recording::WarpTrace& warp = block.warps[random() % block.warps.size()];
    watched("phases", [&] { viz::phases(recording, warp), viz::brought_by_step(recording, warp); });
    if (!warp.accesses.empty())
        watched("ways", [&] {
            viz::ways_of_step(recording, warp, random() % warp.accesses.size(), viz::bulk_copies(recording, warp));
            viz::explain(recording, warp.accesses[random() % warp.accesses.size()]);
        });
    if (warp.accesses.empty())
        return;
    watched("clock", [&] {
        const recording::WarpTrace& beside = block.warps.front();
        const viz::ClockUnit unit = viz::telling_unit(viz::uses_shared(warp) && viz::uses_shared(beside));
        const viz::Clock first(warp, unit), second(beside, unit);
        if (!beside.accesses.empty()) {
            viz::lead(first, second, 10);
            viz::default_step(warp, &beside);
        }
        viz::default_step(warp, nullptr);
        viz::telling_warp(block, static_cast<uint32_t>(random() % 40));
    });
    watched("lane", [&] {
        const std::size_t step = random() % warp.accesses.size();
        const std::vector<viz::Elements> elements = viz::elements_of(recording);
        viz::lane_words(recording, elements, warp.accesses[step], static_cast<uint32_t>(random() % 32));
        viz::group_operands(recording, warp, step);
        viz::explain(recording, warp.accesses[step],
                     step + 1 < warp.accesses.size() ? &warp.accesses[step + 1] : nullptr);
    });
}

// Draws views as the window does, but renders no pixels.
class Canvas {
public:
    Canvas() : gui_(offscreen_.window()), theme_(viz::make_theme(true, 1)), views_(viz::make_views())
    {
        gui_.use(theme_);
    }

    std::size_t views() const { return views_.size(); }

    void draw(std::size_t view, std::span<const viz::StageColumn> columns, fuzz::Random& random)
    {
        viz::Selection selection{.block = random() % (columns.front().recording->blocks.size() + 1),
                                 .warp = static_cast<uint32_t>(random() % 9),
                                 .step = random() % 40,
                                 .lane = static_cast<uint32_t>(random() % 32)};
        if (random() % 4 == 0)
            selection.line = static_cast<uint32_t>(random() % 80);
        if (random() % 4 == 0)
            selection.c = {static_cast<uint32_t>(random() % 24), static_cast<uint32_t>(random() % 24)};
        for (int frame = 0; frame < 2; ++frame)
            draw_frame(*views_[view], columns, selection, random);
    }

private:
    void draw_frame(viz::View& view, std::span<const viz::StageColumn> columns, viz::Selection& selection,
                    fuzz::Random& random)
    {
        gui_.begin_frame();
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {900, 700};
        io.DeltaTime = 1.0f / 60;
        io.MousePos = {static_cast<float>(random() % 900), static_cast<float>(random() % 700)};
        io.MouseDown[0] = random() % 3 == 0;
        io.MouseWheel = random() % 8 == 0 ? 1.0f : 0.0f;
        ImGui::NewFrame();
        ImGui::PushFont(theme_.text);
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({900, 700});
        ImGui::Begin("view", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
        std::string hint;
        std::optional<viz::Rich> tip;
        std::vector<viz::Rich> inspector;
        viz::Requests requests;
        const viz::ViewScene scene{columns, selection, board_, requests};
        if (const viz::ViewCommands commands = view.commands(); !commands.empty())
            for (std::size_t keys = random() % 4; keys > 0; --keys)
                commands[random() % commands.size()].action(scene);
        viz::ViewFrame of{scene, hint, theme_};
        of.tip = &tip;
        of.inspector = &inspector;
        view.draw(of);
        ImGui::End();
        ImGui::PopFont();
        ImGui::EndFrame();
    }

    app::Offscreen offscreen_;
    app::Gui gui_;
    viz::Theme theme_;
    viz::LadderFacts board_;
    std::vector<std::unique_ptr<viz::View>> views_;
};

viz::StageColumn shown(const RecordingPtr& recording, std::size_t number)
{
    viz::StageColumn stage{.number = number};
    stage.slug = recording->stage;
    stage.recording = recording;
    return stage;
}

std::string kind_of(const std::string& sentence)
{
    std::string kind;
    for (const char c : sentence.substr(0, 90))
        if (c < '0' || c > '9')
            kind += c;
    return kind;
}

void look_at(uint64_t number, const std::vector<fuzz::Seed>& seeds, const std::vector<RecordingPtr>& whole,
             Canvas& canvas, const Options& options, Findings& findings)
{
    number_now = static_cast<std::sig_atomic_t>(number);
    fuzz::Random random(options.seed * 1000003 + number);
    const std::size_t of = random() % seeds.size();
    const fuzz::Mutated mutated = fuzz::mutate(seeds[of], random);
    if (!options.keep.empty())
        std::ofstream(options.keep, std::ios::binary) << mutated.file;
    Watched watched(findings, number, mutated.announced);
    RecordingPtr made;
    watched("reading", [&] {
        try {
            made =
                std::make_shared<const Recording>(recording::from_file_bytes(std::as_bytes(std::span(mutated.file))));
        } catch (const kernels::Error& error) {
            ++findings.refused[kind_of(error.what())];
        }
    });
    if (made == nullptr)
        return;
    ++findings.read;
    watched("deriving", [&] { app::derive(Recording(*made)); });
    derive_all(made, *whole[of], random, watched);
    const std::array columns{shown(made, 0), shown(whole[random() % 4 == 0 ? of : random() % whole.size()], 1)};
    const std::size_t view = random() % canvas.views();
    const bool compared = random() % 3 == 0;
    static std::map<std::size_t, std::string> names;
    std::string& name = names[view];
    if (name.empty())
        name = fmt::format("view {}", view);
    watched(name.c_str(), [&] { canvas.draw(view, std::span(columns).first(compared ? 2 : 1), random); });
    ++findings.drawn;
}

Options options_from(int argc, char** argv)
{
    Options options;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view name = argv[i], value = argv[i + 1];
        const auto number = [&](uint64_t& into) { std::from_chars(value.data(), value.data() + value.size(), into); };
        if (name == "--files")
            number(options.files);
        else if (name == "--first")
            number(options.first);
        else if (name == "--seed")
            number(options.seed);
        else if (name == "--shipped")
            options.shipped = value;
        else if (name == "--keep")
            options.keep = value;
        else
            throw kernels::Error(fmt::format("There is no option {}; see the top of fuzz_recordings.cpp.", name));
    }
    return options;
}

} // namespace

int main(int argc, char** argv)
try {
    const Options options = options_from(argc, argv);
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGALRM})
        std::signal(signal, tell_crash);
    const std::vector<fuzz::Seed> seeds = fuzz::seeds(options.shipped);
    std::vector<RecordingPtr> whole;
    for (const fuzz::Seed& seed : seeds)
        whole.push_back(std::make_shared<const Recording>(seed.recording));
    auto canvas = std::make_unique<Canvas>();
    Findings findings;
    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t i = 0; i < options.files; ++i) {
        look_at(options.first + i, seeds, whole, *canvas, options, findings);
        if ((i + 1) % 500 == 0) { // views hold data of recordings that no longer exist
            canvas.reset();
            canvas = std::make_unique<Canvas>();
        }
        if ((i + 1) % 10000 == 0)
            fmt::print(stderr, "{} files, {} read, {} findings, slowest {:.2f} s ({}), {:.0f} s\n", i + 1,
                       findings.read, findings.bad, findings.slowest, findings.slowest_step,
                       std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    fmt::print("{} files from {} recordings: {} read and looked at, {} drawn, {} refused in {} ways; {} findings; "
               "slowest step "
               "{:.2f} s of CPU time: {}\n",
               options.files, seeds.size(), findings.read, findings.drawn, options.files - findings.read,
               findings.refused.size(), findings.bad, findings.slowest, findings.slowest_step);
    return findings.bad == 0 ? 0 : 1;
} catch (const std::exception& error) {
    fmt::print(stderr, "fuzz_recordings: {}\n", error.what());
    return 2;
}
