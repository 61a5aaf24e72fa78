#include "injection/traced_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
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

} // namespace

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
                  .places = {}};
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
    }
    add_shared(memory, trace);
    return memory;
}

Memory memory_of(const RawTrace& trace)
{
    const std::vector<Buffer> buffers = buffers_of(trace);
    const auto output =
        std::ranges::max_element(buffers, {}, [](const Buffer& buffer) { return buffer.written ? buffer.bytes : 0; });
    Memory memory{.arrays = {{.name = "A", .bytes = 0}, {.name = "B", .bytes = 0}}, .places = {}};
    const auto add = [&](Array array, uint64_t first) {
        memory.places.push_back({first, memory.arrays.size()});
        memory.arrays.push_back(std::move(array));
    };
    if (output != buffers.end() && output->written)
        add(global_array(*output, "written 1"), output->first);
    else
        memory.arrays.push_back({.name = "written", .space = Space::global, .rows = 1, .cols = 1, .bytes = 4});
    std::size_t read = 0, written = 1;
    for (auto buffer = buffers.begin(); buffer != buffers.end(); ++buffer) {
        if (buffer == output && output->written)
            continue;
        const std::string name =
            buffer->written ? fmt::format("written {}", ++written) : fmt::format("read {}", ++read);
        add(global_array(*buffer, name), buffer->first);
    }
    add_shared(memory, trace);
    return memory;
}

} // namespace injection
