#include "ptx/block.h"
#include "ptx/program.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace ptx {

namespace {

// Lanes that wait for each other in a loop would wait forever if the first group in the order always ran. So after
// `patience` turns the last group runs for `turn` turns.
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
    if (name == "%envreg1")
        return own.cluster.together ? workspace_window >> 32 : 0;
    if (name == "%envreg2")
        return 0;
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

Warp::Warp(Block& of, uint32_t which)
    : block(of), name{of.launch.extent, of.index, which}, number(which), registers(of.program.register_bytes + 64),
      local(of.program.local_bytes * 32)
{
    const uint32_t lanes = std::min(block.launch.extent.threads_per_block() - number * 32, 32u);
    all_ = lanes == 32 ? ~0u : (1u << lanes) - 1;
}

void Warp::begin()
{
    live = all_;
    in_cluster = may_pass = 0;
    steps_ = turns_ = 0;
    // A block finds no data of the block before it, whichever that was.
    std::ranges::fill(registers, std::byte{});
    std::ranges::fill(local, std::byte{});
    fill_constants(block.program, registers.data());
    groups_.assign(1, {.next = 0, .mask = all_});
    copies = {};
    const recording::Launch& launch = block.launch.extent;
    for (const Program::Special& special : block.program.specials)
        for (uint32_t lane = 0; lane < 32; ++lane) {
            const uint32_t thread = std::min(number * 32 + lane, launch.threads_per_block() - 1);
            const uint64_t is = special_value(special.name, lane, launch.block.place_of(thread), number, block);
            if (special.bytes == 0)
                set_bits(special.at, ~0u, is != 0 ? ~0u : 0);
            else
                set(special.at | (special.bytes == 8 ? is_wide : 0), static_cast<int>(lane), is);
        }
}

bool Warp::ready() const
{
    return std::ranges::any_of(groups_, [](const Group& group) { return group.state == State::ready; });
}

// Merges groups that have reached the same instruction. Returns the group that is furthest behind of those that can
// continue.
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
    const std::vector<uint32_t>& place = block.program.place;
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
    const Instruction* const code = block.program.instructions.data();
    std::byte* const all_registers = registers.data();
    uint64_t done = 0;
    yields = waits_for_grid = false;
    while (done < most && !yields) {
        const std::optional<std::size_t> chosen = choose();
        if (!chosen)
            break;
        current_ = *chosen;
        const bool alone = groups_.size() == 1;
        while (done < most) {
            Group& group = groups_[current_];
            const Instruction& instruction = code[group.next];
            uint32_t mask = group.mask;
            if (instruction.guard != no_register) {
                const uint32_t guard = *at<uint32_t>(all_registers, instruction.guard);
                mask &= instruction.negated ? ~guard : guard;
            }
            ++done;
            if (instruction.kind == Kind::arithmetic) {
                instruction.run(instruction, all_registers, mask);
                ++group.next;
            } else if (instruction.kind == Kind::branch && (mask == 0 || mask == group.mask)) {
                group.next = mask == 0 ? group.next + 1 : instruction.target;
            } else if (instruction.kind == Kind::branch || instruction.kind == Kind::branch_table) {
                branch(instruction, mask);
                break;
            } else if (instruction.kind == Kind::exit) {
                leave(mask);
                break;
            } else {
                stays_ = false;
                if (instruction.execute != nullptr)
                    instruction.execute(*this, instruction, mask);
                if (!stays_)
                    ++groups_[current_].next;
                if (groups_.size() > 1 || groups_[current_].state != State::ready || yields)
                    break;
            }
            if (!alone && block.program.starts_block[groups_[current_].next])
                break;
        }
        turns_ = groups_.size() > 1 ? turns_ + 1 : 0;
    }
    block.clock += done;
    steps_ += done;
    return done;
}

void Warp::branch(const Instruction& instruction, uint32_t taken)
{
    const Group group = groups_[current_];
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
        const uint32_t* const index = words(instruction.r[0]);
        for_lanes(taken, [&](int lane) {
            if (index[lane] >= instruction.targets.size())
                fail(instruction, lane,
                     fmt::format("goes to entry {} of a table of {}", index[lane], instruction.targets.size()));
            go(instruction.targets[index[lane]], 1u << lane);
        });
    }
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(current_));
    groups_.insert(groups_.end(), ways.begin(), ways.end());
}

void Warp::leave(uint32_t mask)
{
    copies.finish(*this, mask);
    Group& group = groups_[current_];
    live &= ~mask;
    in_cluster &= ~mask;
    may_pass &= ~mask;
    group.mask &= ~mask;
    ++group.next;
    if (group.mask == 0)
        groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(current_));
    release(State::joining); // lanes may have waited for lanes that have ended now
    if (mask != 0)
        block.lanes_left();
}

void Warp::stay(State state, uint32_t barrier)
{
    stays_ = true;
    groups_[current_].state = state;
    groups_[current_].barrier = barrier;
}

bool Warp::meets(uint32_t wanted)
{
    if ((wanted & live & ~groups_[current_].mask) == 0)
        return true;
    stay(State::joining);
    return false;
}

bool Warp::meets_whole(const Instruction& instruction, uint32_t mask)
{
    if (!meets(~0u))
        return false;
    if (mask != live || live != ~0u)
        fail(instruction, fmt::format("{} of the 32 lanes of warp {} take part; this instruction needs all of them",
                                      std::popcount(mask), number));
    return true;
}

void Warp::part(uint32_t mask)
{
    Group& group = groups_[current_];
    const Group others{.next = group.next + 1, .mask = group.mask & ~mask};
    group.mask = mask;
    if (others.mask != 0)
        groups_.push_back(others);
}

void Warp::release(State state, uint32_t barrier, std::optional<uint32_t> result)
{
    for (Group& group : groups_) {
        if (group.state != state || (state == State::at_barrier && group.barrier != barrier))
            continue;
        group.state = State::ready;
        const Instruction& waited = block.program.instructions[group.next];
        if (result && waited.kind == Kind::barrier_reduce && waited.combine == Combine::add)
            for_lanes(group.mask, [&](int lane) { words(waited.r[0])[lane] = *result; });
        else if (result && waited.kind == Kind::barrier_reduce)
            set_bits(waited.r[0], group.mask, *result != 0 ? ~0u : 0);
        // The instruction is complete. Groups that waited in other states execute it again.
        if (state == State::at_barrier || state == State::at_group_wait)
            ++group.next;
    }
}

std::string Warp::waiting() const
{
    std::string result;
    for (const Group& group : groups_) {
        const Statement& own = statement(block.program.instructions[group.next]);
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

const Statement& Warp::statement(const Instruction& instruction) const
{
    return block.program.statements[instruction.statement];
}

void Warp::fail(const Instruction& instruction, const std::string& what) const
{
    fault(statement(instruction), what);
}

void Warp::fail(const Instruction& instruction, int lane, const std::string& what, Fault::Kind kind,
                std::optional<Fault::Missed> missed) const
{
    fault(statement(instruction), fmt::format("{} {}", name.thread(lane).text(), what), kind, missed);
}

void Warp::tell(recording::Op op, const Instruction& instruction, uint32_t mask, const LaneAddresses& address,
                uint32_t width, Space space, uint64_t copied)
{
    if (!block.watch)
        return;
    if (&address != &step.address)
        step.address = address;
    step.op = op;
    step.width = static_cast<uint8_t>(width);
    step.copied = static_cast<uint32_t>(copied);
    step.transposed = op != recording::Op::matrix_load ? recording::Transposed::unknown
                      : instruction.transposed         ? recording::Transposed::yes
                                                       : recording::Transposed::no;
    step.space = space == Space::shared ? recording::Space::shared : recording::Space::global;
    step.line = statement(instruction).source_line;
    step.instruction = instruction.statement + 1;
    step.mask = mask;
    block.watch(block.linear, number, step);
}

} // namespace ptx
