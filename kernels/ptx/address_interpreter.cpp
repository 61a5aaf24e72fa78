#include "ptx/address_interpreter.h"

#include "error.h"
#include "ptx/arithmetic.h"
#include "ptx/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace ptx {

namespace {

// Calls found() with each register that the instruction writes.
template <class Found>
void for_results(const Instruction& instruction, Found found)
{
    switch (instruction.kind) {
    case Kind::arithmetic:
        for (std::size_t i = 0; i < instruction.results; ++i)
            found(instruction.r[i]);
        found(instruction.r[5]); // the carry
        break;
    case Kind::barrier_reduce:
    case Kind::shuffle:
    case Kind::vote:
    case Kind::match:
    case Kind::reduce:
    case Kind::active_mask:
    case Kind::elect:
    case Kind::clock:
        found(instruction.r[0]);
        found(instruction.r[5]);
        break;
    case Kind::mbarrier: found(instruction.r[3]); break;
    default: break;
    }
    for (const uint32_t to : instruction.to)
        found(to);
}

// Returns whether the instruction only computes values of registers. The guard of such an instruction may depend on data.
bool only_computes(Kind kind)
{
    switch (kind) {
    case Kind::arithmetic:
    case Kind::nop:
    case Kind::shuffle:
    case Kind::multiply:
    case Kind::clock: return true;
    default: return false;
    }
}

} // namespace

AddressInterpreter::AddressInterpreter(const Program& program, std::span<const std::byte> arguments, AccessSink& sink)
    : program_(program), arguments_(arguments), sink_(sink), registers_(program.register_bytes + 64),
      is_data_(registers_.size() / 4)
{
    fill_constants(program, registers_.data());
}

void AddressInterpreter::run(const WarpPlace& place, uint64_t& steps)
{
    begin(place);
    uint32_t number = 0;
    while (const uint32_t lanes = next_lanes(number)) {
        bool parted = false;
        do { // run to the next basic block before lanes are chosen anew
            if (steps == 0)
                throw kernels::Unavailable(
                    "The launch is too long to be followed through its machine code, which ends after 40 million warp "
                    "instructions; choose a smaller size, where each block does the same for its tile.");
            --steps;
            const Instruction& instruction = program_.instructions[number];
            parted = ends_block(instruction);
            if (is_data(instruction.guard) && !only_computes(instruction.kind))
                refuse(instruction);
            if (parted)
                branch(instruction, number, lanes);
            else if (is_data(instruction.guard))
                mark_results(instruction, true);
            else if (const uint32_t mask = lanes_that_run(instruction, lanes); mask != 0)
                step(instruction, mask);
            ++number;
        } while (!parted && !program_.starts_block[number]);
        if (!parted)
            for_lanes(lanes, [&](int lane) { next_[lane] = number; });
    }
}

void AddressInterpreter::begin(const WarpPlace& place)
{
    std::fill(is_data_.begin(), is_data_.end(), false);
    const uint32_t threads = place.launch.threads_per_block(), first = place.warp * recording::warp_size;
    threads_ = 0;
    for (uint32_t lane = 0; lane < next_.size(); ++lane) {
        const bool exists = first + lane < threads;
        threads_ |= uint32_t{exists} << lane;
        next_[lane] = exists ? 0 : static_cast<uint32_t>(program_.instructions.size());
    }
    for (const Program::Special& special : program_.specials)
        for (uint32_t lane = 0; lane < next_.size(); ++lane) {
            const recording::Index3 thread = place.launch.block.place_of(std::min(first + lane, threads - 1));
            const std::optional<uint32_t> known =
                special.name == "%laneid" ? lane : special_of_place(special.name, {place.launch, place.block, thread});
            if (known)
                at<uint32_t>(registers_.data(), special.at)[lane] = *known;
            else
                is_data_[special.at / 4] = true;
        }
}

// Chooses the lanes that run next: those that are furthest behind. So diverged lanes meet again, as on a GPU.
uint32_t AddressInterpreter::next_lanes(uint32_t& instruction) const
{
    const auto end = static_cast<uint32_t>(program_.instructions.size());
    const auto place = [&](uint32_t next) { return next < end ? program_.place[next] : end; };
    instruction = *std::ranges::min_element(next_, {}, place);
    uint32_t lanes = 0;
    for (int lane = 0; instruction < end && lane < lane_count; ++lane)
        lanes |= uint32_t{next_[lane] == instruction} << lane;
    return lanes;
}

uint32_t AddressInterpreter::lanes_that_run(const Instruction& instruction, uint32_t lanes) const
{
    if (instruction.guard == no_register)
        return lanes;
    const uint32_t guard = *at<uint32_t>(const_cast<std::byte*>(registers_.data()), instruction.guard);
    return lanes & (instruction.negated ? ~guard : guard);
}

void AddressInterpreter::branch(const Instruction& instruction, uint32_t number, uint32_t lanes)
{
    const uint32_t taken = lanes_that_run(instruction, lanes);
    for_lanes(lanes & ~taken, [&](int lane) { next_[lane] = number + 1; });
    if (instruction.kind == Kind::branch_table) {
        const LaneValues index = values(instruction, instruction.r[0], taken);
        return for_lanes(taken, [&](int lane) {
            if (index[lane] >= instruction.targets.size())
                refuse(instruction);
            next_[lane] = instruction.targets[index[lane]];
        });
    }
    const bool leaves = instruction.kind == Kind::exit;
    const uint32_t to = leaves ? static_cast<uint32_t>(program_.instructions.size()) : instruction.target;
    for_lanes(taken, [&](int lane) { next_[lane] = to; });
}

void AddressInterpreter::step(const Instruction& instruction, uint32_t mask)
{
    switch (instruction.kind) {
    case Kind::arithmetic: return arithmetic(instruction, mask);
    case Kind::load:
    case Kind::store:
    case Kind::matrix_load: return memory(instruction, mask);
    case Kind::async_copy: return copy(instruction, mask);
    case Kind::barrier:
    case Kind::barrier_reduce:
    case Kind::warp_barrier:
    case Kind::cluster_barrier: sink_.barrier(); break;
    case Kind::nop:
    case Kind::async_commit:
    case Kind::async_wait:
    case Kind::shuffle:
    case Kind::multiply:
    case Kind::clock: break;
    default: sink_.other(instruction);
    }
    mark_results(instruction, true);
}

void AddressInterpreter::arithmetic(const Instruction& instruction, uint32_t mask)
{
    const auto known = [this](uint32_t from) { return !is_data(from); };
    if (std::all_of(instruction.r.begin() + instruction.results, instruction.r.end(), known) &&
        std::ranges::all_of(instruction.in, known)) {
        instruction.run(instruction, registers_.data(), mask);
        if (mask == threads_) // if only some lanes write, the others may still hold data
            mark_results(instruction, false);
    } else {
        mark_results(instruction, true);
    }
}

void AddressInterpreter::memory(const Instruction& instruction, uint32_t mask)
{
    if (instruction.kind == Kind::load && instruction.space == Space::parameter)
        return load_parameter(instruction, mask);
    if (instruction.space == Space::global || instruction.space == Space::shared)
        sink_.access(instruction, mask, addresses(instruction, mask));
    else
        sink_.other(instruction);
    mark_results(instruction, true);
}

void AddressInterpreter::copy(const Instruction& instruction, uint32_t mask)
{
    LaneValues from = values(instruction, instruction.in[0], mask);
    for_lanes(mask, [&](int lane) { from[lane] += static_cast<uint64_t>(static_cast<int32_t>(instruction.in[1])); });
    const LaneValues to = addresses(instruction, mask);
    uint32_t idle = 0;
    if (instruction.in.size() > 2) { // the operand says how many bytes are read; the rest is filled with zeros
        const LaneValues bytes = values(instruction, instruction.in[2], mask);
        for_lanes(mask, [&](int lane) { idle |= uint32_t{bytes[lane] == 0} << lane; });
    }
    sink_.copy(instruction, mask & ~idle, idle, from, to);
}

void AddressInterpreter::load_parameter(const Instruction& instruction, uint32_t mask)
{
    const LaneValues first = addresses(instruction, mask);
    const uint64_t bytes = instruction.width * instruction.to.size();
    for_lanes(mask, [&](int lane) {
        if (first[lane] > arguments_.size() || bytes > arguments_.size() - first[lane])
            refuse(instruction);
        load_registers(instruction, registers_.data(), lane, arguments_.data() + first[lane]);
    });
    mark_results(instruction, false);
}

LaneValues AddressInterpreter::addresses(const Instruction& instruction, uint32_t mask) const
{
    LaneValues result = values(instruction, address_register(instruction), mask);
    for_lanes(mask, [&](int lane) { result[lane] += instruction.added; });
    return result;
}

LaneValues AddressInterpreter::values(const Instruction& instruction, uint32_t from, uint32_t mask) const
{
    if (is_data(from))
        refuse(instruction);
    LaneValues result{};
    for_lanes(mask, [&](int lane) { result[lane] = read_register(registers_.data(), from, lane); });
    return result;
}

void AddressInterpreter::mark_results(const Instruction& instruction, bool data)
{
    for_results(instruction, [&](uint32_t to) {
        if (to != no_register)
            is_data_[(to & ~is_wide) / 4] = data;
    });
}

bool AddressInterpreter::is_data(uint32_t at) const
{
    return at != no_register && is_data_[(at & ~is_wide) / 4];
}

void AddressInterpreter::refuse(const Instruction& instruction) const
{
    const Statement& statement = program_.statements[instruction.statement];
    throw kernels::Unavailable(
        fmt::format("What this kernel runs depends on what other warps do or on its data ({} in line "
                    "{} of its PTX), so its machine code cannot be followed without a GPU.",
                    statement.name, statement.line));
}

} // namespace ptx
