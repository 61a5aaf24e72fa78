// Tests programs that run without a shell.
#include "run_program.h"

#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace {

using kernels::run_program;

TEST(RunProgram, NoWordIsACommand)
{
    const kernels::TemporaryFolder folder;
    for (const char* word :
         {"$(touch made)", "`touch made`", "; touch made", "'; touch made; '", "\"; touch made; \"", "\n"}) {
        const kernels::ProgramOutput output = run_program({.words = {"printf", "%s", word}, .folder = folder.path()});
        EXPECT_TRUE(output.found && output.good);
        EXPECT_EQ(output.text, word);
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(RunProgram, TellsHowItEnded)
{
    EXPECT_FALSE(run_program({.words = {"/nowhere/program"}}).found);
    const auto shell = [](const char* script, bool takes_errors) {
        return run_program(
            {.words = {"/bin/sh", "-c", script}, .environment = {"MADE_UP=7"}, .takes_errors = takes_errors});
    };
    EXPECT_FALSE(shell("exit 3", true).good);
    EXPECT_FALSE(shell("kill -9 $$", true).good);
    EXPECT_TRUE(shell("kill -9 $$", true).found);
    EXPECT_EQ(shell("echo $MADE_UP; echo wrong >&2", true).text, "7\nwrong\n");
    EXPECT_EQ(shell("echo $MADE_UP; echo wrong >&2", false).text, "7\n");
    EXPECT_EQ(shell("head -c 1000000 /dev/zero", true).text.size(), 1'000'000u);
    EXPECT_EQ(shell("cat", true).text, "") << "standard input is empty";
}

TEST(RunProgram, OfTwoEntriesOfOneNameOursHolds)
{
    const std::vector<std::string> entries = kernels::environment_with({"PATH=/mine"});
    EXPECT_EQ(std::ranges::count_if(entries, [](const std::string& one) { return one.starts_with("PATH="); }), 1);
    EXPECT_EQ(entries.back(), "PATH=/mine");
}

TEST(PlainPath, HasNothingThatMeansSomethingToAProgram)
{
    for (const char* plain : {"/usr/local/cuda-13.0/bin/nvcc", "my_tile.cu", "c++/x+y", ""})
        EXPECT_TRUE(kernels::is_plain_path(plain)) << plain;
    for (const char* odd :
         {"-o", "a b", "$(id)", "`id`", "a\"b", "a\\b", "a'b", "a;b", "a\nb", "a,b", "~", "a*", "\xc3\xa4", "@a"})
        EXPECT_FALSE(kernels::is_plain_path(odd)) << odd;
    EXPECT_EQ(kernels::plain_path("a\"b $.cu"), "a_b__.cu");
    EXPECT_TRUE(kernels::is_plain_path(kernels::plain_path("-$(id).cu")));
}

} // namespace
