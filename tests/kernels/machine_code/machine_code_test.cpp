// What the compiler made of the stages, decoded without a disassembler, and followed without a GPU.
#include "machine_code/executed_lines.h"

#include <gtest/gtest.h>

#include <map>

#ifdef GEMMSCOPE_CUDA_TOOLKIT

#include "backend.h"
#include "cuda/disassembler.h"
#include "machine_code/cubin.h"
#include "machine_code/line_table.h"
#include "machine_code/ptx_source.h"

namespace {

using recording::Op;

// Encodings that ptxas 13.0 made for sm_90a of one PTX instruction each.
struct Encoding {
    uint64_t low, high;
    const char* name;
    const char* predicate;
    int width;
};

constexpr Encoding encodings[] = {
    {0x0000030002187984, 0x000ea80000000000, "LDS.U8", "", 1},          // ld.shared.u8
    {0x0000040002197984, 0x000ea80000000200, "LDS.S8", "", 1},          // ld.shared.s8
    {0x0000060002007984, 0x000ea80000000400, "LDS.U16", "", 2},         // ld.shared.u16
    {0x0000080002047984, 0x0002a80000000600, "LDS.S16", "", 2},         // ld.shared.s16
    {0x0000640002030984, 0x0002a80000000800, "LDS", "@P0", 4},          // @q1 ld.shared.u32
    {0x0000c80002141984, 0x0002a40000000a00, "LDS.64", "@P1", 8},       // ld.shared.v2.u32, of a negated comparison
    {0x0001400002087984, 0x0002e80000000c00, "LDS.128", "", 16},        // ld.shared.v4.u32
    {0x0004000c02000388, 0x0043e80000000c00, "STS.128", "@P0", 16},     // @q1 st.shared.v4.u32
    {0x0003e91802007388, 0x0003e80000000000, "STS.U8", "", 1},          // st.shared.u8
    {0x000400061a0c7981, 0x000f28000c1e1d00, "LDG.128", "", 16},        // ld.global.v4.u32
    {0x000800061a007981, 0x000f28000c1e9900, "LDG", "", 4},             // ld.global.nc.u32
    {0x0000200c1a008986, 0x000fe2000c101b06, "STG.64", "@!P0", 8},      // @!q1 st.global.v2.u32
    {0x0000280b1a007986, 0x000fe2000c101906, "STG", "", 4},             // st.global.u32
    {0x000000001a027fae, 0x0105e4000b921846, "LDGSTS", "", 4},          // cp.async.ca 4
    {0x000400401a027fae, 0x0005e2000b921a46, "LDGSTS.64", "", 8},       // cp.async.ca 8
    {0x001001001a027fae, 0x0005e8000b901c46, "LDGSTS.128", "", 16},     // cp.async.cg 16
    {0x00000000020c783b, 0x000ea80000000000, "LDSM.16.M88", "", 4},     // ldmatrix .x1
    {0x000010000210783b, 0x000ee80000000100, "LDSM.16.M88.2", "", 8},   // .x2
    {0x000020000208783b, 0x000e680000000200, "LDSM.16.M88.4", "", 16},  // .x4
    {0x000030000204783b, 0x000f280000004200, "LDSM.16.MT88.4", "", 16}, // .x4.trans
    {0x0008001002007844, 0x0003e80000000200, "STSM.16.M88.4", "", 16},  // stmatrix .x4
    {0x000200190218738c, 0x0003280000000000, "ATOMS", "", 0},           // atom.shared.add
    {0x0000000000007b1d, 0x000fec0000010000, "BAR", "", 0},             // bar.sync
    {0x00000000000079af, 0x000e220000000000, "LDGDEPBAR", "", 0},       // cp.async.commit_group
    {0x00000c061a057980, 0x002ea8000c101900, "LD", "", 4},              // ld.u32, generic
};

TEST(Decoder, KnowsEncodingsThatWereMadeOnPurpose)
{
    for (const Encoding& encoding : encodings) {
        const kernels::Instruction one = cuda::decode_instruction(16, encoding.low, encoding.high);
        EXPECT_EQ(one.name, encoding.name);
        EXPECT_EQ(one.predicate, encoding.predicate) << encoding.name;
        EXPECT_EQ(one.width, encoding.width) << encoding.name;
        EXPECT_EQ(one.address, 16u);
    }
}

TEST(LineTable, FollowsTheProgram)
{
    // Version 2; an instruction is 1 byte, lines advance by -5 and up in a range of 14, 10 is the first special opcode.
    std::string section("\0\0\0\0\2\0\16\0\0\0\1\1\373\16\12\0\1\1\1\1\0\0\0\1", 24);
    const auto add = [&section](std::initializer_list<int> bytes) {
        for (const int byte : bytes)
            section.push_back(static_cast<char>(byte));
    };
    add({0, 9, 2, 0x10, 0, 0, 0, 0, 0, 0, 0}); // address 0x10
    add({3, 6, 1});                            // line + 6, row: 7
    add({0, 3, 0x90, 1, 2});                   // NVIDIA's own: passed over
    add({2, 0x20, 3, 0x7f, 1});                // address + 0x20, line - 1, row: 6
    add({10 + 14 * 3 + 5 + 2});                // special: address + 3, line + 2: 8
    add({9, 0x00, 0x01, 1});                   // address + 256
    add({0, 1, 1});                            // the end
    section[0] = static_cast<char>(section.size() - 4);
    const std::vector<cuda::LineRow> expected = {{0x10, 7}, {0x30, 6}, {0x33, 8}, {0x133, 8}};
    EXPECT_EQ(cuda::line_rows(section), expected);
    EXPECT_EQ(cuda::line_at(expected, 0xf), 0u);
    EXPECT_EQ(cuda::line_at(expected, 0x10), 7u);
    EXPECT_EQ(cuda::line_at(expected, 0x32), 6u);
    EXPECT_EQ(cuda::line_at(expected, 0x9999), 8u);
    for (std::size_t size = 0; size < section.size() - 4; ++size) // cut anywhere: no crash, and mostly an error
        try {
            cuda::line_rows(section.substr(0, size));
        } catch (const kernels::Error&) {
        }
    EXPECT_THROW(cuda::line_rows(""), kernels::Error);
}

TEST(PtxSource, AnInlinedAccessBelongsToTheLineThatCalls)
{
    const std::vector<std::string> ptx = cuda::lines_of("\t.loc\t1 40 9\n"
                                                        "\tadd.s32 %r1, %r2, %r3;\n"
                                                        "\t.loc\t2 192 9, function_name $s, inlined_at 1 47 13\n"
                                                        "\tld.shared.f32 %f1, [%rd1];\n"
                                                        "\t.loc\t2 7 9, function_name $s, inlined_at 2 192 9\n"
                                                        "\tld.shared.f32 %f2, [%rd1];\n"
                                                        "\t.loc\t2 9 9\n"
                                                        "\tmov.u32 %r1, %r2;\n"
                                                        "\t.file\t1 \"/x/stages/07_shared_tile.cu\"\n"
                                                        "\t.file\t2 \"/x/device/views.h\"\n");
    const std::vector<uint32_t> lines = cuda::source_lines(ptx, "07_shared_tile.cu");
    ASSERT_EQ(lines.size(), ptx.size());
    EXPECT_EQ(lines[1], 40u);
    EXPECT_EQ(lines[3], 47u);
    EXPECT_EQ(lines[5], 47u); // through two functions
    EXPECT_EQ(lines[7], 0u);
}

TEST(Disassembly, IsReadByAddress)
{
    const auto texts =
        cuda::parse_disassembly("\t.section\t.text.k,\"ax\",@progbits\n"
                                "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
                                "        /*00a0*/              @!P0 LDS.128 R4, [R2+0x10] ;  // note\n"
                                "                                                             /* 0x00 */\n");
    const std::map<uint32_t, std::string> expected = {{0, "LDC R1, c[0x0][0x28]"},
                                                      {0xa0, "@!P0 LDS.128 R4, [R2+0x10]"}};
    EXPECT_EQ(texts, expected);
}

// Ladder stages, compiled for Hopper.
class CompiledStage : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override
    {
        try {
            code = kernels::machine_code(stage, stage.standard_parameters(), 90);
        } catch (const kernels::Unavailable& missing) {
            GTEST_SKIP() << missing.what();
        }
    }

    recording::Recording record(const recording::Problem& problem) const
    {
        const recording::Index3 block{0, 0, 0};
        const kernels::Job job{&stage, stage.standard_parameters(), kernels::used_part(stage.operation, problem)};
        return kernels::make_cpu_backend()->record(job, {&block, 1}, {});
    }

    kernels::Executed execute(const recording::Problem& problem) const
    {
        return kernels::executed(code, stage, stage.standard_parameters(), kernels::used_part(stage.operation, problem),
                                 {});
    }

    static const std::vector<kernels::Stage>& ladder()
    {
        static const std::vector<kernels::Stage> stages = kernels::make_ladder();
        return stages;
    }
    const kernels::Stage& stage = kernels::find_stage(ladder(), GetParam());
    kernels::MachineCode code;
};

// Those whose loads the compiler joins, and what an H200 counted of them at 128^3 (shared loads: instructions, wavefronts,
// conflicts; docs/results), compiled by NVRTC 13.0.
struct Joined {
    const char* slug;
    recording::SharedTotals counted;
};
constexpr Joined joined[] = {{"shared_tile", {81920, 98304, 0}},
                             {"thread_tile_1d", {40960, 40960, 0}},
                             {"thread_tile_2d", {10240, 32768, 16384}},
                             {"thread_tile_2d_registers", {10240, 32768, 16384}},
                             {"padded_b", {4864, 24576, 11776}}};

const Joined* joined_loads(const std::string& slug)
{
    const auto* const found =
        std::find_if(std::begin(joined), std::end(joined), [&slug](const Joined& one) { return one.slug == slug; });
    return found == std::end(joined) ? nullptr : found;
}

// wgmma_tma waits for other warps, and cannot be recorded on a CPU.
INSTANTIATE_TEST_SUITE_P(Ladder, CompiledStage, testing::ValuesIn([] {
                             std::vector<std::string> slugs;
                             for (const kernels::Stage& stage : kernels::make_ladder())
                                 if (stage.slug != "wgmma_tma")
                                     slugs.emplace_back(stage.slug);
                             return slugs;
                         }()),
                         [](const auto& stage) { return stage.param; });

TEST_P(CompiledStage, RunsWhatTheCpuRecorded)
{
    for (const recording::Problem& problem : {recording::Problem{.M = 100, .N = 33, .K = 57, .alpha = 1, .beta = 2},
                                              recording::Problem{.M = 1, .N = 70, .K = 3}}) {
        const recording::Recording recording = record(problem);
        const recording::Totals written = recording.totals(), executed = execute(problem).totals();
        EXPECT_EQ(executed.global_load, written.global_load);
        EXPECT_EQ(executed.global_store, written.global_store);
        EXPECT_EQ(executed.shared_store, written.shared_store);
        if (!joined_loads(GetParam())) {
            EXPECT_EQ(executed.shared_load, written.shared_load);
            for (const kernels::LineExecution& line : kernels::compare_lines(recording, execute(problem)))
                EXPECT_FALSE(line.differs()) << line.line << ": " << line.why;
        }
    }
}

class JoinedStage : public CompiledStage {};

INSTANTIATE_TEST_SUITE_P(Ladder, JoinedStage, testing::ValuesIn([] {
                             std::vector<std::string> slugs;
                             for (const Joined& one : joined)
                                 slugs.emplace_back(one.slug);
                             return slugs;
                         }()),
                         [](const auto& stage) { return stage.param; });

TEST_P(JoinedStage, RunsWhatAnH200Counted)
{
    const Joined* counted = joined_loads(GetParam());
    ASSERT_NE(counted, nullptr);
    if (code.compiler != "NVRTC 13.0")
        GTEST_SKIP() << code.compiler << " may join other loads than NVRTC 13.0";
    const recording::Problem problem{.M = 128, .N = 128, .K = 128, .alpha = 1, .beta = 0};
    const recording::Recording recording = record(problem);
    const kernels::Executed executed = execute(problem);
    EXPECT_EQ(executed.totals().shared_load, counted->counted);
    EXPECT_FALSE(recording.totals().shared_load == counted->counted);
    recording::Totals by_line;
    for (const kernels::LineExecution& line : kernels::compare_lines(recording, executed)) {
        by_line += line.executed;
        EXPECT_EQ(line.differs(), !line.why.empty());
        EXPECT_EQ(line.differs(), line.why.find(" as written became ") != std::string::npos) << line.why;
    }
    EXPECT_EQ(by_line, executed.totals());
}

TEST_P(CompiledStage, EachAccessComesFromOneInThePtx)
{
    for (const kernels::KernelCode& kernel : code.kernels)
        for (const kernels::Instruction& one : kernel.instructions)
            if (one.op) {
                ASSERT_GT(one.ptx_line, 0u) << one.name << " at " << one.address;
                const std::string& ptx = kernel.ptx.at(one.ptx_line - 1);
                const bool is_access = ptx.find("ld.") != std::string::npos || ptx.find("st.") != std::string::npos ||
                                       ptx.find("cp.async") != std::string::npos ||
                                       ptx.find("ldmatrix") != std::string::npos ||
                                       ptx.find("wmma.") != std::string::npos;
                EXPECT_TRUE(is_access) << one.name << " at " << one.address << ": " << ptx;
            }
}

// What an H200 counted per instruction at 128 x 128 x 128 (CUPTI's SASS metrics, 2026-11-21): wavefronts of the copies' writes,
// and sectors of their reads.
TEST(MachineCode, CopiesCostWhatTheH200Counted)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    using Costs = std::map<std::string, std::pair<uint64_t, uint64_t>>;
    const auto costs = [&ladder](std::string_view slug) {
        const kernels::Stage& stage = kernels::find_stage(ladder, slug);
        const recording::Problem problem{.M = 128, .N = 128, .K = 128};
        const kernels::MachineCode code = kernels::machine_code(stage, stage.standard_parameters(), 90);
        Costs result;
        for (const kernels::ExecutedInstructions& one :
             kernels::executed(code, stage, stage.standard_parameters(), problem, {}).instructions)
            if (one.op == recording::Op::async_load) {
                result[one.name].first += one.copy_wavefronts;
                result[one.name].second += one.totals.global_load.sectors;
            }
        return result;
    };
    try {
        EXPECT_EQ(costs("async_copy"), (Costs{{"LDGSTS", {2048, 2048}}, {"LDGSTS.128", {512, 2048}}}));
        EXPECT_EQ(costs("mma_ldmatrix")["LDGSTS.128"].second, 896 + 1152u);
    } catch (const kernels::Unavailable& missing) {
        GTEST_SKIP() << missing.what();
    }
}

TEST(MachineCode, OpaqueAndUnknownPathsAreSaid)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const auto execute = [&ladder](std::string_view slug) {
        const kernels::Stage& stage = kernels::find_stage(ladder, slug);
        const recording::Problem problem{.M = 64, .N = 64, .K = 64};
        return kernels::executed(kernels::machine_code(stage, stage.standard_parameters(), 90), stage,
                                 stage.standard_parameters(), problem, {});
    };
    try {
        EXPECT_EQ(execute("wmma").opaque, "LDSM.16.M88.4, LDSM.16.MT88.4, STS.64");
        EXPECT_EQ(execute("vectorized").opaque, "");
    } catch (const kernels::Unavailable& missing) {
        GTEST_SKIP() << missing.what();
    }
    try {
        execute("wgmma_tma");
        FAIL() << "followed";
    } catch (const kernels::Unavailable& reason) {
        EXPECT_NE(std::string(reason.what()).find("depends on what other warps do"), std::string::npos)
            << reason.what();
    }
}

} // namespace

#else

TEST(MachineCode, NeedsTheToolkit)
{
    GTEST_SKIP() << "built without the CUDA toolkit's headers";
}

#endif
