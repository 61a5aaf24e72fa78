// Loads, stores and atomic operations, executed lane by lane.
#include "ptx/block.h"
#include "ptx/decode.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>

namespace ptx {

namespace {

using recording::Op;

uint64_t extended(Type type, uint64_t value)
{
    switch (type) {
    case Type::s8: return static_cast<uint64_t>(int64_t{static_cast<int8_t>(value)});
    case Type::s16: return static_cast<uint64_t>(int64_t{static_cast<int16_t>(value)});
    case Type::s32: return static_cast<uint64_t>(int64_t{static_cast<int32_t>(value)});
    default: return value;
    }
}

template <class T>
uint64_t whole_result(Combine combine, uint64_t before, uint64_t operand)
{
    const T a = static_cast<T>(before), b = static_cast<T>(operand);
    using U = std::make_unsigned_t<T>;
    switch (combine) {
    case Combine::bit_and: return static_cast<U>(a & b);
    case Combine::bit_or: return static_cast<U>(a | b);
    case Combine::bit_xor: return static_cast<U>(a ^ b);
    case Combine::add: return static_cast<U>(static_cast<U>(a) + static_cast<U>(b));
    case Combine::minimum: return static_cast<U>(std::min(a, b));
    case Combine::maximum: return static_cast<U>(std::max(a, b));
    case Combine::increment: return static_cast<U>(a) >= static_cast<U>(b) ? 0 : static_cast<U>(a) + 1;
    case Combine::decrement:
        return a == 0 || static_cast<U>(a) > static_cast<U>(b) ? static_cast<U>(b) : static_cast<U>(a) - 1;
    default: return operand;
    }
}

uint64_t float_result(Type type, Combine combine, uint64_t before, uint64_t operand)
{
    const auto of = [combine](double a, double b) {
        return combine == Combine::minimum ? std::fmin(a, b) : combine == Combine::maximum ? std::fmax(a, b) : a + b;
    };
    const auto halves = [&](FloatFormat format, int parts) {
        uint64_t result = 0;
        for (int i = 0; i < parts; ++i)
            result |=
                uint64_t{encode(
                    of(decode(before >> 16 * i & 0xffff, format), decode(operand >> 16 * i & 0xffff, format)), format)}
                << 16 * i;
        return result;
    };
    switch (type) {
    case Type::f16: return halves(half_format, 1);
    case Type::f16x2: return halves(half_format, 2);
    case Type::bf16: return halves(bfloat_format, 1);
    case Type::bf16x2: return halves(bfloat_format, 2);
    case Type::f64: return std::bit_cast<uint64_t>(of(std::bit_cast<double>(before), std::bit_cast<double>(operand)));
    default: {
        const float a = std::bit_cast<float>(static_cast<uint32_t>(before)),
                    b = std::bit_cast<float>(static_cast<uint32_t>(operand));
        return std::bit_cast<uint32_t>(combine == Combine::add ? a + b : static_cast<float>(of(a, b)));
    }
    }
}

uint64_t read_bytes(const std::byte* from, uint8_t width)
{
    uint64_t value = 0;
    std::memcpy(&value, from, width);
    return value;
}

// Returns whether the register has as many bits as the elements in memory. Most have, so no value is converted.
bool fits_exactly(const Instruction& instruction, uint32_t marked)
{
    return instruction.width == ((marked & is_wide) != 0 ? 8 : 4);
}

// Calls `move` with each register, the offset of its element in the access, and a value of the element's type.
template <class Move>
void each_exact(std::span<const uint32_t> registers, Move move)
{
    std::size_t offset = 0;
    for (const uint32_t marked : registers)
        if ((marked & is_wide) != 0)
            move(marked & ~is_wide, offset, uint64_t{}), offset += 8;
        else
            move(marked, offset, uint32_t{}), offset += 4;
}

// Loads the lanes of the mask. place(lane) points to a lane's bytes.
template <class Place>
void load_lanes(const Instruction& instruction, std::byte* registers, uint32_t mask, Place place)
{
    const auto exact = [&](uint32_t to) { return fits_exactly(instruction, to); };
    if (!std::ranges::all_of(instruction.to, exact))
        return for_lanes(mask, [&](int lane) { load_registers(instruction, registers, lane, place(lane)); });
    each_exact(instruction.to, [&]<class T>(uint32_t to, std::size_t offset, T) {
        T* const values = at<T>(registers, to);
        for_lanes(mask, [&](int lane) { std::memcpy(&values[lane], place(lane) + offset, sizeof(T)); });
    });
}

void store_registers(const Instruction& instruction, const std::byte* registers, int lane, std::byte* to)
{
    for (const uint32_t from : instruction.in) {
        const uint64_t value = read_register(registers, from, lane);
        std::memcpy(to, &value, instruction.width);
        to += instruction.width;
    }
}

// Stores the lanes of the mask. If several lanes store to one place, the highest of them wins.
template <class Place>
void store_lanes(const Instruction& instruction, std::byte* registers, uint32_t mask, Place place)
{
    const auto exact = [&](uint32_t from) { return fits_exactly(instruction, from); };
    if (!std::ranges::all_of(instruction.in, exact))
        return for_lanes(mask, [&](int lane) { store_registers(instruction, registers, lane, place(lane)); });
    each_exact(instruction.in, [&]<class T>(uint32_t from, std::size_t offset, T) {
        const T* const values = at<T>(registers, from);
        for_lanes(mask, [&](int lane) { std::memcpy(place(lane) + offset, &values[lane], sizeof(T)); });
    });
}

// Finds the first lane of a mask that stores to an address. It is a hash table with open addressing, which contains
// each address (at most 32) once.
class FirstLanes {
public:
    FirstLanes() { lanes_.fill(-1); }
    // Returns the lane that was added with the same address before, or adds `lane` and returns it.
    int add(const LaneAddresses& addresses, int lane)
    {
        const uint64_t address = addresses[static_cast<std::size_t>(lane)];
        for (std::size_t at = address * 0x9e3779b97f4a7c15u >> 58;; at = (at + 1) % lanes_.size()) {
            if (lanes_[at] < 0)
                lanes_[at] = static_cast<int8_t>(lane);
            if (addresses[static_cast<std::size_t>(lanes_[at])] == address)
                return lanes_[at];
        }
    }

private:
    std::array<int8_t, 64> lanes_;
};

// The places of all lanes' bytes, for accesses that Warp::stretch() refuses. Lanes with generic addresses can be in
// several spaces at once.
struct Places {
    explicit Places(uint32_t bytes_of_lane) : bytes(bytes_of_lane) {}
    uint32_t bytes;
    uint32_t in_global = 0, in_shared = 0, in_local = 0, in_constant = 0, in_other_blocks = 0; // masks of lanes
    LaneAddresses address{};

    Warp::Place locate(Warp& warp, const Instruction& instruction, int lane, bool writes)
    {
        const Warp::Place place =
            warp.locate(instruction, instruction.space, warp.address(instruction, lane), bytes, lane, writes);
        address[static_cast<std::size_t>(lane)] = place.address;
        const uint32_t bit = 1u << lane;
        in_global |= place.space == Space::global ? bit : 0;
        in_shared |= place.space == Space::shared ? bit : 0;
        in_local |= place.space == Space::local ? bit : 0;
        in_constant |= place.space == Space::constant ? bit : 0;
        in_other_blocks |= place.space == Space::cluster ? bit : 0;
        return place;
    }

    // Reports the access. An access to both shared and global memory becomes two steps.
    void tell(Warp& warp, const Instruction& instruction, uint32_t mask, Op global, Op shared) const
    {
        if (in_local != 0) {
            LocalTraffic& traffic = warp.block.local;
            ++(global == Op::global_load ? traffic.loads : traffic.stores);
            traffic.bytes += static_cast<uint64_t>(std::popcount(in_local)) * bytes;
        }
        warp.block.between_blocks += in_other_blocks != 0 ? 1 : 0;
        if (in_constant != 0)
            warp.tell(Op::constant_load, instruction, in_constant, address, bytes);
        if (in_shared != 0)
            warp.tell(shared, instruction, in_shared, address, bytes);
        if (in_global != 0 || (mask == 0 && instruction.space == Space::global))
            warp.tell(global, instruction, in_global, address, bytes);
    }
};

WarpAccess access_of(const Warp& warp, const Instruction& instruction, uint32_t mask, uint32_t bytes,
                     const LaneAddresses& address)
{
    return {mask, bytes, address, instruction.statement, warp.name};
}

void load(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    const auto bytes = static_cast<uint32_t>(instruction.width * instruction.to.size());
    std::byte* const registers = warp.registers.data();
    LaneAddresses& address = warp.step.address;
    if (const Warp::Stretch all = warp.stretch(instruction, mask, bytes, false, address); all.bytes != nullptr) {
        warp.check_load(access_of(warp, instruction, mask, bytes, address), all.space);
        load_lanes(instruction, registers, mask,
                   [&](int lane) { return all.bytes + (address[static_cast<std::size_t>(lane)] - all.first); });
        return warp.tell(all.space == Space::shared ? Op::shared_load : Op::global_load, instruction, mask, address,
                         bytes);
    }
    Places places(bytes);
    for_lanes(mask, [&](int lane) {
        const Warp::Place place = places.locate(warp, instruction, lane, false);
        warp.check_load(access_of(warp, instruction, 1u << lane, bytes, places.address), place.space);
        load_registers(instruction, registers, lane, place.bytes);
    });
    places.tell(warp, instruction, mask, Op::global_load, Op::shared_load);
}

// Checks that lanes do not store different values to one address. Addresses that ascend, as most do, need no check.
void check_lanes(Warp& warp, const Instruction& instruction, uint32_t mask, const LaneAddresses& addresses)
{
    int64_t last = -1;
    bool ascending = true;
    for_lanes(mask, [&](int lane) {
        const auto address = static_cast<int64_t>(addresses[static_cast<std::size_t>(lane)]);
        ascending = ascending && address > last;
        last = address;
    });
    if (ascending)
        return;
    const uint64_t stored = instruction.width >= 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * instruction.width) - 1;
    FirstLanes lanes;
    for_lanes(mask, [&](int lane) {
        const int first = lanes.add(addresses, lane);
        if (first != lane && std::ranges::any_of(instruction.in, [&](uint32_t from) {
                return ((warp.value(from, lane) ^ warp.value(from, first)) & stored) != 0;
            }))
            warp.block.check.lanes(warp.statement(instruction), warp.name.thread(first), warp.name.thread(lane));
    });
}

void store_lane(Warp& warp, const Instruction& instruction, int lane, const Warp::Place& place,
                const WarpAccess& access)
{
    if (place.space == Space::shared && warp.block.check.wanted())
        warp.block.check.store(access);
    GlobalCheck& check = warp.block.cluster.global_check;
    if (place.space != Space::global || !check.wanted())
        return store_registers(instruction, warp.registers.data(), lane, place.bytes);
    std::array<std::byte, widest_access> before{};
    std::memcpy(before.data(), place.bytes, access.bytes);
    store_registers(instruction, warp.registers.data(), lane, place.bytes);
    check.store(warp.block.regions, access, before.data());
}

void store(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    const auto bytes = static_cast<uint32_t>(instruction.width * instruction.in.size());
    LaneAddresses& address = warp.step.address;
    if (const Warp::Stretch all = warp.stretch(instruction, mask, bytes, true, address); all.bytes != nullptr) {
        const auto place = [&](int lane) { return all.bytes + (address[static_cast<std::size_t>(lane)] - all.first); };
        if (all.space == Space::shared) {
            if (warp.block.check.wanted())
                warp.block.check.store(access_of(warp, instruction, mask, bytes, address));
            store_lanes(instruction, warp.registers.data(), mask, place);
        } else {
            for_lanes(mask, [&](int lane) {
                store_lane(warp, instruction, lane, {all.space, 0, place(lane)},
                           access_of(warp, instruction, 1u << lane, bytes, address));
            });
        }
        check_lanes(warp, instruction, mask, address);
        return warp.tell(all.space == Space::shared ? Op::shared_store : Op::global_store, instruction, mask, address,
                         bytes);
    }
    Places places(bytes);
    for_lanes(mask, [&](int lane) {
        const Warp::Place place = places.locate(warp, instruction, lane, true);
        store_lane(warp, instruction, lane, place, access_of(warp, instruction, 1u << lane, bytes, places.address));
    });
    if (places.in_local == 0)
        check_lanes(warp, instruction, mask, places.address);
    places.tell(warp, instruction, mask, Op::global_store, Op::shared_store);
}

void atomic(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    GlobalCheck& check = warp.block.cluster.global_check;
    const uint64_t ones = instruction.width == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * instruction.width) - 1;
    Places places(instruction.width);
    for_lanes(mask, [&](int lane) {
        const Warp::Place place = places.locate(warp, instruction, lane, true);
        const uint64_t before = read_bytes(place.bytes, instruction.width);
        const uint64_t operand = warp.value(instruction.in[0], lane) & ones;
        const uint64_t swap = instruction.in.size() > 1 ? warp.value(instruction.in[1], lane) & ones : 0;
        const uint64_t after = combined(instruction, before, operand, swap);
        std::memcpy(place.bytes, &after, instruction.width);
        if (place.space == Space::global && check.wanted())
            check.atomic(warp.block.regions,
                         access_of(warp, instruction, 1u << lane, instruction.width, places.address));
        if (!instruction.to.empty())
            warp.set(instruction.to.front(), lane, before);
    });
    places.tell(warp, instruction, mask, Op::global_atomic, Op::shared_atomic);
}

// Decodes what loads and stores have in common. `address` is the number of the address operand.
Instruction access(Decoder& decoder, const Words& words, Kind kind, Execute execute, std::size_t address)
{
    Instruction instruction{.kind = kind, .execute = execute};
    instruction.type = words.types.empty() ? Type::none : words.types.back();
    instruction.space = space_in(words);
    instruction.width = static_cast<uint8_t>(bits_of(instruction.type) / 8);
    if (instruction.width == 0 || instruction.width > 8)
        decoder.unknown();
    decoder.address(address, instruction);
    return instruction;
}

void decode_load(Decoder& decoder, const Words& words)
{
    Instruction instruction = access(decoder, words, Kind::load, load, 1);
    for (const Operand& to : decoder.vector(0, words, instruction.width))
        instruction.to.push_back(decoder.any_target(to));
    decoder.emit(std::move(instruction));
}

void decode_store(Decoder& decoder, const Words& words)
{
    Instruction instruction = access(decoder, words, Kind::store, store, 0);
    for (const Operand& from : decoder.vector(1, words, instruction.width))
        instruction.in.push_back(decoder.any_source(from, instruction.type));
    decoder.emit(std::move(instruction));
}

void decode_atomic(Decoder& decoder, const Words& words)
{
    Instruction instruction{.kind = Kind::atomic, .execute = atomic};
    instruction.type = words.types.empty() ? Type::none : words.types.back();
    instruction.space = space_in(words);
    instruction.combine = combine_of(words);
    instruction.width = static_cast<uint8_t>(bits_of(instruction.type) / 8);
    const bool gives = words.first == "atom";
    const std::size_t first = gives ? 1 : 0;
    const bool compares = instruction.combine == Combine::compare_and_swap;
    if (!can_combine(instruction.combine, instruction.type) || words.has("v2") || words.has("v4") || words.has("v8") ||
        decoder.operands() < first + (compares ? 3 : 2))
        decoder.unknown();
    decoder.address(first, instruction);
    instruction.in.push_back(decoder.any_source(first + 1, instruction.type));
    if (compares)
        instruction.in.push_back(decoder.any_source(first + 2, instruction.type));
    if (gives)
        instruction.to.push_back(decoder.any_target(0));
    decoder.emit(std::move(instruction));
}

} // namespace

void load_registers(const Instruction& instruction, std::byte* registers, int lane, const std::byte* from)
{
    for (const uint32_t to : instruction.to) {
        write_register(registers, to, lane, extended(instruction.type, read_bytes(from, instruction.width)));
        from += instruction.width;
    }
}

uint64_t combined(const Instruction& instruction, uint64_t before, uint64_t operand, uint64_t swap)
{
    if (instruction.combine == Combine::exchange)
        return operand;
    if (instruction.combine == Combine::compare_and_swap)
        return before == operand ? swap : before;
    if (is_float(instruction.type))
        return float_result(instruction.type, instruction.combine, before, operand);
    switch (instruction.type) {
    case Type::s32: return whole_result<int32_t>(instruction.combine, before, operand);
    case Type::s64: return whole_result<int64_t>(instruction.combine, before, operand);
    case Type::u64:
    case Type::b64: return whole_result<uint64_t>(instruction.combine, before, operand);
    default: return whole_result<uint32_t>(instruction.combine, before, operand);
    }
}

void Warp::check_shared(const Instruction& instruction, uint64_t where, uint64_t bytes, int lane, bool writes)
{
    if (!block.check.wanted())
        return;
    LaneAddresses offsets{};
    offsets[static_cast<std::size_t>(lane)] = where;
    const WarpAccess access{1u << lane, static_cast<uint32_t>(bytes), offsets, instruction.statement, name};
    writes ? block.check.store(access) : block.check.load(access);
}

void Warp::check_load(const WarpAccess& access, Space space)
{
    if (space == Space::shared && block.check.wanted())
        block.check.load(access);
    if (GlobalCheck& check = block.cluster.global_check; space == Space::global && check.wanted())
        check.load(block.regions, access);
}

Space space_in(const Words& words)
{
    for (const std::string_view word : words.rest) {
        if (word == "global")
            return Space::global;
        if (word == "shared" || word == "shared::cta" || word == "shared::cluster")
            return Space::shared;
        if (word == "local")
            return Space::local;
        if (word == "const")
            return Space::constant;
        if (word == "param" || word == "param::entry" || word == "param::func")
            return Space::parameter;
    }
    return Space::generic;
}

Combine combine_of(const Words& words)
{
    constexpr std::pair<std::string_view, Combine> names[] = {
        {"and", Combine::bit_and},   {"or", Combine::bit_or},
        {"xor", Combine::bit_xor},   {"add", Combine::add},
        {"inc", Combine::increment}, {"dec", Combine::decrement},
        {"min", Combine::minimum},   {"max", Combine::maximum},
        {"exch", Combine::exchange}, {"cas", Combine::compare_and_swap}};
    for (const auto& [name, combine] : names)
        if (words.has(name))
            return combine;
    return Combine::none;
}

bool can_combine(Combine combine, Type type)
{
    const int bits = bits_of(type);
    if (combine == Combine::none || bits < 16 || bits > 64)
        return false;
    if (swaps(combine))
        return true;
    if (!is_float(type))
        return bits >= 32;
    constexpr std::array added = {Type::f16, Type::f16x2, Type::bf16, Type::bf16x2, Type::f32, Type::f64};
    const bool as_numbers = combine == Combine::add || combine == Combine::minimum || combine == Combine::maximum;
    return as_numbers && std::ranges::find(added, type) != added.end();
}

bool decode_memory(Decoder& decoder, const Words& words)
{
    if (words.first == "ld" || words.first == "ldu")
        decode_load(decoder, words);
    else if (words.first == "st")
        decode_store(decoder, words);
    else if (words.first == "atom" || words.first == "red")
        decode_atomic(decoder, words);
    else
        return false;
    return true;
}

} // namespace ptx
