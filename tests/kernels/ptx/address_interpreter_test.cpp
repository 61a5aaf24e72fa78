// Interpreting a warp's PTX for its addresses: paths, addresses, and what is refused.
#include "error.h"
#include "ptx/address_interpreter.h"

#include <gtest/gtest.h>

#include <cstring>

namespace {

struct Access {
    uint32_t mask = 0;
    ptx::LaneValues addresses{};
    uint32_t idle = 0; // for copies only, like the members below
    ptx::LaneValues to{};
};

class Accesses final : public ptx::AccessSink {
public:
    void access(const ptx::Instruction& /*instruction*/, uint32_t mask, const ptx::LaneValues& addresses) override
    {
        seen.push_back({mask, addresses});
    }
    void copy(const ptx::Instruction& /*instruction*/, uint32_t mask, uint32_t idle, const ptx::LaneValues& from,
              const ptx::LaneValues& to) override
    {
        seen.push_back({mask, from, idle, to});
    }
    void other(const ptx::Instruction& /*instruction*/) override {}
    void barrier() override {}

    std::vector<Access> seen;
};

// Returns the accesses of one warp of a block of `threads`, with the parameters 5 and 0x1000.
std::vector<Access> followed(const std::string& body, uint32_t threads = 32, uint64_t steps = 10000)
{
    const std::string text = ".version 9.0\n.target sm_90\n.address_size 64\n"
                             ".visible .entry k(.param .align 8 .b8 k_param_0[16])\n{\n"
                             "\t.reg .pred %p<9>;\n\t.reg .f32 %f<9>;\n\t.reg .b32 %r<9>;\n\t.reg .b64 %rd<9>;\n"
                             "\t.shared .align 16 .b8 tile[64];\n" +
                             body + "}\n";
    const ptx::Program program = ptx::make_program(ptx::parse(text, {}), "k", 0);
    std::vector<std::byte> parameters(16);
    const uint32_t five = 5;
    const uint64_t pointer = 0x1000;
    std::memcpy(parameters.data(), &five, sizeof five);
    std::memcpy(parameters.data() + 8, &pointer, sizeof pointer);
    Accesses accesses;
    ptx::AddressInterpreter(program, parameters, accesses)
        .run({{.grid = {2, 1, 1}, .block = {threads, 1, 1}}, {1, 0, 0}, 0}, steps);
    return accesses.seen;
}

TEST(PtxAddressInterpreter, LoopsAndAddsUpAddresses)
{
    const std::vector<Access> accesses = followed("\tmov.u32 %r1, %tid.x;\n"
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

TEST(PtxAddressInterpreter, LanesPartAndMeetAgain)
{
    const std::vector<Access> accesses = followed("\tmov.u32 %r1, %tid.x;\n"
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
    EXPECT_EQ(accesses[3].mask, 0xfffffu); // all 20 existing lanes
}

TEST(PtxAddressInterpreter, AsynchronousCopiesReadWhatTheirSizeSays)
{
    const std::vector<Access> accesses = followed("\tmov.u32 %r1, %tid.x;\n"
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

TEST(PtxAddressInterpreter, WhatDependsOnDataIsRefused)
{
    const std::string load = "\tld.global.u32 %r1, [4096];\n";
    EXPECT_NO_THROW(followed(load + "\tadd.s32 %r2, %r1, 1;\n\tret;\n"));
    EXPECT_THROW(followed(load + "\tcvt.u64.u32 %rd1, %r1;\n\tst.global.u32 [%rd1], %r1;\n\tret;\n"),
                 kernels::Unavailable);
    EXPECT_THROW(followed(load + "\tsetp.eq.s32 %p1, %r1, 0;\n\t@%p1 bra $L;\n$L:\n\tret;\n"), kernels::Unavailable);
    EXPECT_THROW(followed("\tmov.u32 %r1, %smid;\n\tsetp.eq.s32 %p1, %r1, 0;\n\t@%p1 ret;\n\tret;\n"),
                 kernels::Unavailable);
    EXPECT_THROW(followed("$L:\n\tbra.uni $L;\n"), kernels::Unavailable); // forever
    EXPECT_THROW(followed("\tbra.uni $nowhere;\n"), kernels::Error);
}

} // namespace
