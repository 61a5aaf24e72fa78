#include "ptx/tensor_map.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <set>

namespace ptx {

namespace {

struct Stored {
    uint64_t mark = 0, address = 0;
    std::array<uint64_t, most_axes> stride{};
    std::array<uint32_t, most_axes> extent{};
    std::array<uint16_t, most_axes> box{};
    uint8_t axes = 0, element_bytes = 0, swizzle = 0, element = 0;
};
static_assert(sizeof(Stored) <= tensor_map_bytes);
constexpr uint64_t mark = 0x70616d20726f736e; // "nsor map"

} // namespace

uint64_t TensorMap::box_bytes() const
{
    uint64_t bytes = element_bytes;
    for (uint32_t axis = 0; axis < axes; ++axis)
        bytes *= box[axis];
    return bytes;
}

std::string refusal(const TensorMap& map)
{
    if (map.axes < 1 || map.axes > most_axes)
        return fmt::format("it has {} axes; 1 to {} are possible", map.axes, most_axes);
    if (map.element_bytes > 8)
        return fmt::format(
            "its elements have {} bytes, and 8 are the most; of a vector give the type that it is made of",
            map.element_bytes);
    if (!std::has_single_bit(map.element_bytes))
        return fmt::format("its elements have {} bytes; 1, 2, 4 and 8 are possible", map.element_bytes);
    if (map.element != Type::none && bits_of(map.element) != static_cast<int>(8 * map.element_bytes))
        return fmt::format("its elements of {} bytes are said to have a type of another size", map.element_bytes);
    const uint64_t row = uint64_t{map.box[0]} * map.element_bytes;
    for (uint32_t axis = 0; axis < map.axes; ++axis)
        if (map.box[axis] < 1 || map.box[axis] > 256)
            return fmt::format("a box has 1 to 256 elements along each axis, and this one {}", map.box[axis]);
    for (uint32_t axis = 1; axis < map.axes; ++axis)
        if (map.stride[axis] % 16 != 0)
            return fmt::format("its rows lie {} bytes apart; they must be multiples of 16", map.stride[axis]);
    if (map.address % 16 != 0)
        return "its address is no multiple of 16";
    if (row % 16 != 0)
        return fmt::format("a box's row has {} bytes; they must be a multiple of 16", row);
    if (map.swizzle != 0 && map.swizzle != 32 && map.swizzle != 64 && map.swizzle != 128)
        return fmt::format("its swizzle is {} bytes; 0, 32, 64 and 128 are possible", map.swizzle);
    if (map.swizzle != 0 && row > map.swizzle)
        return fmt::format("a box's row has {} bytes, more than the {} of its swizzle", row, map.swizzle);
    return "";
}

std::array<std::byte, tensor_map_bytes> bytes_of(const TensorMap& map)
{
    Stored stored{.mark = mark,
                  .address = map.address,
                  .stride = map.stride,
                  .extent = map.extent,
                  .axes = static_cast<uint8_t>(map.axes),
                  .element_bytes = static_cast<uint8_t>(map.element_bytes),
                  .swizzle = static_cast<uint8_t>(map.swizzle),
                  .element = static_cast<uint8_t>(map.element)};
    for (uint32_t axis = 0; axis < most_axes; ++axis)
        stored.box[axis] = static_cast<uint16_t>(map.box[axis]);
    std::array<std::byte, tensor_map_bytes> bytes{};
    std::memcpy(bytes.data(), &stored, sizeof stored);
    return bytes;
}

std::optional<TensorMap> tensor_map_of(std::span<const std::byte, tensor_map_bytes> bytes)
{
    Stored stored;
    std::memcpy(&stored, bytes.data(), sizeof stored);
    if (stored.mark != mark)
        return {};
    TensorMap map{.address = stored.address,
                  .axes = stored.axes,
                  .element_bytes = stored.element_bytes,
                  .extent = stored.extent,
                  .stride = stored.stride,
                  .swizzle = stored.swizzle,
                  .element = static_cast<Type>(stored.element)};
    for (uint32_t axis = 0; axis < most_axes; ++axis)
        map.box[axis] = stored.box[axis];
    return map;
}

void TileTraffic::take(const traced::Step& step)
{
    const bool loads = step.op == recording::Op::tile_load;
    if (!loads && step.op != recording::Op::tile_store)
        return;
    const bool in_shared = step.space == recording::Space::shared;
    Traffic& traffic = in_shared ? shared_ : global_;
    ++(loads ? traffic.loads : traffic.stores);
    if (in_shared)
        return;
    constexpr uint64_t sector_bytes = 32;
    std::set<uint64_t> sectors;
    for (uint32_t row = 0; row < recording::warp_size; ++row)
        if ((step.mask >> row & 1) != 0)
            for (uint64_t sector = step.address[row] / sector_bytes;
                 sector <= (step.address[row] + step.width - 1) / sector_bytes; ++sector)
                sectors.insert(sector);
    traffic.sectors += sectors.size();
}

void TileTraffic::Traffic::add(const Traffic& other)
{
    loads += other.loads;
    stores += other.stores;
    sectors += other.sectors;
}

void TileTraffic::join(const TileTraffic& other)
{
    global_.add(other.global_);
    shared_.add(other.shared_);
}

void TileTraffic::write(std::vector<std::string>& notes) const
{
    if (global_.loads + global_.stores > 0)
        notes.push_back(fmt::format(
            "WMMA moves tiles of global memory by {} loads and {} stores of warps. PTX leaves open which lane takes "
            "which "
            "element, so that no request and no sector of theirs is counted; the rows of the tiles lie in {} sectors.",
            global_.loads, global_.stores, global_.sectors));
    if (shared_.loads + shared_.stores > 0)
        notes.push_back(
            fmt::format("WMMA moves tiles of shared memory by {} loads and {} stores of warps. PTX leaves open "
                        "which lane takes which element, so that no wavefront of theirs is counted.",
                        shared_.loads, shared_.stores));
}

} // namespace ptx
