// Stages of a person's own: the text of a copy, what of it is compiled, and what comes of it.
#include "own/copy.h"
#include "own/device_bodies.h"
#include "own/own_stage.h"

#include "backend.h"
#include "error.h"
#include "measure/verification.h"
#include "temporary_folder.h"
#include "tests/ladder.h"
#include "tests/says.h"
#include "traced/text_parts.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace {

using test::ladder;
using test::says;

namespace fs = std::filesystem;

std::string copy(const char* slug, const std::string& name)
{
    return kernels::copied_stage(test::stage(slug), name);
}

void replace(std::string& text, const std::string& from, const std::string& to)
{
    ASSERT_TRUE(says(text, from));
    text.replace(text.find(from), from.size(), to);
}

class OwnStage : public testing::Test {
protected:
    void SetUp() override
    {
        setenv("XDG_CACHE_HOME", cache_.path().c_str(), 1);
        if (kernels::system_compiler().empty())
            GTEST_SKIP() << "no C++ compiler";
    }

    static recording::Recording record(const kernels::Stage& stage)
    {
        const kernels::Job job{&stage, stage.standard_parameters(), {.M = 128, .N = 128, .K = 32}};
        return test::record(job);
    }

    kernels::TemporaryFolder cache_;
};

TEST_F(OwnStage, DoesWhatTheOneDoesThatItWasCopiedFrom)
{
    const std::string text = copy("padded_a", "mine");
    const kernels::Stage own = kernels::load_own_stage("mine", text, kernels::HostCode::allowed);
    EXPECT_EQ(own.slug, "mine");
    EXPECT_EQ(own.builds_on, "padded_a");
    const recording::Recording mine = record(own), theirs = record(test::stage("padded_a"));
    EXPECT_EQ(mine.totals(), theirs.totals());
    EXPECT_EQ(mine.source().text, text); // whose lines are recorded: the body stands in it
    const kernels::Job job{&own, own.standard_parameters(), {.M = 131, .N = 137, .K = 43}};
    EXPECT_TRUE(kernels::verify(*kernels::make_cpu_backend(), job, kernels::ProbeKind::none, {}).ok);
}

// Both have kernels and tiles of the same names, as two versions of one file have.
TEST_F(OwnStage, KnowsNothingOfOtherVersions)
{
    std::string text = copy("vectorized", "mine");
    const kernels::Stage before = kernels::load_own_stage("mine", text, kernels::HostCode::allowed);
    replace(text, "constexpr RowMajor layout_a(Parameters p)", "constexpr Padded layout_a(Parameters p)");
    replace(text, "return {p.BK, p.BM};", "return {p.BK, p.BM, 4};");
    const kernels::Stage after = kernels::load_own_stage("mine", text, kernels::HostCode::allowed);
    const uint64_t conflicts = record(before).totals().shared_store.conflicts;
    EXPECT_GT(conflicts, 0u);
    EXPECT_EQ(record(after).totals().shared_store.conflicts, 0u);
    EXPECT_EQ(record(before).totals().shared_store.conflicts, conflicts);
}

TEST_F(OwnStage, RunsWithAnyParametersThatItDoesNotRefuse)
{
    const kernels::Stage own = kernels::load_own_stage("mine", copy("vectorized", "mine"), kernels::HostCode::allowed);
    const kernels::ParameterValues values = {32, 32, 8, 4, 4};
    ASSERT_EQ(own.refusal(values), "");
    EXPECT_NE(own.cpu_kernel(values), nullptr);
    const kernels::Job job{&own, values, {.M = 64, .N = 64, .K = 16}};
    EXPECT_TRUE(kernels::verify(*kernels::make_cpu_backend(), job, kernels::ProbeKind::none, {}).ok);
}

TEST_F(OwnStage, SaysWhereItIsWrong)
{
    std::string text = copy("naive", "mine");
    replace(text, "float sum = 0;", "float sum = nothing;");
    const std::string before = text.substr(0, text.find("float sum = nothing"));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    EXPECT_TRUE(says(test::refusal([&] { kernels::load_own_stage("mine", text, kernels::HostCode::allowed); }),
                     "mine.cu:" + std::to_string(line) + ":"));
    EXPECT_THROW(kernels::load_own_stage("another", copy("naive", "mine"), kernels::HostCode::allowed), kernels::Error);
}

TEST_F(OwnStage, StandsInTheLadderBehindTheOthers)
{
    const kernels::TemporaryFolder folder;
    std::ofstream(folder / "mine.cu") << copy("naive", "mine");
    std::ofstream(folder / "broken.cu") << copy("naive", "broken") << "\nnonsense\n";
    std::vector<std::string> problems;
    const std::vector<kernels::Stage> all = kernels::ladder_with_own(folder.path(), problems);
    EXPECT_EQ(all.size(), ladder().size() + 1);
    EXPECT_EQ(all.back().slug, "mine");
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_TRUE(says(problems[0], "broken.cu is left out"));
}

// A pipe makes its reader wait for ever, and there is no end to /dev/zero.
TEST(OwnStageFiles, AreRegularFilesOfABoundedSize)
{
    const kernels::TemporaryFolder folder;
    ASSERT_EQ(mkfifo((folder / "pipe.cu").c_str(), 0600), 0);
    fs::create_symlink("/dev/zero", folder / "zero.cu");
    std::ofstream(folder / "large.cu") << "StageInfo<";
    fs::resize_file(folder / "large.cu", uint64_t{1} << 36); // sparse
    std::vector<std::string> problems;
    EXPECT_EQ(kernels::ladder_with_own(folder.path(), problems).size(), ladder().size());
    EXPECT_EQ(problems.size(), 3u);
}

TEST(OwnStageFiles, HaveNamesThatAreWords)
{
    for (const char* name : {"a\"b", "a\nb", "a-b", "$(id)", "../a"}) {
        const std::string why =
            test::refusal([&] { kernels::load_own_stage(name, "StageInfo<", kernels::HostCode::allowed); });
        EXPECT_TRUE(says(why, name) && !says(why, "does not compile")) << "no compiler sees it";
    }
}

// Where neither HOME nor XDG_CACHE_HOME is set, what is compiled lies in TMPDIR, under a name that anybody can foresee.
TEST_F(OwnStage, LoadsNothingThatOthersCouldHavePutThere)
{
    const kernels::TemporaryFolder folder;
    std::map<std::string, std::optional<std::string>> before;
    for (const char* name : {"HOME", "XDG_CACHE_HOME", "TMPDIR"}) {
        const char* value = std::getenv(name);
        before[name] = value == nullptr ? std::nullopt : std::optional<std::string>(value);
        unsetenv(name);
    }
    setenv("TMPDIR", folder.path().c_str(), 1);
    const fs::path cache = folder.path() / ("gemmscope-stages-" + std::to_string(getuid()));
    fs::create_directory(cache);
    chmod(cache.c_str(), 0777);
    const auto load = [] { kernels::load_own_stage("mine", copy("naive", "mine"), kernels::HostCode::allowed); };
    EXPECT_TRUE(says(test::refusal(load), cache.string()));
    EXPECT_TRUE(fs::is_empty(cache));
    chmod(cache.c_str(), 0700);
    EXPECT_EQ(test::refusal(load), "");
    EXPECT_FALSE(fs::is_empty(cache));
    for (const auto& [name, value] : before)
        value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
}

TEST(OwnStageNames, AreNamesOfCppThatTheLadderHasNot)
{
    EXPECT_EQ(kernels::why_no_name(ladder(), "my_tile"), "");
    for (const char* name : {"", "naive", "My", "2x", "a-b", "float", "std"})
        EXPECT_NE(kernels::why_no_name(ladder(), name), "") << name;
}

// What was typed and compiles to the same finds what was compiled.
TEST_F(OwnStage, IsCompiledOnceWhateverItsCommentsAndBlanks)
{
    std::string text = copy("naive", "mine");
    kernels::load_own_stage("mine", text, kernels::HostCode::allowed);
    const auto made = [this] {
        std::size_t libraries = 0;
        for (const auto& file : fs::directory_iterator(cache_ / "gemmscope/stages"))
            libraries += file.path().extension() == ".so";
        return libraries;
    };
    const std::size_t before = made();
    text = " // mine\t\"\n" + text.substr(text.find('\n') + 1) + "  // the end";
    EXPECT_EQ(*kernels::load_own_stage("mine", text, kernels::HostCode::allowed).text, text);
    EXPECT_EQ(made(), before);
    kernels::load_own_stage("mine", "\n" + text, kernels::HostCode::allowed); // its lines are others
    EXPECT_EQ(made(), before + 2);
}

TEST(CompiledWords, AreEqualWhereACompilerFindsTheSame)
{
    const auto words = [](std::string_view text) { return traced::compiled_words(text); };
    EXPECT_EQ(words("int  a; // one\n\tint b;/* two */ \n"), "int a;\nint b;\n");
    EXPECT_EQ(words("/* one\n two */int a;"), "\nint a;");
    EXPECT_EQ(words("s = \"a  // b\" +  'c';"), "s = \"a  // b\" + 'c';"); // within quotes everything counts
    EXPECT_EQ(words("s = \"\\\"  \";  t"), "s = \"\\\"  \"; t");
    EXPECT_EQ(words("int a;\n"), words("int a; \n"));
    EXPECT_NE(words("int a;\n"), words("int a;"));
    EXPECT_NE(words("int a;"), words("inta;"));
    EXPECT_NE(words("a/**/b"), words("ab"));
    EXPECT_EQ(words("R\"(  // )\""), "R\"(  // )\"");
    EXPECT_EQ(words("s = u8R\"(  )\"; // one"), "s = u8R\"(  )\"; // one");
    EXPECT_EQ(words("s = \"WNITER\"; // one\n"), "s = \"WNITER\";\n");
    EXPECT_NE(words("x -\\\n -y"), words("x -\\\n-y")); // one line to the compiler
}

TEST(DeviceBodies, AreLeftOutWithTheirLinesKept)
{
    const std::string text = "__global__ void f(int a) // {\n{\n    a = 1;\n}\n"
                             "__host__ __device__ constexpr int g() { return 1; }\n"
                             "template <class T>\n__device__ T h(T t) { if (t) { t = '}'; } return t; }\n"
                             "int i() { return 2; }\n";
    const std::string without = own::without_device_bodies(text);
    EXPECT_EQ(std::count(without.begin(), without.end(), '\n'), std::count(text.begin(), text.end(), '\n'));
    EXPECT_FALSE(says(without, "a = 1"));
    EXPECT_FALSE(says(without, "if (t)"));
    EXPECT_TRUE(says(without, "return 1"));
    EXPECT_TRUE(says(without, "return 2"));
}

// Where there is no C++ compiler: the rung's own description, and NVRTC for the kernel.
TEST(OwnStageWithoutCompiler, ACopyWithAnotherBodyRunsAsPtx)
{
    std::string text = copy("padded_a", "mine");
    replace(text, "block.sync();", "block.sync(); // once more\n        block.sync();");
    const std::optional<kernels::Stage> own = own::copy_of_rung("mine", text);
    ASSERT_TRUE(own);
    EXPECT_EQ(own->slug, "mine");
    const kernels::Job job{&*own, own->standard_parameters(), {.M = 128, .N = 128, .K = 32}};
    const kernels::Job theirs{&test::stage("padded_a"), job.parameters, job.problem};
    const recording::Index3 block{0, 0, 0};
    const auto cpu = kernels::make_cpu_backend();
    recording::Recording recorded;
    SKIP_WHERE_UNAVAILABLE(recorded = cpu->record(job, {&block, 1}, {}));
    EXPECT_EQ(recorded.stage, "mine");
    EXPECT_EQ(recorded.source().text, text);
    EXPECT_EQ(recorded.totals(), cpu->record(theirs, {}, {}).totals());
    const auto barriers = [](const recording::Recording& of) {
        const auto& steps = of.blocks.at(0).warps.at(0).accesses;
        return std::ranges::count(steps, recording::Op::barrier, &recording::Access::op);
    };
    EXPECT_GT(barriers(recorded), barriers(cpu->record(theirs, {&block, 1}, {})));
    EXPECT_TRUE(kernels::verify(*cpu, job, kernels::ProbeKind::none, {}).ok);
    // Another layout is a part of the description, which nobody can compile there.
    replace(text, "{p.BK, p.BM, 4}", "{p.BK, p.BM, 8}");
    EXPECT_FALSE(own::copy_of_rung("mine", text));
}

} // namespace
