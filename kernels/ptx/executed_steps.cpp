#include "ptx/executed_steps.h"

#include "machine_code/cubin.h"
#include "traced/source_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ptx {

namespace {

constexpr std::size_t most_waiting_warps = 4096; // more than the blocks of a cluster have
constexpr std::size_t longest_text = 200;        // of an instruction
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

// Blocks run one after another, but for those of a cluster.
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
        why_written_ = "There is no machine code of this kernel for sm_90: ptxas is not installed, or refuses it.";
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
