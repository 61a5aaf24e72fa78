#include "ptx/machine_accesses.h"

#include "ptx/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

namespace ptx {

namespace {

using recording::Op;

constexpr std::size_t most_waiting = 256; // accesses of a warp, more than stand before one that joins them

using ByLine = std::map<uint32_t, std::vector<uint32_t>>; // of PTX: instructions, counted from 1

// Whether it accesses global or shared memory in a way that recordings count.
bool accesses_memory(const kernels::Instruction& one)
{
    return one.op.has_value() || one.name == "LD" || one.name == "ST" || one.name.starts_with("LD.") ||
           one.name.starts_with("ST.");
}

// Whether such an instruction is what a statement of that kind becomes. A generic access may become one of the memory that the
// assembler found it to be of.
bool fits(const kernels::Instruction& one, Kind kind)
{
    switch (kind) {
    case Kind::load:
        return one.op == Op::global_load || one.op == Op::shared_load || (!one.op && one.name.starts_with("LD"));
    case Kind::store:
        return one.op == Op::global_store || one.op == Op::shared_store || (!one.op && one.name.starts_with("ST"));
    case Kind::async_copy: return one.op == Op::async_load;
    case Kind::matrix_load: return one.op == Op::matrix_load;
    default: return false;
    }
}

std::string where(const kernels::Instruction& one)
{
    return fmt::format("{} at {:#x}", one.name, one.address);
}

// `with_line`: instructions with the statement's line.
MachineAccess access_of(std::span<const kernels::Instruction> code, const std::vector<uint32_t>& with_line,
                        const Instruction& instruction, const Statement& statement)
{
    MachineAccess result;
    const auto width_of = [&](uint32_t number) { // -1: it accesses no memory
        return accesses_memory(code[number - 1]) ? code[number - 1].width : -1;
    };
    auto in_memory = std::ranges::max_element(with_line, {}, width_of);
    if (in_memory != with_line.end() && width_of(*in_memory) < 0)
        in_memory = with_line.end();
    if (!with_line.empty())
        result.instruction = in_memory != with_line.end() ? *in_memory : with_line.front();
    if (in_memory == with_line.end() || (instruction.kind != Kind::load && instruction.kind != Kind::store))
        return result;
    const auto width = static_cast<int>(instruction.width * (instruction.to.size() + instruction.in.size()));
    const kernels::Instruction& first = code[result.instruction - 1];
    result.width = first.width;
    result.joins = first.width > width;
    if (first.width < width)
        result.doubt = fmt::format("The assembler made {} of {} in line {} of the PTX, and which part of it that "
                                   "accesses is not known.",
                                   where(first), statement.name, statement.line);
    for (const uint32_t number : with_line)
        if (const kernels::Instruction& one = code[number - 1]; accesses_memory(one) && one.width != first.width)
            result.doubt = fmt::format("The assembler made {} and {} of {} in line {} of the PTX, and which of them "
                                       "runs is not known.",
                                       where(first), where(one), statement.name, statement.line);
    return result;
}

// Places in Program::instructions from where a branch leads back to, up to that branch, without a barrier between them.
std::vector<std::pair<uint32_t, uint32_t>> loops_without_barrier(const Program& program)
{
    std::vector<std::pair<uint32_t, uint32_t>> result;
    for (uint32_t i = 0; i < program.instructions.size(); ++i) {
        const Instruction& one = program.instructions[i];
        if (one.kind == Kind::branch && one.target <= i &&
            std::none_of(program.instructions.begin() + one.target, program.instructions.begin() + i,
                         [](const Instruction& inside) { return inside.kind == Kind::barrier; }))
            result.emplace_back(one.target, i);
    }
    return result;
}

} // namespace

MachineAccesses::MachineAccesses(std::span<const kernels::Instruction> code, const Program& program,
                                 const std::vector<cuda::CodeLoop>* loops)
    : by_statement_(program.statements.size())
{
    ByLine by_line;
    for (uint32_t i = 0; i < code.size(); ++i)
        by_line[code[i].ptx_line].push_back(i + 1);
    std::map<uint32_t, Kind> kinds; // of the statements that access memory, by their lines
    for (const Instruction& instruction : program.instructions) {
        const Statement& statement = program.statements[instruction.statement];
        if (instruction.kind != Kind::arithmetic && instruction.kind != Kind::nop)
            kinds[statement.line] = instruction.kind;
        MachineAccess& access = by_statement_[instruction.statement];
        access = access_of(code, by_line[statement.line], instruction, statement);
        const bool in_memory = (instruction.kind == Kind::load || instruction.kind == Kind::store) &&
                               (instruction.space == Space::global || instruction.space == Space::shared ||
                                instruction.space == Space::generic);
        one_to_one_ = one_to_one_ && access.doubt.empty() && !(in_memory && (access.joins || access.width == 0));
    }
    if (loops != nullptr)
        bound_runs(code, program, *loops);
    for (const kernels::Instruction& one : code) {
        const auto kind = kinds.find(one.ptx_line);
        if (doubt_.empty() && accesses_memory(one) && (kind == kinds.end() || !fits(one, kind->second)))
            doubt_ = fmt::format("The machine code has {}, and it is not known which accesses that makes.", where(one));
    }
}

void MachineAccesses::bound_runs(std::span<const kernels::Instruction> code, const Program& program,
                                 const std::vector<cuda::CodeLoop>& loops)
{
    std::vector<cuda::CodeLoop> without_barrier;
    for (const cuda::CodeLoop& loop : loops)
        if (std::ranges::none_of(
                code, [&](const kernels::Instruction& one) { return one.name == "BAR" && loop.has(one.address); }))
            without_barrier.push_back(loop);
    std::map<uint32_t, int> bounds; // by line of PTX; 0: none
    for (const kernels::Instruction& one : code)
        if (accesses_memory(one)) {
            const bool in_loop =
                std::ranges::any_of(without_barrier, [&](const cuda::CodeLoop& loop) { return loop.has(one.address); });
            const auto [bound, is_new] = bounds.emplace(one.ptx_line, 1);
            bound->second = in_loop || bound->second == 0 ? 0 : bound->second + !is_new;
        }
    for (const auto& [first, last] : loops_without_barrier(program))
        for (uint32_t i = first; i < last; ++i) {
            const uint32_t statement = program.instructions[i].statement;
            MachineAccess& access = by_statement_[statement];
            if (access.width == 0)
                continue;
            access.at_most = bounds[program.statements[statement].line];
            one_to_one_ = one_to_one_ && access.at_most == 0;
        }
}

bool JoinedAccesses::join(const LaneAccess& access)
{
    const auto lane = static_cast<std::size_t>(std::countr_zero(access.mask));
    for (auto open = open_.begin(); open != open_.end(); ++open) {
        const LaneAccess& whole = open->access;
        const uint64_t at = access.addresses[lane] - whole.addresses[lane];
        if (whole.op != access.op || whole.mask != access.mask || at + static_cast<uint64_t>(access.width) < at ||
            at + static_cast<uint64_t>(access.width) > static_cast<uint64_t>(whole.width))
            continue;
        const uint32_t bytes = ((1u << access.width) - 1) << at;
        bool same_place = (open->asked & bytes) == 0;
        for_lanes(access.mask, [&](int other) {
            same_place = same_place && access.addresses[other] - whole.addresses[other] == at;
        });
        if (!same_place)
            continue;
        open->asked |= bytes;
        if (open->asked == (1u << whole.width) - 1)
            open_.erase(open);
        return true;
    }
    return false;
}

bool JoinedAccesses::runs_once_more(const MachineAccess& machine, uint32_t mask)
{
    if (machine.at_most == 0)
        return true;
    auto& runs = runs_of_[machine.instruction];
    bool allowed = true;
    for_lanes(mask, [&](int lane) { allowed = ++runs[static_cast<std::size_t>(lane)] <= machine.at_most && allowed; });
    return allowed;
}

JoinedAccesses::Found JoinedAccesses::take(const MachineAccess& machine, LaneAccess& access)
{
    if (access.mask == 0)
        return Found::made;
    if (machine.width != 0 && !machine.joins)
        return runs_once_more(machine, access.mask) ? Found::made : Found::lost;
    if (join(access))
        return Found::with_other;
    if (!machine.joins) {
        waiting_.push_back(access);
        return waiting_.size() <= most_waiting ? Found::with_other : Found::lost;
    }
    const auto width = static_cast<uint64_t>(machine.width);
    Open open{.access = access};
    open.access.width = machine.width;
    for_lanes(access.mask, [&](int lane) { open.access.addresses[lane] = access.addresses[lane] / width * width; });
    open_.push_back(open);
    if (!join(access) || !runs_once_more(machine, access.mask))
        return Found::lost; // or its lanes lie at different places of what they load
    std::erase_if(waiting_, [this](const LaneAccess& other) { return join(other); });
    access = open.access;
    return Found::made;
}

bool JoinedAccesses::end_interval()
{
    const bool complete = open_.empty() && waiting_.empty();
    open_.clear();
    waiting_.clear();
    runs_of_.clear();
    return complete;
}

} // namespace ptx
