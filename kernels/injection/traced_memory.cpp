#include "injection/traced_memory.h"

#include "injection/traced_program.h"
#include "traced/source_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace injection {

namespace {

using recording::Array;
using recording::Space;

constexpr uint64_t offset_limit = uint64_t{1} << 32; // offsets in a recording's arrays have 32 bits

uint64_t lowest(const InstructionTotals& totals)
{
    return ~totals.not_lowest;
}

// Returns the allocation that contains the address, or nothing if the address is outside all known allocations.
std::optional<Allocation> allocation_of(const RawTrace& trace, uint64_t address)
{
    const auto after = std::ranges::upper_bound(trace.allocations, address, {}, &Allocation::address);
    if (after == trace.allocations.begin() || address - (after - 1)->address >= (after - 1)->bytes)
        return std::nullopt;
    return *(after - 1);
}

// A range of global memory that instructions access.
struct Range {
    uint64_t first = 0, end = 0;
    bool read = false, written = false;
    std::map<uint32_t, uint64_t> widths; // number of lanes per access width
};

Range range_of(const InstructionTotals& totals, const RawTrace& trace)
{
    Range range{.first = lowest(totals),
                .end = totals.highest + 1,
                .read = (totals.flags & flag_read) != 0,
                .written = (totals.flags & flag_write) != 0,
                .widths = {{totals.size, totals.lanes_active}}};
    if (const auto allocation = allocation_of(trace, range.first))
        range.end = std::min(range.end, allocation->address + allocation->bytes);
    return range;
}

uint32_t element_bytes(const Range& range)
{
    const auto most = std::ranges::max_element(range.widths, {}, [](const auto& width) { return width.second; });
    return most == range.widths.end() || most->first == 0 ? 4 : std::min(most->first, 4u);
}

uint64_t shared_bytes(const RawTrace& trace)
{
    uint64_t end = trace.resources.shared_bytes_per_block;
    for (const InstructionTotals& totals : trace.totals)
        if (in_shared(totals.kind))
            end = std::max<uint64_t>(end, totals.highest + 1);
    for (const TracedBlock& block : trace.blocks)
        for (const Event& event : block.events)
            for (unsigned lane = 0; event.kind == EventKind::copy_write && lane < lanes; ++lane)
                if (event.mask >> lane & 1)
                    end = std::max<uint64_t>(end, (event.address[lane] & shared_offset_bits) + event.size);
    return (end + 127) / 128 * 128;
}

Array global_array(const Buffer& buffer, const std::string& name)
{
    const uint64_t elements = buffer.bytes / buffer.element_bytes;
    return {.name = name,
            .space = Space::global,
            .rows = 1,
            .cols = static_cast<uint32_t>(std::max<uint64_t>(elements, 1)),
            .element_bytes = buffer.element_bytes,
            .bytes = std::max<uint64_t>(elements, 1) * buffer.element_bytes};
}

// Adds shared memory as one array: machine code does not tell the names of its parts.
void add_shared(Memory& memory, const RawTrace& trace)
{
    const uint64_t bytes = shared_bytes(trace);
    if (bytes == 0)
        return;
    memory.places.push_back({0, memory.arrays.size()});
    memory.arrays.push_back({.name = "shared",
                             .space = Space::shared,
                             .rows = static_cast<uint32_t>(bytes / 128),
                             .cols = 32,
                             .bytes = bytes});
}

bool writes_global(const InstructionTotals& totals)
{
    return totals.kind == EventKind::bulk_write || (in_global(totals.kind) && (totals.flags & flag_write) != 0);
}

// Returns the bytes that the launch's instructions wrote to this buffer.
uint64_t written_to(const KnownBuffer& buffer, const RawTrace& trace)
{
    uint64_t bytes = 0;
    for (const InstructionTotals& totals : trace.totals)
        if (writes_global(totals) && totals.executed > 0 && lowest(totals) - buffer.address < buffer.array.bytes)
            bytes += totals.lanes_active * totals.size;
    return bytes;
}

// Returns the output: C of a multiplication, otherwise the buffer that received the most bytes. Stores by tensor maps
// are not observed. Without any observed store, returns the last buffer, like ptx::trace().
std::vector<KnownBuffer>::const_iterator output_of(const KnownLaunch& known, const RawTrace& trace)
{
    if (known.multiplies)
        return std::ranges::find(known.buffers, 'C', &KnownBuffer::role);
    const auto written = [&](const KnownBuffer& one) { return written_to(one, trace); };
    const auto most = std::ranges::max_element(known.buffers, {}, written);
    return most == known.buffers.end() || written(*most) > 0 ? most : known.buffers.end() - 1;
}

// Returns the argument that the kernel is likely to have reached the buffer by: the nearest one at or before its start
// in the same allocation, or else one that points into it.
const PointerArgument* pointer_to(const Buffer& buffer, const std::vector<PointerArgument>& pointers,
                                  const RawTrace& trace)
{
    const std::optional<Allocation> allocation = allocation_of(trace, buffer.first);
    const PointerArgument* best = nullptr;
    const auto is_before = [&](const PointerArgument& one) { return one.address <= buffer.first; };
    for (const PointerArgument& one : pointers)
        if (allocation && one.address - allocation->address < allocation->bytes &&
            one.address < buffer.first + buffer.bytes &&
            (best == nullptr || (is_before(one) ? one.address > best->address || !is_before(*best)
                                                : !is_before(*best) && one.address < best->address)))
            best = &one;
    return best;
}

// Returns whether the program is likely to have allocated the memory for one buffer alone, such as a matrix whose last
// row nothing touches. Then one argument points to its start. Frameworks allocate whole pages, and place several
// buffers in them.
bool is_one_buffer(const Allocation& allocation, const std::vector<Buffer>& buffers,
                   const std::vector<PointerArgument>& pointers)
{
    constexpr uint64_t page = 2 << 20;
    uint64_t touched = 0;
    for (const Buffer& buffer : buffers)
        touched += buffer.first - allocation.address < allocation.bytes ? buffer.bytes : 0;
    const auto points_into = [&](const PointerArgument& one) {
        return one.address - allocation.address < allocation.bytes;
    };
    return (allocation.bytes % page != 0 || touched * 2 >= allocation.bytes) && allocation.bytes < offset_limit &&
           std::ranges::any_of(pointers, points_into) && std::ranges::all_of(pointers, [&](const PointerArgument& one) {
               return !points_into(one) || one.address == allocation.address;
           });
}

// Returns whether the buffer goes on where the one before it ends, and no argument points to its start. Then they are one
// buffer, of which several instructions access a part each.
bool continues(const Buffer& before, const Buffer& buffer, const std::optional<Allocation>& allocation,
               const std::vector<PointerArgument>& pointers)
{
    return allocation && before.first >= allocation->address && before.first + before.bytes == buffer.first &&
           before.element_bytes == buffer.element_bytes && before.bytes + buffer.bytes < offset_limit &&
           std::ranges::find(pointers, buffer.first, &PointerArgument::address) == pointers.end();
}

// Replaces the buffers that are parts of an allocation by the whole of it, and joins those that continue another.
std::vector<Buffer> with_whole_allocations(const std::vector<Buffer>& buffers,
                                           const std::vector<PointerArgument>& pointers, const RawTrace& trace)
{
    std::vector<Buffer> result;
    for (const Buffer& buffer : buffers) {
        const std::optional<Allocation> allocation = allocation_of(trace, buffer.first);
        const bool is_part = allocation && is_one_buffer(*allocation, buffers, pointers);
        if (is_part && !result.empty() && result.back().first == allocation->address) {
            result.back().read |= buffer.read;
            result.back().written |= buffer.written;
        } else if (!is_part && !pointers.empty() && !result.empty() &&
                   continues(result.back(), buffer, allocation, pointers)) {
            result.back().read |= buffer.read;
            result.back().written |= buffer.written;
            result.back().bytes += buffer.bytes;
        } else {
            result.push_back(buffer);
        }
        if (is_part) {
            result.back().first = allocation->address;
            result.back().bytes = allocation->bytes;
        }
    }
    return result;
}

// Gives the buffers names and types.
void describe(std::vector<Buffer>& buffers, const std::vector<PointerArgument>& pointers, const RawTrace& trace)
{
    std::set<std::string> used;
    for (Buffer& buffer : buffers) {
        const PointerArgument* const pointer = pointer_to(buffer, pointers, trace);
        if (pointer == nullptr)
            continue;
        buffer.name = pointer->name;
        if (!used.insert(buffer.name).second)
            buffer.name = fmt::format("{} at byte {}", pointer->name, buffer.first - pointer->address);
        const uint32_t bytes = traced::bytes_of_type(pointer->type);
        if (bytes == 0 || buffer.bytes % bytes != 0)
            continue;
        buffer.type = pointer->type;
        buffer.element_bytes = bytes;
    }
}

} // namespace

std::vector<PointerArgument> pointers_of(const RawTrace& trace, std::string_view source)
{
    const std::vector<std::string> types = traced::types_in(trace.name);
    const std::vector<traced::WrittenKernel> all = traced::kernels_in(source);
    const traced::WrittenKernel* const written = traced::kernel_called(all, short_name(trace.name, trace.name.size()));
    std::map<uint32_t, int> words;
    for (const ArgumentWord& word : trace.arguments)
        ++words[word.parameter];
    std::vector<PointerArgument> result;
    for (const ArgumentWord& word : trace.arguments) {
        if (!allocation_of(trace, word.value))
            continue;
        const bool is_named = written != nullptr && word.parameter < written->parameters.size() &&
                              (types.empty() || types.size() == written->parameters.size());
        PointerArgument pointer{.address = word.value,
                                .name = is_named ? written->parameters[word.parameter].name
                                                 : fmt::format("argument {}", word.parameter + 1),
                                .type = {}};
        if (words[word.parameter] > 1)
            pointer.name += fmt::format(" at byte {}", word.offset);
        else if (word.parameter < types.size()) {
            const traced::TypeName type = traced::type_name(types[word.parameter]);
            if (type.pointers == 0 && traced::bytes_of_type(type.base) != 0)
                continue; // a number that looks like an address
            pointer.type = type.pointers == 1 ? type.base : "";
        }
        result.push_back(std::move(pointer));
    }
    return result;
}

std::vector<Buffer> buffers_of(const RawTrace& trace)
{
    std::vector<Range> ranges;
    for (const InstructionTotals& totals : trace.totals)
        if (in_global(totals.kind) && totals.highest >= lowest(totals) && totals.executed > 0)
            ranges.push_back(range_of(totals, trace));
    std::ranges::sort(ranges, {}, &Range::first);
    std::vector<Range> joined;
    for (const Range& range : ranges) {
        if (joined.empty() || range.first >= joined.back().end) {
            joined.push_back(range);
            continue;
        }
        Range& last = joined.back();
        last.end = std::max(last.end, range.end);
        last.read |= range.read;
        last.written |= range.written;
        for (const auto& [width, count] : range.widths)
            last.widths[width] += count;
    }
    std::vector<Buffer> buffers;
    for (const Range& range : joined)
        buffers.push_back({.first = range.first,
                           .bytes = std::min(range.end - range.first, offset_limit),
                           .read = range.read,
                           .written = range.written,
                           .element_bytes = element_bytes(range)});
    return buffers;
}

Memory memory_of(const RawTrace& trace, const KnownLaunch& known)
{
    Memory memory{.arrays = {{.name = "A", .bytes = 0},
                             {.name = "B", .bytes = 0},
                             {.name = "written", .space = Space::global, .rows = 1, .cols = 1, .bytes = 4}},
                  .places = {},
                  .types = {}};
    const auto output = output_of(known, trace);
    for (auto buffer = known.buffers.begin(); buffer != known.buffers.end(); ++buffer) {
        const bool is_factor = known.multiplies && (buffer->role == 'A' || buffer->role == 'B');
        const std::size_t to = buffer == output ? 2
                               : is_factor      ? std::size_t(buffer->role - 'A')
                                                : memory.arrays.size();
        if (to == memory.arrays.size())
            memory.arrays.emplace_back();
        memory.arrays[to] = buffer->array;
        memory.places.push_back({buffer->address, to});
        memory.types[to] = buffer->type;
    }
    add_shared(memory, trace);
    return memory;
}

Memory memory_of(const RawTrace& trace, const std::vector<PointerArgument>& pointers)
{
    std::vector<Buffer> buffers = with_whole_allocations(buffers_of(trace), pointers, trace);
    describe(buffers, pointers, trace);
    const auto output =
        std::ranges::max_element(buffers, {}, [](const Buffer& buffer) { return buffer.written ? buffer.bytes : 0; });
    Memory memory{.arrays = {{.name = "A", .bytes = 0}, {.name = "B", .bytes = 0}}, .places = {}, .types = {}};
    const auto add = [&](const Buffer& buffer, const std::string& name) {
        memory.places.push_back({buffer.first, memory.arrays.size()});
        memory.types[memory.arrays.size()] = buffer.type;
        memory.arrays.push_back(global_array(buffer, buffer.name.empty() ? name : buffer.name));
    };
    if (output != buffers.end() && output->written)
        add(*output, "written 1");
    else
        memory.arrays.push_back({.name = "written", .space = Space::global, .rows = 1, .cols = 1, .bytes = 4});
    std::size_t read = 0, written = 1;
    for (auto buffer = buffers.begin(); buffer != buffers.end(); ++buffer) {
        if (buffer == output && output->written)
            continue;
        const std::string name =
            buffer->written ? fmt::format("written {}", ++written) : fmt::format("read {}", ++read);
        add(*buffer, name);
    }
    add_shared(memory, trace);
    return memory;
}

} // namespace injection
