// The inside of one SM: its four schedulers, shared memory and L1.
#include "viz/analysis/occupancy.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/views/06_gpu/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace viz {

namespace {

Shape part(const Box& box, Colour face, std::string words, const Rich& tip)
{
    return said_of({.box = box, .fill = face, .radius = 2}, {.words = std::move(words), .tip = [tip] { return tip; }});
}

// Units of an SM beside its FP32 lanes: lanes for 32-bit integers, special function units, load and store units.
struct SmUnits {
    uint32_t int32 = 0, special = 0, load_store = 0;
};

// Returns the units by NVIDIA's architecture papers; nothing for a compute capability that they do not contain.
std::optional<SmUnits> units_of_sm(uint32_t compute_capability)
{
    switch (compute_capability) {
    case 70:
    case 80:
    case 90: return SmUnits{64, 16, 32};
    case 75:
    case 86:
    case 89: return SmUnits{64, 16, 16};
    default: return {};
    }
}

// The rows of a scheduler from top to bottom. Units are missing if their number is not known.
struct SmRow {
    const char* name;
    float share;                    // of the height that rows of one line leave
    Colour colour;                  // 0: cells, one for each lane
    std::vector<std::string> words; // the longest first; the last one has only the number
    Rich tip;
};

std::vector<SmRow> rows_of_scheduler(const GpuPicture& picture)
{
    const Theme& theme = picture.theme;
    const uint32_t lanes = typed_of(picture.gpu).lanes / sm_parts, warps = picture.gpu.threads_per_sm / 32 / sm_parts,
                   registers = picture.gpu.registers_per_sm / sm_parts;
    const std::string count = thousands(uint64_t{registers});
    std::vector<SmRow> all{
        {"scheduler",
         1.6f,
         theme.barrier,
         {"scheduler", "1"},
         rich("A scheduler: each cycle it issues an instruction of one of its {} warps", warps)},
        {"registers",
         2.6f,
         theme.load,
         {count + " registers", count, fmt::format("{}K", registers / 1024)},
         rich("{} registers of the warps of this scheduler", registers)},
        {"FP32 lanes",
         3.9f,
         0,
         {fmt::format("{} FP32 lanes", lanes), fmt::format("{} lanes", lanes), std::to_string(lanes)},
         rich("{} lanes: each multiplies and adds once a cycle", lanes)},
        {"tensor core",
         1.9f,
         theme.store,
         {"tensor core", "tensor", "1"},
         rich("A tensor core: small matrices at once")}};
    const auto add = [&](const char* name, uint32_t of_sm, Colour colour, const char* tip) {
        const uint32_t units = of_sm / sm_parts;
        all.push_back(
            {name, 0, colour, {fmt::format("{} {}", units, name), std::to_string(units)}, rich("{} {}", units, tip)});
    };
    if (const std::optional<SmUnits> units = units_of_sm(picture.gpu.compute_capability)) {
        add("INT32", units->int32, mix(theme.panel, theme.compute, 0.55f),
            "lanes for integers: addresses, counters of loops");
        add("SFU", units->special, mix(theme.panel, theme.compute, 0.35f),
            "special function units: square roots, exponentials, sines");
        add("LD/ST", units->load_store, mix(theme.panel, theme.load, 0.6f),
            "load and store units: they take the addresses of lanes");
    }
    return all;
}

// Returns the boxes of the rows. If they are low, each has one line, and the lanes have the rest.
std::vector<Box> places_of(const Theme& theme, const std::vector<SmRow>& all, const Box& box)
{
    const float gap = theme.px(3), line = draw::line_height(theme.mono),
                comfortable = static_cast<float>(all.size()) * (line + gap) + theme.px(60);
    std::vector<Track> rooms;
    for (const SmRow& row : all)
        rooms.push_back(row.share == 0 || (box.height() < comfortable && row.colour != 0) ? pixels(line)
                                                                                          : share_of_rest(row.share));
    return rows({{box.min.x + gap, box.min.y + gap}, {box.max.x - gap, box.max.y - gap}}, rooms, gap);
}

// Adds the cells of lanes, with their number.
void add_lanes(Panel& panel, const Theme& theme, const SmRow& row, const Box& place)
{
    constexpr uint32_t across = 8;
    const auto lanes = static_cast<uint32_t>(std::stoul(row.words.back()));
    CellLayer cells{.rows = std::max(1u, (lanes + across - 1) / across), .cols = across, .box = place, .colour = {}};
    cells.colour = [lanes, face = theme.compute](uint32_t at, uint32_t col) {
        return at * across + col < lanes ? face : Colour{0};
    };
    cells.tip = [tip = row.tip](uint32_t, uint32_t) { return tip; };
    cells.bordered = false;
    panel.layers.emplace_back(std::move(cells));
    panel.layers.emplace_back(LabelLayer{{words_at(
        place.middle(), Label::Side::middle, draw::first_fitting(theme.mono, place.width() - theme.px(10), row.words),
        {.colour = theme.ink, .plate = true, .mono = true})}});
}

// Adds one scheduler with its rows. `named`: their names are in a column beside it.
void add_scheduler(Panel& panel, const Theme& theme, const std::vector<SmRow>& all, const Box& box, bool named)
{
    const std::vector<Box> places = places_of(theme, all, box);
    panel.layers.emplace_back(ShapeLayer{{{.box = box, .fill = theme.panel, .radius = 4}}});
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].colour == 0) {
            add_lanes(panel, theme, all[i], places[i]);
            continue;
        }
        const std::string words = named
                                      ? all[i].words.back()
                                      : draw::first_fitting(theme.mono, places[i].width() - theme.px(2), all[i].words);
        panel.layers.emplace_back(ShapeLayer{{part(places[i], all[i].colour, words, all[i].tip)}});
    }
}

// Adds the schedulers and, if these are too narrow for the words, a column of names.
void add_schedulers(Panel& panel, const GpuPicture& picture, Box box, float gap)
{
    const Theme& theme = picture.theme;
    const std::vector<SmRow> all = rows_of_scheduler(picture);
    const float widest = draw::measure(theme.mono, "scheduler").x + 3 * gap,
                names = draw::measure(theme.text, "tensor core").x + gap;
    const bool named = (box.width() - 3 * gap) / sm_parts < widest;
    if (named) {
        LabelLayer labels;
        const std::vector<Box> places = places_of(theme, all, box);
        for (std::size_t i = 0; i < all.size(); ++i)
            labels.labels.push_back(words_at({box.min.x, places[i].middle().y}, Label::Side::right, all[i].name,
                                             {.colour = theme.ink_quiet}));
        panel.layers.emplace_back(std::move(labels));
        box.min.x += names;
    }
    for (const Box& scheduler : columns(box, std::size_t{sm_parts}, gap))
        add_scheduler(panel, theme, all, scheduler, named);
}

} // namespace

void add_sm_inside(Figure& figure, const GpuPicture& picture, const Box& box)
{
    const Theme& theme = picture.theme;
    const std::string titles[] = {"inside an SM of " + owner_of(picture), "inside an SM of " + picture.gpu.name};
    Panel panel{.id = "inside an SM", .box = box, .title = draw::first_fitting(theme.text, box.width(), titles)};
    const float gap = theme.px(6), memory = std::clamp(box.height() * 0.16f, theme.px(20), theme.px(60));
    const std::vector<Box> parts = rows(layers_box(theme, panel), {share_of_rest(), pixels(memory)}, gap);
    add_schedulers(panel, picture, parts[0], gap);
    const std::vector<MemoryLevel> levels = memory_levels(picture.gpu, picture.measured);
    const double whole = std::max(1.0, static_cast<double>(std::max(levels[2].bytes, levels[1].bytes)));
    const double shared = static_cast<double>(levels[1].bytes);
    const Box& below = parts[1];
    const float split = below.min.x + below.width() * static_cast<float>(shared / whole);
    const Rich tip =
        rich("Shared memory and L1 are one memory: {} can be shared memory, L1 keeps the rest", bytes(shared));
    ShapeLayer one_memory{{part({below.min, {split - 1, below.max.y}}, category_colour(theme, 6),
                                "shared memory " + bytes_words(shared), tip)}};
    if (split < below.max.x)
        one_memory.shapes.push_back(part({{split, below.min.y}, below.max}, category_colour(theme, 0), "L1", tip));
    panel.layers.emplace_back(std::move(one_memory));
    figure.panels.push_back(std::move(panel));
}

} // namespace viz
