// A warp's accesses to memory.
#include "ptx/arithmetic.h"
#include "ptx/cluster.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>
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

// Registers of as many bits as the elements in memory, as they mostly are: nothing is extended or cut off.
bool fits_exactly(const Instruction& instruction, uint32_t marked)
{
    return instruction.width == ((marked & is_wide) != 0 ? 8 : 4);
}

// Calls `move` with each register, the bytes from the start of an access to its element, and a value of its type.
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

// `place`: where a lane's bytes are.
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

// Where lanes store to one place, the last of them is the one that does.
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

// The first lane of a mask that stores to an address, by open addressing: none of the 32 addresses is in the table twice.
class FirstLanes {
public:
    FirstLanes() { lanes_.fill(-1); }
    // The lane that was added with the same address before; else `lane`, which is added.
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
    if (!block_.check().wanted())
        return;
    LaneAddresses offsets{};
    offsets[static_cast<std::size_t>(lane)] = where;
    const WarpAccess access{1u << lane, static_cast<uint32_t>(bytes), offsets, instruction.statement, name_};
    writes ? block_.check().store(access) : block_.check().load(access);
}

void Warp::check_load(const WarpAccess& access, Space space)
{
    if (space == Space::shared && block_.check().wanted())
        block_.check().load(access);
    if (GlobalCheck& check = block_.cluster.global_check; space == Space::global && check.wanted())
        check.load(block_.regions, access);
}

// Lanes with generic addresses can be in both spaces at once: then it is two steps.
void Warp::tell_memory(const Instruction& instruction, uint32_t mask, const Places& places, uint32_t width, Op global,
                       Op shared)
{
    uint32_t in_global = 0, in_shared = 0, in_local = 0, in_others = 0;
    for_lanes(mask, [&](int lane) {
        const Space space = places.space[lane];
        in_local += space == Space::local ? 1 : 0;
        in_others += space == Space::cluster ? 1 : 0;
        (space == Space::global ? in_global : in_shared) |=
            space == Space::global || space == Space::shared ? 1u << lane : 0;
    });
    if (in_local != 0) {
        ++(global == Op::global_load ? block_.local.loads : block_.local.stores);
        block_.local.bytes += uint64_t{in_local} * width;
    }
    block_.between_blocks += in_others != 0 ? 1 : 0;
    if (in_shared != 0)
        tell(shared, instruction, in_shared, places.address, width);
    if (in_global != 0 || (mask == 0 && instruction.space == Space::global))
        tell(global, instruction, in_global, places.address, width);
}

void Warp::load(const Instruction& instruction, uint32_t mask)
{
    const auto bytes = static_cast<uint32_t>(instruction.width * instruction.to.size());
    std::byte* const registers = registers_.data();
    Places places;
    if (const Stretch all = stretch(instruction, mask, bytes, false, places.address); all.bytes != nullptr) {
        check_load({mask, bytes, places.address, instruction.statement, name_}, all.space);
        load_lanes(instruction, registers, mask,
                   [&](int lane) { return all.bytes + (places.address[static_cast<std::size_t>(lane)] - all.first); });
        return tell(all.space == Space::shared ? Op::shared_load : Op::global_load, instruction, mask, places.address,
                    bytes);
    }
    for_lanes(mask, [&](int lane) {
        const std::byte* from = locate(instruction, bytes, lane, false, places);
        check_load({1u << lane, bytes, places.address, instruction.statement, name_}, places.space[lane]);
        load_registers(instruction, registers, lane, from);
    });
    tell_memory(instruction, mask, places, bytes, Op::global_load, Op::shared_load);
}

// Lanes mostly store in the order of their addresses: then no two have the same.
void Warp::check_lanes(const Instruction& instruction, uint32_t mask, const LaneAddresses& addresses)
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
                return ((read_register(registers_.data(), from, lane) ^ read_register(registers_.data(), from, first)) &
                        stored) != 0;
            }))
            block_.check().lanes(statement(instruction), thread(first), thread(lane));
    });
}

void Warp::store_lane(const Instruction& instruction, int lane, std::byte* to, const WarpAccess& access, Space space)
{
    if (space == Space::shared && block_.check().wanted())
        block_.check().store(access);
    GlobalCheck& check = block_.cluster.global_check;
    if (space != Space::global || !check.wanted())
        return store_registers(instruction, registers_.data(), lane, to);
    std::array<std::byte, widest_access> before{};
    std::memcpy(before.data(), to, access.bytes);
    store_registers(instruction, registers_.data(), lane, to);
    check.store(block_.regions, access, before.data());
}

void Warp::store(const Instruction& instruction, uint32_t mask)
{
    const auto bytes = static_cast<uint32_t>(instruction.width * instruction.in.size());
    Places places;
    const auto access = [&](uint32_t lanes) {
        return WarpAccess{lanes, bytes, places.address, instruction.statement, name_};
    };
    if (const Stretch all = stretch(instruction, mask, bytes, true, places.address); all.bytes != nullptr) {
        const auto place = [&](int lane) {
            return all.bytes + (places.address[static_cast<std::size_t>(lane)] - all.first);
        };
        if (all.space == Space::shared) {
            if (block_.check().wanted())
                block_.check().store(access(mask));
            store_lanes(instruction, registers_.data(), mask, place);
        } else {
            for_lanes(mask,
                      [&](int lane) { store_lane(instruction, lane, place(lane), access(1u << lane), all.space); });
        }
        check_lanes(instruction, mask, places.address);
        return tell(all.space == Space::shared ? Op::shared_store : Op::global_store, instruction, mask, places.address,
                    bytes);
    }
    for_lanes(mask, [&](int lane) {
        std::byte* to = locate(instruction, bytes, lane, true, places);
        store_lane(instruction, lane, to, access(1u << lane), places.space[lane]);
    });
    if (!instruction.in.empty() && std::ranges::find(places.space, Space::local) == places.space.end())
        check_lanes(instruction, mask, places.address);
    tell_memory(instruction, mask, places, bytes, Op::global_store, Op::shared_store);
}

void Warp::atomic(const Instruction& instruction, uint32_t mask)
{
    GlobalCheck& check = block_.cluster.global_check;
    Places places;
    for_lanes(mask, [&](int lane) {
        std::byte* const place = locate(instruction, instruction.width, lane, true, places);
        const uint64_t before = read_bytes(place, instruction.width);
        const uint64_t ones = instruction.width == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * instruction.width) - 1;
        const uint64_t operand = read_register(registers_.data(), instruction.in[0], lane) & ones;
        const uint64_t swap =
            instruction.in.size() > 1 ? read_register(registers_.data(), instruction.in[1], lane) & ones : 0;
        const uint64_t after = combined(instruction, before, operand, swap);
        std::memcpy(place, &after, instruction.width);
        if (places.space[lane] == Space::global && check.wanted())
            check.atomic(block_.regions, {1u << lane, instruction.width, places.address, instruction.statement, name_});
        if (!instruction.to.empty())
            write_register(registers_.data(), instruction.to.front(), lane, before);
    });
    tell_memory(instruction, mask, places, instruction.width, Op::global_atomic, Op::shared_atomic);
}

void Warp::async_copy(const Instruction& instruction, uint32_t mask)
{
    PendingCopy copy{.mask = mask, .statement = instruction.statement, .width = instruction.width};
    uint32_t reading = 0;
    for_lanes(mask, [&](int lane) {
        const auto i = static_cast<std::size_t>(lane);
        copy.to[i] = address(instruction, lane);
        copy.from[i] =
            read_register(registers_.data(), instruction.in[0], lane) + static_cast<int32_t>(instruction.in[1]);
        const uint64_t bytes =
            instruction.in.size() > 2 ? read_register(registers_.data(), instruction.in[2], lane) : instruction.width;
        if (bytes > instruction.width)
            fault(statement(instruction), fmt::format("{} copies {} bytes where {} are the most", thread(lane).text(),
                                                      bytes, instruction.width));
        copy.bytes[i] = static_cast<uint8_t>(bytes);
        Space to = Space::shared, from = Space::global;
        locate(instruction, to, copy.to[i], instruction.width, lane, true);
        if (to != Space::shared)
            fault(statement(instruction),
                  fmt::format("{} copies to another block of its cluster, which cp.async cannot", thread(lane).text()));
        if (bytes > 0) {
            locate(instruction, from, copy.from[i], instruction.width, lane, false);
            check_load({1u << lane, static_cast<uint32_t>(bytes), copy.from, instruction.statement, name_},
                       Space::global);
            reading |= 1u << lane;
        }
    });
    tell(Op::async_load, instruction, reading, copy.from, instruction.width);
    tell(Op::async_store, instruction, mask, copy.to, instruction.width);
    open_.push_back(copy);
}

void Warp::commit()
{
    groups_of_copies_.push_back(std::move(open_));
    open_.clear();
}

void Warp::wait(uint64_t pending)
{
    while (groups_of_copies_.size() > pending) {
        for (const PendingCopy& copy : groups_of_copies_.front())
            complete(copy, ~0u);
        groups_of_copies_.pop_front();
    }
}

void Warp::complete(const PendingCopy& copy, uint32_t mask)
{
    for_lanes(copy.mask & mask, [&](int lane) {
        const auto i = static_cast<std::size_t>(lane);
        std::byte* const to = block_.shared.data() + copy.to[i];
        std::memset(to, 0, copy.width);
        if (copy.bytes[i] > 0)
            std::memcpy(to, find_global(block_.regions, copy.from[i], copy.width), copy.bytes[i]);
        if (block_.check().wanted())
            block_.check().store({1u << lane, copy.width, copy.to, copy.statement, name_});
    });
}

} // namespace ptx
