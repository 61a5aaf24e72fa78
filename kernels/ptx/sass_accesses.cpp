// Turns the accesses of a stage's PTX into those of its machine code, and computes their cost. See
// machine_code/machine_code.h.
#include "error.h"
#include "machine_code/machine_code.h"
#include "model/access_cost.h"
#include "ptx/address_interpreter.h"
#include "ptx/arithmetic.h"
#include "ptx/machine_accesses.h"
#include "ptx/stage_run.h"
#include "traced/builder.h"

#include <bit>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

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

// `width` is that of the machine access.
recording::Totals cost(Op op, int width, uint32_t mask, const LaneValues& addresses)
{
    if (op != Op::matrix_load)
        return model::totals_of(op, {.width = width, .mask = mask, .offset = addresses});
    const uint32_t rows = width >= 16 ? ~0u : (1u << 2 * width) - 1; // each matrix uses the addresses of 8 lanes
    return model::totals_of(op, {.width = 16, .mask = mask & rows, .offset = addresses});
}

// Adds up the machine accesses of one kernel. It receives the accesses of the kernel's PTX, warp by warp.
class SassAccesses final : public AccessSink {
public:
    // `program` is the kernel's. `places` says where `arrays` lie. All arguments but `places` must outlive the object.
    SassAccesses(const kernels::KernelCode& code, const Program& program, const std::vector<recording::Array>& arrays,
                 std::vector<traced::Place> places)
        : code_(code), program_(program), arrays_(arrays), places_(std::move(places)),
          machine_(code.instructions, program)
    {
    }

    void access(const Instruction& instruction, uint32_t mask, const LaneValues& addresses) override;
    void copy(const Instruction& instruction, uint32_t mask, uint32_t idle, const LaneValues& from,
              const LaneValues& to) override;
    void other(const Instruction& instruction) override;
    // Is also called at the end of a warp.
    void barrier() override { is_complete_ = warp_.end_interval() && is_complete_; }

    // Throws kernels::Unavailable if some accesses were not found in the machine code.
    std::vector<kernels::SassAccessCounts> result() const;
    const std::set<std::string>& opaque() const { return opaque_; }

private:
    // Returns null if the machine instruction of another statement makes the access.
    const kernels::Instruction* machine_of(const Instruction& instruction) const;
    kernels::SassAccessCounts& row_of(const Instruction& instruction, const kernels::Instruction& machine, Op op,
                                      uint64_t address);
    int array_at(recording::Space space, uint64_t address) const;

    const kernels::KernelCode& code_;
    const Program& program_;
    const std::vector<recording::Array>& arrays_;
    std::vector<traced::Place> places_;
    MachineAccesses machine_;
    JoinedAccesses warp_;
    std::map<std::tuple<uint32_t, Op, int, int>, kernels::SassAccessCounts> counted_;
    std::set<std::string> opaque_;
    bool is_complete_ = true; // whether each access was found in the machine code
};

void SassAccesses::access(const Instruction& instruction, uint32_t mask, const LaneValues& addresses)
{
    const kernels::Instruction* const machine = machine_of(instruction);
    const Op op = op_of(instruction);
    LaneAccess made{op, bytes_per_lane(instruction), mask, addresses};
    if (op == Op::matrix_load) {
        if (machine == nullptr) {
            is_complete_ = false;
            return;
        }
        made.width = machine->width;
    } else {
        const JoinedAccesses::Found found = warp_.take(machine_.of(instruction.statement), made);
        is_complete_ = is_complete_ && found != JoinedAccesses::Found::lost;
        if (found != JoinedAccesses::Found::made || machine == nullptr)
            return;
    }
    const uint64_t first = made.addresses[static_cast<std::size_t>(std::countr_zero(mask))];
    row_of(instruction, *machine, op, first).totals += cost(op, machine->width, mask, made.addresses);
}

void SassAccesses::copy(const Instruction& instruction, uint32_t mask, uint32_t idle, const LaneValues& from,
                        const LaneValues& to)
{
    const kernels::Instruction* const machine = machine_of(instruction);
    if (machine == nullptr) {
        is_complete_ = false;
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
    if (const kernels::Instruction* const machine = machine_of(instruction))
        opaque_.insert(machine->name);
}

const kernels::Instruction* SassAccesses::machine_of(const Instruction& instruction) const
{
    const uint32_t number = machine_.of(instruction.statement).instruction;
    const kernels::Instruction* const machine = number == 0 ? nullptr : &code_.instructions[number - 1];
    return machine != nullptr && machine->op ? machine : nullptr;
}

kernels::SassAccessCounts& SassAccesses::row_of(const Instruction& instruction, const kernels::Instruction& machine,
                                                Op op, uint64_t address)
{
    const uint32_t line = program_.statements[instruction.statement].source_line;
    // The array of a copy is the one in global memory.
    const bool shared = instruction.space == Space::shared && op != Op::async_load;
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
        // A copy that reads nothing may have an address beyond the end of an array in global memory.
        const uint64_t bytes = space == recording::Space::global ? window_bytes : array.bytes;
        if (array.space == space && address >= place.first && address - place.first < bytes)
            return static_cast<int>(place.array);
    }
    return -1;
}

std::vector<kernels::SassAccessCounts> SassAccesses::result() const
{
    if (!is_complete_)
        throw kernels::Unavailable(
            "The compiler has left out or moved some of the accesses in a way that is not followed here.");
    std::vector<kernels::SassAccessCounts> rows;
    for (const auto& [key, row] : counted_)
        rows.push_back(row);
    return rows;
}

} // namespace

} // namespace ptx

namespace kernels {

namespace {

constexpr uint64_t most_steps = 40'000'000; // instructions, counted by warp; they take some seconds
constexpr uint64_t most_above_first = 4;    // the first block may run this many times the average of all blocks

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
        const uint64_t before = steps;
        for (uint64_t block = 0; block < launch.grid.volume(); ++block) {
            // Stops if the first block shows that the launch takes too long: the next instruction throws.
            if (block == 1 && (before - steps) * launch.grid.volume() > most_above_first * most_steps)
                steps = 0;
            for (uint32_t number = 0; number < launch.warps_per_block(); ++number) {
                if (stop.stop_requested())
                    throw Cancelled();
                interpreter.run({launch, launch.grid.place_of(block), number}, steps);
                accesses.barrier();
            }
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
