// Finds the operands of instructions: registers, constants, variables, addresses.
#include "ptx/decode.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptx {

namespace {

constexpr uint64_t most_register_bytes = 64u << 20;

uint32_t single_bits(uint64_t as_double)
{
    if ((as_double & 0x7ff0000000000000) == 0x7ff0000000000000)
        return static_cast<uint32_t>(as_double >> 32 & 0x80000000) | 0x7f800000 |
               static_cast<uint32_t>(as_double >> 29 & 0x7fffff);
    return std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(as_double)));
}

Width width_of_type(std::string_view type)
{
    const std::optional<Type> known = type_of(type.substr(std::min<std::size_t>(1, type.size())));
    if (!known)
        return Width::none;
    return *known == Type::pred    ? Width::predicate
           : bits_of(*known) == 64 ? Width::wide
           : bits_of(*known) > 64  ? Width::none
                                   : Width::word;
}

// Returns an instruction that converts between registers of 32 and 64 bits, for an operand whose register has another
// width than its statement needs.
Instruction between(uint32_t to, Width to_width, uint32_t from)
{
    Instruction instruction{.kind = Kind::arithmetic};
    instruction.run = to_width == Width::wide ? &each<[](uint32_t a) { return uint64_t{a}; }>
                                              : &each<[](uint64_t a) { return static_cast<uint32_t>(a); }>;
    instruction.r[0] = to;
    instruction.r[1] = from;
    return instruction;
}

} // namespace

uint32_t Decoder::register_at(Width width)
{
    const uint32_t bytes = width == Width::wide ? 256 : width == Width::predicate ? 4 : 128;
    const auto first = static_cast<uint32_t>(aligned(program_.register_bytes, std::min(bytes, 64u)));
    program_.register_bytes = first + bytes;
    if (program_.register_bytes > most_register_bytes)
        throw kernels::Error("The kernel has more registers than the PTX machine holds.");
    return first;
}

uint32_t Decoder::constant(uint64_t value, Width width, bool from_dynamic_start)
{
    if (width == Width::predicate)
        value = value != 0 ? ~uint32_t{0} : 0;
    else if (width == Width::word)
        value &= 0xffffffff;
    const auto [found, is_new] = constants_.try_emplace({value, width, from_dynamic_start}, 0);
    if (is_new) {
        found->second = register_at(width == Width::wide ? Width::wide : Width::word);
        program_.constants.push_back({found->second, value, width == Width::wide, from_dynamic_start});
    }
    return found->second;
}

const Frame::Symbol* Decoder::symbol(const std::string& name) const
{
    if (const auto found = frame_->symbols.find(name); found != frame_->symbols.end())
        return &found->second;
    if (const auto found = globals_.find(name); found != globals_.end())
        return &found->second;
    const auto found = shared_symbols_.find(name);
    return found == shared_symbols_.end() ? nullptr : &found->second;
}

std::optional<Width> Decoder::width_of_register(const std::string& name) const
{
    const auto found = frame_->function->registers.find(name);
    if (found == frame_->function->registers.end())
        return {};
    return width_of_type(found->second);
}

uint32_t Decoder::special(const std::string& name, Width& width)
{
    constexpr std::array<std::string_view, 16> words = {
        "%laneid",          "%warpid",          "%nwarpid",          "%smid",
        "%nsmid",           "%lanemask_eq",     "%lanemask_le",      "%lanemask_lt",
        "%lanemask_ge",     "%lanemask_gt",     "%gridid",           "%dynamic_smem_size",
        "%total_smem_size", "%cluster_ctarank", "%cluster_nctarank", "%is_explicit_cluster"};
    constexpr std::array<std::string_view, 8> of_axes = {
        "%tid.", "%ntid.", "%ctaid.", "%nctaid.", "%clusterid.", "%nclusterid.", "%cluster_ctaid.", "%cluster_nctaid."};
    if (name == "%clock" || name == "%clock_hi" || name == "%clock64" || name == "%globaltimer" ||
        name == "%globaltimer_lo") {
        const bool wide = name == "%clock64" || name == "%globaltimer";
        width = wide ? Width::wide : Width::word;
        const uint32_t to = register_at(width);
        Instruction clock{.kind = Kind::clock, .execute = read_clock};
        clock.to = {to | (wide ? is_wide : 0)};
        clock.truth = name == "%clock_hi";
        emit(std::move(clock));
        return to;
    }
    const bool of_axis =
        name.size() > 2 && name.back() >= 'x' && name.back() <= 'z' &&
        std::find(of_axes.begin(), of_axes.end(), std::string_view(name).substr(0, name.size() - 1)) != of_axes.end();
    // The address of the memory of a cooperative launch's barrier, its lower half in %envreg2.
    const bool of_workspace = name == "%envreg1" || name == "%envreg2";
    program_.waits_for_grid = program_.waits_for_grid || of_workspace;
    const bool known = of_axis || of_workspace || std::find(words.begin(), words.end(), name) != words.end();
    if (!known)
        fail(fmt::format("the PTX machine has no {}; run the kernel on a GPU", name));
    width = name == "%gridid" ? Width::wide : name == "%is_explicit_cluster" ? Width::predicate : Width::word;
    const auto [found, is_new] = specials_.try_emplace(name, 0);
    if (is_new) {
        found->second = register_at(width);
        program_.specials.push_back({found->second, name,
                                     width == Width::wide        ? 8u
                                     : width == Width::predicate ? 0u
                                                                 : 4u});
    }
    return found->second;
}

uint32_t Decoder::source(const Operand& from, Width width)
{
    if (from.kind == Operand::Kind::immediate) {
        const bool single = from.is_float && width != Width::wide;
        return constant(single ? single_bits(from.value) : from.value, width);
    }
    if (from.kind != Operand::Kind::name)
        fail("an operand has a form that does not fit there");
    uint32_t at = no_register;
    Width own = Width::none;
    if (const std::optional<Width> declared = width_of_register(from.name)) {
        own = *declared;
        at = target(from.name, own);
    } else if (from.name == "WARP_SZ") {
        return constant(32, width);
    } else if (const Frame::Symbol* symbol_of = symbol(from.name)) {
        return constant(symbol_of->address + from.value, width, symbol_of->dynamic);
    } else if (module_.find(from.name) != nullptr) {
        return constant(1, width); // can be compared with null; calls by address are refused
    } else if (from.name.starts_with('%')) {
        at = special(from.name, own);
    } else {
        fail(fmt::format("nothing is called {}", from.name));
    }
    if (own == width)
        return at;
    if (own == Width::predicate || width == Width::predicate || own == Width::none || width == Width::none)
        fail(fmt::format("{} has another type than is needed there", from.name));
    const uint32_t copy = register_at(width);
    emit(between(copy, width, at));
    return copy;
}

uint32_t Decoder::target(const std::string& name, Width width)
{
    if (name == "_")
        return register_at(width);
    const std::optional<Width> own = width_of_register(name);
    if (!own || *own == Width::none)
        fail(fmt::format("{} is no register that can be used here", name));
    const auto [found, is_new] = registers_.try_emplace(frame_->prefix + name, 0);
    if (is_new)
        found->second = register_at(*own);
    if (*own == width)
        return found->second;
    if (*own == Width::predicate || width == Width::predicate)
        fail(fmt::format("{} has another type than is needed there", name));
    const uint32_t copy = register_at(width);
    after_.push_back(between(found->second, *own, copy));
    return copy;
}

uint32_t Decoder::any_source(const Operand& from, Type type)
{
    Width width = bits_of(type) == 64 ? Width::wide : Width::word;
    if (from.kind == Operand::Kind::name)
        if (const std::optional<Width> own = width_of_register(from.name))
            width = *own;
    if (width == Width::predicate) // a predicate has one bit for each lane, other registers have a value for each lane
        fail(fmt::format("{} is a predicate and stands where a number should", from.name));
    return source(from, width) | (width == Width::wide ? is_wide : 0);
}

uint32_t Decoder::any_target(const Operand& to)
{
    if (to.kind != Operand::Kind::name)
        fail("a result has a form that does not fit there");
    if (to.name == "_")
        return register_at(Width::wide) | is_wide;
    const std::optional<Width> own = width_of_register(to.name);
    if (!own || *own == Width::none || *own == Width::predicate)
        fail(fmt::format("{} is no register that can be used here", to.name));
    return target(to.name, *own) | (*own == Width::wide ? is_wide : 0);
}

void Decoder::add_sources(std::vector<uint32_t>& to, const Operand& operand, Width width)
{
    for (const Operand& part : registers_of(operand))
        to.push_back(source(part, width));
}

void Decoder::add_targets(std::vector<uint32_t>& to, const Operand& operand, Width width)
{
    for (const Operand& part : registers_of(operand))
        to.push_back(target(part.name, width));
}

void Decoder::address(const Operand& memory, Instruction& instruction)
{
    if (memory.kind != Operand::Kind::memory || memory.parts.size() != 1)
        fail("its address has a form that the PTX machine does not know");
    Operand inner = memory.parts.front();
    if (inner.kind == Operand::Kind::name && width_of_register(inner.name)) {
        instruction.added = std::exchange(inner.value, 0);
        const uint32_t at = any_source(inner, Type::b64);
        instruction.r[0] = at & ~is_wide;
        instruction.to_signed = (at & is_wide) != 0; // whether the address has 64 bits
        return;
    }
    if (inner.kind == Operand::Kind::name) {
        const Frame::Symbol* found = symbol(inner.name);
        if (found == nullptr)
            fail(fmt::format("nothing is called {}", inner.name));
        if (instruction.space == Space::parameter || instruction.space == Space::none)
            instruction.space = found->space;
    }
    instruction.r[0] = source(inner, Width::wide);
    instruction.to_signed = true;
}

std::span<const Operand> Decoder::vector(std::size_t i, const Words& words, uint64_t element_bytes) const
{
    const std::size_t count = words.has("v8") ? 8 : words.has("v4") ? 4 : words.has("v2") ? 2 : 1;
    const std::span<const Operand> registers = registers_of(operand(i));
    if (registers.size() != count)
        fail(fmt::format("it names {} registers where {} should be", registers.size(), count));
    if (count * element_bytes > widest_access)
        fail(
            fmt::format("a lane accesses {} bytes at once, and {} are the most", count * element_bytes, widest_access));
    return registers;
}

const Operand& Decoder::operand(std::size_t i) const
{
    if (i >= text_->operands.size())
        fail("an operand is missing");
    return text_->operands[i];
}

} // namespace ptx
