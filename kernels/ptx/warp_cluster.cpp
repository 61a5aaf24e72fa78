// What a warp does with the other blocks of its cluster: their barrier, and stores that an mbarrier there counts.
#include "ptx/arithmetic.h"
#include "ptx/cluster.h"

#include <fmt/format.h>

#include <cstring>

namespace ptx {

// False: its lanes wait, and come here again.
bool Warp::cluster_barrier(Group& group, const Instruction& instruction, uint32_t mask)
{
    if (mask == 0)
        return true;
    const bool waits = instruction.truth != 0;
    const auto refuse = [&](uint32_t lanes, const char* what) {
        if (lanes != 0)
            fault(statement(instruction), fmt::format("{} {}", thread(std::countr_zero(lanes)).text(), what));
    };
    if (instruction.aligned && mask != live_)
        fault(statement(instruction),
              fmt::format("only {} of the {} threads of warp {} reach the barrier of their cluster together; it must "
                          "not stand where some threads go another way",
                          std::popcount(mask), std::popcount(live_), number_));
    if (!waits) {
        refuse(mask & (in_cluster_ | may_pass_), "arrives at the barrier of its cluster again before it has waited "
                                                 "there for the others");
        in_cluster_ |= mask;
        block_.cluster.arrived = true;
        block_.cluster.barrier_may_end();
        return true;
    }
    refuse(mask & ~(in_cluster_ | may_pass_), "waits at the barrier of its cluster without having arrived there");
    if ((mask & in_cluster_) != 0) {
        group.state = State::at_cluster;
        return false;
    }
    may_pass_ &= ~mask;
    tell(recording::Op::barrier, instruction, mask, {}, 0);
    return true;
}

void Warp::pass_cluster_barrier()
{
    may_pass_ |= in_cluster_;
    in_cluster_ = 0;
    for (Group& group : groups_)
        if (group.state == State::at_cluster)
            group.state = State::ready;
}

// st.async and red.async: the mbarrier in the same block counts the bytes.
void Warp::async_store(const Instruction& instruction, uint32_t mask)
{
    const uint64_t bytes = instruction.width * instruction.in.size();
    for_lanes(mask, [&](int lane) {
        Space space = Space::shared;
        uint64_t where = address(instruction, lane);
        const uint64_t first = where;
        std::byte* to = locate(instruction, space, where, bytes, lane, true);
        for (const uint32_t from : instruction.in) {
            uint64_t value = read_register(registers_.data(), from, lane);
            if (instruction.combine != Combine::none) {
                uint64_t before = 0;
                std::memcpy(&before, to, instruction.width);
                value = combined(instruction, before, value, 0);
            }
            std::memcpy(to, &value, instruction.width);
            to += instruction.width;
        }
        const uint64_t barrier =
            read_register(registers_.data(), instruction.r[2] | (instruction.to_signed ? is_wide : 0), lane);
        if (block_of(barrier) != block_of(first))
            fault(statement(instruction),
                  fmt::format("{} stores to one block of its cluster, and the mbarrier is in another",
                              thread(lane).text()));
        expect(mbarrier_at(instruction, barrier, lane), instruction, -static_cast<int64_t>(bytes), lane);
    });
    block_.between_blocks += mask != 0 ? 1 : 0;
}

} // namespace ptx
