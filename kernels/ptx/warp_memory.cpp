// A warp's accesses to memory.
#include "ptx/arithmetic.h"
#include "ptx/cluster.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

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

const char* word_for(bool writes)
{
    return writes ? "writes" : "reads";
}

} // namespace

void load_registers(const Instruction& instruction, std::byte* registers, int lane, const std::byte* from)
{
    for (const uint32_t to : instruction.to) {
        uint64_t value = 0;
        std::memcpy(&value, from, instruction.width);
        write_register(registers, to, lane, extended(instruction.type, value));
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
    const auto refuse = [&](const std::string& where) {
        fault(statement(instruction),
              fmt::format("{} {} {} bytes {}", thread(lane).text(), word_for(writes), bytes, where));
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
        refuse(why_not_there(block_.regions, address));
    if (writes && !block_.regions[region_number(address)].writable)
        refuse(fmt::format("in {}, which is constant", block_.regions[region_number(address)].name));
    return found;
}

std::byte* Warp::locate(const Instruction& instruction, uint64_t bytes, int lane, bool writes, Places& places)
{
    places.space[lane] = instruction.space;
    places.address[lane] = address(instruction, lane);
    return locate(instruction, places.space[lane], places.address[lane], bytes, lane, writes);
}

void Warp::check_shared(const Instruction& instruction, uint64_t where, uint64_t bytes, int lane, bool writes)
{
    if (block_.check().wanted())
        block_.check().access(
            {writes, where, static_cast<uint32_t>(bytes), number_, statement(instruction), thread(lane)});
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
    GlobalCheck& check = block_.cluster.global_check;
    Places places;
    for_lanes(mask, [&](int lane) {
        const std::byte* from = locate(instruction, bytes, lane, false, places);
        const uint64_t where = places.address[lane];
        if (places.space[lane] == Space::shared)
            check_shared(instruction, where, bytes, lane, false);
        if (places.space[lane] == Space::global && check.wanted())
            check.load(block_.regions, {where, bytes, block_.cluster.number, statement(instruction), thread(lane)});
        load_registers(instruction, registers_.data(), lane, from);
    });
    tell_memory(instruction, mask, places, bytes, Op::global_load, Op::shared_load);
}

// Lanes mostly store in the order of their addresses: then no two have the same.
void Warp::check_lanes(const Instruction& instruction, uint32_t mask, const std::array<uint64_t, 32>& addresses)
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
    std::map<uint64_t, int> first; // lane that stores there
    for_lanes(mask, [&](int lane) {
        const auto [found, is_new] = first.emplace(addresses[static_cast<std::size_t>(lane)], lane);
        if (!is_new && std::ranges::any_of(instruction.in, [&](uint32_t from) {
                return ((read_register(registers_.data(), from, lane) ^
                         read_register(registers_.data(), from, found->second)) &
                        stored) != 0;
            }))
            block_.check().lanes(statement(instruction), thread(found->second), thread(lane));
    });
}

void Warp::store(const Instruction& instruction, uint32_t mask)
{
    const auto bytes = static_cast<uint32_t>(instruction.width * instruction.in.size());
    GlobalCheck& check = block_.cluster.global_check;
    Places places;
    for_lanes(mask, [&](int lane) {
        std::byte* to = locate(instruction, bytes, lane, true, places);
        const uint64_t where = places.address[lane];
        if (places.space[lane] == Space::shared)
            check_shared(instruction, where, bytes, lane, true);
        const bool checks = places.space[lane] == Space::global && check.wanted();
        std::array<std::byte, widest_access> before{};
        if (checks)
            std::memcpy(before.data(), to, bytes);
        for (const uint32_t from : instruction.in) {
            const uint64_t value = read_register(registers_.data(), from, lane);
            std::memcpy(to, &value, instruction.width);
            to += instruction.width;
        }
        if (checks)
            check.store(block_.regions, {where, bytes, block_.cluster.number, statement(instruction), thread(lane)},
                        before.data());
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
        uint64_t before = 0;
        std::memcpy(&before, place, instruction.width);
        const uint64_t ones = instruction.width == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * instruction.width) - 1;
        const uint64_t operand = read_register(registers_.data(), instruction.in[0], lane) & ones;
        const uint64_t swap =
            instruction.in.size() > 1 ? read_register(registers_.data(), instruction.in[1], lane) & ones : 0;
        const uint64_t after = combined(instruction, before, operand, swap);
        std::memcpy(place, &after, instruction.width);
        if (places.space[lane] == Space::global && check.wanted())
            check.atomic(block_.regions, {places.address[lane], instruction.width, block_.cluster.number,
                                          statement(instruction), thread(lane)});
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
            if (GlobalCheck& check = block_.cluster.global_check; check.wanted())
                check.load(block_.regions, {copy.from[i], static_cast<uint32_t>(bytes), block_.cluster.number,
                                            statement(instruction), thread(lane)});
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
            block_.check().access(
                {true, copy.to[i], copy.width, number_, block_.program.statements[copy.statement], thread(lane)});
    });
}

} // namespace ptx
