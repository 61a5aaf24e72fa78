#include "viz/views/06_gpu/measured_pictures.h"

#include "viz/draw/plot.h"
#include "viz/text/figures.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace viz {

namespace {

constexpr double kib = 1024;

// The one whose place along the axis is nearest to the mouse; null where that is elsewhere.
template <class Measured, class Along>
const Measured* nearest(const Plot& plot, const std::vector<Measured>& all, Along along)
{
    if (!draw::pointed_at(plot.area()))
        return nullptr;
    return &*std::ranges::min_element(
        all, {}, [&](const Measured& one) { return std::abs(plot.right().at(along(one)) - ImGui::GetMousePos().x); });
}

struct ChainRow {
    const char* words;
    uint32_t instructions;
    bool at_once;
};
constexpr ChainRow rows[] = {{"load", 1, false},
                             {"load, load", 2, false},
                             {"load, load, add", 3, false},
                             {"load, load, add, store", 4, false},
                             {"both loads at once, add", 3, true},
                             {"both loads at once, add, store", 4, true}};

const ChainRow* row_of(const recording::DependentChain& chain)
{
    const auto found = std::ranges::find_if(rows, [&](const ChainRow& row) {
        return row.instructions == chain.instructions && row.at_once == chain.at_once;
    });
    return found == std::end(rows) ? nullptr : &*found;
}

// What was measured before the loads at once were has no rows for them.
std::size_t row_count(const recording::GpuMeasurement& measured)
{
    const bool at_once = std::ranges::any_of(measured.chains, &recording::DependentChain::at_once);
    return at_once ? std::size(rows) : recording::longest_chain;
}

float names_width(const Theme& theme, std::size_t count)
{
    return draw::measure(theme.text, rows[count - 1].words).x + theme.px(14);
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

void draw_latency(const GpuPicture& picture, const draw::Box& box)
{
    const Theme& theme = picture.frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (picture.measured == nullptr || picture.measured->latency.empty())
        return;
    const std::vector<recording::Latency>& all = picture.measured->latency;
    const auto along = [](const recording::Latency& one) { return static_cast<double>(one.bytes) / kib; };
    const double most = std::max(1.0, std::ranges::max(all, {}, &recording::Latency::cycles).cycles);
    const std::string names[] = {plain({"device.axis_latency"}), plain({"device.axis_latency_brief"})};
    const Plot plot({along(all.front()) / 1.5, along(all.back()) * 1.5, true, 4, plain({"device.axis_walk"})},
                    {0, most * 1.1, false, 10, draw::first_fitting(theme.text, box.width(), names)}, box, theme);
    plot.draw_axes(list);
    for (const MemoryLevel& level : memory_levels(picture.gpu, picture.measured)) {
        if (level.bytes == 0 || (level.name != "L1" && level.name != "L2"))
            continue;
        const float x = plot.right().at(static_cast<double>(level.bytes) / kib);
        list->AddLine({x, plot.area().min.y}, {x, plot.area().max.y}, theme.warning, theme.px(1));
        const ImVec2 size = draw::measure(theme.text, level.name);
        draw::text(list, theme.text, {x - size.x - theme.px(4), plot.area().min.y + theme.px(2)}, theme.warning,
                   level.name);
    }
    std::vector<Curve> curves; // a new one where something between was not measured
    for (const recording::Latency& one : all) {
        if (&one == all.data() || one.bytes > 2 * (&one - 1)->bytes)
            curves.push_back({.points = {}, .colour = theme.accent(), .line = 2, .radius = 3.5f});
        curves.back().points.push_back({along(one), one.cycles});
        mark(picture.frame.marks, fmt::format("latency:{}", one.bytes),
             draw::around(plot.at(along(one), one.cycles), 3));
    }
    for (const Curve& curve : curves)
        plot.draw(list, curve);
    if (const recording::Latency* const one = nearest(plot, all, along))
        picture.frame.point_out({"device.walk",
                                 {{"bytes", bytes(static_cast<double>(one->bytes))},
                                  {"cycles", with_decimals(one->cycles, 0)},
                                  {"ns", with_decimals(one->ns, 1)}}});
}

void draw_conflicts(const GpuPicture& picture, const draw::Box& box)
{
    if (picture.measured == nullptr || picture.measured->conflict_latency.empty())
        return;
    const Theme& theme = picture.frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::vector<recording::ConflictLatency>& all = picture.measured->conflict_latency;
    const double most = std::ranges::max(all, {}, &recording::ConflictLatency::cycles).cycles;
    const Plot plot({0, all.back().ways + 1.0, false, 10, plain({"device.axis_ways"}), 8},
                    {0, most * 1.1, false, 10, plain({"device.axis_conflicts"})}, box, theme);
    plot.draw_axes(list);
    Curve curve{.points = {}, .colour = theme.warning, .line = 2, .radius = 3};
    for (const recording::ConflictLatency& one : all) {
        curve.points.push_back({static_cast<double>(one.ways), one.cycles});
        mark(picture.frame.marks, fmt::format("conflict:{}", one.ways), draw::around(plot.at(one.ways, one.cycles), 3));
    }
    plot.draw(list, curve);
    const auto say = [&](const recording::ConflictLatency& one, bool below) { // the cycles at the ends of the line
        const std::string words = fmt::format("{:.0f}", one.cycles);
        const ImVec2 size = draw::measure(theme.mono, words), at = plot.at(one.ways, one.cycles);
        const float away = theme.px(6);
        draw::text(list, theme.mono,
                   below ? ImVec2{at.x + away, at.y + away} : ImVec2{at.x - away - size.x, at.y - size.y}, theme.ink,
                   words);
    };
    say(all.front(), true);
    say(all.back(), false);
    if (const recording::ConflictLatency* const one =
            nearest(plot, all, [](const recording::ConflictLatency& of) { return of.ways; }))
        picture.frame.point_out({"device.conflict",
                                 {{"ways", one->ways},
                                  {"cycles", with_decimals(one->cycles, 0)},
                                  {"more", with_decimals(one->cycles - all.front().cycles, 0)},
                                  {"ns", with_decimals(one->ns, 1)}}});
}

float chain_table_height(const GpuPicture& picture)
{
    if (picture.measured == nullptr || picture.measured->chains.empty())
        return 0;
    return draw::row_height(picture.frame.theme, 2) * static_cast<float>(1 + row_count(*picture.measured));
}

void draw_chain_table(const GpuPicture& picture, const draw::Box& box)
{
    if (chain_table_height(picture) == 0)
        return;
    const Theme& theme = picture.frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::size_t count = row_count(*picture.measured);
    const float line = draw::row_height(theme, 2), names = names_width(theme, count);
    const std::vector<uint64_t> walks = walks_of(*picture.measured);
    const float column = std::min((box.width() - names) / static_cast<float>(walks.size()), theme.px(110));
    const auto right_of = [&](uint64_t bytes) {
        const auto place = std::ranges::find(walks, bytes) - walks.begin();
        return box.min.x + names + column * static_cast<float>(place + 1);
    };
    const auto top_of = [&](std::size_t row) { return box.min.y + line * static_cast<float>(row); };
    draw::text(list, theme.text, box.min, theme.ink_faint, plain({"device.walks"}));
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
    for (std::size_t i = 0; i < count; ++i)
        draw::text(list, theme.text, {box.min.x, top_of(i + 1)}, theme.ink, rows[i].words);
    for (const recording::DependentChain& one : picture.measured->chains) {
        const ChainRow* const row = row_of(one);
        if (row == nullptr)
            continue;
        const auto at = static_cast<std::size_t>(row - rows);
        const draw::Box place{{right_of(one.bytes) - column + theme.px(4), top_of(at + 1)},
                              {right_of(one.bytes), top_of(at + 2)}};
        draw::text_right(list, theme.mono, {place.max.x, place.min.y}, theme.ink, fmt::format("{:.0f}", one.cycles));
        mark(picture.frame.marks,
             fmt::format("chain:{}:{}{}", one.bytes, one.instructions, one.at_once ? ":at_once" : ""), place);
        if (draw::pointed_at(place))
            picture.frame.point_out({"device.chain",
                                     {{"instructions", row->words},
                                      {"at_once", one.at_once},
                                      {"bytes", bytes(static_cast<double>(one.bytes))},
                                      {"cycles", with_decimals(one.cycles, 0)},
                                      {"ns", with_decimals(one.ns, 1)}}});
    }
}

} // namespace viz
