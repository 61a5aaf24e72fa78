// What a warp does at mbarriers.
#include "ptx/arithmetic.h"
#include "ptx/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace ptx {

namespace {

using recording::Op;

} // namespace

Mbarrier& Warp::mbarrier_at(const Instruction& instruction, uint64_t where, int lane)
{
    Space space = instruction.kind == Kind::mbarrier ? instruction.space : Space::shared;
    locate(instruction, space, where, 8, lane, true);
    const bool waits = instruction.mbarrier_op == MbarrierOp::test || instruction.mbarrier_op == MbarrierOp::wait;
    if (space == Space::cluster && instruction.kind == Kind::mbarrier && waits)
        fault(
            statement(instruction),
            fmt::format("{} waits for an mbarrier of another block of its cluster; only its own block can wait for it",
                        thread(lane).text()));
    const bool in_shared = space == Space::shared || space == Space::cluster;
    Mbarrier* const found = in_shared ? block_of(where)->mbarriers.find(where % cluster_step) : nullptr;
    if (found == nullptr)
        fault(statement(instruction),
              fmt::format("{} uses an mbarrier at byte {} of shared memory{}, where none was made by mbarrier.init",
                          thread(lane).text(), where % cluster_step,
                          space == Space::cluster ? " of another block of its cluster" : ""));
    return *found;
}

void Warp::make_mbarrier(const Instruction& instruction, int lane)
{
    Space space = instruction.space;
    uint64_t where = address(instruction, lane);
    std::byte* const place = locate(instruction, space, where, 8, lane, true);
    const uint32_t count = at<uint32_t>(registers_.data(), instruction.r[1])[lane];
    if (space != Space::shared)
        fault(statement(instruction),
              fmt::format("{} makes an mbarrier that is not in shared memory", thread(lane).text()));
    if (count < 1 || count > Mbarriers::most)
        fault(statement(instruction), fmt::format("{} makes an mbarrier for {} arrivals; it can have 1 to {}",
                                                  thread(lane).text(), count, Mbarriers::most));
    const uint64_t state = block_.mbarriers.make(where, count).state();
    std::memcpy(place, &state, sizeof state);
}

void Warp::arrive(Mbarrier& barrier, const Instruction& instruction, int64_t count, int lane)
{
    if (count < 1 || count > barrier.pending)
        fault(statement(instruction), fmt::format("{} arrives {} times at an mbarrier that waits for {} of {} arrivals",
                                                  thread(lane).text(), count, barrier.pending, barrier.expected));
    barrier.pending -= count;
    if (barrier.settle())
        block_.cluster.wake();
}

void Warp::expect(Mbarrier& barrier, const Instruction& instruction, int64_t bytes, int lane)
{
    barrier.bytes += bytes;
    if (barrier.bytes > Mbarriers::most || barrier.bytes < -Mbarriers::most)
        fault(statement(instruction),
              fmt::format("{} makes {} bytes under way at an mbarrier, more than the {} it counts", thread(lane).text(),
                          barrier.bytes, Mbarriers::most));
    const bool may_end = instruction.mbarrier_op == MbarrierOp::complete || instruction.kind != Kind::mbarrier;
    if (may_end && barrier.settle())
        block_.cluster.wake();
}

// One lane's part of all but waiting.
void Warp::at_mbarrier(const Instruction& instruction, int lane)
{
    std::byte* const registers = registers_.data();
    const auto number = [&] {
        return instruction.r[1] == no_register ? int64_t{1} : int64_t{at<uint32_t>(registers, instruction.r[1])[lane]};
    };
    const auto give = [&](uint64_t value) { write_register(registers, instruction.to.front(), lane, value); };
    if (instruction.mbarrier_op == MbarrierOp::pending)
        return give(at<uint64_t>(registers, instruction.r[1])[lane] & 0xffffffff);
    if (instruction.mbarrier_op == MbarrierOp::make)
        return make_mbarrier(instruction, lane);
    Mbarrier& barrier = mbarrier_at(instruction, address(instruction, lane), lane);
    switch (instruction.mbarrier_op) {
    case MbarrierOp::forget: {
        Space space = instruction.space;
        uint64_t where = address(instruction, lane);
        locate(instruction, space, where, 8, lane, true);
        block_.mbarriers.erase(where);
        break;
    }
    case MbarrierOp::drop: --barrier.expected; [[fallthrough]];
    case MbarrierOp::arrive:
        give(barrier.state());
        if (instruction.truth != 0) {
            expect(barrier, instruction, number(), lane);
            arrive(barrier, instruction, 1, lane);
        } else {
            arrive(barrier, instruction, number(), lane);
        }
        break;
    case MbarrierOp::expect: expect(barrier, instruction, number(), lane); break;
    case MbarrierOp::complete: expect(barrier, instruction, -number(), lane); break;
    case MbarrierOp::after_copies:
        if (instruction.truth != 0) // else its arrival is one more than was counted
            arrive(barrier, instruction, 1, lane);
        break;
    default: break;
    }
}

// Copies of these lanes that are under way are done now.
void Warp::complete_copies(uint32_t mask)
{
    const auto finish = [&](PendingCopy& copy) {
        complete(copy, mask);
        copy.mask &= ~mask;
    };
    for (auto& group : groups_of_copies_)
        std::ranges::for_each(group, finish);
    std::ranges::for_each(open_, finish);
}

// False: the lanes wait, and come here again.
bool Warp::mbarrier(Group& group, const Instruction& instruction, uint32_t mask)
{
    std::array<uint64_t, 32> numbers{};
    uint32_t own = 0; // lanes whose mbarrier is in their own block
    const auto note = [&](int lane) {
        const uint64_t where = address(instruction, lane);
        numbers[static_cast<std::size_t>(lane)] = mbarrier_at(instruction, where, lane).number;
        own |= static_cast<uint32_t>(is_own(where % window_bytes)) << lane;
    };
    const bool waits = instruction.mbarrier_op == MbarrierOp::test || instruction.mbarrier_op == MbarrierOp::wait;
    if (!waits) {
        const bool arrives = instruction.mbarrier_op == MbarrierOp::arrive ||
                             instruction.mbarrier_op == MbarrierOp::drop ||
                             instruction.mbarrier_op == MbarrierOp::after_copies;
        if (arrives)
            for_lanes(mask, note);
        if (instruction.mbarrier_op == MbarrierOp::after_copies)
            complete_copies(mask);
        for_lanes(mask, [&](int lane) { at_mbarrier(instruction, lane); });
        if (own != 0)
            tell(Op::arrive, instruction, own, numbers, 0);
        block_.between_blocks += arrives && own != mask ? 1 : 0;
        return true;
    }
    uint32_t done = 0;
    for_lanes(mask, [&](int lane) {
        const Mbarrier& barrier = mbarrier_at(instruction, address(instruction, lane), lane);
        const bool over = instruction.truth != 0
                              ? (barrier.phase & 1) != (at<uint32_t>(registers_.data(), instruction.r[1])[lane] & 1)
                              : barrier.phase > at<uint64_t>(registers_.data(), instruction.r[1])[lane] >> 32;
        done |= static_cast<uint32_t>(over) << lane;
        note(lane);
    });
    if (instruction.mbarrier_op == MbarrierOp::wait && done != mask) {
        group.state = State::at_mbarrier;
        return false;
    }
    write_bits(registers_.data(), instruction.r[3], mask, done);
    yields_ = yields_ || done != mask; // others shall go on, so that it becomes true
    if (done != 0)
        tell(Op::wait, instruction, done, numbers, 0);
    return true;
}

void Warp::wake()
{
    for (Group& group : groups_)
        if (group.state == State::at_mbarrier)
            group.state = State::ready;
}

} // namespace ptx
