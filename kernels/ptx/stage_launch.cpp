#include "ptx/stage_launch.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace ptx {

namespace {

std::string joined(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    return text;
}

std::string entry_of(const std::string& text)
{
    const std::size_t at = text.find(".entry ");
    return text.substr(at + 7, text.find_first_of("( \n", at + 7) - at - 7);
}

std::string_view identifier(std::string_view text)
{
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    return text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_word) - text.begin()));
}

} // namespace

Program program_of(const kernels::KernelCode& kernel)
{
    const std::string text = joined(kernel.ptx);
    return make_program(parse(text, kernel.ptx_to_source), entry_of(text), region_count);
}

kernels::Pointers stage_pointers(const std::byte* tensor_maps)
{
    const auto at = [](std::size_t region) { return reinterpret_cast<void*>(global_address(region)); };
    return {.A = at(region_a),
            .B = at(region_b),
            .C = static_cast<float*>(at(region_c)),
            .tensor_maps = tensor_maps,
            .workspace = static_cast<float*>(at(region_workspace))};
}

std::vector<traced::Place> places_of(std::span<const recording::Array> arrays, const Program& program, uint64_t dynamic)
{
    struct Room {
        std::string_view name;
        uint64_t next = 0, end = 0;
    };
    std::vector<Room> rooms;
    for (const Placed& placed : program.shared)
        rooms.push_back({placed.name, placed.first, placed.first + (placed.dynamic ? dynamic : placed.bytes)});
    std::ranges::sort(rooms, {}, &Room::next);
    std::vector<traced::Place> places;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const recording::Array& array = arrays[i];
        if (array.space == recording::Space::global) {
            if (array.bytes > 0)
                places.push_back({global_address(i < 3 ? i : std::size_t{region_workspace}), i});
            continue;
        }
        const auto fits = [&](const Room& room) { return room.next + array.bytes <= room.end; };
        auto found = std::ranges::find_if(
            rooms, [&](const Room& room) { return fits(room) && room.name.ends_with(identifier(array.name)); });
        if (found == rooms.end())
            found = std::ranges::find_if(rooms, fits);
        if (found == rooms.end())
            continue;
        places.push_back({found->next, i});
        found->next += array.bytes;
    }
    return places;
}

} // namespace ptx
