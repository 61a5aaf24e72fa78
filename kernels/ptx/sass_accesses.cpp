#include "ptx/sass_accesses.h"

#include "error.h"
#include "model/access_cost.h"
#include "ptx/arithmetic.h"
#include "ptx/stage_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace ptx {

namespace {

using recording::Op;

Op op_of(const Instruction& instruction)
{
    const bool shared = instruction.space == Space::shared;
    switch (instruction.kind) {
    case Kind::load: return shared ? Op::shared_load : Op::global_load;
    case Kind::store: return shared ? Op::shared_store : Op::global_store;
    case Kind::async_copy: return Op::async_load;
    default: return Op::matrix_load;
    }
}

int bytes_per_lane(const Instruction& instruction)
{
    return static_cast<int>(instruction.width * (instruction.to.size() + instruction.in.size()));
}

// `width`: of the machine's access.
recording::Totals cost(Op op, int width, uint32_t mask, const LaneValues& addresses)
{
    if (op != Op::matrix_load)
        return model::totals_of(op, {.width = width, .mask = mask, .offset = addresses});
    const uint32_t rows = width >= 16 ? ~0u : (1u << 2 * width) - 1; // 8 lanes' for each matrix
    return model::totals_of(op, {.width = 16, .mask = mask & rows, .offset = addresses});
}

} // namespace

SassAccesses::SassAccesses(const kernels::KernelCode& code, const Program& program,
                           const std::vector<recording::Array>& arrays, std::vector<traced::Place> places)
    : code_(code), program_(program), arrays_(arrays), places_(std::move(places)), machine_(code.instructions, program)
{
}

void SassAccesses::access(const Instruction& instruction, uint32_t mask, const LaneValues& addresses)
{
    const MachineAccess& machine = machine_.of(instruction.statement);
    const Op op = op_of(instruction);
    LaneAccess access{op, bytes_per_lane(instruction), mask, addresses};
    if (op == Op::matrix_load ? machine.instruction == 0 : !machine.doubt.empty()) {
        ++lost_;
        return;
    }
    if (op != Op::matrix_load) {
        const JoinedAccesses::Found found = joined_.take(machine, access);
        lost_ += found == JoinedAccesses::Found::lost;
        if (found != JoinedAccesses::Found::made)
            return;
    }
    const kernels::Instruction& made = code_.instructions[machine.instruction - 1];
    row_of(instruction, made, op, access.addresses[static_cast<std::size_t>(std::countr_zero(mask))]).totals +=
        cost(op, made.width, mask, access.addresses);
}

void SassAccesses::copy(const Instruction& instruction, uint32_t mask, uint32_t idle, const LaneValues& from,
                        const LaneValues& to)
{
    const kernels::Instruction* const machine = machine_of(instruction);
    if (machine == nullptr) {
        ++lost_;
        return;
    }
    const int lane = std::countr_zero(mask != 0 ? mask : idle);
    kernels::SassAccesses& row = row_of(instruction, *machine, Op::async_load, from[static_cast<std::size_t>(lane)]);
    const model::CopyPattern pattern{.width = instruction.width,
                                     .bypass = instruction.transposed,
                                     .mask = mask,
                                     .idle = idle,
                                     .from = from,
                                     .to = to};
    row.totals.global_load += model::totals_of(model::copy_read(pattern));
    row.copy_wavefronts += static_cast<uint64_t>(model::copy_write(pattern).wavefronts);
}

void SassAccesses::other(const Instruction& instruction)
{
    if (const kernels::Instruction* const machine = machine_of(instruction))
        opaque_.insert(machine->name);
}

void SassAccesses::barrier()
{
    lost_ += !joined_.end_interval();
}

const kernels::Instruction* SassAccesses::machine_of(const Instruction& instruction) const
{
    const uint32_t number = machine_.of(instruction.statement).instruction;
    return number != 0 && code_.instructions[number - 1].op ? &code_.instructions[number - 1] : nullptr;
}

kernels::SassAccesses& SassAccesses::row_of(const Instruction& instruction, const kernels::Instruction& machine, Op op,
                                            uint64_t address)
{
    const uint32_t line = program_.statements[instruction.statement].source_line;
    const bool shared = instruction.space == Space::shared && op != Op::async_load; // a copy's global side
    const int array = array_at(shared ? recording::Space::shared : recording::Space::global, address);
    kernels::SassAccesses& row = counted_[{line, op, machine.width, array}];
    if (row.name.empty())
        row = {.line = line, .op = op, .width = machine.width, .array = array, .name = machine.name};
    return row;
}

int SassAccesses::array_at(recording::Space space, uint64_t address) const
{
    for (const traced::Place& place : places_) {
        const recording::Array& array = arrays_[place.array];
        // Behind an array in global memory a copy may lie that reads nothing.
        const uint64_t bytes = space == recording::Space::global ? window_bytes : array.bytes;
        if (array.space == space && address >= place.first && address - place.first < bytes)
            return static_cast<int>(place.array);
    }
    return -1;
}

std::vector<kernels::SassAccesses> SassAccesses::result() const
{
    if (lost_ > 0)
        throw kernels::Unavailable(
            fmt::format("The compiler has left out or moved {} of the accesses in a way that is not "
                        "followed here.",
                        lost_));
    std::vector<kernels::SassAccesses> rows;
    for (const auto& [key, row] : counted_)
        rows.push_back(row);
    return rows;
}

} // namespace ptx

namespace kernels {

namespace {

constexpr uint64_t most_steps = 40'000'000; // instructions of warps: some seconds

} // namespace

Executed executed(const MachineCode& code, const Stage& stage, const ParameterValues& parameters,
                  const recording::Problem& problem, std::stop_token stop)
{
    const std::vector<recording::Array> all = arrays(stage, parameters, problem);
    const std::vector<std::byte> no_maps(2 * tensor_map_bytes);
    uint64_t steps = most_steps;
    Executed result;
    for (std::size_t i = 0; i < code.kernels.size(); ++i) {
        if (code.kernels[i].instructions.empty())
            throw Unavailable(
                "The driver compiles this kernel's PTX itself, and its machine code is not seen: the GPU is "
                "newer than the NVRTC that is installed.");
        const recording::Launch launch =
            i == 0 ? stage.launch(parameters, problem) : second_launch(stage, parameters, problem);
        const ptx::Program program = ptx::program_of(code.kernels[i]);
        std::vector<std::byte> arguments = stage.arguments(parameters, problem, ptx::stage_pointers(no_maps.data()));
        arguments.resize(std::max<std::size_t>(arguments.size(), program.parameter_bytes));
        const uint64_t dynamic = i == 0 ? stage.dynamic_shared(parameters) : 0;
        ptx::SassAccesses accesses(code.kernels[i], program, all, ptx::places_of(all, program, dynamic));
        ptx::AddressInterpreter interpreter(program, arguments, accesses);
        for (uint64_t block = 0; block < launch.grid.volume(); ++block)
            for (uint32_t number = 0; number < launch.warps_per_block(); ++number) {
                if (stop.stop_requested())
                    throw Cancelled();
                interpreter.run({launch, launch.grid.place_of(block), number}, steps);
                accesses.barrier();
            }
        for (SassAccesses row : accesses.result()) {
            row.kernel = i;
            result.instructions.push_back(std::move(row));
        }
        for (const std::string& name : accesses.opaque())
            result.opaque += (result.opaque.empty() ? "" : ", ") + name;
    }
    return result;
}

} // namespace kernels
