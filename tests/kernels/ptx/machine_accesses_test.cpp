// Tests which accesses of PTX one instruction of its machine code joins, and when that is unknown.
#include "ptx/machine_accesses.h"
#include "tests/says.h"

#include <gtest/gtest.h>

namespace {

using recording::Op;
using test::says;
using Found = ptx::JoinedAccesses::Found;
using Code = std::vector<kernels::Instruction>;

constexpr uint32_t first_line = 6; // of the statements below

ptx::Program kernel_of(const std::string& statements)
{
    return ptx::make_program(ptx::parse(".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
                                        ".reg .f32 %f<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>;" +
                                            statements + "ret;\n}\n",
                                        {}),
                             "k", 0);
}

kernels::Instruction instruction(const char* name, Op op, int width, uint32_t line)
{
    return {.address = 16 * line, .name = name, .op = op, .width = width, .ptx_line = line};
}

const ptx::MachineAccess& access_in_line(const ptx::MachineAccesses& accesses, const ptx::Program& program,
                                         uint32_t line)
{
    for (uint32_t i = 0; i < program.statements.size(); ++i)
        if (program.statements[i].line == line)
            return accesses.of(i);
    throw std::out_of_range("no statement in that line");
}

TEST(MachineAccesses, TheFirstOfJoinedStatementsHasTheInstruction)
{
    const ptx::Program program = kernel_of("ld.shared.f32 %f1, [%r1];\nld.shared.f32 %f2, [%r1+4];\n"
                                           "st.shared.f32 [%r1], %f1;\n");
    const Code joined = {instruction("LDS.64", Op::shared_load, 8, first_line),
                         instruction("STS", Op::shared_store, 4, first_line + 2)};
    const ptx::MachineAccesses accesses(joined, program);
    EXPECT_EQ(accesses.doubt(), "");
    EXPECT_FALSE(accesses.one_to_one());
    const ptx::MachineAccess& first = access_in_line(accesses, program, first_line);
    EXPECT_EQ(first.instruction, 1u);
    EXPECT_EQ(first.width, 8);
    EXPECT_TRUE(first.joins);
    EXPECT_EQ(access_in_line(accesses, program, first_line + 1).width, 0);
    const ptx::MachineAccess& store = access_in_line(accesses, program, first_line + 2);
    EXPECT_EQ(store.instruction, 2u);
    EXPECT_FALSE(store.joins);
    const Code alone = {instruction("LDS", Op::shared_load, 4, first_line),
                        instruction("LDS", Op::shared_load, 4, first_line + 1),
                        instruction("STS", Op::shared_store, 4, first_line + 2)};
    EXPECT_TRUE(ptx::MachineAccesses(alone, program).one_to_one());
}

TEST(MachineAccesses, WhatCannotBeKnownIsSaid)
{
    const ptx::Program program =
        kernel_of("ld.shared.v2.f32 {%f1, %f2}, [%r1];\natom.shared.add.f32 %f3, [%r1], %f1;\n");
    const auto doubt_of_load = [&](const Code& code) {
        return access_in_line(ptx::MachineAccesses(code, program), program, first_line).doubt;
    };
    const kernels::Instruction load = instruction("LDS.64", Op::shared_load, 8, first_line);
    EXPECT_EQ(doubt_of_load({load, load}), ""); // an unrolled loop
    EXPECT_TRUE(says(doubt_of_load({load, instruction("LDS.128", Op::shared_load, 16, first_line)}),
                     "LDS.128 at 0x60 and LDS.64 at 0x60"));
    EXPECT_TRUE(says(doubt_of_load({instruction("LDS", Op::shared_load, 4, first_line)}), "which part of it"));
    // An addition of floats is a loop that loads them again while other lanes interfere.
    const Code loop = {load, instruction("LDS", Op::shared_load, 4, first_line + 1)};
    EXPECT_TRUE(says(ptx::MachineAccesses(loop, program).doubt(), "The machine code has LDS at 0x70"));
    EXPECT_TRUE(says(ptx::MachineAccesses({{load, instruction("STS", Op::shared_store, 4, 0)}}, program).doubt(),
                     "The machine code has STS at 0x0"));
}

// `absent` has no instruction.
const ptx::MachineAccess wide{.instruction = 1, .width = 16, .joins = true, .doubt = {}}, absent{};

// Returns a load of four bytes per lane, from addresses that are 32 bytes apart.
ptx::LaneAccess word(uint64_t first, uint32_t mask = ~0u)
{
    ptx::LaneAccess access{.op = Op::shared_load, .width = 4, .mask = mask};
    for (uint64_t lane = 0; lane < recording::warp_size; ++lane)
        access.addresses[lane] = first + 32 * lane;
    return access;
}

Found taken(ptx::JoinedAccesses& warp, const ptx::MachineAccess& machine, ptx::LaneAccess access)
{
    return warp.take(machine, access);
}

TEST(JoinedAccesses, NeighboursAreOneAccessOfTheirBytes)
{
    ptx::JoinedAccesses warp;
    ptx::LaneAccess first = word(0x104); // the first access need not have the lowest address
    EXPECT_EQ(warp.take(wide, first), Found::made);
    EXPECT_EQ(first.width, 16);
    EXPECT_EQ(first.addresses, word(0x100).addresses);
    for (const uint64_t next : {0x100, 0x10c, 0x108})
        EXPECT_EQ(taken(warp, next == 0x10c ? wide : absent, word(next)), Found::with_other) << next;
    EXPECT_EQ(taken(warp, wide, word(0x100)), Found::made); // a second time, in a loop
    EXPECT_FALSE(warp.end_interval());                      // PTX does not access three of its words
    EXPECT_TRUE(warp.end_interval());
}

// The fourth word of a load may be unused. A store may write only words that the PTX writes.
TEST(JoinedAccesses, ThreeWordsMayBeLoadedAsFour)
{
    for (const Op op : {Op::shared_load, Op::shared_store}) {
        ptx::JoinedAccesses warp;
        for (const uint64_t next : {0x104, 0x108, 0x10c}) {
            EXPECT_FALSE(next == 0x10c && op == Op::shared_load && ptx::JoinedAccesses(warp).end_interval());
            ptx::LaneAccess access = word(next);
            access.op = op;
            EXPECT_EQ(taken(warp, next == 0x104 ? wide : absent, access),
                      next == 0x104 ? Found::made : Found::with_other);
        }
        EXPECT_EQ(warp.end_interval(), op == Op::shared_load);
    }
}

// The joined stores have their instruction in the line of the last of them.
TEST(JoinedAccesses, AStatementMayWaitForItsInstruction)
{
    ptx::JoinedAccesses warp;
    for (const uint64_t next : {0x100, 0x108, 0x10c})
        EXPECT_EQ(taken(warp, absent, word(next)), Found::with_other);
    ptx::LaneAccess last = word(0x104);
    EXPECT_EQ(warp.take(wide, last), Found::made);
    EXPECT_EQ(last.addresses, word(0x100).addresses);
    EXPECT_TRUE(warp.end_interval());
}

TEST(JoinedAccesses, EachByteIsAskedForOnce)
{
    const auto comes_out_even = [](const ptx::LaneAccess& last) {
        ptx::JoinedAccesses warp;
        EXPECT_EQ(taken(warp, wide, word(0x100)), Found::made);
        for (const uint64_t next : {0x108, 0x10c})
            EXPECT_EQ(taken(warp, absent, word(next)), Found::with_other);
        EXPECT_EQ(taken(warp, absent, last), Found::with_other);
        return warp.end_interval();
    };
    EXPECT_TRUE(comes_out_even(word(0x104)));
    EXPECT_FALSE(comes_out_even(word(0x100))); // twice
    EXPECT_FALSE(comes_out_even(word(0x110))); // another place
    EXPECT_FALSE(comes_out_even(word(0x104, 0xffff)));
    ptx::LaneAccess other_place = word(0x104);
    other_place.addresses[7] += 4;
    EXPECT_FALSE(comes_out_even(other_place));
    ptx::LaneAccess store = word(0x104);
    store.op = Op::shared_store;
    EXPECT_FALSE(comes_out_even(store));
    ptx::JoinedAccesses warp;
    EXPECT_EQ(taken(warp, wide, word(0x200)), Found::made);
    EXPECT_EQ(taken(warp, wide, word(0x200)), Found::made); // cannot load the same bytes a second time
    ptx::LaneAccess uneven = word(0x100);
    uneven.addresses[9] += 4; // the lanes do not load the same four words
    EXPECT_EQ(warp.take(wide, uneven), Found::lost);
}

TEST(JoinedAccesses, AnAccessOfItsOwnWidthIsAsItIs)
{
    ptx::JoinedAccesses warp;
    const ptx::MachineAccess own{.instruction = 3, .width = 4, .joins = false, .doubt = {}};
    ptx::LaneAccess access = word(0x104, 0xf0);
    EXPECT_EQ(warp.take(own, access), Found::made);
    EXPECT_EQ(access.addresses, word(0x104).addresses);
    EXPECT_EQ(access.width, 4);
    EXPECT_EQ(taken(warp, absent, word(0x104, 0)), Found::made); // no lane takes part
    EXPECT_TRUE(warp.end_interval());
}

// Two instructions outside of loops run twice. A third run means that one was moved out of its loop.
TEST(JoinedAccesses, WhatIsOutsideOfLoopsRunsOnce)
{
    ptx::JoinedAccesses warp;
    const ptx::MachineAccess own{.instruction = 3, .width = 4, .joins = false, .at_most = 2, .doubt = {}};
    const auto run = [&](uint32_t mask) { return taken(warp, own, word(0x100, mask)); };
    EXPECT_EQ(run(~0u), Found::made);
    EXPECT_EQ(run(0xffff), Found::made); // half of the lanes, then the others
    EXPECT_EQ(run(0xffff0000), Found::made);
    EXPECT_EQ(run(1), Found::lost);
    EXPECT_TRUE(warp.end_interval());
    EXPECT_EQ(run(~0u), Found::made);
}

TEST(MachineAccesses, ALoopThatIsNotInTheCodeBoundsItsInstructions)
{
    const ptx::Program program = kernel_of("mov.u32 %r1, 0;\n$again: ld.shared.f32 %f1, [%r1];\n"
                                           "add.u32 %r1, %r1, 4; setp.lt.u32 %p1, %r1, 64; @%p1 bra $again;\n");
    const kernels::Instruction load = instruction("LDS", Op::shared_load, 4, first_line + 1);
    const auto made = [&](const Code& code, const std::vector<cuda::CodeLoop>& loops) {
        const ptx::MachineAccesses accesses(code, program, &loops);
        EXPECT_EQ(accesses.one_to_one(), access_in_line(accesses, program, first_line + 1).at_most == 0);
        return access_in_line(accesses, program, first_line + 1).at_most;
    };
    EXPECT_EQ(made({load}, {}), 1);
    EXPECT_EQ(made({load, load, load}, {}), 3);
    EXPECT_EQ(made({load}, {{.first = load.address, .last = load.address + 32}}), 0);
    EXPECT_EQ(made({load}, {{.first = load.address + 16, .last = load.address + 32}}), 1);
    const kernels::Instruction barrier{.address = load.address + 16, .name = "BAR"};
    EXPECT_EQ(made({load, barrier}, {{.first = load.address, .last = load.address + 32}}), 1);
}

TEST(MachineAccesses, ALoadThatLeftTheInnerLoopIsDoubted)
{
    const ptx::Program program = kernel_of("mov.u32 %r1, 0;\n$outer: mov.u32 %r2, 0;\n"
                                           "$inner: ld.shared.f32 %f1, [%r1];\n"
                                           "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 9; @%p1 bra $inner;\n"
                                           "add.u32 %r1, %r1, 4; setp.lt.u32 %p1, %r1, 64; @%p1 bra $outer;\n");
    const kernels::Instruction load = instruction("LDS", Op::shared_load, 4, first_line + 2);
    const cuda::CodeLoop outer{.first = load.address - 16, .last = load.address + 64};
    const auto doubt = [&](const std::vector<cuda::CodeLoop>& loops, const Code& code) {
        const ptx::MachineAccesses accesses(code, program, &loops);
        const ptx::MachineAccess& access = access_in_line(accesses, program, first_line + 2);
        EXPECT_EQ(access.doubt.empty(), accesses.one_to_one());
        EXPECT_EQ(access.at_most, 0);
        return access.doubt;
    };
    EXPECT_EQ(doubt({outer, {.first = load.address, .last = load.address + 32}}, {load}), "");
    EXPECT_TRUE(says(doubt({outer}, {load}), "moved LDS at 0x80 of ld.shared.f32 in line 8 of the PTX out of a loop"));
    EXPECT_TRUE(says(doubt({outer, {.first = load.address + 16, .last = load.address + 32}}, {load}), "out of a loop"));
    // Two branches back to one place are one loop. If a loop was partly unrolled, the rest has fewer loops around it.
    EXPECT_TRUE(says(doubt({outer, {.first = outer.first, .last = load.address + 32}}, {load}), "out of a loop"));
    kernels::Instruction rest = load;
    rest.address += 48;
    EXPECT_EQ(doubt({outer, {.first = load.address, .last = load.address + 32}}, {load, rest}), "");
}

} // namespace
