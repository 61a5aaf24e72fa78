#include "machine_code/executed_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace kernels {

namespace {

using recording::Op;

constexpr Op kinds_of_access[] = {Op::shared_load, Op::shared_store, Op::global_load, Op::global_store};

// Returns the kind of access that an operation is counted as.
Op kind_of(Op op)
{
    return recording::counted_as(op).value_or(Op::barrier);
}

using Place = std::pair<Op, int>; // kind of access, array

// For the blocks recorded in full: which lines access each array, with the kind and the width of their accesses.
struct Recorded {
    explicit Recorded(const recording::Recording& recording)
    {
        for (const recording::BlockTrace& block : recording.blocks)
            for (const recording::WarpTrace& warp : block.warps)
                for (const recording::Access& access : warp.accesses)
                    if (const auto kind = recording::counted_as(access.op)) {
                        lines[{*kind, access.array}].insert(access.line);
                        arrays[{*kind, access.line}].insert(access.array);
                        int& width = widths[{*kind, access.line}];
                        width = std::max<int>(width, access.width);
                    }
    }
    std::map<Place, std::set<uint32_t>> lines;
    std::map<std::pair<Op, uint32_t>, std::set<int>> arrays;
    std::map<std::pair<Op, uint32_t>, int> widths; // bytes per lane
};

uint64_t instructions_of(const recording::Totals& totals, Op kind)
{
    switch (kind) {
    case Op::shared_load: return totals.shared_load.instructions;
    case Op::shared_store: return totals.shared_store.instructions;
    case Op::global_load: return totals.global_load.requests;
    case Op::global_store: return totals.global_store.requests;
    default: return 0;
    }
}

void replace(recording::Totals& totals, const recording::Totals& by, Op kind)
{
    switch (kind) {
    case Op::shared_load: totals.shared_load = by.shared_load; break;
    case Op::shared_store: totals.shared_store = by.shared_store; break;
    case Op::global_load: totals.global_load = by.global_load; break;
    case Op::global_store: totals.global_store = by.global_store; break;
    default: break;
    }
}

// Returns the totals of one kind. The totals of other kinds are zero.
recording::Totals only(const recording::Totals& totals, Op kind)
{
    recording::Totals result;
    replace(result, totals, kind);
    return result;
}

using Lines = std::map<uint32_t, LineExecution>;

uint32_t line_of(const SassAccessCounts& one, const Recorded& recorded, const Lines& lines)
{
    const Op kind = kind_of(one.op);
    const auto arrays = recorded.arrays.find({kind, one.line});
    const auto itself = lines.find(one.line);
    // A line without recorded arrays belongs to a second launch, which has no traces.
    const bool says_so = arrays != recorded.arrays.end()
                             ? one.array < 0 || arrays->second.contains(one.array)
                             : itself != lines.end() && instructions_of(itself->second.written, kind) > 0;
    const auto candidates = recorded.lines.find({kind, one.array});
    if (says_so || candidates == recorded.lines.end() || candidates->second.size() != 1)
        return one.line;
    return *candidates->second.begin();
}

void settle(Lines& lines, const std::set<uint32_t>& numbers, Op kind)
{
    recording::Totals written, executed;
    for (const uint32_t number : numbers) {
        written += only(lines[number].written, kind);
        executed += only(lines[number].executed, kind);
    }
    if (written == executed)
        for (const uint32_t number : numbers)
            replace(lines[number].executed, lines[number].written, kind);
}

// Copies of unrolled code may have another line's number. If the lines of an array (or all lines) together execute
// exactly what is written in them, each of them is assumed to do so.
void settle(Lines& lines, const Recorded& recorded)
{
    for (const auto& [place, numbers] : recorded.lines)
        if (std::all_of(numbers.begin(), numbers.end(), [&, kind = place.first](uint32_t number) {
                return recorded.arrays.at({kind, number}).size() == 1;
            }))
            settle(lines, numbers, place.first);
    std::set<uint32_t> all;
    for (const auto& [number, line] : lines)
        all.insert(number);
    for (const Op kind : kinds_of_access)
        settle(lines, all, kind);
}

// Turns 65536 into "65,536".
std::string grouped(uint64_t value)
{
    std::string text = std::to_string(value);
    for (auto at = static_cast<int>(text.size()) - 3; at > 0; at -= 3)
        text.insert(static_cast<std::size_t>(at), 1, ',');
    return text;
}

// Returns "64 of 16 bytes (LDS.128)" for each instruction of that kind.
std::string kinds(const std::vector<SassAccessCounts>& instructions, Op kind)
{
    std::vector<std::string> parts;
    for (const SassAccessCounts& one : instructions)
        if (kind_of(one.op) == kind)
            parts.push_back(
                fmt::format("{} of {} bytes ({})", grouped(instructions_of(one.totals, kind)), one.width, one.name));
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

// Describes the first operation whose numbers of instructions differ.
std::string difference(const LineExecution& line, const Recorded& recorded)
{
    for (const Op op : kinds_of_access) {
        const uint64_t written = instructions_of(line.written, op), executed = instructions_of(line.executed, op);
        if (written == executed)
            continue;
        const bool load = op == Op::shared_load || op == Op::global_load;
        const char* what = load ? "loads" : "stores";
        if (line.instructions.empty() || executed == 0)
            return fmt::format("The compiler has left out the {} {} of this line.", grouped(written), what);
        const auto width = recorded.widths.find({op, line.line});
        uint64_t bytes = 0;
        int widest = 0;
        for (const SassAccessCounts& one : line.instructions)
            if (kind_of(one.op) == op) {
                bytes += instructions_of(one.totals, op) * static_cast<uint64_t>(one.width);
                widest = std::max(widest, one.width);
            }
        const int as_written = width == recorded.widths.end() ? 0 : width->second;
        const bool joined = as_written != 0 && widest > as_written;
        const bool kept = load && as_written != 0 && bytes < written * static_cast<uint64_t>(as_written);
        const char* how = joined && kept ? "joined neighbours, and kept in registers what had been loaded before"
                          : joined       ? "joined neighbours"
                          : kept         ? "kept in registers what had been loaded before"
                                         : "moved some of them to or from other lines";
        return fmt::format("The compiler {}: {} {} of {} bytes as written became {}.", how, grouped(written), what,
                           as_written, kinds(line.instructions, op));
    }
    return "The same instructions cost something else: neighbouring lanes' addresses fall together differently.";
}

} // namespace

std::vector<LineExecution> compare_lines(const recording::Recording& recording, const Executed& executed)
{
    const Recorded recorded(recording);
    Lines lines;
    for (const recording::LineTotals& line : recording.lines)
        lines[line.line].written = line.totals;
    for (const SassAccessCounts& one : executed.instructions) {
        LineExecution& line = lines[line_of(one, recorded, lines)];
        line.executed += one.totals;
        const auto same = std::find_if(line.instructions.begin(), line.instructions.end(), [&one](const auto& other) {
            return other.op == one.op && other.name == one.name;
        });
        if (same != line.instructions.end())
            same->totals += one.totals, same->copy_wavefronts += one.copy_wavefronts;
        else
            line.instructions.push_back(one);
    }
    settle(lines, recorded);
    std::vector<LineExecution> result;
    for (auto& [number, line] : lines) {
        line.line = number;
        if (line.differs())
            line.why = difference(line, recorded);
        result.push_back(std::move(line));
    }
    return result;
}

} // namespace kernels
