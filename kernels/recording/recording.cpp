#include "recording/recording.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace recording {

std::string_view name(Op op)
{
    switch (op) {
    case Op::global_load: return "global load";
    case Op::global_store: return "global store";
    case Op::shared_load: return "shared load";
    case Op::shared_store: return "shared store";
    case Op::barrier: return "barrier";
    case Op::shuffle: return "shuffle";
    case Op::matrix_load: return "matrix load";
    case Op::async_load: return "asynchronous copy's load";
    case Op::async_store: return "asynchronous copy's store";
    case Op::async_commit: return "commit of copies";
    case Op::async_wait: return "wait for copies";
    case Op::matrix_multiply: return "matrix multiplication";
    case Op::tile_load: return "WMMA load";
    case Op::tile_store: return "WMMA store";
    case Op::bulk_load: return "bulk copy's load";
    case Op::bulk_store: return "bulk copy's store";
    case Op::arrive: return "arrival at a barrier";
    case Op::wait: return "wait at a barrier";
    case Op::matrix_store: return "matrix store";
    case Op::shared_atomic: return "shared atomic";
    case Op::global_atomic: return "global atomic";
    case Op::constant_load: return "constant load";
    }
    return "unknown";
}

std::optional<Op> counted_as(Op op)
{
    switch (op) {
    case Op::global_load:
    case Op::async_load: return Op::global_load;
    case Op::global_store: return Op::global_store;
    case Op::shared_load:
    case Op::matrix_load: return Op::shared_load;
    case Op::shared_store:
    case Op::matrix_store: return Op::shared_store;
    default: return std::nullopt;
    }
}

bool in_totals(Op op)
{
    return counted_as(op) || op == Op::shared_atomic || op == Op::global_atomic || op == Op::constant_load;
}

namespace {

// Returns the first word of the text that begins so, or an empty one.
std::string_view word_from(std::string_view text, std::string_view begin)
{
    const std::size_t at = text.find(begin);
    return at == text.npos ? std::string_view() : text.substr(at, text.find_first_of(" ;", at) - at);
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts)
{
    return std::ranges::any_of(parts, [&](std::string_view part) { return text.find(part) != text.npos; });
}

// Of machine code, such as "ATOMS.POPC.INC.32 RZ, [R4]".
AtomicRule rule_of_machine_code(std::string_view name)
{
    if (has_any(name, {".CAST"}))
        return AtomicRule::loop;
    if (has_any(name, {".POPC"}))
        return AtomicRule::counted;
    if (has_any(name, {".CAS"}))
        return AtomicRule::compare_and_swap;
    const bool measured = has_any(name, {".ADD", ".EXCH", ".MAX", ".MIN", ".AND", ".OR", ".XOR", ".INC", ".DEC"});
    return measured ? AtomicRule::lane_by_lane : AtomicRule::not_measured;
}

// Of PTX, such as "atom.shared.add.u32 %r1, [%r2], 1;".
AtomicRule rule_of_ptx(std::string_view name, std::string_view text)
{
    if (has_any(name, {".f16", ".bf16"}))
        return AtomicRule::not_measured;
    if (has_any(name, {".f32"}))
        return AtomicRule::loop;
    if (has_any(name, {".cas."}))
        return AtomicRule::compare_and_swap;
    std::string_view last = text.substr(text.rfind(',') + 1);
    last.remove_suffix(last.size() - std::min(last.size(), last.find_last_not_of("; ") + 1));
    last.remove_prefix(std::min(last.size(), last.find_first_not_of(' ')));
    if (has_any(name, {".add."}) && last == "1")
        return name.starts_with("red") ? AtomicRule::counted : AtomicRule::either;
    return AtomicRule::lane_by_lane;
}

} // namespace

AtomicRule atomic_rule(Op op, int width, std::string_view instruction)
{
    if (op != Op::shared_atomic && op != Op::global_atomic)
        return AtomicRule::unknown;
    const std::string_view code = instruction.substr(0, instruction.find("//"));
    std::string_view ptx = word_from(instruction, "atom.");
    if (ptx.empty())
        ptx = word_from(instruction, "red.");
    if (ptx.empty() && !has_any(code, {"ATOM", "RED"}))
        return AtomicRule::unknown;
    if (width != 4)
        return AtomicRule::not_measured;
    if (op == Op::global_atomic)
        return has_any(code, {"ATOMG", "RED"}) || has_any(ptx, {".global"}) ? AtomicRule::sectors
                                                                            : AtomicRule::not_measured;
    // An older recording has the bare name, and the statement of PTX beside it.
    if (const std::string_view name = word_from(code, "ATOMS."); !name.empty())
        return rule_of_machine_code(name);
    if (has_any(code, {"ATOMS"}) || has_any(ptx, {".shared"}))
        return ptx.empty() ? AtomicRule::unknown : rule_of_ptx(ptx, instruction);
    // With a generic address only additions of integers were measured.
    const bool adds = (has_any(code, {".ADD"}) && !has_any(code, {".F32", ".F16"})) ||
                      (has_any(ptx, {".add."}) && !has_any(ptx, {".f32", ".f16", ".bf16"}));
    return adds ? AtomicRule::lane_by_lane : AtomicRule::not_measured;
}

void name_atomic_rules(Recording& recording)
{
    if (!recording.executed)
        return;
    const std::vector<MachineInstruction>& code = recording.executed->instructions;
    for (BlockTrace& block : recording.blocks)
        for (WarpTrace& warp : block.warps)
            for (Access& access : warp.accesses)
                if ((access.op == Op::shared_atomic || access.op == Op::global_atomic) && access.instruction > 0 &&
                    access.instruction <= code.size())
                    access.atomic = atomic_rule(access.op, access.width, code[access.instruction - 1].text);
}

std::optional<Untimed> why_untimed(const Recording& recording)
{
    if (!recording.placed)
        return Untimed::instrumented;
    const PlacedRun& placed = *recording.placed;
    const Resources timed = recording.resources.value_or(Resources{});
    if (placed.resources.blocks_per_sm != timed.blocks_per_sm ||
        placed.resources.shared_bytes_per_block != timed.shared_bytes_per_block)
        return Untimed::other_residency;
    const bool alike = std::abs(placed.placed_ms - placed.plain_ms) <= placed_tolerance * placed.plain_ms;
    return alike && placed.plain_ms > 0 ? std::nullopt : std::optional(Untimed::other_time);
}

bool has_addresses(const Access& access)
{
    switch (access.op) {
    case Op::barrier:
    case Op::shuffle:
    case Op::async_commit:
    case Op::async_wait:
    case Op::arrive:
    case Op::wait: return false;
    case Op::matrix_multiply: return access.array != 0; // A is in global memory, which no matrix_multiply reads
    default: return true;
    }
}

SharedTotals& SharedTotals::operator+=(const SharedTotals& other)
{
    instructions += other.instructions;
    wavefronts += other.wavefronts;
    conflicts += other.conflicts;
    return *this;
}

GlobalTotals& GlobalTotals::operator+=(const GlobalTotals& other)
{
    requests += other.requests;
    sectors += other.sectors;
    return *this;
}

AtomicTotals& AtomicTotals::operator+=(const AtomicTotals& other)
{
    instructions += other.instructions;
    lanes += other.lanes;
    serial += other.serial;
    return *this;
}

ConstantTotals& ConstantTotals::operator+=(const ConstantTotals& other)
{
    instructions += other.instructions;
    passes += other.passes;
    return *this;
}

BulkTotals& BulkTotals::operator+=(const BulkTotals& other)
{
    copies += other.copies;
    bytes += other.bytes;
    return *this;
}

Totals& Totals::operator+=(const Totals& other)
{
    shared_load += other.shared_load;
    shared_store += other.shared_store;
    global_load += other.global_load;
    global_store += other.global_store;
    shared_atomic += other.shared_atomic;
    global_atomic += other.global_atomic;
    constant_load += other.constant_load;
    bulk_load += other.bulk_load;
    bulk_store += other.bulk_store;
    shared_atomic_cost += other.shared_atomic_cost;
    global_atomic_cost += other.global_atomic_cost;
    return *this;
}

namespace {

// Returns the source without comments and without the host's description of the stage. Neither changes the kernel.
// Lines keep their numbers.
std::string kernel_part(const SourceFile& file)
{
    const std::string_view text = std::string_view(file.text).substr(0, file.text.find("#ifndef __CUDACC__"));
    std::string result;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line = text.substr(begin, end - begin);
        line = line.substr(0, line.find("//"));
        // In a blank line npos + 1 is 0, which adds nothing.
        result += line.substr(0, line.find_last_not_of(" \t\r") + 1);
        result += '\n';
        begin = end + 1;
    }
    return result;
}

} // namespace

bool same_source(const Recording& a, const Recording& b)
{
    const auto differs_in_b = [&b](const SourceFile& file) {
        return std::ranges::any_of(b.sources, [&](const SourceFile& other) {
            return other.name == file.name && kernel_part(other) != kernel_part(file);
        });
    };
    return kernel_part(a.source()) == kernel_part(b.source()) && std::ranges::none_of(a.sources, differs_in_b);
}

Totals Recording::totals() const
{
    Totals sum;
    for (const LineTotals& line : lines)
        sum += line.totals;
    return sum;
}

} // namespace recording
