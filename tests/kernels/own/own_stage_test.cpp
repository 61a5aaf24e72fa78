// User stages: the text of a copy, the part of it that is compiled, and the result.
#include "own/copy.h"
#include "own/own_stage.h"

#include "backend.h"
#include "error.h"
#include "measure/speed.h"
#include "temporary_folder.h"
#include "tests/ladder.h"
#include "tests/says.h"
#include "traced/struct_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using test::ladder;
using test::says;

namespace fs = std::filesystem;

const std::vector<std::byte> tensor_maps(2 * kernels::tensor_map_bytes);

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
        SKIP_WHERE_UNAVAILABLE(kernels::load_own_stage("mine", copy("naive", "mine")));
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
    const kernels::Stage own = kernels::load_own_stage("mine", text);
    EXPECT_EQ(own.slug, "mine");
    EXPECT_EQ(own.builds_on, "padded_a");
    const recording::Recording mine = record(own), theirs = record(test::stage("padded_a"));
    EXPECT_EQ(mine.totals(), theirs.totals());
    EXPECT_EQ(mine.source().text, text); // the file that recorded lines refer to: it contains the body
    const kernels::Job job{&own, own.standard_parameters(), {.M = 131, .N = 137, .K = 43}};
    EXPECT_TRUE(kernels::verify(*kernels::make_cpu_backend(), job, kernels::ProbeKind::none, {}).ok);
}

TEST_F(OwnStage, RecordsTheBodyThatItHasNow)
{
    const auto barriers = [](const recording::Recording& of) {
        return std::ranges::count(of.blocks.at(0).warps.at(0).accesses, recording::Op::barrier, &recording::Access::op);
    };
    std::string text = copy("padded_a", "mine");
    replace(text, "block.sync();", "block.sync(); block.sync();");
    const recording::Recording mine = record(kernels::load_own_stage("mine", text)),
                               theirs = record(test::stage("padded_a"));
    EXPECT_EQ(mine.stage, "mine");
    EXPECT_GT(barriers(theirs), 0);
    EXPECT_GT(barriers(mine), barriers(theirs));
    EXPECT_EQ(mine.totals(), theirs.totals());
}

// Other users who can write to the cache folder could replace machine code. So it is neither read nor written.
TEST_F(OwnStage, KeepsNothingWhereOthersCanWrite)
{
    const fs::path kept = cache_ / "gemmscope/cubins";
    fs::remove_all(kept);
    fs::create_directories(kept);
    fs::permissions(kept, fs::perms::all);
    record(kernels::load_own_stage("mine", copy("naive", "mine")));
    EXPECT_TRUE(fs::is_empty(kept));
    fs::permissions(kept, fs::perms::owner_all);
    record(kernels::load_own_stage("mine", copy("naive", "mine")));
    EXPECT_FALSE(fs::is_empty(kept));
}

// Both have kernels and tiles with the same names, like two versions of one file.
TEST_F(OwnStage, KnowsNothingOfOtherVersions)
{
    std::string text = copy("vectorized", "mine");
    const kernels::Stage before = kernels::load_own_stage("mine", text);
    replace(text, "constexpr RowMajor layout_a(Parameters p)", "constexpr Padded layout_a(Parameters p)");
    replace(text, "return {p.BK, p.BM};", "return {p.BK, p.BM, 4};");
    const kernels::Stage after = kernels::load_own_stage("mine", text);
    const uint64_t conflicts = record(before).totals().shared_store.conflicts;
    EXPECT_GT(conflicts, 0u);
    EXPECT_EQ(record(after).totals().shared_store.conflicts, 0u);
    EXPECT_EQ(record(before).totals().shared_store.conflicts, conflicts);
}

TEST_F(OwnStage, RunsWithAnyParametersThatItDoesNotRefuse)
{
    const kernels::Stage own = kernels::load_own_stage("mine", copy("vectorized", "mine"));
    const kernels::ParameterValues values = {32, 32, 8, 4, 4};
    ASSERT_EQ(own.refusal(values), "");
    const kernels::Job job{&own, values, {.M = 64, .N = 64, .K = 16}};
    EXPECT_TRUE(kernels::verify(*kernels::make_cpu_backend(), job, kernels::ProbeKind::none, {}).ok);
}

TEST_F(OwnStage, SaysWhereItIsWrong)
{
    std::string text = copy("naive", "mine");
    replace(text, "float sum = 0;", "float sum = nothing;");
    const std::string before = text.substr(0, text.find("float sum = nothing"));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const kernels::Stage own = kernels::load_own_stage("mine", text); // compiles only the description
    EXPECT_TRUE(says(test::refusal([&] { record(own); }), "mine.cu(" + std::to_string(line) + ")"));
    EXPECT_THROW(kernels::load_own_stage("another", copy("naive", "mine")), kernels::Error);
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

// Reading a pipe blocks forever, and /dev/zero has no end.
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
    for (const char* name : {"a\"b", "a\nb", "a-b", "$(id)", "../a", "2x", "mine(){}int x=0;//"}) {
        const std::string why = test::refusal([&] { kernels::load_own_stage(name, "StageInfo<"); });
        EXPECT_TRUE(says(why, name) && !says(why, "does not compile")) << "refused before it is compiled";
    }
}

TEST(OwnStageNames, AreNamesOfCppThatTheLadderHasNot)
{
    EXPECT_EQ(kernels::why_no_name(ladder(), "my_tile"), "");
    for (const char* name : {"", "naive", "My", "2x", "a-b", "float", "std"})
        EXPECT_NE(kernels::why_no_name(ladder(), name), "") << name;
}

// A text that compiles to the same code finds the cached result; another kernel body leaves the description unchanged.
TEST_F(OwnStage, IsCompiledOnceWhateverItsCommentsAndBlanks)
{
    const auto compiled = [this](const std::string& text) {
        const auto made = [this] {
            const fs::directory_iterator files(cache_ / "gemmscope/cubins");
            return std::distance(begin(files), end(files));
        };
        const auto before = made();
        const kernels::Stage own = kernels::load_own_stage("mine", text);
        EXPECT_EQ(*own.text, text);
        record(own);
        return made() - before;
    };
    std::string text = copy("naive", "mine");
    compiled(text);
    text = " // mine\t\"\n" + text.substr(text.find('\n') + 1) + "  // the end";
    EXPECT_EQ(compiled(text), 0);
    std::string body = text;
    replace(body, "float sum = 0;", "float sum = 0; sum += 0;");
    EXPECT_EQ(compiled(body), 1);
    EXPECT_EQ(compiled("\n" + text), 2) << "its line numbers have changed";
}

TEST(CompiledWords, AreEqualWhereACompilerFindsTheSame)
{
    const auto words = [](std::string_view text) { return traced::compiled_words(text); };
    EXPECT_EQ(words("int  a; // one\n\tint b;/* two */ \n"), "int a;\nint b;\n");
    EXPECT_EQ(words("/* one\n two */int a;"), "\nint a;");
    EXPECT_EQ(words("s = \"a  // b\" +  'c';"), "s = \"a  // b\" + 'c';"); // within quotes every character counts
    EXPECT_EQ(words("s = \"\\\"  \";  t"), "s = \"\\\"  \"; t");
    EXPECT_EQ(words("int a;\n"), words("int a; \n"));
    EXPECT_NE(words("int a;\n"), words("int a;"));
    EXPECT_NE(words("int a;"), words("inta;"));
    EXPECT_NE(words("a/**/b"), words("ab"));
    EXPECT_EQ(words("R\"(  // )\""), "R\"(  // )\"");
    EXPECT_EQ(words("s = u8R\"(  )\"; // one"), "s = u8R\"(  )\"; // one");
    EXPECT_EQ(words("s = \"WNITER\"; // one\n"), "s = \"WNITER\";\n");
    EXPECT_NE(words("x -\\\n -y"), words("x -\\\n-y")); // the compiler sees one line
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

// The description of a stage's copy, evaluated by NVRTC and the PTX machine, equals the stage's, compiled by g++.
class DescribedStage : public testing::TestWithParam<std::string> {};

std::vector<std::string> words_of(const kernels::Stage& stage)
{
    std::vector<std::string> result;
    for (const kernels::ParameterSpec& spec : stage.parameters)
        result.push_back(
            fmt::format("{} {} {} {}", spec.name, spec.standard, fmt::join(spec.choices, " "), spec.meaning));
    for (const std::vector<int>& values : stage.candidates)
        result.push_back(fmt::format("{}", fmt::join(values, " ")));
    for (const kernels::LayoutSource& layout : stage.layouts)
        result.push_back(fmt::format("{} {}", layout.array, layout.name));
    if (stage.tiny)
        result.push_back(fmt::format("{} {} {} {} {}", fmt::join(stage.tiny->parameters, " "), stage.tiny->problem.M,
                                     stage.tiny->problem.N, stage.tiny->problem.K, stage.tiny->limit));
    return result;
}

std::string words_of(const recording::Array& array)
{
    return fmt::format("{} {} {} x {} of {}, {} bytes: {}", array.name, static_cast<int>(array.space), array.rows,
                       array.cols, array.element_bytes, array.bytes, fmt::join(array.layout, " "));
}

std::string words_of(const recording::Launch& launch)
{
    return fmt::format("{} x {} x {} blocks of {} x {}", launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x,
                       launch.block.y);
}

// Returns all facts about one set of parameters.
std::vector<std::string> words_of(const kernels::Stage& stage, const kernels::ParameterValues& values)
{
    std::vector<std::string> result = {stage.refusal(values)};
    if (!result[0].empty())
        return result;
    result.push_back(fmt::format("{} {} {}", stage.dynamic_shared(values), static_cast<int>(stage.type(values)),
                                 static_cast<int>(stage.type_of_c(values))));
    for (const recording::Array& tile : stage.tiles(values))
        result.push_back(words_of(tile));
    for (const recording::Problem& problem :
         {recording::Problem{.M = 128, .N = 128, .K = 128}, recording::Problem{.M = 131, .N = 37, .K = 1000}}) {
        result.push_back(words_of(stage.launch(values, problem)));
        if (stage.second) {
            result.push_back(words_of(stage.second->launch(values, problem)));
            result.push_back(words_of(stage.second->workspace(values, problem)));
        }
        const auto& shape = stage.arguments(values, problem, {.tensor_maps = tensor_maps.data()});
        result.push_back(std::string(reinterpret_cast<const char*>(shape.data()), shape.size()));
    }
    if (stage.boxes)
        for (const kernels::TensorBox& box : stage.boxes(values))
            result.push_back(fmt::format("{} x {}", box.rows, box.cols));
    if (stage.worth_trying)
        result.push_back(stage.worth_trying(values) ? "worth it" : "not worth it");
    return result;
}

TEST_P(DescribedStage, SaysWhatTheRungSays)
{
    const kernels::Stage& rung = test::stage(GetParam());
    kernels::Stage own;
    SKIP_WHERE_UNAVAILABLE(own = kernels::load_own_stage("mine", kernels::copied_stage(rung, "mine")));
    EXPECT_EQ(own.operation, rung.operation);
    EXPECT_EQ(own.builds_on, rung.slug);
    EXPECT_FALSE(own.idea.empty());
    EXPECT_EQ(own.only_compute_capability, rung.only_compute_capability);
    EXPECT_EQ(own.second.has_value(), rung.second.has_value());
    EXPECT_EQ(words_of(own), words_of(rung));
    std::vector<kernels::ParameterValues> sets = rung.cpu_variants;
    sets.push_back(rung.standard_parameters());
    sets.push_back(kernels::ParameterValues(rung.parameters.size(), 0)); // refused
    for (const kernels::ParameterValues& values : sets)
        EXPECT_EQ(words_of(own, values), words_of(rung, values)) << fmt::format("{}", fmt::join(values, " "));
    if (rung.suited) {
        const recording::Problem problem{.M = 1000, .N = 500, .K = 3000};
        EXPECT_EQ(own.suited(problem, 132), rung.suited(problem, 132));
    }
}

INSTANTIATE_TEST_SUITE_P(Rungs, DescribedStage, testing::ValuesIn(test::slugs()),
                         [](const auto& rung) { return rung.param; });

// A description may do anything, but the only effect is its result.
TEST_F(OwnStage, ADescriptionThatMisbehavesIsSaidToDoSo)
{
    const auto with_refusal = [](const std::string& statement) {
        std::string text = copy("vectorized", "mine");
        replace(text, "inline std::string refusal(Parameters p) // padded_a shares it\n{",
                "inline std::string refusal(Parameters p)\n{\n    " + statement);
        return text;
    };
    const auto why = [&](const std::string& statement) {
        return test::refusal([&] { kernels::load_own_stage("mine", with_refusal(statement)); });
    };
    EXPECT_EQ(why(""), "");
    EXPECT_NE(why("for (volatile int i = 0; i == 0;) {}"), "") << "an endless loop";
    EXPECT_NE(why("*reinterpret_cast<volatile int*>(8) = 1;"), "") << "writes to an invalid address";
    EXPECT_TRUE(says(why("return nonsense;"), "mine.cu("));
}

} // namespace
