// Tests slots in the form that RecordProbe writes, see device/probe_state.h.
#include "cuda/slots.h"

#include "device/probe_state.h"

#include <gtest/gtest.h>

namespace {

using recording::Access;
using recording::Op;

constexpr uint32_t what(Op op, uint32_t array, uint32_t width)
{
    return static_cast<uint32_t>(op) | array << 8 | width << 16;
}

// Returns slots that no warp has written.
std::vector<uint32_t> empty_slots(std::size_t steps)
{
    return std::vector<uint32_t>(steps * slot_words, ~0u);
}

void put(std::vector<uint32_t>& slots, std::size_t step, uint32_t header, uint32_t line)
{
    slots[step * slot_words] = header;
    slots[step * slot_words + 1] = line;
}

uint32_t& lane_of(std::vector<uint32_t>& slots, std::size_t step, uint32_t lane)
{
    return slots[step * slot_words + slot_header_words + lane];
}

TEST(TraceSlots, KeepWhatEachLaneDid)
{
    std::vector<uint32_t> slots = empty_slots(2);
    put(slots, 0, what(Op::global_store, 2, 16), 77);
    lane_of(slots, 0, 0) = 0;
    lane_of(slots, 0, 31) = 4096;
    put(slots, 1, what(Op::barrier, 0, 0), 78);
    for (uint32_t lane = 0; lane < 32; ++lane)
        lane_of(slots, 1, lane) = 0;

    std::vector<Access> accesses(1); // from an earlier piece
    EXPECT_TRUE(cuda::append_steps(slots, accesses));

    Access store{.op = Op::global_store, .array = 2, .width = 16, .line = 77, .mask = 0x80000001};
    store.offset[31] = 4096;
    ASSERT_EQ(accesses.size(), 3);
    EXPECT_EQ(accesses[1], store);
    EXPECT_EQ(accesses[2], (Access{.op = Op::barrier, .line = 78, .mask = 0xffffffff}));
}

TEST(TraceSlots, SayWhetherAnLdmatrixTransposes)
{
    std::vector<uint32_t> slots = empty_slots(2);
    put(slots, 0, what(Op::matrix_load, 3, 16), 5);
    put(slots, 1, what(Op::matrix_load, 3, 16) | 1u << slot_transposed_bit, 6);
    std::vector<Access> accesses;
    EXPECT_TRUE(cuda::append_steps(slots, accesses));
    EXPECT_EQ(accesses.at(0).transposed, recording::Transposed::no);
    EXPECT_EQ(accesses.at(1).transposed, recording::Transposed::yes);
    EXPECT_EQ(accesses.at(1).width, 16);
}

TEST(TraceSlots, EndWhereTheWarpNeverCame)
{
    std::vector<uint32_t> slots = empty_slots(3);
    put(slots, 0, what(Op::shared_load, 3, 4), 5);
    std::vector<Access> accesses;
    EXPECT_FALSE(cuda::append_steps(slots, accesses));
    ASSERT_EQ(accesses.size(), 1);
    EXPECT_EQ(accesses[0], (Access{.op = Op::shared_load, .array = 3, .width = 4, .line = 5}));
}

} // namespace
