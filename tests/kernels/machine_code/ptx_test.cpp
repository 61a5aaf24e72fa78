// Following a warp through PTX: paths, addresses, and what is refused.
#include "error.h"
#include "machine_code/ptx_arithmetic.h"
#include "machine_code/ptx_source.h"
#include "machine_code/ptx_warp.h"
#include "machine_code/ptx_words.h"

#include <gtest/gtest.h>

#include <cstring>

namespace {

using cuda::PtxCode;

struct Access {
    std::string name;
    uint32_t mask = 0;
    cuda::LaneValues addresses{};
    uint32_t idle = 0; // of copies, as what follows
    cuda::LaneValues to{};
};

// The accesses of one warp of a block of `threads`, with the parameters 5 and 0x1000.
std::vector<Access> accesses_of(const std::string& body, uint32_t threads = 32, uint64_t steps = 10000)
{
    const cuda::PtxProgram program =
        cuda::parse_ptx(cuda::lines_of("\t.shared .align 16 .b8 tile[64];\n{\n" + body + "}\n"));
    std::vector<std::byte> first(16);
    const uint32_t five = 5;
    const uint64_t pointer = 0x1000;
    std::memcpy(first.data(), &five, sizeof five);
    std::memcpy(first.data() + 8, &pointer, sizeof pointer);
    const std::vector<std::vector<std::byte>> parameters = {first};
    std::vector<Access> result;
    const cuda::PtxEvents events{
        [&](const auto& statement, uint32_t mask, const auto& addresses) {
            result.push_back({statement.name, mask, addresses});
        },
        [&](const auto& statement, uint32_t mask, uint32_t idle, const auto& from, const auto& to) {
            result.push_back({statement.name, mask, from, idle, to});
        },
        [](const auto&) {}, [] {}};
    cuda::PtxWarp(program, parameters, events)
        .run({{.grid = {2, 1, 1}, .block = {threads, 1, 1}}, {1, 0, 0}, 0}, steps);
    return result;
}

TEST(PtxWarp, LoopsAndAddsUpAddresses)
{
    const std::vector<Access> accesses = accesses_of("\tmov.u32 %r1, %tid.x;\n"
                                                     "\tld.param.u32 %r2, [k_param_0];\n"
                                                     "\tld.param.u64 %rd1, [k_param_0+8];\n"
                                                     "\tmul.wide.u32 %rd2, %r1, 4;\n"
                                                     "\tadd.s64 %rd3, %rd1, %rd2;\n"
                                                     "\tmov.u32 %r3, 0;\n"
                                                     "$L_again:\n"
                                                     "\tld.global.v2.f32 {%f1, %f2}, [%rd3+8];\n"
                                                     "\tadd.s64 %rd3, %rd3, 128;\n"
                                                     "\tadd.s32 %r3, %r3, 1;\n"
                                                     "\tsetp.lt.s32 %p1, %r3, %r2;\n"
                                                     "\t@%p1 bra $L_again;\n"
                                                     "\tret;\n");
    ASSERT_EQ(accesses.size(), 5u);
    for (std::size_t i = 0; i < accesses.size(); ++i)
        for (uint64_t lane = 0; lane < 32; ++lane)
            EXPECT_EQ(accesses[i].addresses[lane], 0x1000 + 4 * lane + 128 * i + 8);
    EXPECT_EQ(accesses[0].mask, ~0u);
}

TEST(PtxWarp, LanesPartAndMeetAgain)
{
    const std::vector<Access> accesses = accesses_of("\tmov.u32 %r1, %tid.x;\n"
                                                     "\tsetp.gt.u32 %p1, %r1, 9;\n"
                                                     "\t@%p1 bra $L_else;\n"
                                                     "\tst.shared.f32 [tile], %f1;\n"
                                                     "\tbra.uni $L_end;\n"
                                                     "$L_else:\n"
                                                     "\tst.shared.f32 [tile+4], %f1;\n"
                                                     "$L_end:\n"
                                                     "\t@!%p1 st.shared.f32 [tile+8], %f1;\n"
                                                     "\tst.shared.f32 [tile+12], %f1;\n"
                                                     "\tret;\n",
                                                     20);
    ASSERT_EQ(accesses.size(), 4u);
    EXPECT_EQ(accesses[0].mask, 0x3ffu);
    EXPECT_EQ(accesses[1].mask, 0xffc00u);
    EXPECT_EQ(accesses[1].addresses[15], 4u);
    EXPECT_EQ(accesses[2].mask, 0x3ffu);
    EXPECT_EQ(accesses[3].mask, 0xfffffu); // all of the 20 that exist
}

TEST(PtxWarp, AsynchronousCopiesReadWhatTheirSizeSays)
{
    const std::vector<Access> accesses = accesses_of("\tmov.u32 %r1, %tid.x;\n"
                                                     "\tsetp.lt.u32 %p1, %r1, 4;\n"
                                                     "\tselp.b32 %r2, 16, 0, %p1;\n"
                                                     "\tmov.u64 %rd1, 4096;\n"
                                                     "\tcp.async.cg.shared.global [%r1], [%rd1], 16, %r2;\n"
                                                     "\tret;\n");
    ASSERT_EQ(accesses.size(), 1u);
    EXPECT_EQ(accesses[0].mask, 0xfu);
    EXPECT_EQ(accesses[0].addresses[3], 4096u);
    EXPECT_EQ(accesses[0].idle, 0xfffffff0u);
    EXPECT_EQ(accesses[0].to[7], 7u);
}

TEST(PtxWarp, WhatDependsOnDataIsRefused)
{
    const std::string load = "\tld.global.u32 %r1, [4096];\n";
    EXPECT_NO_THROW(accesses_of(load + "\tadd.s32 %r2, %r1, 1;\n\tret;\n"));
    EXPECT_THROW(accesses_of(load + "\tcvt.u64.u32 %rd1, %r1;\n\tst.global.u32 [%rd1], %r1;\n\tret;\n"),
                 kernels::Unavailable);
    EXPECT_THROW(accesses_of(load + "\tsetp.eq.s32 %p1, %r1, 0;\n\t@%p1 bra $L;\n$L:\n\tret;\n"), kernels::Unavailable);
    EXPECT_THROW(accesses_of("\tmov.u32 %r1, %smid;\n\tsetp.eq.s32 %p1, %r1, 0;\n\t@%p1 ret;\n\tret;\n"),
                 kernels::Unavailable);
    EXPECT_THROW(accesses_of("$L:\n\tbra.uni $L;\n"), kernels::Unavailable); // for ever
    EXPECT_THROW(accesses_of("\tbra.uni $nowhere;\n"), kernels::Error);
}

uint64_t compute(const std::string& name, std::array<uint64_t, 4> in)
{
    return cuda::ptx_result(cuda::classify_ptx(name), in);
}

TEST(PtxArithmetic, IsThatOfItsTypes)
{
    constexpr uint64_t minus_one = ~uint64_t{0};
    EXPECT_EQ(compute("add.s32", {0x7fffffff, 1, 0, 0}), 0xffffffff80000000); // as a signed register holds it
    EXPECT_EQ(compute("add.u32", {0xffffffff, 1, 0, 0}), 0u);
    EXPECT_EQ(compute("sub.s64", {3, 5, 0, 0}), minus_one - 1);
    EXPECT_EQ(compute("mul.wide.s32", {0xffffffff, 3, 0, 0}), minus_one - 2);
    EXPECT_EQ(compute("mul.wide.u32", {0xffffffff, 2, 0, 0}), 0x1fffffffeu);
    EXPECT_EQ(compute("mul.hi.s32", {100, 1431655766, 0, 0}), 33u); // a third
    EXPECT_EQ(compute("mul.hi.u64", {minus_one, minus_one, 0, 0}), minus_one - 1);
    EXPECT_EQ(compute("mul.hi.s64", {minus_one, minus_one, 0, 0}), 0u);
    EXPECT_EQ(compute("mad.lo.s32", {3, 4, 5, 0}), 17u);
    EXPECT_EQ(compute("div.s32", {minus_one - 6, 2, 0, 0}), minus_one - 2); // -7 / 2
    EXPECT_EQ(compute("rem.u32", {7, 4, 0, 0}), 3u);
    EXPECT_EQ(compute("shl.b32", {0x80000001, 1, 0, 0}), 2u);
    EXPECT_EQ(compute("shl.b32", {1, 64, 0, 0}), 0u);
    EXPECT_EQ(compute("shr.s32", {0x80000000, 31, 0, 0}), minus_one);
    EXPECT_EQ(compute("shr.u32", {0x80000000, 31, 0, 0}), 1u);
    EXPECT_EQ(compute("bfi.b32", {0x3f, 0, 5, 27}), 0x3fu << 5);
    EXPECT_EQ(compute("bfe.u32", {0xabcd, 4, 8, 0}), 0xbcu);
    EXPECT_EQ(compute("bfe.s32", {0xabcd, 4, 8, 0}), minus_one - 0x43);
    EXPECT_EQ(compute("not.b32", {0, 0, 0, 0}), 0xffffffffu);
    EXPECT_EQ(compute("not.pred", {1, 0, 0, 0}), 0u);
    EXPECT_EQ(compute("cvt.s64.s32", {0xfffffffe, 0, 0, 0}), minus_one - 1);
    EXPECT_EQ(compute("cvt.u64.u32", {0xfffffffffffffffe, 0, 0, 0}), 0xfffffffeu);
    EXPECT_EQ(compute("cvt.u16.u32", {0x12345, 0, 0, 0}), 0x2345u);
    EXPECT_EQ(compute("min.s32", {0xffffffff, 1, 0, 0}), minus_one);
    EXPECT_EQ(compute("max.u32", {0xffffffff, 1, 0, 0}), 0xffffffffu);
    EXPECT_EQ(compute("setp.lt.s32", {0xffffffff, 1, 0, 0}), 1u);
    EXPECT_EQ(compute("setp.lt.u32", {0xffffffff, 1, 0, 0}), 0u);
    EXPECT_EQ(compute("setp.eq.f32", {0x80000000, 0, 0, 0}), 1u); // minus zero
    EXPECT_EQ(compute("setp.neu.f32", {0x40000000, 0, 0, 0}), 1u);
    EXPECT_EQ(compute("selp.b32", {3, 4, 0, 0}), 4u);
}

TEST(PtxWords, StatementsMayShareALineOrRunOn)
{
    const std::vector<std::string> lines = {"{", "\t{ .reg .pred q; again: mov.u32 %r1, 1; add.s32",
                                            "\t %r2, %r1, 2; }", "\t@!q bra again;", "}"};
    const std::vector<cuda::PtxText> texts = cuda::split_ptx(lines);
    std::vector<std::string> names;
    for (const cuda::PtxText& text : texts)
        names.push_back(text.name + (text.is_label ? ":" : ""));
    EXPECT_EQ(names, (std::vector<std::string>{"again:", "mov.u32", "add.s32", "bra"}));
    EXPECT_EQ(texts.at(2).line, 2u); // where it begins
    EXPECT_EQ(texts.at(2).operands, (std::vector<std::string>{"%r2", "%r1", "2"}));
    EXPECT_EQ(texts.at(3).predicate, "!q");
    EXPECT_EQ(cuda::classify_ptx("ld.shared.v4.f32").width, 16);
    EXPECT_EQ(cuda::classify_ptx("ldmatrix.sync.aligned.m8n8.x2.shared.b16").width, 8);
    EXPECT_EQ(cuda::classify_ptx("fma.rn.f32").code, PtxCode::data);
    EXPECT_EQ(cuda::classify_ptx("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16").code, PtxCode::unknown);
}

} // namespace
