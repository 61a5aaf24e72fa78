// Machine code and its tables, decoded without a disassembler.
#include "error.h"
#include "machine_code/cubin.h"
#include "machine_code/line_table.h"

#include <gtest/gtest.h>

#include <map>

namespace {

using recording::Op;

// Encodings that ptxas 13.0 generated for sm_90a, each from one PTX instruction.
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
    {0x000200190218738c, 0x0003280000000000, "ATOMS.ADD", "", 0},       // atom.shared.add
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

// The instruction after an asynchronous copy is issued and counted, but accesses no memory.
TEST(Decoder, KeepsWhatNoLaneRuns)
{
    const kernels::Instruction one = cuda::decode_instruction(16, 0x00000000ffff7984 | 0xf000, 0x000fe20000000800);
    EXPECT_EQ(one.predicate, "@!PT");
    EXPECT_EQ(one.name, "NOP");
    EXPECT_FALSE(one.op.has_value());
    EXPECT_EQ(one.width, 0);
}

TEST(LineTable, FollowsTheProgram)
{
    // In version 2. An instruction has 1 byte, lines advance by -5 or more in a range of 14, 10 is the first special
    // opcode.
    std::string section("\0\0\0\0\2\0\16\0\0\0\1\1\373\16\12\0\1\1\1\1\0\0\0\1", 24);
    const auto add = [&section](std::initializer_list<int> bytes) {
        for (const int byte : bytes)
            section.push_back(static_cast<char>(byte));
    };
    add({0, 9, 2, 0x10, 0, 0, 0, 0, 0, 0, 0}); // address 0x10
    add({3, 6, 1});                            // line + 6, row: 7
    add({0, 3, 0x90, 1, 2});                   // NVIDIA's extension: ignored
    add({2, 0x20, 3, 0x7f, 1});                // address + 0x20, line - 1, row: 6
    add({10 + 14 * 3 + 5 + 2});                // special: address + 3, line + 2: 8
    add({9, 0x00, 0x01, 1});                   // address + 256
    add({0, 1, 1});                            // the end
    section[0] = static_cast<char>(section.size() - 4);
    const std::vector<cuda::SourceRow> rows = cuda::line_parts(section).at(0).rows.rows;
    std::vector<std::pair<uint64_t, uint32_t>> lines;
    for (const cuda::SourceRow& row : rows)
        lines.emplace_back(row.address, row.line);
    const std::vector<std::pair<uint64_t, uint32_t>> expected = {{0x10, 7}, {0x30, 6}, {0x33, 8}, {0x133, 8}};
    EXPECT_EQ(lines, expected);
    EXPECT_EQ(cuda::line_at(rows, 0xf), 0u);
    EXPECT_EQ(cuda::line_at(rows, 0x10), 7u);
    EXPECT_EQ(cuda::line_at(rows, 0x32), 6u);
    EXPECT_EQ(cuda::line_at(rows, 0x9999), 8u);
    // A section truncated anywhere never crashes, and usually gives an error.
    for (std::size_t size = 0; size < section.size() - 4; ++size)
        try {
            cuda::line_parts(section.substr(0, size));
        } catch (const kernels::Error&) {
        }
    EXPECT_TRUE(cuda::line_parts("").empty());
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
    EXPECT_EQ(lines[5], 47u); // inlined through two functions
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

TEST(Cubin, DamageIsAnErrorNotACrash)
{
    EXPECT_THROW(cuda::instructions("", "k"), kernels::Error);
    EXPECT_THROW(cuda::instructions(std::string(64, 'x'), "k"), kernels::Error);
}

} // namespace
