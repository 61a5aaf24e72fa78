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

bool covers(uint64_t address, int width, uint64_t other, int other_width)
{
    return address <= other && other + static_cast<uint64_t>(other_width) <= address + static_cast<uint64_t>(width);
}

} // namespace

SassAccesses::SassAccesses(const kernels::KernelCode& code, const Program& program,
                           const std::vector<recording::Array>& arrays, std::vector<traced::Place> places)
    : code_(code), program_(program), arrays_(arrays), places_(std::move(places))
{
    for (const kernels::Instruction& instruction : code.instructions)
        if (instruction.op && instruction.ptx_line != 0) {
            WidestAccess& machine = machine_[instruction.ptx_line];
            if (instruction.width >= machine.width)
                machine = {instruction.name, instruction.width};
        }
}

void SassAccesses::access(const Instruction& instruction, uint32_t mask, const LaneValues& addresses)
{
    const WidestAccess* const machine = machine_of(instruction);
    if (machine == nullptr) {
        without_.push_back({mask, addresses, bytes_per_lane(instruction)});
        return;
    }
    const Op op = op_of(instruction);
    const auto count = [&](const LaneValues& at) {
        row_of(instruction, *machine, op, at[static_cast<std::size_t>(std::countr_zero(mask))]).totals +=
            cost(op, machine->width, mask, at);
    };
    if (op == Op::matrix_load || machine->width <= bytes_per_lane(instruction))
        return count(addresses);
    // ptxas has joined neighbours: one aligned access where there were several.
    Seen wide{mask, {}, machine->width};
    const auto width = static_cast<uint64_t>(machine->width);
    for_lanes(mask, [&](int lane) { wide.addresses[lane] = addresses[lane] / width * width; });
    if (wide_.insert(wide).second)
        count(wide.addresses);
}

void SassAccesses::copy(const Instruction& instruction, uint32_t mask, uint32_t idle, const LaneValues& from,
                        const LaneValues& to)
{
    const WidestAccess* const machine = machine_of(instruction);
    if (machine == nullptr) {
        ++lost_;
        return;
    }
    const int lane = std::countr_zero(mask != 0 ? mask : idle);
    kernels::SassAccessCounts& row =
        row_of(instruction, *machine, Op::async_load, from[static_cast<std::size_t>(lane)]);
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
    if (const WidestAccess* const machine = machine_of(instruction))
        opaque_.insert(machine->name);
}

void SassAccesses::barrier()
{
    for (const Seen& missing : without_)
        lost_ += std::none_of(wide_.begin(), wide_.end(), [&missing](const Seen& wide) {
            bool done = (missing.mask & ~wide.mask) == 0;
            for_lanes(missing.mask, [&](int lane) {
                done = done && covers(wide.addresses[lane], wide.width, missing.addresses[lane], missing.width);
            });
            return done;
        });
    without_.clear();
    wide_.clear();
}

const WidestAccess* SassAccesses::machine_of(const Instruction& instruction) const
{
    const auto found = machine_.find(program_.statements[instruction.statement].line);
    return found == machine_.end() ? nullptr : &found->second;
}

kernels::SassAccessCounts& SassAccesses::row_of(const Instruction& instruction, const WidestAccess& machine, Op op,
                                                uint64_t address)
{
    const uint32_t line = program_.statements[instruction.statement].source_line;
    const bool shared = instruction.space == Space::shared && op != Op::async_load; // a copy's global side
    const int array = array_at(shared ? recording::Space::shared : recording::Space::global, address);
    kernels::SassAccessCounts& row = counted_[{line, op, machine.width, array}];
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

std::vector<kernels::SassAccessCounts> SassAccesses::result() const
{
    if (lost_ > 0)
        throw kernels::Unavailable(
            fmt::format("The compiler has left out or moved {} of the accesses in a way that is not "
                        "followed here.",
                        lost_));
    std::vector<kernels::SassAccessCounts> rows;
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
        for (SassAccessCounts row : accesses.result()) {
            row.kernel = i;
            result.instructions.push_back(std::move(row));
        }
        for (const std::string& name : accesses.opaque())
            result.opaque += (result.opaque.empty() ? "" : ", ") + name;
    }
    return result;
}

} // namespace kernels
