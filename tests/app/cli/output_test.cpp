// What commands print in each form: the same figures as text, JSON and CSV.
#include "app/cli/command.h"
#include "app/cli/counted.h"
#include "tests/says.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace {

using nlohmann::json;
using test::says;

std::string printed_by(std::vector<const char*> arguments, int expected = 0)
{
    arguments.insert(arguments.begin(), "gemmscope");
    testing::internal::CaptureStdout();
    EXPECT_EQ(app::run_command_line(static_cast<int>(arguments.size()), arguments.data()), expected);
    return testing::internal::GetCapturedStdout();
}

std::vector<std::string> split(const std::string& line, char at)
{
    std::vector<std::string> parts;
    std::istringstream stream(line);
    for (std::string part; std::getline(stream, part, at);)
        parts.push_back(part);
    return parts;
}

TEST(Output, CsvHasTheFiguresOfJsonAndTextShowsThem)
{
    const std::vector<const char*> command = {"verify", "naive",     "coalesced", "--size",
                                              "8",      "--backend", "cpu",       "--in-process"};
    const auto in_form = [&](const char* form) {
        std::vector<const char*> arguments = command;
        arguments.push_back(form);
        return printed_by(arguments);
    };
    const json rows = json::parse(in_form("--json"));
    const std::vector<std::string> csv = split(in_form("--csv"), '\n');
    ASSERT_EQ(rows.size(), 2u);
    ASSERT_EQ(csv.size(), 3u);
    EXPECT_EQ(csv[0], "stage,size,type,error,tolerance,total_error,ok\r");
    const std::string text = printed_by(command);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::vector<std::string> cells = split(csv[i + 1], ',');
        EXPECT_EQ(cells.at(0), rows[i].at("stage"));
        EXPECT_EQ(std::stod(cells.at(4)), rows[i].at("tolerance").get<double>());
        EXPECT_EQ(cells.at(6), "true\r");
        EXPECT_TRUE(says(text, rows[i].at("stage").get<std::string>()));
    }
    EXPECT_TRUE(says(text, "2 of 2 right"));
}

TEST(Output, JsonAndCsvAtOnceAreRefused)
{
    for (const char* const command : {"stages", "lessons", "sources", "counters", "bench"}) {
        testing::internal::CaptureStderr();
        printed_by({command, "--json", "--csv"}, 2);
        EXPECT_TRUE(says(testing::internal::GetCapturedStderr(), "--json")) << command;
    }
}

// The names that scripts read.
TEST(Output, WhatIsOnlyCountedHasItsNames)
{
    kernels::Counters counters;
    counters.sums = {
        {"dram__bytes_read.sum", 7}, {"smsp__inst_executed.sum", 200}, {"sm__inst_executed_pipe_lsu.sum", 50}};
    const json figures = app::only_counted(counters);
    for (const char* const name :
         {"arbitration", "async_copies", "shared_load_hardware_wavefronts", "shared_store_hardware_wavefronts",
          "l1_hit_rate", "l2_hit_rate", "dram_write_bytes", "achieved_occupancy", "issued_warp_instructions", "ipc",
          "compute_throughput", "memory_throughput", "dram_throughput", "time_ns"})
        EXPECT_TRUE(figures.at(name).is_null()) << name;
    EXPECT_EQ(figures.at("dram_read_bytes").dump(), "7");
    EXPECT_EQ(figures.at("executed_warp_instructions").dump(), "200");
    EXPECT_EQ(figures.at("executed_by_pipe").at("lsu"), 50);
    EXPECT_EQ(figures.size(), 17u);
    const std::string text = app::text_of(app::table_of(counters));
    EXPECT_TRUE(says(text, "25.0%")) << "a quarter of the instructions used the load-store unit";
}

} // namespace
