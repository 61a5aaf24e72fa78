// Executed instructions and stall reasons, from a made-up measurement. Nothing of this is shown without a measurement.
#include "tests/ladder.h"
#include "tests/made_up_run.h"
#include "views.h"

#include "temporary_folder.h"
#include "viz/analysis/instruction_mix.h"
#include "viz/analysis/waits.h"
#include "viz/text/figures.h"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace {

using namespace test;

class WaitsWindow : public Views {
protected:
    void put_runs() const
    {
        constexpr std::array slugs = {"vectorized", "shared_tile"};
        test::put_made_up_runs(folder, slugs);
    }
    void open(std::vector<std::string> arguments) { Views::open(std::move(arguments), recordings_in(folder)); }
    recording::RunProfile run_of(std::string_view slug) const
    {
        const kernels::Stage& stage = test::stage(slug);
        return test::made_up_run({&stage, stage.standard_parameters(), {.M = 1024, .N = 1024, .K = 1024}});
    }
    bool shows_any(const std::string& beginning) const
    {
        for (const auto& [name, box] : program->state().at("widgets").items())
            if (name.starts_with(beginning))
                return true;
        return false;
    }
    double length(const std::string& name) const { return widget(name).width; }

    const kernels::TemporaryFolder temporary;
    const std::filesystem::path folder = temporary.path();
};

TEST_F(WaitsWindow, WithoutCountersNothingOfThemShows)
{
    open({"--stage", "vectorized", "--compare", "shared_tile", "--view", "faster"});
    EXPECT_FALSE(shows_any("mix:"));
    EXPECT_FALSE(shows_any("waits of line"));
    program->show_view("occupancy");
    program->wait_settled("the other view", is("view", "occupancy"));
    EXPECT_FALSE(shows_any("waits:"));
}

TEST_F(WaitsWindow, FasterShowsWhatIsExecutedByKindOnOneScale)
{
    put_runs();
    open({"--stage", "vectorized", "--compare", "shared_tile", "--view", "faster"});
    program->wait_for("the bars", shown("mix:FP arithmetic 0"));
    const viz::InstructionMix first = viz::mix_of(run_of("vectorized")), second = viz::mix_of(run_of("shared_tile"));
    const auto executed = [](const viz::InstructionMix& mix, viz::InstructionClass one) {
        return static_cast<double>(mix[one]);
    };
    using enum viz::InstructionClass;
    EXPECT_NEAR(length("mix:shared memory 0") / length("mix:FP arithmetic 0"),
                executed(first, shared) / executed(first, floating), 0.01);
    EXPECT_NEAR(length("mix:integer 1") / length("mix:FP arithmetic 0"),
                executed(second, integer) / executed(first, floating), 0.01);
    EXPECT_EQ(program->pixel(widget("mix:FP arithmetic 1").inside(2, 2)), rgb(theme.accent(1)));
    expect_hint(
        program->middle("mix:shared memory 0"),
        fmt::format("vectorized, shared memory: {} of what its warps execute", viz::percent(first.share(shared))));
}

TEST_F(WaitsWindow, FasterShowsWhatIsExecutedByPipeWhereThatIsAskedFor)
{
    put_runs();
    nlohmann::json file = nlohmann::json::parse(std::ifstream(folder / "counters.json"));
    for (nlohmann::json& row : file["rows"]) {
        nlohmann::json& counters = row["counters"];
        const int loads = row["stage"] == "vectorized" ? 2'000'000 : 6'000'000;
        counters["sm__inst_executed_pipe_fma.sum"] = 40'000'000;
        counters["sm__inst_executed_pipe_fmaheavy.sum"] = 24'000'000;
        counters["sm__inst_executed_pipe_fmalite.sum"] = 16'000'000;
        counters["sm__inst_executed_pipe_lsu.sum"] = loads;
    }
    std::ofstream(folder / "counters.json") << file;
    open({"--stage", "vectorized", "--compare", "shared_tile", "--view", "faster"});
    program->wait_for("the bars by kind", shown("mix:FP arithmetic 0"));
    EXPECT_FALSE(shows_any("mix:loads and stores"));
    program->click("mix pipes");
    program->wait_for("the bars by pipe", shown("mix:loads and stores 1"));
    EXPECT_FALSE(shows_any("mix:FP arithmetic"));
    EXPECT_NEAR(length("mix:FMA lite 0") / length("mix:FMA heavy 0"), 16.0 / 24, 0.02);
    EXPECT_NEAR(length("mix:loads and stores 1") / length("mix:FMA heavy 0"), 6.0 / 24, 0.02);
    expect_hint(program->middle("mix:FMA heavy 0"), "vectorized, FMA heavy: 57.1% of what the pipes");
    program->press("p");
    program->wait_for("the bars by kind again", shown("mix:FP arithmetic 0"));
}

// If a part is too short for its name, the name is at the end of the bar, unless that bar is the longer one.
TEST_F(WaitsWindow, FasterNamesShortPartsBesideTheBar)
{
    put_runs();
    nlohmann::json file = nlohmann::json::parse(std::ifstream(folder / "counters.json"));
    for (nlohmann::json& row : file["rows"]) {
        nlohmann::json& counters = row["counters"];
        const int times = row["stage"] == "vectorized" ? 1 : 2;
        counters["sm__inst_executed_pipe_fma.sum"] = 20'000'000 * times;
        counters["sm__inst_executed_pipe_fmaheavy.sum"] = 12'000'000 * times;
        counters["sm__inst_executed_pipe_fmalite.sum"] = 8'000'000 * times;
        counters["sm__inst_executed_pipe_lsu.sum"] = 400'000 * times;
    }
    std::ofstream(folder / "counters.json") << file;
    open({"--stage", "vectorized", "--compare", "shared_tile", "--view", "faster"});
    program->wait_for("the bars", shown("mix pipes"));
    program->click("mix pipes");
    program->wait_for("the name beside", shown("mix name:loads and stores 0"));
    const Rect name = widget("mix name:loads and stores 0"), bar = widget("mix:loads and stores 0"),
               view = widget("view");
    const double middle = (name.top + name.bottom()) / 2;
    EXPECT_GT(name.left, bar.right());
    EXPECT_GT(middle, bar.top);
    EXPECT_LT(middle, bar.bottom());
    EXPECT_LT(name.right(), view.right());
    EXPECT_FALSE(shows_any("mix name:loads and stores 1")) << "there is no room after the longest bar";
    EXPECT_FALSE(shows_any("mix name:FMA heavy")) << "it has its name in the bar";
}

TEST_F(WaitsWindow, OccupancyShowsWhatWarpsWaitFor)
{
    put_runs();
    open({"--stage", "vectorized", "--compare", "shared_tile", "--view", "occupancy"});
    program->wait_for("the bars", shown("waits:long_scoreboard vectorized", "waits:mio_throttle shared_tile"));
    const viz::Waits first = viz::waits_of(run_of("vectorized")), second = viz::waits_of(run_of("shared_tile"));
    EXPECT_NEAR(length("waits:mio_throttle vectorized") / length("waits:long_scoreboard vectorized"),
                first.share_of("mio_throttle") / first.share_of("long_scoreboard"), 0.02);
    EXPECT_NEAR(length("waits:mio_throttle shared_tile") / length("waits:long_scoreboard vectorized"),
                second.share_of("mio_throttle") / first.share_of("long_scoreboard"), 0.02);
    EXPECT_FALSE(shows_any("waits:selected")) << "a warp that issues waits for nothing";
    expect_hint(program->middle("waits:mio_throttle vectorized"),
                "queue to shared memory. NVIDIA's tools call it mio throttle");
    // A click selects the line at which most warps wait. The next click selects the next line in this order.
    const std::vector<viz::LineWait> lines = viz::lines_waiting(run_of("vectorized"), "mio_throttle");
    ASSERT_FALSE(lines.empty());
    program->click("waits:mio_throttle vectorized");
    program->wait_for("the line with most of them", is("line", lines.front().line));
    if (lines.size() > 1) {
        program->click("waits:mio_throttle vectorized");
        program->wait_for("the next", is("line", lines[1].line));
    }
}

TEST_F(WaitsWindow, LinesAndInstructionsHaveTheirWaits)
{
    put_runs();
    open({"--stage", "vectorized", "--view", "banks"});
    const recording::RunProfile run = run_of("vectorized");
    const viz::Waits all = viz::waits_of(run);
    bool found = false; // the list shows the current line, so any visible line will do
    program->wait_for("a bar in the margin", [&](const State&) { return found = shows_any("waits of line"); });
    ASSERT_TRUE(found);
    for (const auto& [line, waits] : viz::waits_by_line(run)) {
        const std::string name = fmt::format("waits of line {}", line);
        if (!shows(name))
            continue;
        const std::string share =
            viz::percent(static_cast<double>(waits.waiting()) / static_cast<double>(all.waiting()));
        expect_hint(program->middle(name), fmt::format("{} of all waits", share));
    }
    program->click("below:machine code");
    program->wait_for("an instruction that warps wait at", [&](const State&) { return shows_any("waits of code:"); });
    for (const auto& [name, box] : program->state().at("widgets").items())
        if (name.starts_with("waits of code:")) {
            expect_hint(program->middle(name), "of all waits");
            break;
        }
}

} // namespace
