#include "viz/views/06_gpu/pictures.h"

#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace viz {

namespace {

std::vector<SmGroup> groups_shown(const GpuPicture& picture)
{
    std::vector<SmGroup> groups = picture.other ? std::vector<SmGroup>() : sm_groups(picture.gpu, picture.measured);
    if (!groups.empty())
        return groups;
    SmGroup all{.known = false, .sms = {}};
    for (uint32_t sm = 0; sm < (picture.other ? picture.typed.sms : picture.gpu.sm_count); ++sm)
        all.sms.push_back(sm);
    return {std::move(all)};
}

// The rows of a box, in which groups of cells follow one another.
struct MapLayout {
    std::vector<Box> places;       // of the groups
    std::vector<uint32_t> columns; // number of columns of cells in each group
    float bottom = 0;
};
MapLayout layout_of(const std::vector<SmGroup>& groups, const Box& box, ImVec2 cell, float gap)
{
    MapLayout layout;
    float x = box.min.x, y = box.min.y, tallest = 0;
    for (const SmGroup& group : groups) {
        const auto count = static_cast<float>(group.sms.size()),
                   most = std::max(std::floor(box.width() / cell.x), 1.0f);
        const float columns = groups.size() == 1 ? most : std::min({count, 6.0f, most});
        const float width = columns * cell.x, height = std::ceil(count / columns) * cell.y;
        if (x > box.min.x && x + width > box.max.x) {
            x = box.min.x;
            y += tallest + gap;
            tallest = 0;
        }
        layout.places.push_back({{x, y}, {x + width, y + height}});
        layout.columns.push_back(static_cast<uint32_t>(columns));
        x += width + gap;
        tallest = std::max(tallest, height);
    }
    layout.bottom = y + tallest;
    return layout;
}

// Returns the layout with the largest cells that fit. Its rows fill the height.
MapLayout largest_layout(const std::vector<SmGroup>& groups, const Box& box, const Theme& theme)
{
    const float gap = theme.px(6);
    const auto fits = [&](float wide, float high) {
        return layout_of(groups, box, {wide, high}, gap).bottom <= box.max.y;
    };
    float side = theme.px(60);
    while (side > theme.px(6) && !fits(side, side))
        side -= theme.px(1);
    float high = side;
    while (high < 2 * side && fits(side, high + 0.5f))
        high += 0.5f;
    return layout_of(groups, box, {side, high}, gap);
}

Rich sm_words(const GpuPicture& picture, const SmGroup& group, uint32_t sm)
{
    if (picture.other)
        return rich("{} has {}; the rest of this page is of the GPU that was measured", picture.typed.name,
                    counted(picture.typed.sms, "SM"));
    if (group.known)
        return rich("SM {} ran clusters together with {} others: they share a GPC", index(sm), group.sms.size() - 1);
    return rich("SM {}: which GPC it belongs to is not known", index(sm));
}

// Neighbouring groups have different colours. Without enough distinguishable colours, groups have none.
CellLayer cells_of(const GpuPicture& picture, const SmGroup& group, std::size_t number, const Box& box, uint32_t cols)
{
    const auto sms = std::make_shared<const SmGroup>(group); // the cells' functions outlive the argument
    const auto count = static_cast<uint32_t>(group.sms.size());
    CellLayer cells{.name = fmt::format("group:{}", number),
                    .rows = (count + cols - 1) / cols,
                    .cols = cols,
                    .box = box,
                    .colour = {}};
    const Colour face = mix(picture.theme.panel, picture.theme.ink, group.known && number % 2 == 0 ? 0.42f : 0.3f);
    cells.colour = [=](uint32_t row, uint32_t col) { return row * cols + col < count ? face : Colour{0}; };
    cells.words = [=](uint32_t row, uint32_t col) { return std::to_string(sms->sms[row * cols + col]); };
    cells.widest = "000"; // all cells have numbers, or none
    cells.tip = [=](uint32_t row, uint32_t col) { return sm_words(picture, *sms, sms->sms[row * cols + col]); };
    cells.bordered = false;
    return cells;
}

std::string size_of(const MemoryLevel& level)
{
    if (level.bytes == 0)
        return "?";
    return bytes_words(static_cast<double>(level.bytes)) + (level.per_sm ? "/SM" : "") +
           (level.published ? " with shared" : "");
}

Rich level_words(const GpuPicture& picture, const MemoryLevel& level)
{
    Rich words = rich("{}: {}, {}", level.name, size_of(level), level.note);
    if (level.latency)
        words = rich("{}; {} cycles, {} ns a load, walking over {}", words, with_decimals(level.latency->cycles, 0),
                     with_decimals(level.latency->ns, 1), bytes(static_cast<double>(level.latency->bytes)));
    const double clocks = 1e-6 * picture.gpu.clock_khz * picture.gpu.sm_count; // per nanosecond, of all SMs
    if (level.bandwidth && clocks > 0)
        words = rich("{}; {} TB/s{}, {} bytes per clock and SM", words, number(level.bandwidth->value * 1e-3),
                     level.bandwidth->measured ? "" : ", not measured", number(level.bandwidth->value / clocks));
    return words;
}

// Adds the parts. Those beyond 100% are to the right of the line.
void add_kept(ShapeLayer& shapes, LabelLayer& labels, const Theme& theme, const LevelContents& kept, const Box& box)
{
    double sum = 0;
    for (const LevelContents::Part& one : kept.parts)
        sum += one.bytes;
    const double scale = box.width() / std::max(sum, kept.room);
    const float end = box.min.x + static_cast<float>(kept.room * scale);
    const Tip tip = [words = kept.tip] { return words; };
    shapes.shapes.push_back(said_of(box_shape({box.min, {end, box.max.y}}, draw::empty_colour(theme)), {.tip = tip}));
    float x = box.min.x, room = box.width(); // room: from the line to the next name
    for (std::size_t i = 0; i < kept.parts.size(); ++i) {
        const float width = static_cast<float>(kept.parts[i].bytes * scale);
        const Colour face = mix(kept.colour, theme.panel, 0.25f * static_cast<float>(i % 2));
        shapes.shapes.push_back(said_of(box_shape({{x, box.min.y}, {std::max(x + 1, x + width - 1), box.max.y}}, face),
                                        {.name = "share:" + kept.parts[i].name,
                                         .value = kept.parts[i].bytes,
                                         .words = kept.parts[i].name,
                                         .tip = tip}));
        if (const float middle = x + width / 2; middle > end)
            room = std::min(room, middle - end - theme.px(12));
        x += width;
    }
    const bool full = sum > kept.room;
    shapes.shapes.push_back(
        box_shape({{end - theme.px(1), box.min.y - theme.px(2)}, {end + theme.px(1), box.max.y + theme.px(2)}},
                  full ? theme.warning : theme.ink));
    if (full && box.height() >= draw::line_height(theme.mono))
        labels.labels.push_back(
            {.words = draw::first_fitting(theme.mono, room,
                                          std::array{"full: " + bytes_words(kept.room), std::string("full")}),
             .at = {end, box.min.y + draw::line_height(theme.mono) / 2},
             .distance = 3,
             .colour = theme.warning,
             .side = Label::Side::right,
             .plate = true,
             .mono = true,
             .name = "room ends:" + kept.level});
}

// Adds a row with the level's name, size, latency and bandwidth.
void name_level(LabelLayer& labels, const Theme& theme, const MemoryLevel& level, const Box& place)
{
    std::string name = level.name, size = size_of(level);
    const auto fit = [&] {
        return draw::measure(theme.text, name).x + draw::measure(theme.mono, size).x + theme.px(16) <
               place.width() * 0.54f;
    };
    if (!fit()) // shortens the name to its first word, and then the size to its number and unit
        name = name.substr(0, name.find(' '));
    if (!fit())
        size = size.substr(0, size.find(" with"));
    if (!fit())
        size = size.substr(0, size.find('/'));
    const float y = place.min.y + theme.px(1) + draw::line_height(theme.text) / 2;
    labels.labels.push_back(words_at({place.min.x + theme.px(6), y}, Label::Side::right, name, {.colour = theme.ink}));
    const auto right = [&](float share, std::string words) {
        const float end = place.min.x + place.width() * share - theme.px(4);
        labels.labels.push_back(words_at({end, y}, Label::Side::left, std::move(words), {.mono = true}));
    };
    right(0.54f, size);
    const std::string speed = level.bandwidth ? fmt::format("{:.3g} TB/s{}", level.bandwidth->value * 1e-3,
                                                            level.bandwidth->measured ? "" : "*")
                                              : "";
    if (level.latency) { // loses its unit if the bandwidth needs the room
        const std::string cycles = fmt::format("{:.0f}", level.latency->cycles);
        const bool room = draw::measure(theme.mono, speed).x + theme.px(6) <= place.width() * 0.24f;
        right(room ? 0.76f : 0.7f, room ? cycles + " cyc" : cycles);
    }
    if (!speed.empty())
        right(1, speed);
}

constexpr double kib = 1024;

// Returns the measurement nearest to a position on a logarithmic or linear axis.
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

// Older measurements without concurrent loads lack the rows for them.
std::size_t row_count(const recording::GpuMeasurement& measured)
{
    const bool at_once = std::ranges::any_of(measured.chains, &recording::DependentChain::at_once);
    return at_once ? std::size(chain_rows) : recording::longest_chain;
}

// Returns the measured array sizes, ascending. The table has a column for each.
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
        if (&one == all.data() || one.bytes > 2 * (&one - 1)->bytes) // no size in between was measured
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
                      .colour = draw::with_alpha(line, 0.28f)}}; // the region that kernels can be in
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

void add_sm_map(Figure& figure, const GpuPicture& picture, const Box& box)
{
    const Theme& theme = picture.theme;
    const std::vector<SmGroup> groups = groups_shown(picture);
    std::size_t sms = 0;
    for (const SmGroup& group : groups)
        sms += group.sms.size();
    const auto known = static_cast<std::size_t>(std::ranges::count(groups, true, &SmGroup::known));
    const std::string all = fmt::format("{} SMs", sms),
                      titles[] = {fmt::format("{} in {}, each within one GPC", all, counted(known, "group")), all};
    Panel panel{
        .id = "SMs", .box = box, .title = known > 0 ? draw::first_fitting(theme.text, box.width(), titles) : all};
    const MapLayout layout = largest_layout(groups, layers_box(theme, panel), theme);
    const float cell = layout.places.front().width() / static_cast<float>(layout.columns.front());
    const bool numbered = draw::measure(theme.mono, "000").x + theme.px(2) <= cell;
    LabelLayer counts;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const Box& place = layout.places[g];
        panel.layers.emplace_back(cells_of(picture, groups[g], g, place, layout.columns[g]));
        const std::string count = std::to_string(groups[g].sms.size()), names[] = {count + " SMs", count};
        if (groups.size() > 1 && !numbered)
            counts.labels.push_back(words_at(place.middle(), Label::Side::middle,
                                             draw::first_fitting(theme.text, place.width() - theme.px(10), names),
                                             {.colour = theme.ink, .plate = true}));
    }
    panel.layers.emplace_back(std::move(counts));
    figure.panels.push_back(std::move(panel));
}

std::string owner_of(const GpuPicture& picture)
{
    return picture.other ? fmt::format("{}, not {}", picture.gpu.name, picture.typed.name) : picture.gpu.name;
}

void add_levels(Figure& figure, const GpuPicture& picture, const std::vector<LevelContents>& kept, const Box& box)
{
    const Theme& theme = picture.theme;
    const std::string what = picture.measured != nullptr ? ": size, latency, measured bandwidth"
                                                         : ": size, bandwidth by clock",
                      titles[] = {owner_of(picture) + what, owner_of(picture), "levels of " + picture.gpu.name};
    Panel panel{.id = "levels", .box = box, .title = draw::first_fitting(theme.text, box.width(), titles)};
    const Box inside = layers_box(theme, panel);
    const std::vector<MemoryLevel> levels = memory_levels(picture.gpu, picture.measured);
    const float label = draw::row_height(theme, 2),
                low = std::min(label + theme.px(6), inside.height() / static_cast<float>(levels.size()));
    std::vector<Track> rooms;
    std::vector<std::vector<const LevelContents*>> there(levels.size());
    for (std::size_t i = 0; i < levels.size(); ++i) {
        for (const LevelContents& one : kept)
            if (one.level == levels[i].name && one.room > 0)
                there[i].push_back(&one);
        // A level without data needs only the height of its text.
        rooms.push_back(there[i].empty() ? pixels(low - theme.px(4)) : share_of_rest());
    }
    const std::vector<Box> places = rows(inside, rooms, theme.px(4));
    ShapeLayer shapes;
    LabelLayer labels;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const Box& place = places[i];
        shapes.shapes.push_back(said_of(
            {.box = place, .fill = theme.panel, .radius = 4},
            {.name = "level:" + levels[i].name, .tip = [words = level_words(picture, levels[i])] { return words; }}));
        name_level(labels, theme, levels[i], place);
        float top = place.min.y + label + theme.px(2);
        const float height = (place.max.y - top - theme.px(4)) / std::max(static_cast<float>(there[i].size()), 1.0f);
        for (const LevelContents* const one : there[i]) {
            if (height >= theme.px(4))
                add_kept(shapes, labels, theme, *one, {{place.min.x, top}, {place.max.x, top + height - theme.px(2)}});
            top += height;
        }
    }
    panel.layers.emplace_back(std::move(shapes));
    panel.layers.emplace_back(std::move(labels));
    figure.panels.push_back(std::move(panel));
}

void add_charts(Figure& figure, const GpuPicture& picture, const Box& box)
{
    const recording::GpuMeasurement* const measured = picture.measured;
    const bool latency = measured != nullptr && !measured->latency.empty();
    const bool conflicts =
        measured != nullptr && !measured->conflict_latency.empty() && box.width() > picture.theme.px(480);
    std::vector<Track> rooms;
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
        labels.labels.push_back(words_at(at, side, std::move(words), {.colour = colour, .mono = mono}));
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
