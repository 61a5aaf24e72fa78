#include "viz/views/06_gpu/chain_table.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace viz {

namespace {

constexpr std::array<const char*, recording::longest_chain> rows = {"load", "load, load", "load, load, add",
                                                                    "load, load, add, store"};

float names_width(const Theme& theme)
{
    return draw::measure(theme.text, rows.back()).x + theme.px(14);
}

float line_of(const Theme& theme)
{
    return std::ceil(draw::measure(theme.text, "0").y + theme.px(2));
}

// The walks, ascending: one column each.
std::vector<uint64_t> walks_of(const recording::GpuMeasurement& measured)
{
    std::vector<uint64_t> walks;
    for (const recording::DependentChain& one : measured.chains)
        if (walks.empty() || walks.back() != one.bytes)
            walks.push_back(one.bytes);
    return walks;
}

} // namespace

float chain_table_height(const GpuPicture& picture)
{
    if (picture.measured == nullptr || picture.measured->chains.empty())
        return 0;
    return line_of(picture.frame.theme) * static_cast<float>(1 + rows.size());
}

void draw_chain_table(const GpuPicture& picture, const draw::Box& box)
{
    if (chain_table_height(picture) == 0)
        return;
    const Theme& theme = picture.frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float line = line_of(theme), names = names_width(theme);
    const std::vector<uint64_t> walks = walks_of(*picture.measured);
    const float column = std::min((box.width() - names) / static_cast<float>(walks.size()), theme.px(110));
    const auto right_of = [&](uint64_t bytes) {
        const auto place = std::ranges::find(walks, bytes) - walks.begin();
        return box.min.x + names + column * static_cast<float>(place + 1);
    };
    const auto top_of = [&](std::size_t row) { return box.min.y + line * static_cast<float>(row); };
    draw::text(list, theme.text, box.min, theme.ink_faint, "cycles, walking over");
    const float room = column - theme.px(6);
    const bool brief = std::ranges::any_of(walks, [&](uint64_t bytes) {
        return draw::measure(theme.mono, bytes_words(static_cast<double>(bytes))).x > room;
    });
    for (const uint64_t bytes : walks) {
        std::string words = bytes_words(static_cast<double>(bytes));
        if (const std::size_t space = words.find(' '); brief && space != std::string::npos)
            words = words.substr(0, space) + words.substr(space + 1, 1); // "512M"
        draw::text_right(list, theme.mono, {right_of(bytes), box.min.y}, theme.ink_faint, words);
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
        draw::text(list, theme.text, {box.min.x, top_of(i + 1)}, theme.ink, rows[i]);
    for (const recording::DependentChain& one : picture.measured->chains) {
        const draw::Box place{{right_of(one.bytes) - column + theme.px(4), top_of(one.instructions)},
                              {right_of(one.bytes), top_of(one.instructions + 1)}};
        draw::text_right(list, theme.mono, {place.max.x, place.min.y}, theme.ink, fmt::format("{:.0f}", one.cycles));
        mark(picture.frame.marks, fmt::format("chain:{}:{}", one.bytes, one.instructions), place.min, place.max);
        if (ImGui::IsWindowHovered() && place.holds(ImGui::GetMousePos()))
            picture.frame.point_out({"device.chain",
                                     {{"instructions", rows[one.instructions - 1]},
                                      {"bytes", bytes(static_cast<double>(one.bytes))},
                                      {"cycles", with_decimals(one.cycles, 0)},
                                      {"ns", with_decimals(one.ns, 1)}}});
    }
}

} // namespace viz
