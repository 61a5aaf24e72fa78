// Where the bytes are that a warp's lanes access, and the sentences where there are none.
#include "ptx/arithmetic.h"
#include "ptx/cluster.h"

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

} // namespace

std::byte* Warp::locate(const Instruction& instruction, Space& space, uint64_t& address, uint64_t bytes, int lane,
                        bool writes)
{
    if (space == Space::generic || space == Space::none) {
        const uint64_t window = address / window_bytes * window_bytes;
        space = window == shared_window      ? Space::shared
                : window == local_window     ? Space::local
                : window == parameter_window ? Space::parameter
                                             : Space::global;
        if (space != Space::global)
            address -= window;
    }
    const auto refuse = [&](const std::string& where, std::optional<Fault::Missed> missed = {}) {
        fault(statement(instruction),
              fmt::format("{} {} {} bytes {}", thread(lane).text(), word_for(writes), bytes, where),
              Fault::Kind::address, missed);
    };
    if (address % std::min<uint64_t>(bytes, 16) != 0)
        refuse(fmt::format("at address {:#x}, which is no multiple of {}", address, bytes));
    const auto inside = [&](uint64_t size) { return address <= size && bytes <= size - address; };
    if (space == Space::shared && address >= cluster_step)
        if (const Block* const owner = block_of(address)) {
            if (owner != &block_)
                return in_other_block(instruction, space, address, {bytes, lane, writes});
            address %= cluster_step;
        }
    switch (space) {
    case Space::shared:
        if (!inside(block_.shared.size()))
            refuse(fmt::format("at byte {} of shared memory, of which the block has {}{}",
                               static_cast<int32_t>(address), block_.shared.size(),
                               block_.shared.size() == block_.program.shared_bytes &&
                                       block_.program.dynamic_first >= block_.shared.size() &&
                                       std::ranges::any_of(block_.program.shared, &Placed::dynamic)
                                   ? "; give the size of its dynamic shared memory with --shared"
                                   : ""));
        return block_.shared.data() + address;
    case Space::local:
        if (!inside(block_.program.local_bytes))
            refuse(fmt::format("at byte {} of its own memory, of which it has {}", static_cast<int64_t>(address),
                               block_.program.local_bytes));
        return local_.data() + static_cast<uint64_t>(lane) * block_.program.local_bytes + address;
    case Space::parameter:
        if (!inside(block_.launch.arguments.size()) || writes)
            refuse("outside of the kernel's parameters");
        return const_cast<std::byte*>(block_.launch.arguments.data()) + address;
    default: break;
    }
    std::byte* const found = find_global(block_.regions, address, bytes);
    if (found == nullptr)
        refuse(why_not_there(block_.regions, address), missed_at(block_.regions, address, bytes));
    if (writes && !block_.regions[region_number(address)].writable)
        refuse(fmt::format("in {}, which is constant", block_.regions[region_number(address)].name));
    if (GlobalUse* const use = block_.cluster.use)
        use->add(address, bytes, writes);
    return found;
}

std::byte* Warp::locate(const Instruction& instruction, uint64_t bytes, int lane, bool writes, Places& places)
{
    places.space[lane] = instruction.space;
    places.address[lane] = address(instruction, lane);
    return locate(instruction, places.space[lane], places.address[lane], bytes, lane, writes);
}

// Where each lane's address register points. Lanes outside the mask, which is not 0, are where its first one is.
void Warp::fill_addresses(const Instruction& instruction, uint32_t mask, LaneAddresses& address) const
{
    const uint32_t from = address_register(instruction);
    auto* const registers = const_cast<std::byte*>(registers_.data());
    const auto fill = [&](const auto* values) {
        for (int lane = 0; lane < lane_count; ++lane)
            address[lane] = values[lane] + instruction.added;
    };
    if ((from & is_wide) != 0)
        fill(at<uint64_t>(registers, from & ~is_wide));
    else
        fill(at<uint32_t>(registers, from));
    const uint64_t first = address[static_cast<std::size_t>(std::countr_zero(mask))];
    if (mask != ~0u)
        for_lanes(~mask, [&](int lane) { address[lane] = first; });
}

// The quick way of what nearly all accesses are: lanes of one mask in one space, aligned, and inside. What is not all of that
// is looked at lane by lane, by locate(), which finds the words for what is wrong.
Warp::Stretch Warp::stretch(const Instruction& instruction, uint32_t mask, uint64_t bytes, bool writes,
                            LaneAddresses& address) const
{
    if (mask == 0)
        return {};
    fill_addresses(instruction, mask, address);
    uint64_t least = address[0], most = address[0], all_bits = 0;
    for (const uint64_t one : address) {
        least = std::min(least, one);
        most = std::max(most, one);
        all_bits |= one;
    }
    if (!std::has_single_bit(bytes) || bytes > widest_access || all_bits % bytes != 0)
        return {};
    Space space = instruction.space;
    const uint64_t window = least / window_bytes * window_bytes;
    if ((space == Space::generic || space == Space::none) && most / window_bytes == least / window_bytes) {
        if (window == shared_window) {
            space = Space::shared;
            least -= window, most -= window;
            for (uint64_t& one : address)
                one -= window;
        } else if (window != local_window && window != parameter_window) {
            space = Space::global;
        }
    }
    if (space == Space::shared) {
        const uint64_t size = block_.shared.size();
        return most <= size && bytes <= size - most ? Stretch{block_.shared.data(), 0, space} : Stretch{};
    }
    const uint64_t region = region_number(least);
    if (space != Space::global || region != region_number(most) ||
        (writes && !(region < block_.regions.size() && block_.regions[region].writable)))
        return {};
    std::byte* const found = find_global(block_.regions, least, bytes);
    if (found == nullptr || find_global(block_.regions, most, bytes) == nullptr)
        return {};
    if (GlobalUse* const use = block_.cluster.use)
        for_lanes(mask, [&](int lane) { use->add(address[static_cast<std::size_t>(lane)], bytes, writes); });
    return {found, least, space};
}

// The block whose shared memory it is in, as mapa gives it; null: none of the cluster.
Block* Warp::block_of(uint64_t address) const
{
    return address < cluster_step ? &block_ : block_.cluster.block(address / cluster_step - 1);
}

// The address stays as it is, and the space becomes that of the cluster.
std::byte* Warp::in_other_block(const Instruction& instruction, Space& space, uint64_t address, const Wanted& wanted)
{
    Block& owner = *block_of(address);
    const uint64_t offset = address % cluster_step;
    const auto refuse = [&](const std::string& where) {
        fault(statement(instruction),
              fmt::format("{} {} {} bytes of shared memory of block ({},{},{}) of its cluster, {}",
                          thread(wanted.lane).text(), word_for(wanted.writes), wanted.bytes, owner.index.x,
                          owner.index.y, owner.index.z, where));
    };
    if (owner.finished())
        refuse("which has ended; all blocks must wait at the cluster's barrier before one of them ends");
    if (offset > owner.shared.size() || wanted.bytes > owner.shared.size() - offset)
        refuse(fmt::format("at byte {} of {}", offset, owner.shared.size()));
    space = Space::cluster;
    return owner.shared.data() + offset;
}

} // namespace ptx
