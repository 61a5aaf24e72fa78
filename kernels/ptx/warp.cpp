// A warp: its lanes in groups that are at the same instruction, and what its instructions do beside arithmetic.
#include "ptx/arithmetic.h"
#include "ptx/cluster.h"
#include "ptx/decode.h"
#include "ptx/matrix.h"
#include "ptx/special.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace ptx {

namespace {

// Lanes that wait for one another in a loop would wait for ever if always the first in the order went on.
constexpr uint64_t patience = 1 << 16, turn = 1 << 10;

uint64_t special_value(const std::string& name, uint32_t lane, const recording::Index3& thread, uint32_t warp,
                       const Block& own)
{
    const recording::Launch& launch = own.launch.extent;
    const recording::Index3 &block = own.index, &cluster = own.cluster.extent;
    const auto axis = [&](const recording::Index3& index) { return on_axis(index, name); };
    if (const auto known = special_of_place(name, {launch, block, thread}))
        return *known;
    if (name.starts_with("%cluster_ctaid."))
        return axis(own.in_cluster);
    if (name.starts_with("%cluster_nctaid."))
        return axis(cluster);
    if (name.starts_with("%clusterid."))
        return axis(block) / axis(cluster);
    if (name.starts_with("%nclusterid."))
        return axis(launch.grid) / axis(cluster);
    if (name == "%cluster_ctarank")
        return own.rank;
    if (name == "%cluster_nctarank")
        return cluster.volume();
    if (name == "%is_explicit_cluster")
        return own.cluster.asked_for ? 1 : 0;
    const uint32_t bit = 1u << lane;
    if (name == "%laneid")
        return lane;
    if (name == "%warpid")
        return warp;
    if (name == "%nwarpid")
        return launch.warps_per_block();
    if (name == "%nsmid")
        return 1;
    if (name == "%lanemask_eq")
        return bit;
    if (name == "%lanemask_lt")
        return bit - 1;
    if (name == "%lanemask_le")
        return bit | (bit - 1);
    if (name == "%lanemask_ge")
        return ~(bit - 1);
    if (name == "%lanemask_gt")
        return ~(bit | (bit - 1));
    if (name == "%dynamic_smem_size")
        return own.launch.dynamic_shared_bytes;
    if (name == "%total_smem_size")
        return own.shared.size();
    return 0;
}

} // namespace

void fill_constants(const Program& program, std::byte* registers)
{
    for (const Program::Constant& constant : program.constants)
        for (int lane = 0; lane < lane_count; ++lane)
            write_register(registers, constant.at | (constant.wide ? is_wide : 0), lane, constant.value);
}

Warp::Warp(Block& block, uint32_t number)
    : block_(block), name_{block.launch.extent, block.index, number}, number_(number),
      registers_(block.program.register_bytes + 64)
{
    const uint32_t lanes = std::min(block.launch.extent.threads_per_block() - number * 32, 32u);
    all_ = lanes == 32 ? ~0u : (1u << lanes) - 1;
    local_.resize(block.program.local_bytes * 32);
}

void Warp::begin()
{
    live_ = all_;
    in_cluster_ = may_pass_ = 0;
    steps_ = turns_ = 0;
    // A block finds nothing of the one before it, whichever that was.
    std::ranges::fill(registers_, std::byte{});
    std::ranges::fill(local_, std::byte{});
    fill_constants(block_.program, registers_.data());
    groups_.assign(1, {.next = 0, .mask = all_});
    open_.clear();
    groups_of_copies_.clear();
    const recording::Launch& launch = block_.launch.extent;
    for (const Program::Special& special : block_.program.specials)
        for (uint32_t lane = 0; lane < 32; ++lane) {
            const uint32_t thread = std::min(number_ * 32 + lane, launch.threads_per_block() - 1);
            const uint64_t value = special_value(special.name, lane, launch.block.place_of(thread), number_, block_);
            if (special.bytes == 0)
                write_bits(registers_.data(), special.at, ~0u, value != 0 ? ~0u : 0);
            else
                write_register(registers_.data(), special.at | (special.bytes == 8 ? is_wide : 0), lane, value);
        }
}

const Statement& Warp::statement(const Instruction& instruction) const
{
    return block_.program.statements[instruction.statement];
}

bool Warp::ready() const
{
    return std::ranges::any_of(groups_, [](const Group& group) { return group.state == State::ready; });
}

// Groups that have come to the same instruction become one; of those that can go on, the one that is least far.
std::optional<std::size_t> Warp::choose()
{
    for (std::size_t i = 0; i < groups_.size(); ++i)
        for (std::size_t j = i + 1; j < groups_.size();)
            if (groups_[j].next == groups_[i].next && groups_[i].state != State::at_barrier &&
                groups_[j].state != State::at_barrier) {
                groups_[i].mask |= groups_[j].mask;
                groups_[i].state = State::ready;
                groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(j));
            } else {
                ++j;
            }
    std::optional<std::size_t> first;
    const std::vector<uint32_t>& place = block_.program.place;
    const bool other_turn = groups_.size() > 1 && turns_ % (patience + turn) >= patience;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        if (groups_[i].state != State::ready)
            continue;
        const bool before = first && (place[groups_[i].next] < place[groups_[*first].next]) != other_turn;
        if (!first || before)
            first = i;
    }
    return first;
}

uint64_t Warp::run(uint64_t most)
{
    const std::vector<Instruction>& code = block_.program.instructions;
    std::byte* const registers = registers_.data();
    uint64_t done = 0;
    yields_ = false;
    while (done < most && !yields_) {
        const std::optional<std::size_t> chosen = choose();
        if (!chosen)
            break;
        const bool alone = groups_.size() == 1;
        while (done < most) {
            Group& group = groups_[*chosen];
            const Instruction& instruction = code[group.next];
            uint32_t mask = group.mask;
            if (instruction.guard != no_register) {
                const uint32_t guard = *at<uint32_t>(registers, instruction.guard);
                mask &= instruction.negated ? ~guard : guard;
            }
            ++done;
            if (instruction.kind == Kind::arithmetic) {
                instruction.run(instruction, registers, mask);
                ++group.next;
            } else if (instruction.kind == Kind::branch && (mask == 0 || mask == group.mask)) {
                group.next = mask == 0 ? group.next + 1 : instruction.target;
            } else if (instruction.kind == Kind::branch || instruction.kind == Kind::branch_table) {
                branch(*chosen, instruction, mask);
                break;
            } else if (instruction.kind == Kind::exit) {
                leave(*chosen, mask);
                break;
            } else {
                step(group, instruction, mask);
                if (groups_.size() > 1 || groups_[*chosen].state != State::ready || yields_)
                    break;
            }
            if (!alone && block_.program.starts_block[groups_[*chosen].next])
                break;
        }
        turns_ = groups_.size() > 1 ? turns_ + 1 : 0;
    }
    block_.clock += done;
    steps_ += done;
    return done;
}

void Warp::branch(std::size_t number, const Instruction& instruction, uint32_t taken)
{
    const Group group = groups_[number];
    std::vector<Group> ways;
    const auto go = [&](uint32_t to, uint32_t mask) {
        const auto found = std::ranges::find(ways, to, &Group::next);
        if (found != ways.end())
            found->mask |= mask;
        else if (mask != 0)
            ways.push_back({.next = to, .mask = mask});
    };
    go(group.next + 1, group.mask & ~taken);
    if (instruction.kind == Kind::branch) {
        go(instruction.target, taken);
    } else {
        const auto* index = at<uint32_t>(registers_.data(), instruction.r[0]);
        for_lanes(taken, [&](int lane) {
            if (index[lane] >= instruction.targets.size())
                fault(statement(instruction), fmt::format("{} goes to entry {} of a table of {}", thread(lane).text(),
                                                          index[lane], instruction.targets.size()));
            go(instruction.targets[index[lane]], 1u << lane);
        });
    }
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(number));
    groups_.insert(groups_.end(), ways.begin(), ways.end());
}

void Warp::leave(std::size_t number, uint32_t mask)
{
    for (const auto& group : groups_of_copies_)
        for (const PendingCopy& copy : group)
            complete(copy, mask);
    for (const PendingCopy& copy : open_)
        complete(copy, mask);
    Group& group = groups_[number];
    live_ &= ~mask;
    in_cluster_ &= ~mask;
    may_pass_ &= ~mask;
    group.mask &= ~mask;
    ++group.next;
    if (group.mask == 0)
        groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(number));
    for (Group& other : groups_) // they may have waited for lanes that will not come
        if (other.state == State::joining)
            other.state = State::ready;
    if (mask != 0)
        block_.lanes_left();
}

// Whether all lanes that are wanted here are here. Else these wait for them.
bool Warp::meets(Group& group, uint32_t wanted)
{
    if ((wanted & live_ & ~group.mask) == 0)
        return true;
    group.state = State::joining;
    return false;
}

void Warp::step(Group& group, const Instruction& instruction, uint32_t mask)
{
    switch (instruction.kind) {
    case Kind::load: load(instruction, mask); break;
    case Kind::store: store(instruction, mask); break;
    case Kind::atomic: atomic(instruction, mask); break;
    case Kind::barrier:
    case Kind::barrier_reduce: return barrier(group, instruction, mask);
    case Kind::warp_barrier:
    case Kind::shuffle:
    case Kind::vote:
    case Kind::match:
    case Kind::reduce:
    case Kind::elect: return collective(group, instruction, mask);
    case Kind::active_mask:
        for_lanes(mask, [&](int lane) { at<uint32_t>(registers_.data(), instruction.r[0])[lane] = mask; });
        break;
    case Kind::clock:
        for_lanes(mask, [&](int lane) {
            write_register(registers_.data(), instruction.r[0] | (instruction.width == 8 ? is_wide : 0), lane,
                           instruction.truth != 0 ? block_.clock >> 32 : block_.clock);
        });
        ++block_.clock;
        break;
    case Kind::cluster_barrier:
        if (!cluster_barrier(group, instruction, mask))
            return;
        break;
    case Kind::async_store: async_store(instruction, mask); break;
    case Kind::async_copy: async_copy(instruction, mask); break;
    case Kind::async_commit:
        commit();
        tell(recording::Op::async_commit, instruction, mask, {}, 0);
        break;
    case Kind::async_wait:
        wait(instruction.wait_all ? 0 : instruction.added);
        tell(recording::Op::async_wait, instruction, mask, {}, static_cast<uint32_t>(instruction.added));
        break;
    case Kind::matrix_load:
    case Kind::matrix_store:
    case Kind::multiply:
    case Kind::tile_load:
    case Kind::tile_store:
    case Kind::tile_multiply:
        if (!meets(group, ~0u))
            return;
        require_whole(instruction, mask);
        matrices(instruction, mask);
        break;
    case Kind::trap:
        if (mask != 0)
            fault(statement(instruction),
                  fmt::format("{} ends the kernel with a trap: an assertion failed, or __trap() was called",
                              thread(std::countr_zero(mask)).text()),
                  Fault::Kind::trap);
        break;
    case Kind::mbarrier:
        if (!mbarrier(group, instruction, mask))
            return;
        break;
    case Kind::bulk_copy: bulk_copy(instruction, mask); break;
    case Kind::tensor_copy: tensor_copy(instruction, mask); break;
    case Kind::group_multiply:
        if (!meets(group, ~0u))
            return;
        group_multiply(instruction, mask);
        break;
    case Kind::group_wait:
        if (meets(group, ~0u))
            group_wait(group, instruction, mask);
        return;
    case Kind::note: note(instruction, mask); break;
    case Kind::print: print(instruction, mask); break;
    default: break;
    }
    ++group.next;
}

void Warp::barrier(Group& group, const Instruction& instruction, uint32_t mask)
{
    if (mask == 0) {
        ++group.next;
        return;
    }
    if (instruction.aligned && mask != live_)
        fault(statement(instruction), fmt::format("only {} of the {} threads of warp {} of block ({},{},{}) reach this "
                                                  "barrier together; a barrier must not stand where "
                                                  "some threads go another way",
                                                  std::popcount(mask), std::popcount(live_), number_, block_.index.x,
                                                  block_.index.y, block_.index.z));
    const int lane = std::countr_zero(mask);
    const uint32_t number = at<uint32_t>(registers_.data(), instruction.r[1])[lane];
    if (number >= 16)
        fault(statement(instruction), fmt::format("barrier {} is none of the 16 that a block has", number));
    const uint32_t wanted =
        instruction.r[2] == no_register ? 0 : at<uint32_t>(registers_.data(), instruction.r[2])[lane];
    uint32_t holds = 0;
    if (instruction.kind == Kind::barrier_reduce) {
        const uint32_t condition = *at<uint32_t>(registers_.data(), instruction.r[3]);
        holds = static_cast<uint32_t>(std::popcount((instruction.truth != 0 ? ~condition : condition) & mask));
    }
    tell(recording::Op::barrier, instruction, mask, {}, 0);
    const uint32_t lanes = wanted != 0 && mask == live_ ? 32 : static_cast<uint32_t>(std::popcount(mask));
    const Group others{.next = group.next + 1, .mask = group.mask & ~mask}; // their predicate is false
    if (!instruction.transposed) {                                          // it waits
        group.state = State::at_barrier;
        group.barrier = number;
        group.mask = mask;
    } else {
        ++group.next;
        group.mask = mask;
    }
    if (others.mask != 0)
        groups_.push_back(others);
    block_.arrive(number, wanted, lanes, holds,
                  instruction.kind == Kind::barrier_reduce ? instruction.combine : Combine::none);
}

void Warp::give_result(uint32_t number, uint32_t result)
{
    for (const Group& group : groups_) {
        if (group.state != State::at_barrier || group.barrier != number)
            continue;
        const Instruction& instruction = block_.program.instructions[group.next];
        if (instruction.kind != Kind::barrier_reduce)
            continue;
        if (instruction.combine == Combine::add)
            for_lanes(group.mask, [&](int lane) { at<uint32_t>(registers_.data(), instruction.r[0])[lane] = result; });
        else
            write_bits(registers_.data(), instruction.r[0], group.mask, result != 0 ? ~0u : 0);
    }
}

void Warp::release(uint32_t number)
{
    for (Group& group : groups_)
        if (group.state == State::at_barrier && group.barrier == number) {
            group.state = State::ready;
            ++group.next;
        }
}

std::string Warp::waiting() const
{
    std::string result;
    for (const Group& group : groups_) {
        const Instruction& instruction = block_.program.instructions[group.next];
        const Statement& own = block_.program.statements[instruction.statement];
        const char* what = group.state == State::at_barrier      ? "waits at the barrier of"
                           : group.state == State::at_mbarrier   ? "waits for the mbarrier of"
                           : group.state == State::at_group_wait ? "waits for the other warps of its warpgroup at"
                           : group.state == State::at_cluster    ? "waits at the cluster's barrier of"
                           : group.state == State::joining       ? "waits for other lanes at"
                                                                 : "is at";
        if (result.size() < 300)
            result += fmt::format("{}{}{} line {}{}", result.empty() ? "" : ", ",
                                  std::popcount(group.mask) == std::popcount(all_)
                                      ? ""
                                      : fmt::format("({} lanes) ", std::popcount(group.mask)),
                                  what, own.source_line != 0 ? own.source_line : own.line,
                                  own.source_line != 0 ? "" : " of the PTX");
    }
    return result;
}

uint64_t Warp::address(const Instruction& instruction, int lane) const
{
    return read_register(registers_.data(), address_register(instruction), lane) + instruction.added;
}

void Warp::tell(recording::Op op, const Instruction& instruction, uint32_t mask, const LaneAddresses& address,
                uint32_t width, Space space)
{
    if (!block_.watch)
        return;
    const Statement& own = statement(instruction);
    traced::Step step{.op = op,
                      .width = static_cast<uint8_t>(width),
                      .transposed =
                          op == recording::Op::matrix_load
                              ? (instruction.transposed ? recording::Transposed::yes : recording::Transposed::no)
                              : recording::Transposed::unknown,
                      .space = space == Space::shared ? recording::Space::shared : recording::Space::global,
                      .line = own.source_line,
                      .instruction = instruction.statement + 1,
                      .mask = mask,
                      .address = address};
    block_.watch(block_.linear, number_, step);
}

// What the kernel says of an access: see device/watch_probe.h.
void Warp::note(const Instruction& instruction, uint32_t mask)
{
    if (!block_.watch || mask == 0)
        return;
    const auto first = static_cast<std::size_t>(std::countr_zero(mask));
    std::byte* const registers = registers_.data();
    const auto word = [&](std::size_t i) { return at<uint32_t>(registers, instruction.r[i]); };
    const uint32_t what = word(0)[first];
    traced::Step step{.op = static_cast<recording::Op>(what & 255),
                      .width = static_cast<uint8_t>(what >> 8 & 255),
                      .line = word(4)[first],
                      .noted = word(1)[first] + 1};
    if (step.op == recording::Op::matrix_load)
        step.transposed = what >> 16 != 0 ? recording::Transposed::yes : recording::Transposed::no;
    const uint64_t* const offset = at<uint64_t>(registers, instruction.r[2]);
    for_lanes(mask, [&](int lane) {
        if (word(3)[lane] == 0)
            return;
        step.mask |= 1u << lane;
        step.address[static_cast<std::size_t>(lane)] = offset[lane];
    });
    block_.watch(block_.linear, number_, step);
}

} // namespace ptx
