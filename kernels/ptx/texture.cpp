#include "ptx/texture.h"

#include "ptx/block.h"
#include "ptx/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace ptx {

namespace {

using Format = Texture::Format;
using Beyond = Texture::Beyond;
using Texel = std::array<uint32_t, 4>; // bits of numbers or of floats

constexpr uint32_t bits_of_one = 0x3f800000;

// One lane's use of a texture or surface.
struct Lane {
    Warp& warp;
    const Instruction& instruction;
    int lane;

    Texture texture() const
    {
        const uint64_t handle = warp.value(instruction.in[0], lane);
        if ((handle & texture_handle) == 0)
            warp.fail(instruction, lane,
                      "uses a texture or surface object that is none; cudaCreateTextureObject and "
                      "cudaCreateSurfaceObject make them");
        Texture texture;
        std::memcpy(
            &texture,
            warp.locate(instruction, Space::global, handle & ~texture_handle, sizeof texture, lane, false).bytes,
            sizeof texture);
        if (texture.mark != Texture::is_texture)
            warp.fail(instruction, lane, "uses a texture or surface object that is none");
        return texture;
    }
    uint32_t coordinate(std::size_t axis) const
    {
        return static_cast<uint32_t>(warp.value(instruction.in[1 + axis], lane));
    }
    std::byte* bytes(const Texture& texture, const std::array<int64_t, 3>& at, uint64_t in_row, uint64_t count,
                     bool writes) const
    {
        const uint64_t address = texture.address + static_cast<uint64_t>(at[2]) * texture.slice +
                                 static_cast<uint64_t>(at[1]) * texture.pitch + in_row;
        return warp.locate(instruction, Space::global, address, count, lane, writes).bytes;
    }
};

// Returns one channel as PTX gives it: a float, or a number of 32 bits.
uint32_t channel_of(const Texture& texture, const std::byte* bytes)
{
    uint32_t value = 0;
    std::memcpy(&value, bytes, texture.bits / 8);
    if (texture.format == Format::floating)
        return texture.bits == 16 ? std::bit_cast<uint32_t>(half_to_float(static_cast<uint16_t>(value))) : value;
    const bool is_signed = texture.format == Format::signed_number;
    const auto number = static_cast<int32_t>(
        is_signed && texture.bits < 32 ? static_cast<int32_t>(value << (32 - texture.bits)) >> (32 - texture.bits)
                                       : static_cast<int32_t>(value));
    if (!texture.to_unit)
        return static_cast<uint32_t>(number);
    const auto largest = static_cast<float>((uint64_t{1} << (texture.bits - (is_signed ? 1 : 0))) - 1);
    return std::bit_cast<uint32_t>(std::max(static_cast<float>(number) / largest, is_signed ? -1.0f : 0.0f));
}

// Channels that the texture does not have are 0, the fourth is 1.
Texel texel_at(const Lane& lane, const Texture& texture, const std::array<int64_t, 3>& at)
{
    const bool floats = texture.format == Format::floating || texture.to_unit;
    Texel result{0, 0, 0, floats ? bits_of_one : 1};
    const uint64_t size = texture.element_bytes(), in_row = static_cast<uint64_t>(at[0]) * size;
    const std::byte* const bytes = lane.bytes(texture, at, in_row, size, false);
    for (uint32_t channel = 0; channel < texture.channels; ++channel)
        result[channel] = channel_of(texture, bytes + channel * texture.bits / 8);
    return result;
}

// The two elements along one axis that a filter mixes, and how much of the second one it takes. Without a filter both
// are the same.
struct Mixed {
    std::array<int64_t, 2> at{};
    float share = 0;
};

// Returns the element that stands for number `at` of `count`, or -1 if that is the border.
int64_t inside(int64_t at, int64_t count, Beyond beyond)
{
    if (at >= 0 && at < count)
        return at;
    switch (beyond) {
    case Beyond::wrap: return (at % count + count) % count;
    case Beyond::mirror: {
        const int64_t in_two = (at % (2 * count) + 2 * count) % (2 * count);
        return in_two < count ? in_two : 2 * count - 1 - in_two;
    }
    case Beyond::border: return -1;
    default: return std::clamp<int64_t>(at, 0, count - 1);
    }
}

// Takes the position as CUDA's programming guide does: weights have 8 bits below the point.
Mixed along(const Texture& texture, std::size_t axis, float position)
{
    const auto count = static_cast<int64_t>(texture.extent[axis]);
    Beyond beyond = texture.beyond[axis];
    if (texture.unit_coordinates)
        position *= static_cast<float>(count);
    else if (beyond == Beyond::wrap || beyond == Beyond::mirror)
        beyond = Beyond::clamp; // CUDA has the others for coordinates from 0 to 1 only
    if (std::isnan(position))
        position = 0;
    constexpr float far = 1 << 24;
    position = std::clamp(position, -far, far);
    if (!texture.linear_filter) {
        const int64_t at = inside(static_cast<int64_t>(std::floor(position)), count, beyond);
        return {{at, at}, 0};
    }
    const float before = std::floor(position - 0.5f);
    const auto at = static_cast<int64_t>(before);
    return {{inside(at, count, beyond), inside(at + 1, count, beyond)},
            std::round((position - 0.5f - before) * 256) / 256};
}

Texel sampled(const Lane& lane, const Texture& texture, uint32_t axes)
{
    std::array<Mixed, 3> mixed{};
    for (std::size_t axis = 0; axis < axes; ++axis)
        mixed[axis] = along(texture, axis, std::bit_cast<float>(lane.coordinate(axis)));
    const auto corner = [&](unsigned which) {
        std::array<int64_t, 3> at{};
        for (std::size_t axis = 0; axis < axes; ++axis)
            at[axis] = mixed[axis].at[which >> axis & 1];
        if (std::ranges::find(at, -1) == at.end())
            return texel_at(lane, texture, at);
        return std::bit_cast<Texel>(texture.border);
    };
    if (!texture.linear_filter)
        return corner(0);
    std::array<float, 4> sum{};
    for (unsigned which = 0; which < 1u << axes; ++which) {
        float weight = 1;
        for (std::size_t axis = 0; axis < axes; ++axis)
            weight *= (which >> axis & 1) != 0 ? mixed[axis].share : 1 - mixed[axis].share;
        if (weight == 0)
            continue;
        const auto values = std::bit_cast<std::array<float, 4>>(corner(which));
        for (std::size_t channel = 0; channel < 4; ++channel)
            sum[channel] += weight * values[channel];
    }
    return std::bit_cast<Texel>(sum);
}

// Executes tex. `in` has the handle and the coordinates; `truth` is the number of axes.
void fetch(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    for_lanes(mask, [&](int number) {
        const Lane lane{warp, instruction, number};
        const Texture texture = lane.texture();
        const bool by_index = instruction.from == Type::s32;
        if (by_index != texture.linear_memory)
            warp.fail(instruction, number,
                      by_index ? "reads by tex1Dfetch a texture that is no linear memory"
                               : "reads a texture of linear memory, which only tex1Dfetch can");
        if (!by_index && texture.axes != instruction.truth)
            warp.fail(instruction, number,
                      fmt::format("reads a texture of {} axes with {} coordinates", texture.axes, instruction.truth));
        Texel texel{};
        if (!by_index)
            texel = sampled(lane, texture, instruction.truth);
        else if (const auto at = static_cast<int32_t>(lane.coordinate(0));
                 at >= 0 && static_cast<uint32_t>(at) < texture.extent[0])
            texel = texel_at(lane, texture, {at, 0, 0});
        for (std::size_t i = 0; i < instruction.to.size(); ++i)
            warp.set(instruction.to[i], number, texel[i]);
    });
    warp.block.textures += mask != 0 ? 1 : 0;
}

// Executes suld and sust, whose first coordinate counts bytes. `aligned`: what lies outside is read as the nearest
// element; `wait_all`: it is an error; otherwise it is 0, and a write is dropped.
void surface(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    const bool writes = instruction.to.empty();
    const std::size_t first = 1 + std::size_t{instruction.truth} + (instruction.truth == 3 ? 1 : 0);
    const std::size_t registers = writes ? instruction.in.size() - first : instruction.to.size();
    const auto bytes = static_cast<int64_t>(instruction.width * registers);
    for_lanes(mask, [&](int number) {
        const Lane lane{warp, instruction, number};
        const Texture texture = lane.texture();
        std::array<int64_t, 3> at{}, last{};
        for (std::size_t axis = 0; axis < instruction.truth; ++axis) {
            at[axis] = static_cast<int32_t>(lane.coordinate(axis));
            last[axis] = static_cast<int64_t>(texture.extent[axis]) - 1;
        }
        last[0] = static_cast<int64_t>(texture.extent[0] * texture.element_bytes()) - bytes;
        bool outside = texture.axes != instruction.truth;
        for (std::size_t axis = 0; axis < 3; ++axis)
            outside = outside || at[axis] < 0 || at[axis] > last[axis];
        if (outside && (instruction.wait_all || texture.axes != instruction.truth))
            warp.fail(instruction, number,
                      fmt::format("{} a surface of {} x {} x {} elements at byte {} of row {}, which is outside",
                                  writes ? "writes" : "reads", texture.extent[0], texture.extent[1], texture.extent[2],
                                  at[0], at[1]),
                      Fault::Kind::address);
        if (instruction.aligned)
            for (std::size_t axis = 0; axis < 3; ++axis)
                at[axis] = std::clamp<int64_t>(at[axis], 0, std::max<int64_t>(last[axis], 0));
        const bool there = !outside || instruction.aligned;
        std::byte* place =
            there ? lane.bytes(texture, at, static_cast<uint64_t>(at[0]), static_cast<uint64_t>(bytes), writes)
                  : nullptr;
        for (std::size_t i = 0; i < registers; ++i) {
            uint64_t value = writes ? warp.value(instruction.in[first + i], number) : 0;
            if (place != nullptr && writes)
                std::memcpy(place + i * instruction.width, &value, instruction.width);
            else if (place != nullptr)
                std::memcpy(&value, place + i * instruction.width, instruction.width);
            if (!writes)
                warp.set(instruction.to[i], number, value);
        }
    });
    warp.block.textures += mask != 0 ? 1 : 0;
}

// Returns the number of axes that the statement names, or fails.
uint8_t axes_of(Decoder& decoder, const Words& words)
{
    for (const uint8_t axes : std::array<uint8_t, 3>{1, 2, 3})
        if (words.has(std::string(1, static_cast<char>('0' + axes)) + "d"))
            return axes;
    decoder.fail("the PTX machine has textures and surfaces of one to three axes without layers, faces of a cube or "
                 "levels; use such a one, or run the kernel on a GPU");
}

// Adds the handle and the coordinates, which are the parts of the operand.
void add_place(Decoder& decoder, std::size_t operand, Instruction& instruction)
{
    const Operand& place = decoder.operand(operand);
    if (place.kind != Operand::Kind::memory || place.parts.size() != 2)
        decoder.fail("its texture or surface has a form that the PTX machine does not know");
    instruction.in.push_back(decoder.any_source(place.parts[0], Type::b64));
    for (const Operand& part : registers_of(place.parts[1]))
        instruction.in.push_back(decoder.any_source(part, Type::b32));
}

void decode_fetch(Decoder& decoder, const Words& words)
{
    if (words.has("level") || words.has("grad") || decoder.operands() != 2)
        decoder.fail(
            "the PTX machine reads textures without levels and gradients (tex1Dfetch, tex1D, tex2D, tex3D); use "
            "one of these, or run the kernel on a GPU");
    Instruction instruction{.kind = Kind::other, .execute = fetch, .type = words.type(), .from = words.type(1)};
    instruction.truth = axes_of(decoder, words);
    const bool by_index = instruction.from == Type::s32;
    if (!words.has("v4") || (instruction.from != Type::f32 && !by_index) || (by_index && instruction.truth != 1))
        decoder.unknown();
    add_place(decoder, 1, instruction);
    for (const Operand& to : registers_of(decoder.operand(0)))
        instruction.to.push_back(decoder.any_target(to));
    decoder.emit(std::move(instruction));
}

void decode_surface(Decoder& decoder, const Words& words)
{
    const bool writes = words.first == "sust";
    Instruction instruction{.kind = Kind::other, .execute = surface, .type = words.type()};
    instruction.truth = axes_of(decoder, words);
    instruction.width = static_cast<uint8_t>(bits_of(instruction.type) / 8);
    instruction.aligned = words.has("clamp");
    instruction.wait_all = words.has("trap");
    if (!words.has("b") || instruction.width == 0 || instruction.width > 8 || decoder.operands() != 2)
        decoder.unknown();
    add_place(decoder, writes ? 0 : 1, instruction);
    for (const Operand& part : registers_of(decoder.operand(writes ? 1 : 0)))
        if (writes)
            instruction.in.push_back(decoder.any_source(part, instruction.type));
        else
            instruction.to.push_back(decoder.any_target(part));
    decoder.emit(std::move(instruction));
}

} // namespace

bool decode_texture(Decoder& decoder, const Words& words)
{
    if (words.first == "tex")
        decode_fetch(decoder, words);
    else if (words.first == "suld" || words.first == "sust")
        decode_surface(decoder, words);
    else if (words.first == "txq" || words.first == "suq" || words.first == "tld4" || words.first == "sured")
        decoder.fail(
            "the PTX machine reads textures by tex1Dfetch, tex1D, tex2D and tex3D, and surfaces by suld and sust; "
            "use one of these, or run the kernel on a GPU");
    else
        return false;
    return true;
}

} // namespace ptx
