#include "viz/views/06_gpu/pictures.h"

#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace viz {

namespace {

constexpr double kib = 1024;

// Returns the measurement that is nearest along a logarithmic or linear axis.
template <class Measured, class Along>
const Measured& nearest(const std::vector<Measured>& all, Along along)
{
    return *std::ranges::min_element(all, {}, [&](const Measured& one) { return std::abs(along(one)); });
}

struct ChainRow {
    const char* words;
    uint32_t instructions;
    bool at_once;
};
constexpr ChainRow chain_rows[] = {{"load", 1, false},
                                   {"load, load", 2, false},
                                   {"load, load, add", 3, false},
                                   {"load, load, add, store", 4, false},
                                   {"both loads at once, add", 3, true},
                                   {"both loads at once, add, store", 4, true}};

const ChainRow* row_of(const recording::DependentChain& chain)
{
    const auto found = std::ranges::find_if(chain_rows, [&](const ChainRow& row) {
        return row.instructions == chain.instructions && row.at_once == chain.at_once;
    });
    return found == std::end(chain_rows) ? nullptr : &*found;
}

// Older measurements without concurrent loads have no rows for them.
std::size_t row_count(const recording::GpuMeasurement& measured)
{
    const bool at_once = std::ranges::any_of(measured.chains, &recording::DependentChain::at_once);
    return at_once ? std::size(chain_rows) : recording::longest_chain;
}

// Returns the array sizes that were walked, ascending: one column each.
std::vector<uint64_t> walks_of(const recording::GpuMeasurement& measured)
{
    std::vector<uint64_t> walks;
    for (const recording::DependentChain& one : measured.chains)
        if (walks.empty() || walks.back() != one.bytes)
            walks.push_back(one.bytes);
    return walks;
}

Rich chain_words(const ChainRow& row, const recording::DependentChain& one)
{
    return rich("One thread, {}: {}, walking over {}: {} cycles, {} ns. No instruction waits for a store",
                one.at_once ? "the add waiting for both loads" : "each instruction waiting for the one before it",
                row.words, bytes(static_cast<double>(one.bytes)), with_decimals(one.cycles, 0),
                with_decimals(one.ns, 1));
}

CurveLayer latency_chart(const GpuPicture& picture, float width)
{
    const Theme& theme = picture.theme;
    const std::vector<recording::Latency>& all = picture.measured->latency;
    const auto along = [](const recording::Latency& one) { return static_cast<double>(one.bytes) / kib; };
    const double most = std::max(1.0, std::ranges::max(all, {}, &recording::Latency::cycles).cycles) * 1.1;
    const std::string names[] = {"cycles that a load waits", "cycles"};
    CurveLayer chart{.name = "chart:latency",
                     .right = {along(all.front()) / 1.5, along(all.back()) * 1.5, true, 4, "KiB walked through"},
                     .up = {0, most, false, 10, draw::first_fitting(theme.text, width, names)},
                     .curves = {}};
    for (const recording::Latency& one : all) {
        if (&one == all.data() || one.bytes > 2 * (&one - 1)->bytes) // sizes in between were not measured
            chart.curves.push_back({.points = {}, .colour = theme.accent(), .line = 2, .radius = 3.5f});
        chart.curves.back().points.push_back(
            {.right = along(one), .up = one.cycles, .name = fmt::format("latency:{}", one.bytes)});
    }
    for (const MemoryLevel& level : memory_levels(picture.gpu, picture.measured))
        if (const double size = static_cast<double>(level.bytes) / kib;
            level.bytes > 0 && (level.name == "L1" || level.name == "L2"))
            chart.curves.push_back({.points = {{.right = size, .up = 0}, {.right = size, .up = most * 0.95}},
                                    .colour = theme.ink_faint,
                                    .line = 1,
                                    .label = level.name});
    chart.tip = [&all, along](double right, double) {
        const recording::Latency& one =
            nearest(all, [&](const recording::Latency& of) { return std::log(along(of) / right); });
        return rich("walking through {}: {} cycles, {} ns a load", bytes(static_cast<double>(one.bytes)),
                    with_decimals(one.cycles, 0), with_decimals(one.ns, 1));
    };
    return chart;
}

CurveLayer conflict_chart(const GpuPicture& picture, float width)
{
    const std::vector<recording::ConflictLatency>& all = picture.measured->conflict_latency;
    const double most = std::ranges::max(all, {}, &recording::ConflictLatency::cycles).cycles;
    const std::string ends = fmt::format(": {:.0f} to {:.0f}", all.front().cycles, all.back().cycles),
                      names[] = {"cycles of a load" + ends, "cycles" + ends};
    CurveLayer chart{.name = "chart:conflicts",
                     .right = {0, all.back().ways + 1.0, false, 10, "lanes on one bank", 8},
                     .up = {0, most * 1.1, false, 10, draw::first_fitting(picture.theme.text, width, names)},
                     .curves = {{.points = {}, .colour = picture.theme.warning, .line = 2, .radius = 3}}};
    for (const recording::ConflictLatency& one : all)
        chart.curves.front().points.push_back(
            {.right = static_cast<double>(one.ways), .up = one.cycles, .name = fmt::format("conflict:{}", one.ways)});
    chart.tip = [&all](double right, double) {
        const recording::ConflictLatency& one =
            nearest(all, [&](const recording::ConflictLatency& of) { return of.ways - right; });
        return rich("{} of one bank: {} cycles until one warp alone has what it loads, {} more than without a conflict "
                    "({} ns)",
                    one.ways == 1 ? "1 lane wants a word" : fmt::format("{} lanes want different words", one.ways),
                    with_decimals(one.cycles, 0), with_decimals(one.cycles - all.front().cycles, 0),
                    with_decimals(one.ns, 1));
    };
    return chart;
}

CurveLayer ridge_chart(const GpuPicture& picture)
{
    const Theme& theme = picture.theme;
    const double tflops = picture.typed.gflops() * 1e-3, ridge = picture.typed.ridge(), right = ridge * 8;
    const Colour line = theme.accent();
    CurveLayer chart{.name = "chart:ridge",
                     .right = {ridge / 32, right, true, 2, "FLOP per byte"},
                     .up = {tflops / 40, tflops * 1.6, true, 2, "TFLOPS"},
                     .curves = {}};
    chart.regions = {{.corners = {{ridge / 64, tflops / 64}, {ridge, tflops}, {right, tflops}, {right, tflops / 64}},
                      .colour = draw::with_alpha(line, 0.28f)}}; // the region that kernels can reach
    chart.curves = {{.points = {{.right = ridge, .up = tflops, .name = "ridge", .label = thousands(ridge)}},
                     .colour = line,
                     .radius = 5},
                    {.points = {{.right = ridge / 64, .up = tflops / 64},
                                {.right = ridge, .up = tflops},
                                {.right = right, .up = tflops}},
                     .colour = line,
                     .line = 2},
                    {.points = {{.right = ridge, .up = tflops / 64}, {.right = ridge, .up = tflops}},
                     .colour = theme.ink_faint,
                     .line = 1}};
    chart.curves.front().line = 0;
    chart.tip = [ridge](double, double) {
        return rich("The ridge: {} FLOP per byte. To the left DRAM's bandwidth limits, to the right arithmetic",
                    number(ridge));
    };
    return chart;
}

} // namespace

void add_charts(Figure& figure, const GpuPicture& picture, const Box& box)
{
    const auto measured = [&](const auto& all) { return picture.measured != nullptr && !all.empty(); };
    const bool latency = picture.measured != nullptr && measured(picture.measured->latency);
    const bool conflicts = picture.measured != nullptr && measured(picture.measured->conflict_latency) &&
                           box.width() > picture.theme.px(480);
    std::vector<Room> rooms;
    if (latency)
        rooms.push_back(share_of_rest(conflicts ? 0.38f : 0.56f));
    if (conflicts)
        rooms.push_back(share_of_rest(0.28f));
    rooms.push_back(share_of_rest(conflicts ? 0.34f : 0.44f));
    const std::vector<Box> places = columns(box, rooms, picture.theme.px(6));
    if (latency)
        figure.panels.push_back(
            {.id = "latency", .box = places[0], .layers = {latency_chart(picture, places[0].width())}});
    if (conflicts)
        figure.panels.push_back({.id = "conflicts",
                                 .box = places[places.size() - 2],
                                 .layers = {conflict_chart(picture, places[places.size() - 2].width())}});
    if (picture.typed.gflops() > 0 && picture.typed.ridge() > 0)
        figure.panels.push_back({.id = "ridge of the roofs", .box = places.back(), .layers = {ridge_chart(picture)}});
}

float chain_table_height(const GpuPicture& picture)
{
    if (picture.measured == nullptr || picture.measured->chains.empty())
        return 0;
    return draw::row_height(picture.theme, 2) * static_cast<float>(1 + row_count(*picture.measured));
}

void add_chain_table(Figure& figure, const GpuPicture& picture, const Box& box)
{
    const Theme& theme = picture.theme;
    const std::size_t count = row_count(*picture.measured);
    const float line = draw::row_height(theme, 2),
                names = draw::measure(theme.text, chain_rows[count - 1].words).x + theme.px(14);
    const std::vector<uint64_t> walks = walks_of(*picture.measured);
    const float column = std::min((box.width() - names) / static_cast<float>(walks.size()), theme.px(110));
    const auto cell = [&](std::size_t row, std::size_t walk) {
        const float left = box.min.x + names + column * static_cast<float>(walk),
                    top = box.min.y + line * static_cast<float>(row);
        return Box{{left + theme.px(4), top}, {left + column, top + line}};
    };
    LabelLayer labels;
    const auto label = [&](std::string words, ImVec2 at, Label::Side side, bool mono, Colour colour) {
        labels.labels.push_back(
            {.words = std::move(words), .at = at, .distance = 0, .colour = colour, .side = side, .mono = mono});
    };
    using Side = Label::Side;
    label("cycles, walking over", {box.min.x, box.min.y + line / 2}, Side::right, false, theme.ink_quiet);
    const bool brief = std::ranges::any_of(walks, [&](uint64_t bytes) {
        return draw::measure(theme.mono, bytes_words(static_cast<double>(bytes))).x > column - theme.px(6);
    });
    for (std::size_t i = 0; i < walks.size(); ++i) {
        std::string words = bytes_words(static_cast<double>(walks[i]));
        if (const std::size_t space = words.find(' '); brief && space != std::string::npos)
            words = words.substr(0, space) + words.substr(space + 1, 1); // e.g. "512M"
        label(std::move(words), {cell(0, i).max.x, box.min.y + line / 2}, Side::left, true, theme.ink_quiet);
    }
    for (std::size_t i = 0; i < count; ++i)
        label(chain_rows[i].words, {box.min.x, cell(i + 1, 0).middle().y}, Side::right, false, theme.ink);
    ShapeLayer cells;
    for (const recording::DependentChain& one : picture.measured->chains)
        if (const ChainRow* const row = row_of(one)) {
            const auto walk = static_cast<std::size_t>(std::ranges::find(walks, one.bytes) - walks.begin());
            const Box place = cell(static_cast<std::size_t>(row - chain_rows) + 1, walk);
            label(fmt::format("{:.0f}", one.cycles), {place.max.x, place.middle().y}, Side::left, true, theme.ink);
            cells.shapes.push_back(said_of(
                box_shape(place, 0),
                {.name = fmt::format("chain:{}:{}{}", one.bytes, one.instructions, one.at_once ? ":at_once" : ""),
                 .value = one.cycles,
                 .tip = [row, &one] { return chain_words(*row, one); }}));
        }
    figure.panels.push_back({.id = "chains", .box = box, .layers = {std::move(labels), std::move(cells)}});
}

} // namespace viz
