#include "ptx/memory.h"

#include <fmt/format.h>

namespace ptx {

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

} // namespace ptx
