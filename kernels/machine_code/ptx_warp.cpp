#include "machine_code/ptx_warp.h"

#include "error.h"
#include "machine_code/ptx_arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace cuda {

namespace {

using Kind = PtxOperand::Kind;

constexpr int lanes_of_a_warp = recording::warp_size;

template <class Function>
void for_each_lane(uint32_t mask, const Function& function)
{
    for (int lane = 0; lane < lanes_of_a_warp; ++lane)
        if (mask >> lane & 1)
            function(lane);
}

bool is_access(PtxCode code)
{
    return code == PtxCode::load || code == PtxCode::store || code == PtxCode::async_copy ||
           code == PtxCode::matrix_load;
}

} // namespace

PtxWarp::PtxWarp(const PtxProgram& program, std::span<const std::vector<std::byte>> parameters, const PtxEvents& events)
    : program_(program), parameters_(parameters), events_(events), registers_(program.registers),
      is_data_(program.registers)
{
}

void PtxWarp::run(const PtxWarpPlace& place, uint64_t& steps)
{
    place_ = place;
    std::fill(registers_.begin(), registers_.end(), LaneValues{});
    std::fill(is_data_.begin(), is_data_.end(), uint8_t{0});
    for (const uint32_t unknown : program_.unknown_values)
        is_data_[unknown] = 1;
    const auto end = static_cast<uint32_t>(program_.statements.size());
    const uint32_t threads = place.launch.threads_per_block();
    threads_ = 0;
    for (uint32_t lane = 0; lane < next_.size(); ++lane) {
        const bool exists = place.warp * recording::warp_size + lane < threads;
        threads_ |= uint32_t{exists} << lane;
        next_[lane] = exists ? 0 : end;
    }
    uint32_t number = 0;
    while (const uint32_t lanes = next_lanes(number)) {
        if (steps == 0)
            throw kernels::Unavailable(
                "The launch is too long to be followed through its machine code, which ends after 40 million warp "
                "instructions; choose a smaller size, where each block does the same for its tile.");
        --steps;
        step(program_.statements[number], number, lanes);
    }
}

// The lanes that are furthest behind run next, so that those that parted meet again, as on the GPU.
uint32_t PtxWarp::next_lanes(uint32_t& statement) const
{
    statement = *std::min_element(next_.begin(), next_.end());
    if (statement >= program_.statements.size())
        return 0;
    uint32_t lanes = 0;
    for (int lane = 0; lane < lanes_of_a_warp; ++lane)
        lanes |= uint32_t{next_[lane] == statement} << lane;
    return lanes;
}

uint32_t PtxWarp::lanes_that_run(const PtxStatement& statement, uint32_t lanes) const
{
    if (statement.predicate < 0)
        return lanes;
    if (is_data_[statement.predicate])
        refuse(statement);
    uint32_t mask = 0;
    for_each_lane(lanes, [&](int lane) {
        if ((registers_[statement.predicate][lane] != 0) != statement.negated)
            mask |= 1u << lane;
    });
    return mask;
}

void PtxWarp::step(const PtxStatement& statement, uint32_t number, uint32_t lanes)
{
    const bool moves_nothing = statement.code == PtxCode::data || statement.code == PtxCode::nothing;
    const uint32_t mask = moves_nothing ? lanes : lanes_that_run(statement, lanes);
    if (statement.code == PtxCode::branch || statement.code == PtxCode::leave) {
        branch(statement, number, lanes, mask);
        return;
    }
    for_each_lane(lanes, [&](int lane) { next_[lane] = number + 1; });
    if (statement.code == PtxCode::nothing || mask == 0)
        return;
    if (statement.code == PtxCode::barrier)
        events_.barrier();
    else if (is_access(statement.code))
        access(statement, mask);
    else if (statement.code == PtxCode::load_parameter)
        load_parameter(statement, mask);
    else if (statement.code == PtxCode::unknown) {
        events_.unknown(statement);
        mark_data(statement);
    } else if (statement.code == PtxCode::data || needs_data(statement))
        mark_data(statement);
    else
        compute(statement, mask);
}

void PtxWarp::branch(const PtxStatement& statement, uint32_t number, uint32_t lanes, uint32_t taken)
{
    const auto end = static_cast<uint32_t>(program_.statements.size());
    for_each_lane(lanes, [&](int lane) {
        next_[lane] = !(taken >> lane & 1) ? number + 1 : statement.code == PtxCode::leave ? end : statement.target;
    });
}

LaneValues PtxWarp::addresses(const PtxStatement& statement, const PtxOperand& address, uint32_t mask) const
{
    if (address.kind == Kind::variable && is_data_[address.index])
        refuse(statement);
    LaneValues result{};
    for_each_lane(mask, [&](int lane) { result[lane] = value(address, lane); });
    return result;
}

void PtxWarp::access(const PtxStatement& statement, uint32_t mask)
{
    if (statement.code == PtxCode::async_copy)
        copy(statement, mask);
    else if (const LaneValues at = addresses(statement, statement.address, mask); mask != 0)
        events_.access(statement, mask, at);
    mark_data(statement);
}

void PtxWarp::copy(const PtxStatement& statement, uint32_t mask)
{
    const LaneValues from = addresses(statement, statement.second_address, mask);
    const LaneValues to = addresses(statement, statement.address, mask);
    uint32_t idle = 0;
    if (statement.in.size() > 1) { // how much is read; the rest is zeros
        const PtxOperand& bytes = statement.in[1];
        if (bytes.kind == Kind::variable && is_data_[bytes.index])
            refuse(statement);
        for_each_lane(mask, [&](int lane) { idle |= uint32_t{value(bytes, lane) == 0} << lane; });
    }
    if (mask != 0)
        events_.copy(statement, mask & ~idle, idle, from, to);
}

void PtxWarp::load_parameter(const PtxStatement& statement, uint32_t mask)
{
    const auto bytes = static_cast<std::size_t>(statement.type.bits / 8);
    const std::vector<std::byte>& parameter = parameters_[statement.address.index];
    for (std::size_t i = 0; i < statement.to.size(); ++i) {
        const std::size_t offset = statement.address.value + i * bytes;
        uint64_t value = 0;
        if (statement.address.index >= parameters_.size() || offset + bytes > parameter.size())
            refuse(statement);
        std::memcpy(&value, parameter.data() + offset, bytes);
        if (statement.type.is_signed)
            value = ptx_extended(value, statement.type);
        for_each_lane(mask, [&](int lane) { registers_[statement.to[i]][lane] = value; });
        is_data_[statement.to[i]] = 0;
    }
}

void PtxWarp::compute(const PtxStatement& statement, uint32_t mask)
{
    for_each_lane(mask, [&](int lane) {
        std::array<uint64_t, 4> in{};
        for (std::size_t i = 0; i < std::min(statement.in.size(), in.size()); ++i)
            in[i] = value(statement.in[i], lane);
        registers_[statement.to.front()][lane] = ptx_result(statement, in);
    });
    if (mask == threads_) // where only some lanes write, the others may still hold data
        is_data_[statement.to.front()] = 0;
}

void PtxWarp::mark_data(const PtxStatement& statement)
{
    for (const uint32_t to : statement.to)
        is_data_[to] = 1;
}

bool PtxWarp::needs_data(const PtxStatement& statement) const
{
    const bool combines = statement.code == PtxCode::compare && statement.in.size() != 2; // with another predicate
    if (statement.to.size() != 1 || combines) // moves of several registers are of data
        return true;
    return std::any_of(statement.in.begin(), statement.in.end(), [this](const PtxOperand& operand) {
        return operand.kind == Kind::variable && is_data_[operand.index] != 0;
    });
}

uint64_t PtxWarp::value(const PtxOperand& operand, int lane) const
{
    switch (operand.kind) {
    case Kind::variable: return registers_[operand.index][lane] + operand.value;
    case Kind::immediate: return operand.value;
    case Kind::special: return special(operand.index, lane);
    case Kind::none: break;
    }
    return 0;
}

uint64_t PtxWarp::special(uint32_t which, int lane) const
{
    const recording::Index3& block = place_.launch.block;
    const uint32_t thread = place_.warp * recording::warp_size + static_cast<uint32_t>(lane);
    const recording::Index3 of_thread{thread % block.x, thread / block.x % block.y, thread / block.x / block.y};
    const recording::Index3* const groups[] = {&of_thread, &block, &place_.block, &place_.launch.grid};
    if (which >= 12)
        return static_cast<uint64_t>(lane);
    const recording::Index3& group = *groups[which / 3];
    return which % 3 == 0 ? group.x : which % 3 == 1 ? group.y : group.z;
}

void PtxWarp::refuse(const PtxStatement& statement) const
{
    throw kernels::Unavailable(
        fmt::format("What this kernel runs depends on what other warps do or on its data ({} in line "
                    "{} of its PTX), so its machine code cannot be followed without a GPU.",
                    statement.name, statement.line));
}

} // namespace cuda
