#include "machine_code/executed_warp.h"

#include "error.h"
#include "model/access_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace cuda {

namespace {

using recording::Op;

std::optional<Op> op_of(const PtxStatement& statement)
{
    const bool shared = statement.space == PtxSpace::shared;
    switch (statement.code) {
    case PtxCode::load: return shared ? Op::shared_load : Op::global_load;
    case PtxCode::store: return shared ? Op::shared_store : Op::global_store;
    case PtxCode::async_copy: return Op::async_load;
    case PtxCode::matrix_load: return Op::matrix_load;
    default: return std::nullopt;
    }
}

recording::Totals cost(Op op, int width, uint32_t mask, const LaneValues& addresses)
{
    recording::Totals result;
    model::Pattern pattern{.width = op == Op::matrix_load ? 16 : width, .mask = mask, .offset = addresses};
    const Op kind = recording::counted_as(op).value();
    if (kind == Op::global_load || kind == Op::global_store) {
        const model::GlobalCost global = model::global_access(pattern);
        (kind == Op::global_load ? result.global_load : result.global_store) = {static_cast<uint64_t>(global.requests),
                                                                                static_cast<uint64_t>(global.sectors)};
        return result;
    }
    if (op == Op::matrix_load) // only so many lanes' rows are read: 8 for each matrix
        pattern.mask &= width >= 16 ? ~0u : (1u << 2 * width) - 1;
    const model::SharedCost shared = model::shared_access(op, pattern);
    (kind == Op::shared_load ? result.shared_load : result.shared_store) = {1, static_cast<uint64_t>(shared.wavefronts),
                                                                            static_cast<uint64_t>(shared.conflicts)};
    return result;
}

bool covers(uint64_t address, int width, uint64_t other, int other_width)
{
    return address <= other && other + static_cast<uint64_t>(other_width) <= address + static_cast<uint64_t>(width);
}

} // namespace

ExecutedWarps::ExecutedWarps(const kernels::KernelCode& code, std::vector<ArrayPlace> places)
    : code_(code), places_(std::move(places))
{
    for (const kernels::Instruction& instruction : code.instructions)
        if (instruction.op && instruction.ptx_line != 0) {
            MachineAccess& machine = machine_[instruction.ptx_line];
            if (instruction.width >= machine.width)
                machine = {instruction.name, instruction.width};
        }
}

void ExecutedWarps::access(const PtxStatement& statement, uint32_t mask, const LaneValues& addresses)
{
    const auto found = machine_.find(statement.line);
    if (found == machine_.end()) {
        without_.push_back({mask, addresses, statement.width});
        return;
    }
    const MachineAccess& machine = found->second;
    if (machine.width <= statement.width || statement.code == PtxCode::matrix_load) {
        count(statement, machine, mask, addresses);
        return;
    }
    // ptxas has joined neighbours: one aligned access where there were several.
    Seen wide{mask, {}, machine.width};
    for (int lane = 0; lane < recording::warp_size; ++lane)
        if (mask >> lane & 1)
            wide.addresses[lane] =
                addresses[lane] / static_cast<uint64_t>(machine.width) * static_cast<uint64_t>(machine.width);
    if (wide_.insert(wide).second)
        count(statement, machine, mask, wide.addresses);
}

void ExecutedWarps::copy(const PtxStatement& statement, const model::CopyPattern& pattern)
{
    const auto found = machine_.find(statement.line);
    if (found == machine_.end()) {
        ++lost_;
        return;
    }
    const int lane = std::countr_zero(pattern.mask != 0 ? pattern.mask : pattern.idle);
    kernels::ExecutedInstructions& row =
        row_of(statement, found->second, PtxSpace::global, pattern.from[static_cast<std::size_t>(lane)]);
    const model::GlobalCost read = model::copy_read(pattern);
    row.totals.global_load += {static_cast<uint64_t>(read.requests), static_cast<uint64_t>(read.sectors)};
    row.copy_wavefronts += static_cast<uint64_t>(model::copy_write(pattern).wavefronts);
}

void ExecutedWarps::other(const PtxStatement& statement)
{
    if (const auto found = machine_.find(statement.line); found != machine_.end())
        opaque_.insert(found->second.name);
}

void ExecutedWarps::barrier()
{
    for (const Seen& missing : without_)
        lost_ += std::none_of(wide_.begin(), wide_.end(), [&missing](const Seen& wide) {
            bool done = (missing.mask & ~wide.mask) == 0;
            for (int lane = 0; lane < recording::warp_size && done; ++lane)
                if (missing.mask >> lane & 1)
                    done = covers(wide.addresses[lane], wide.width, missing.addresses[lane], missing.width);
            return done;
        });
    without_.clear();
    wide_.clear();
}

void ExecutedWarps::count(const PtxStatement& statement, const MachineAccess& machine, uint32_t mask,
                          const LaneValues& addresses)
{
    const PtxSpace space = statement.code == PtxCode::matrix_load ? PtxSpace::shared : statement.space;
    row_of(statement, machine, space, addresses[static_cast<std::size_t>(std::countr_zero(mask))]).totals +=
        cost(op_of(statement).value(), machine.width, mask, addresses);
}

kernels::ExecutedInstructions& ExecutedWarps::row_of(const PtxStatement& statement, const MachineAccess& machine,
                                                     PtxSpace space, uint64_t address)
{
    const Op op = op_of(statement).value();
    const uint32_t line = code_.ptx_to_source.at(statement.line - 1);
    const int array = array_at(space, address);
    kernels::ExecutedInstructions& row = counted_[{line, op, machine.width, array}];
    if (row.name.empty())
        row = {.line = line, .op = op, .width = machine.width, .array = array, .name = machine.name};
    return row;
}

int ExecutedWarps::array_at(PtxSpace space, uint64_t address) const
{
    for (const ArrayPlace& place : places_)
        if (place.space == space && address >= place.first && address < place.first + place.bytes)
            return place.array;
    return -1;
}

std::vector<kernels::ExecutedInstructions> ExecutedWarps::result() const
{
    if (lost_ > 0)
        throw kernels::Unavailable(
            fmt::format("The compiler has left out or moved {} of the accesses in a way that is not "
                        "followed here.",
                        lost_));
    std::vector<kernels::ExecutedInstructions> rows;
    for (const auto& [key, row] : counted_)
        rows.push_back(row);
    return rows;
}

} // namespace cuda
