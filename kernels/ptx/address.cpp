// Finds the bytes that the lanes of a warp access, and writes the error sentence if there are none.
#include "ptx/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

namespace ptx {

namespace {

const char* word_for(bool writes)
{
    return writes ? "writes" : "reads";
}

bool is_inside(uint64_t first, uint64_t bytes, uint64_t size)
{
    return first <= size && bytes <= size - first;
}

// Returns the space that a generic address is in. Each space has a window of addresses.
Space space_at(uint64_t address)
{
    const uint64_t window = address / window_bytes * window_bytes;
    return window == shared_window      ? Space::shared
           : window == local_window     ? Space::local
           : window == parameter_window ? Space::parameter
           : window == workspace_window ? Space::workspace
                                        : Space::global;
}

bool is_generic(Space space)
{
    return space == Space::generic || space == Space::none;
}

} // namespace

std::string ThreadName::text() const
{
    return fmt::format("thread ({},{},{}) of block ({},{},{})", x, y, z, block_x, block_y, block_z);
}

ThreadName WarpName::thread(int lane) const
{
    const auto [x, y, z] = launch.block.place_of(number * recording::warp_size + static_cast<uint32_t>(lane));
    return {x, y, z, block.x, block.y, block.z};
}

std::string place_of(const Statement& statement)
{
    if (statement.source_line != 0)
        return fmt::format("Line {} ({})", statement.source_line, statement.text);
    return fmt::format("Line {} of the PTX ({})", statement.line, statement.text);
}

void fault(const Statement& statement, const std::string& what, Fault::Kind kind, std::optional<Fault::Missed> missed)
{
    throw Fault(fmt::format("{}: {}.", place_of(statement), what), kind, missed);
}

std::optional<Fault::Missed> missed_at(const std::vector<Region>& regions, uint64_t address, uint64_t bytes)
{
    const uint64_t number = region_number(address);
    if (address < window_bytes || number >= regions.size())
        return {};
    return Fault::Missed{number, address - global_address(number) + bytes};
}

std::string why_not_there(const std::vector<Region>& regions, uint64_t address)
{
    const uint64_t number = region_number(address);
    if (address < window_bytes)
        return fmt::format("at address {:#x}, where no memory is: a null pointer, or one that was not set", address);
    if (number >= regions.size())
        return fmt::format("at address {:#x}, which is in none of its buffers", address);
    const auto offset = static_cast<int64_t>(address - global_address(number));
    return fmt::format("at byte {} of {}, which has {}", offset, regions[number].name, regions[number].bytes.size());
}

Warp::Place Warp::locate(const Instruction& instruction, Space space, uint64_t address, uint64_t bytes, int lane,
                         bool writes)
{
    if (is_generic(space)) {
        space = space_at(address);
        address -= window_of(space);
    }
    const auto refuse = [&](const std::string& where, std::optional<Fault::Missed> missed = {}) {
        fail(instruction, lane, fmt::format("{} {} bytes {}", word_for(writes), bytes, where), Fault::Kind::address,
             missed);
    };
    if (address % std::min<uint64_t>(bytes, 16) != 0)
        refuse(fmt::format("at address {:#x}, which is no multiple of {}", address, bytes));
    if (space == Space::shared && address >= cluster_step)
        if (const Block* const owner = block_of(address)) {
            if (owner != &block)
                return in_other_block(instruction, address, bytes, lane, writes);
            address %= cluster_step;
        }
    const Program& program = block.program;
    switch (space) {
    case Space::shared:
        if (const uint64_t size = block.shared.size(); !is_inside(address, bytes, size))
            refuse(fmt::format("at byte {} of shared memory, of which the block has {}{}",
                               static_cast<int32_t>(address), size,
                               size == program.shared_bytes && program.dynamic_first >= size &&
                                       std::ranges::any_of(program.shared, &Placed::dynamic)
                                   ? "; give the size of its dynamic shared memory with --shared"
                                   : ""));
        return {space, address, block.shared.data() + address};
    case Space::local:
        if (!is_inside(address, bytes, program.local_bytes))
            refuse(fmt::format("at byte {} of its own memory, of which it has {}", static_cast<int64_t>(address),
                               program.local_bytes));
        return {space, address, local.data() + static_cast<uint64_t>(lane) * program.local_bytes + address};
    case Space::parameter:
        if (!is_inside(address, bytes, block.launch.arguments.size()) || writes)
            refuse("outside of the kernel's parameters");
        return {space, address, const_cast<std::byte*>(block.launch.arguments.data()) + address};
    case Space::workspace:
        if (!is_inside(address, bytes, block.cluster.workspace.size()))
            refuse("outside of the memory of the grid's barrier");
        // A loop that waits for the other blocks lets them run.
        yields = waits_for_grid = waits_for_grid || !writes;
        block.cluster.workspace_writes += writes ? 1 : 0;
        return {space, address, block.cluster.workspace.data() + address};
    default: break;
    }
    std::byte* const found = find_global(block.regions, address, bytes);
    if (found == nullptr)
        refuse(why_not_there(block.regions, address), missed_at(block.regions, address, bytes));
    if (writes && !block.regions[region_number(address)].writable)
        refuse(fmt::format("in {}, which is constant", block.regions[region_number(address)].name));
    if (GlobalUse* const use = block.cluster.use)
        use->add(address, bytes, writes);
    return {space, address, found};
}

// Translates the addresses of a whole warp at once. Returns an empty result if the lanes differ in kind, or if an
// access is wrong. Then the caller calls locate() for each lane, which also writes the error sentence.
Warp::Stretch Warp::stretch(const Instruction& instruction, uint32_t mask, uint64_t bytes, bool writes,
                            LaneAddresses& addresses)
{
    const uint32_t from = address_register(instruction);
    const auto fill = [&](const auto* values) {
        for (int lane = 0; lane < lane_count; ++lane)
            addresses[lane] = values[lane] + instruction.added;
    };
    (from & is_wide) != 0 ? fill(wides(from & ~is_wide)) : fill(words(from));
    if (mask == 0 || !std::has_single_bit(bytes) || bytes > widest_access)
        return {};
    const uint64_t some = addresses[static_cast<std::size_t>(std::countr_zero(mask))];
    if (mask != ~0u)
        for_lanes(~mask, [&](int lane) { addresses[lane] = some; });
    Stretch result{.space = is_generic(instruction.space) ? space_at(some) : instruction.space};
    uint64_t size = 0;
    if (result.space == Space::shared) {
        if (is_generic(instruction.space))
            for (uint64_t& one : addresses)
                one -= shared_window;
        result.bytes = block.shared.data();
        size = block.shared.size();
    } else if (const uint64_t number_of = region_number(some);
               result.space == Space::global && number_of < block.regions.size()) {
        Region& region = block.regions[number_of];
        if (writes && !region.writable)
            return {};
        result.bytes = region.bytes.data();
        result.first = global_address(number_of);
        size = region.bytes.size();
    }
    uint64_t all_bits = 0; // no offset is larger than the OR of all offsets
    for (const uint64_t one : addresses)
        all_bits |= one - result.first;
    const auto is_outside = [&](uint64_t one) { return !is_inside(one - result.first, bytes, size); };
    if (all_bits % bytes != 0 || size == 0 ||
        (is_outside(result.first + all_bits) && std::ranges::any_of(addresses, is_outside)))
        return {};
    if (GlobalUse* const use = block.cluster.use; use != nullptr && result.space == Space::global)
        for_lanes(mask, [&](int lane) { use->add(addresses[static_cast<std::size_t>(lane)], bytes, writes); });
    return result;
}

Block* Warp::block_of(uint64_t address) const
{
    if (address < cluster_step || (block.cluster.together && address / cluster_step == 1))
        return &block;
    return block.cluster.together ? nullptr : block.cluster.block(address / cluster_step - 1);
}

// Finds the bytes of an address in the shared memory of another block of the cluster. The address stays as it is, and
// its space becomes Space::cluster.
Warp::Place Warp::in_other_block(const Instruction& instruction, uint64_t address, uint64_t bytes, int lane,
                                 bool writes)
{
    Block& owner = *block_of(address);
    const uint64_t offset = address % cluster_step;
    const auto refuse = [&](const std::string& where) {
        fail(instruction, lane,
             fmt::format("{} {} bytes of shared memory of block ({},{},{}) of its cluster, {}", word_for(writes), bytes,
                         owner.index.x, owner.index.y, owner.index.z, where));
    };
    if (owner.finished())
        refuse("which has ended; all blocks must wait at the cluster's barrier before one of them ends");
    if (!is_inside(offset, bytes, owner.shared.size()))
        refuse(fmt::format("at byte {} of {}", offset, owner.shared.size()));
    return {Space::cluster, address, owner.shared.data() + offset};
}

} // namespace ptx
