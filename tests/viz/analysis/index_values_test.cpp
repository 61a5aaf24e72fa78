// Values of index variables of a thread: computed by hand, and compared with the elements that shipped launches
// accessed.
#include "recordings.h"
#include "shipped_recordings.h"

#include "viz/analysis/index_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace {

using recording::Op;
using recording::Recording;
using viz::IndexValue;
using Values = std::vector<IndexValue>;

// A kernel of 2 x 2 blocks of 8 x 4 threads. On the lines in `accesses`, lanes 0 to 15 of the only warp access memory.
Recording launch_of(const std::string& source, const std::vector<uint32_t>& accesses = {})
{
    Recording r;
    r.sources[0] = {"stages/made_up.cu", source};
    r.launch = {{2, 2, 1}, {8, 4, 1}};
    r.parameters = {{"BM", 64}, {"TM", 8}};
    r.problem = {256, 128, 32};
    recording::WarpTrace warp;
    for (const uint32_t line : accesses)
        warp.accesses.push_back(access_of(
            Op::global_load, 0, 4, line, [](uint32_t lane) { return lane; }, 0xffff));
    r.blocks = {{{1, 0, 0}, {warp}}};
    return r;
}

std::vector<IndexValue> values_of(const Recording& r, uint32_t thread = 13) // lane 13 is (5, 1)
{
    return viz::index_values(r, r.blocks[0], thread);
}

TEST(IndexValues, FollowFromTheIdsTheLaunchAndTheParameters)
{
    const Recording r = launch_of("struct Parameters {\n"
                                  "    int BM = 128, TM = 4;\n"
                                  "    constexpr int threads() const { return BM / TM * 2; }\n"
                                  "    constexpr int loads() const { return threads() / 8; }\n"
                                  "};\n"
                                  "#define SIDE 4 // of a square\n"
                                  "__global__ void kernel(Gemm gemm)\n"
                                  "{\n"
                                  "    const int i = blockIdx.x * blockDim.x + threadIdx.x; // 1 * 8 + 5\n"
                                  "    const int row = i / SIDE, col = static_cast<int>(threadIdx.y) % 4u;\n"
                                  "    const int first = row * P.BM /* rows */ + P.threads() + P.loads();\n"
                                  "    unsigned last =\n"
                                  "        (first ^ 1) + gemm.K / gridDim.y;\n"
                                  "}\n");
    EXPECT_EQ(values_of(r), (std::vector<IndexValue>{
                                {9, "i", 13}, {10, "row", 3}, {10, "col", 1}, {11, "first", 210}, {12, "last", 227}}));
    EXPECT_EQ(values_of(r, 0).front(), (IndexValue{9, "i", 8}));
}

TEST(IndexValues, AreAbsentWhereTheyDependOnMore)
{
    const Recording r = launch_of("__global__ void kernel(const float* a, int n, int row)\n"
                                  "{\n"
                                  "    const int i = threadIdx.x - 6;\n" // negative, or huge if unsigned
                                  "    const int of_argument = n * 2;\n"
                                  "    const int shadowed = row + 1;\n"
                                  "    const float x = threadIdx.x;\n"
                                  "    const int half = threadIdx.x * 0.5f;\n"
                                  "    int moved = threadIdx.x;\n"
                                  "    moved += 3;\n"
                                  "    const int after = moved * 2;\n"
                                  "    for (int k = 0; k < 4; ++k) {\n"
                                  "        const int of_loop = k + 1;\n"
                                  "        const int kept = threadIdx.x * 2;\n"
                                  "        sum += a[kept];\n"
                                  "    }\n"
                                  "    const int divided = 4 / (threadIdx.x - 5);\n"
                                  "}\n",
                                  {14});
    EXPECT_EQ(values_of(r), (std::vector<IndexValue>{{8, "moved", 5}, {13, "kept", 10}}));
}

TEST(IndexValues, NeedToKnowThatTheThreadRanTheDeclaration)
{
    const std::string source = "__global__ void kernel(const float* a, int n)\n"
                               "{\n"
                               "    const int i = threadIdx.x;\n"
                               "    if (i >= n)\n"
                               "        return;\n"
                               "    const int j = i * 2;\n"
                               "    if (j > 3) {\n"
                               "        const int k = j + 1;\n"
                               "        use(a[k]);\n"
                               "    }\n"
                               "    use(a[j]);\n"
                               "}\n";
    EXPECT_EQ(values_of(launch_of(source)), (Values{{3, "i", 5}}));
    EXPECT_EQ(values_of(launch_of(source, {11})), (Values{{3, "i", 5}, {6, "j", 10}}));
    EXPECT_EQ(values_of(launch_of(source, {9, 11})), (Values{{3, "i", 5}, {6, "j", 10}, {8, "k", 11}}));
    EXPECT_EQ(values_of(launch_of(source, {9, 11}), 20), (Values{{3, "i", 4}})) << "lane 20 took part in neither";
}

// Text that is longer than a source file is not read, so that neither time nor stack run out. Earlier declarations
// stay.
TEST(IndexValues, OfTextsThatNobodyWrites)
{
    const std::string begin = "__global__ void k()\n{\nint i = threadIdx.x;\n", end = "}\n";
    const std::string name(300'000, 'a'), short_name(60'000, 'a');
    std::string many;
    for (int n = 0; n < 1500; ++n)
        many += "int x" + std::to_string(n) + " = threadIdx.x;\n";
    EXPECT_EQ(values_of(launch_of(begin + "int " + name + " = 1;\n" + end, {})), Values{});
    EXPECT_EQ(values_of(launch_of(begin + "int " + short_name + " = 1;\n" + end, {})), (Values{{3, "i", 5}}));
    EXPECT_EQ(values_of(launch_of("#define X " + short_name + "\n" + begin + end, {})), (Values{{4, "i", 5}}));
    EXPECT_EQ(values_of(launch_of(begin + "for (int " + short_name + " : x) {\n" + end + end, {})),
              (Values{{3, "i", 5}}));
    EXPECT_EQ(values_of(launch_of(begin + many + end, {})).size(), 300u);
}

// In each shipped launch of these stages, the variables are the row and the column of the element that the thread
// stores.
TEST(IndexValues, AreTheElementsThatShippedLaunchesAccessed)
{
    const std::map<std::string, std::pair<std::string, std::string>> names{{"vector_add", {"", "i"}},
                                                                           {"naive", {"row", "col"}},
                                                                           {"coalesced", {"row", "col"}},
                                                                           {"shared_tile", {"row", "col"}}};
    std::map<std::string, int> compared;
    for_each_shipped([&](const auto&, const Recording& r) {
        const auto of = names.find(r.stage);
        if (of == names.end() || r.executed)
            return;
        for (const recording::BlockTrace& block : r.blocks)
            for (uint32_t thread = 0; thread < r.launch.threads_per_block(); thread += 37) {
                const auto values = viz::index_values(r, block, thread);
                const auto value = [&](const std::string& name) -> int64_t {
                    const auto found = std::ranges::find(values, name, &IndexValue::name);
                    return name.empty() ? 0 : found == values.end() ? -1 : found->value;
                };
                for (const recording::Access& access : block.warps[thread / 32].accesses)
                    if (access.op == Op::global_store && (access.mask >> thread % 32 & 1) != 0) {
                        const int64_t row = value(of->second.first), col = value(of->second.second);
                        ASSERT_TRUE(row >= 0 && col >= 0) << r.stage;
                        EXPECT_EQ(access.offset[thread % 32],
                                  r.arrays[2].offset_of(static_cast<uint32_t>(row), static_cast<uint32_t>(col)))
                            << r.stage << ", thread " << thread;
                        ++compared[r.stage];
                    }
            }
    });
    for (const auto& [stage, name] : names)
        EXPECT_GT(compared[stage], 0) << stage;
}

} // namespace
