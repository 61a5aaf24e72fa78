#include "ptx/machine_accesses.h"

#include "machine_code/cubin.h"
#include "ptx/arithmetic.h"
#include "traced/source_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

namespace ptx {

namespace {

using recording::Op;

constexpr std::size_t most_waiting = 256; // accesses of a warp; more than any instruction joins

using ByLine = std::map<uint32_t, std::vector<uint32_t>>; // by line of the PTX; instructions are counted from 1

// Returns whether the instruction accesses global or shared memory in a way that recordings count.
bool accesses_memory(const kernels::Instruction& one)
{
    return one.op.has_value() || one.name == "LD" || one.name == "ST" || one.name.starts_with("LD.") ||
           one.name.starts_with("ST.");
}

// Returns whether a statement of that kind can become this machine instruction. The assembler may turn a generic access
// into one of a specific memory, if it knows the memory.
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

// `with_line` lists the instructions that have the statement's line.
MachineAccess access_of(std::span<const kernels::Instruction> code, const std::vector<uint32_t>& with_line,
                        const Instruction& instruction, const Statement& statement)
{
    MachineAccess result;
    const auto width_of = [&](uint32_t number) { // -1 if it accesses no memory
        return accesses_memory(code[number - 1]) ? code[number - 1].width : -1;
    };
    auto in_memory = std::ranges::max_element(with_line, {}, width_of);
    if (in_memory != with_line.end() && width_of(*in_memory) < 0)
        in_memory = with_line.end();
    if (!with_line.empty())
        result.instruction = in_memory != with_line.end() ? *in_memory : with_line.front();
    // REDUX adds the values of the lanes. UFLO finds the lane that continues if all lanes add the same constant.
    result.by_one_lane = instruction.kind == Kind::atomic && std::ranges::any_of(with_line, [&](uint32_t number) {
                             const std::string& name = code[number - 1].name;
                             return name.starts_with("REDUX") || name.starts_with("UFLO");
                         });
    if (instruction.kind == Kind::atomic)
        for (const uint32_t number : with_line)
            if (const std::string& name = code[number - 1].name;
                name.starts_with("ATOM") || name == "RED" || name == "REDG")
                result.instruction = number;
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

// Return the loops without a barrier: those of the machine code by addresses, those of PTX by places in instructions.
std::vector<cuda::CodeLoop> loops_without_barrier(std::span<const kernels::Instruction> code,
                                                  const std::vector<cuda::CodeLoop>& loops)
{
    std::vector<cuda::CodeLoop> result;
    for (const cuda::CodeLoop& loop : loops)
        if (std::ranges::none_of(
                code, [&](const kernels::Instruction& one) { return one.name == "BAR" && loop.has(one.address); }))
            result.push_back(loop);
    return result;
}

std::vector<cuda::CodeLoop> loops_without_barrier(const Program& program)
{
    std::vector<cuda::CodeLoop> result;
    for (uint32_t i = 0; i < program.instructions.size(); ++i) {
        const Instruction& one = program.instructions[i];
        if (one.kind == Kind::branch && one.target <= i &&
            std::none_of(program.instructions.begin() + one.target, program.instructions.begin() + i,
                         [](const Instruction& inside) { return inside.kind == Kind::barrier; }))
            result.push_back({.first = one.target, .last = i});
    }
    return result;
}

// Returns how many of the loops contain the place. Several branches back to the same place are one loop.
int depth_at(const std::vector<cuda::CodeLoop>& loops, uint32_t place)
{
    std::set<uint32_t> begins;
    for (const cuda::CodeLoop& loop : loops)
        if (loop.has(place))
            begins.insert(loop.first);
    return static_cast<int>(begins.size());
}

// The machine instructions that access memory for one line of PTX.
struct LineRuns {
    int instructions = 0;
    int depth = 0; // number of loops around the instruction `deepest`
    const kernels::Instruction* deepest = nullptr;
    bool all_bounded = true; // none of the instructions is in a loop without a barrier
};

} // namespace

MachineAccesses::MachineAccesses(std::span<const kernels::Instruction> code, const Program& program,
                                 const std::vector<cuda::CodeLoop>* loops)
    : by_statement_(program.statements.size())
{
    ByLine by_line;
    for (uint32_t i = 0; i < code.size(); ++i)
        by_line[code[i].ptx_line].push_back(i + 1);
    std::map<uint32_t, Kind> kinds; // of the statements that access memory, by line
    for (const Instruction& instruction : program.instructions) {
        const Statement& statement = program.statements[instruction.statement];
        if (instruction.kind != Kind::arithmetic && instruction.kind != Kind::nop)
            kinds[statement.line] = instruction.kind;
        MachineAccess& access = by_statement_[instruction.statement];
        access = access_of(code, by_line[statement.line], instruction, statement);
        const bool in_memory = (instruction.kind == Kind::load || instruction.kind == Kind::store) &&
                               (instruction.space == Space::global || instruction.space == Space::shared ||
                                instruction.space == Space::generic);
        one_to_one_ = one_to_one_ && access.doubt.empty() && !access.by_one_lane &&
                      !(in_memory && (access.joins || access.width == 0));
    }
    if (loops != nullptr)
        bound_runs(code, program, *loops);
    for (const kernels::Instruction& one : code) {
        const auto kind = kinds.find(one.ptx_line);
        if (doubt_.empty() && accesses_memory(one) && (kind == kinds.end() || !fits(one, kind->second)))
            doubt_ = fmt::format("The machine code has {}, and it is not known which accesses that makes.", where(one));
    }
}

// Bounds how often accesses run. An access runs as often as the loops around it. If the machine code has fewer loops
// around it, the assembler moved it out of a loop or unrolled that loop.
void MachineAccesses::bound_runs(std::span<const kernels::Instruction> code, const Program& program,
                                 const std::vector<cuda::CodeLoop>& loops)
{
    std::map<uint32_t, LineRuns> machine; // by line of the PTX
    const std::vector<cuda::CodeLoop> without_barrier = loops_without_barrier(code, loops);
    for (const kernels::Instruction& one : code)
        if (accesses_memory(one)) {
            LineRuns& runs = machine[one.ptx_line];
            ++runs.instructions;
            if (const int depth = depth_at(without_barrier, one.address);
                runs.instructions == 1 || depth > runs.depth) {
                runs.depth = depth;
                runs.deepest = &one;
            }
            runs.all_bounded = runs.all_bounded && depth_at(without_barrier, one.address) == 0;
        }
    const std::vector<cuda::CodeLoop> written = loops_without_barrier(program);
    for (uint32_t i = 0; i < program.instructions.size(); ++i) {
        const uint32_t place = program.instructions[i].statement;
        MachineAccess& access = by_statement_[place];
        const int depth = depth_at(written, i);
        if (access.width == 0 || depth == 0)
            continue;
        const Statement& statement = program.statements[place];
        const LineRuns& runs = machine[statement.line];
        if (runs.all_bounded)
            access.at_most = runs.instructions;
        else if (runs.depth < depth && access.doubt.empty())
            access.doubt =
                fmt::format("The assembler moved {} of {} in line {} of the PTX out of a loop, and how often it "
                            "runs is not known.",
                            where(*runs.deepest), statement.name, statement.line);
        one_to_one_ = one_to_one_ && access.at_most == 0 && access.doubt.empty();
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
        return Found::lost; // for example, lanes at different places of the bytes that they load
    std::erase_if(waiting_, [this](const LaneAccess& other) { return join(other); });
    access = open.access;
    return Found::made;
}

// Up to a quarter of a load may be unused. In padded rows of a stage, for example, the assembler loads three needed words
// and the word beside them by one LDS.128. A store has no unused bytes: they would change memory that the PTX does not.
bool JoinedAccesses::end_interval()
{
    const bool complete = waiting_.empty() && std::ranges::all_of(open_, [](const Open& one) {
                              const bool loads = one.access.op == Op::shared_load || one.access.op == Op::global_load;
                              return loads && 4 * std::popcount(one.asked) >= 3 * one.access.width;
                          });
    open_.clear();
    waiting_.clear();
    runs_of_.clear();
    return complete;
}

namespace {

constexpr std::size_t most_waiting_warps = 4096; // more than the blocks of a cluster have
constexpr std::size_t longest_text = 200;        // of an instruction, in characters
constexpr std::string_view lost_sentence =
    "The assembler left out, moved or joined accesses that the PTX asks for, in a way that is not followed here.";
std::vector<kernels::Instruction> code_of(const traced::CompiledKernel& kernel)
{
    return kernel.cubin.empty() ? std::vector<kernels::Instruction>()
                                : cuda::instructions(kernel.cubin, kernel.lowered_name);
}

std::vector<cuda::CodeLoop> loops_of(const traced::CompiledKernel& kernel)
{
    return kernel.cubin.empty() ? std::vector<cuda::CodeLoop>() : cuda::loops(kernel.cubin, kernel.lowered_name);
}

} // namespace

void ExecutedSteps::take(uint64_t block, uint32_t warp, const traced::Step& step)
{
    using recording::Op;
    if (!doubt_.empty())
        return;
    const MachineAccess& machine = machine_->of(step.instruction - 1);
    traced::Step made = step;
    made.instruction = machine.instruction;
    if (machine.by_one_lane)
        made.mask &= -made.mask; // its lowest lane alone
    const uint64_t number = block * warps_per_block_ + warp;
    if (const auto waiting = warps_.find(number); step.op == Op::barrier && waiting != warps_.end()) {
        end_interval(waiting->second);
        warps_.erase(waiting);
    }
    const bool plain = step.op == Op::global_load || step.op == Op::global_store || step.op == Op::shared_load ||
                       step.op == Op::shared_store;
    if (!plain || (machine.doubt.empty() && machine.width == step.width && machine.at_most == 0)) {
        builder_.take(block, warp, made);
        return;
    }
    if (!machine.doubt.empty()) {
        doubt_ = machine.doubt;
        return;
    }
    forget_ended(block);
    LaneAccess access{step.op, step.width, step.mask, step.address};
    switch (warps_[number].take(machine, access)) {
    case JoinedAccesses::Found::with_other: return;
    case JoinedAccesses::Found::lost: doubt_ = lost_sentence; return;
    case JoinedAccesses::Found::made: break;
    }
    made.width = static_cast<uint8_t>(access.width);
    made.address = access.addresses;
    builder_.take(block, warp, made);
}

void ExecutedSteps::end_interval(JoinedAccesses& warp)
{
    if (!warp.end_interval() && doubt_.empty())
        doubt_ = lost_sentence;
}

// Frees warps that have ended. Blocks run one after another, except those of a cluster.
void ExecutedSteps::forget_ended(uint64_t block)
{
    if (warps_.size() <= most_waiting_warps)
        return;
    for (auto one = warps_.begin(); one != warps_.end();) {
        constexpr uint64_t largest_cluster = 16;
        if (one->first / warps_per_block_ + largest_cluster < block) {
            end_interval(one->second);
            one = warps_.erase(one);
        } else {
            ++one;
        }
    }
}

void ExecutedSteps::join(ExecutedSteps after)
{
    const std::string of_others = after.doubt();
    if (doubt_.empty())
        doubt_ = of_others;
    builder_.join(std::move(after.builder_));
}

std::string ExecutedSteps::doubt()
{
    for (auto& [number, warp] : warps_)
        end_interval(warp);
    warps_.clear();
    return doubt_;
}

ExecutedCode::ExecutedCode(const traced::CompiledKernel& kernel, const Program& program, bool as_written)
    : kernel_(kernel), program_(program), code_(code_of(kernel)), loops_(loops_of(kernel)),
      accesses_(code_, program, &loops_)
{
    if (as_written)
        why_written_ = "That was asked for.";
    else if (code_.empty())
        why_written_ =
            "There is no machine code of this kernel for sm_90: ptxas is not installed or refuses it, or the "
            "code of several sources is linked.";
    else
        why_written_ = accesses_.doubt();
}

std::vector<uint32_t> ExecutedCode::list(recording::InstructionTrace& executed) const
{
    std::map<uint32_t, const Statement*> by_line;
    for (const Statement& statement : program_.statements)
        by_line.emplace(statement.line, &statement);
    executed.language = "SASS";
    executed.instructions.clear();
    for (const kernels::Instruction& one : code_) {
        std::string text = one.name.empty() ? "(unknown)" : one.name;
        if (!one.predicate.empty())
            text = one.predicate + " " + text;
        if (const auto from = by_line.find(one.ptx_line); from != by_line.end()) {
            const std::string statement = traced::shown_text(traced::with_short_lists(from->second->text));
            text += "  // " + statement.substr(std::min(statement.find_first_not_of(' '), statement.size()));
        }
        const std::vector<uint32_t>& lines = kernel_.source_lines;
        const bool has_line = one.ptx_line > 0 && one.ptx_line <= lines.size();
        executed.instructions.push_back(
            {text.substr(0, longest_text), one.address, has_line ? lines[one.ptx_line - 1] : 0});
    }
    std::vector<uint32_t> numbers;
    for (uint32_t i = 0; i < program_.statements.size(); ++i)
        numbers.push_back(accesses_.of(i).instruction);
    return numbers;
}

std::optional<ExecutedSteps> ExecutedCode::steps(recording::Recording planned, const std::vector<traced::Place>& places,
                                                 const std::vector<recording::Index3>& blocks) const
{
    if (!why_written_.empty() || accesses_.one_to_one())
        return {};
    list(*planned.executed);
    const uint32_t warps = planned.launch.warps_per_block();
    return ExecutedSteps(accesses_, traced::Builder(std::move(planned), places, blocks), warps);
}

std::string note_on_accesses(const std::string& why_written)
{
    if (why_written.empty())
        return "As executed: the accesses are those of the machine code for sm_90, found by its line table and by the "
               "addresses of the PTX.";
    return fmt::format("As written: the accesses are those that the PTX asks for; the machine code may make others. {}",
                       why_written);
}

} // namespace ptx
