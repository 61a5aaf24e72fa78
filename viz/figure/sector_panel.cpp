#include "viz/figure/sector_panel.h"

#include "viz/analysis/bank_picture.h"
#include "viz/figure/draw_figure.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace viz {

namespace {

constexpr uint32_t sectors_of_line = words_of_line / words_of_sector;

// A larger number of lines is shown in two columns.
constexpr std::size_t most_rows = 16;

constexpr float tallest_row = 64; // pixels at scale 1, so that other pictures have room

float head_height(const Theme& theme)
{
    return draw::row_height(theme, 3);
}

// Returns the lanes that use a word: "0-7", "0, 16", or their number.
std::string lanes_text(uint32_t lanes)
{
    if (std::string run = lane_run(lanes); !run.empty())
        return run;
    if (std::popcount(lanes) == 2)
        return fmt::format("{}, {}", std::countr_zero(lanes), 31 - std::countl_zero(lanes));
    return fmt::format("{} lanes", std::popcount(lanes));
}

// Returns the number of words, from this one on and within its sector, that the same lanes use.
uint32_t run_from(const MemoryLine& line, uint32_t word)
{
    uint32_t end = word + 1;
    while (end % words_of_sector != 0 && line.lanes[end] == line.lanes[word])
        ++end;
    return end - word;
}

class SectorLayers {
public:
    SectorLayers(const Theme& with, const StageColumn& of, SectorDiagram what, uint32_t lane)
        : held(std::make_shared<const SectorDiagram>(std::move(what))), diagram(*held), theme(with), stage(of),
          selected_lane(lane), place{std::round(diagram.box.min.x), std::round(diagram.box.min.y)}
    {
        measure();
        const std::size_t count = diagram.picture.lines.size();
        for (std::size_t first = 0; first < count; first += rows)
            for (uint32_t sector = 0; sector < sectors_of_line; ++sector)
                add_sector(first, std::min(rows, count - first), sector);
        for (std::size_t i = 0; i < count; ++i)
            add_words(i);
        layers.emplace_back(std::move(labels));
    }

    std::vector<Layer> layers;

private:
    std::string name_of(const MemoryLine& line) const
    {
        const auto cell = diagram.elements.at(line.offset);
        return cell ? element_name(diagram.array.name, {*cell}) : fmt::format("byte {}", line.offset);
    }

    void measure()
    {
        const std::vector<MemoryLine>& lines = diagram.picture.lines;
        const float width = diagram.box.width();
        for (const MemoryLine& line : lines)
            names = std::max(names, draw::measure(theme.mono, name_of(line)).x);
        names = std::ceil(names + theme.px(8));
        gap = theme.px(4);
        const std::size_t count = std::max({diagram.lines, lines.size(), std::size_t{1}});
        rows = count > most_rows ? (count + 1) / 2 : count;
        fold = lines.size() > most_rows ? (width + theme.px(16)) / 2 : width;
        const float whole = lines.size() > most_rows ? fold - theme.px(16) : width;
        cell = std::max(2.0f, (whole - names - gap * (sectors_of_line - 1)) / words_of_line);
        head = head_height(theme);
        row = std::floor(std::max((diagram.box.height() - head) / static_cast<float>(rows), theme.px(4)));
        for (const MemoryLine& line : lines)
            for (uint32_t word = 0; word < words_of_line; word += run_from(line, word))
                inside = inside && (line.lanes[word] == 0 || fits(line, word));
    }

    bool fits(const MemoryLine& line, uint32_t word) const
    {
        return draw::measure(theme.mono, lanes_text(line.lanes[word])).x + theme.px(6) <=
               cell * static_cast<float>(run_from(line, word)) - 1;
    }

    ImVec2 corner_of(std::size_t index, uint32_t word) const
    {
        return {place.x + fold * static_cast<float>(index / rows) + names + static_cast<float>(word) * cell +
                    static_cast<float>(word / words_of_sector) * gap,
                place.y + head + row * static_cast<float>(index % rows)};
    }

    // Describes the word of memory under the mouse.
    static Rich said_of(const StageColumn& stage, const SectorDiagram& diagram, const MemoryLine& line, uint32_t word)
    {
        const uint64_t offset = line.offset + uint64_t{word} * 4;
        const uint32_t lanes = line.lanes[word];
        const auto element = diagram.elements.at(offset);
        const Rich what =
            lanes != 0 ? rich("{} by {}", is_store(diagram.access.op) ? "written" : "used", lane_list(lanes))
            : line.touches(word / words_of_sector) ? rich("moved with its sector, used by no lane of this request")
                                                   : rich("not moved");
        return rich("{}: {}, byte {}, sector {}: {}", stage.slug,
                    element ? element_name(diagram.array.name, {*element}) : diagram.array.name, offset,
                    offset / model::sector_bytes, what);
    }

    // Adds one sector of several lines: its moved bytes, and on top of them the bytes that lanes use.
    void add_sector(std::size_t first, std::size_t count, uint32_t sector)
    {
        const uint32_t begin = sector * words_of_sector;
        const ImVec2 corner = corner_of(first, begin);
        const float width = cell * words_of_sector;
        const std::string heads[] = {fmt::format("sector {}", sector), std::to_string(sector)};
        labels.labels.push_back({.words = draw::first_fitting(theme.text, width - theme.px(4), heads),
                                 .at = {corner.x + width / 2, place.y + head / 2},
                                 .side = Label::Side::middle});
        const auto line = [held = held, first](uint32_t row) -> const MemoryLine& {
            return held->picture.lines[first + row];
        };
        CellLayer ground{.rows = static_cast<uint32_t>(count),
                         .cols = words_of_sector,
                         .box = Box{corner, {corner.x + width, corner.y + row * static_cast<float>(count)}},
                         .bordered = false};
        ground.value = [=](uint32_t row, uint32_t col) { return std::popcount(line(row).lanes[begin + col]); };
        ground.tip = [=, &of = stage, held = held](uint32_t row, uint32_t col) {
            return said_of(of, *held, line(row), begin + col);
        };
        ground.joined = [=](uint32_t row, uint32_t col) { return line(row).lanes[begin + col]; };
        CellLayer used = ground;
        const Colour waste = wasted_colour(theme), empty = draw::empty_colour(theme);
        ground.colour = [=](uint32_t row, uint32_t) { return line(row).touches(sector) ? waste : empty; };
        ground.id = [=, name = mark_of(stage, "wasted bytes")](uint32_t row, uint32_t col) {
            return line(row).touches(sector) && line(row).lanes[begin + col] == 0 ? name : "";
        };
        used.colour = [=, groups = theme.lane_group](uint32_t row, uint32_t col) {
            const uint32_t lanes = line(row).lanes[begin + col];
            return lanes == 0 ? 0 : groups[std::countr_zero(lanes) / 8];
        };
        used.id = [name = mark_of(stage, "used bytes")](uint32_t, uint32_t) { return name; };
        used.click = [=](const ViewScene& scene, uint32_t row, uint32_t col) {
            scene.selection.lane = static_cast<uint32_t>(std::countr_zero(line(row).lanes[begin + col]));
        };
        for (uint32_t i = 0; i < count; ++i)
            for (uint32_t word = begin; word < begin + words_of_sector; word += run_from(line(i), word))
                if (line(i).lanes[word] >> selected_lane & 1u)
                    used.frames.push_back(
                        {.row = i, .col = word - begin, .cols = run_from(line(i), word), .colour = theme.ink});
        layers.emplace_back(std::move(ground));
        layers.emplace_back(std::move(used));
    }

    // Adds the line's name, and the lanes that use its words. Omits the name if lines are lower than text and the name
    // above needs the room.
    void add_words(std::size_t index)
    {
        const MemoryLine& line = diagram.picture.lines[index];
        const ImVec2 corner = corner_of(index, 0);
        labels.labels.push_back({.words = name_of(line),
                                 .at = {corner.x - names, corner.y + row / 2},
                                 .distance = 0,
                                 .colour = theme.ink_quiet,
                                 .side = Label::Side::right,
                                 .must = row >= draw::line_height(theme.mono) - 2,
                                 .mono = true});
        for (uint32_t word = 0, next = 0; word < words_of_line; word = next) {
            next = word + run_from(line, word);
            if (line.lanes[word] == 0)
                continue;
            const ImVec2 from = corner_of(index, word);
            const Box box{from, {from.x + cell * static_cast<float>(next - word) - 1, from.y + row - 1}};
            Label lanes{.words = lanes_text(line.lanes[word]), .mono = true};
            // If the lanes of some run do not fit into it, each run has its lanes in the unused bytes after it.
            const bool free = next % words_of_sector != 0 && line.lanes[next] == 0;
            if (fits(line, word) && (inside || !free)) {
                lanes.colour = ink_on(theme.lane_group[std::countr_zero(line.lanes[word]) / 8]);
                lanes.within = box;
            } else if (free && row >= draw::line_height(theme.mono) - 3 &&
                       draw::measure(theme.mono, lanes.words).x <=
                           cell * static_cast<float>(run_from(line, next)) - theme.px(3)) {
                lanes.colour = ink_on(wasted_colour(theme));
                lanes.at = {box.max.x, box.middle().y};
                lanes.distance = 3;
                lanes.side = Label::Side::right;
            } else {
                continue;
            }
            labels.labels.push_back(std::move(lanes));
        }
    }

    std::shared_ptr<const SectorDiagram> held;
    const SectorDiagram& diagram;
    const Theme& theme;
    const StageColumn& stage;
    uint32_t selected_lane;
    ImVec2 place;
    LabelLayer labels;
    float names = 0, row = 0, cell = 0, gap = 0, head = 0; // gap: between sectors
    float fold = 0;                                        // distance from one column of rows to the next
    std::size_t rows = 1;
    bool inside = true; // the lane numbers of every run fit into it; otherwise they are after the runs
};

} // namespace

Colour wasted_colour(const Theme& theme)
{
    return mix(theme.panel, theme.warning, 0.4f);
}

float sector_diagram_height(const Theme& theme, std::size_t lines, float room)
{
    const std::size_t rows = std::max<std::size_t>(1, lines > most_rows ? (lines + 1) / 2 : lines);
    return std::min(room, head_height(theme) + static_cast<float>(rows) * theme.px(tallest_row));
}

Panel sector_panel(const ViewFrame& frame, const StageColumn& stage, SectorDiagram diagram)
{
    const Box box = diagram.box;
    return {.id = stage_panel(stage),
            .box = box,
            .layers = SectorLayers(frame.theme, stage, std::move(diagram), frame.selection.lane).layers};
}

namespace {

// Returns the request that is shown instead of banks. Returns nothing if the recording has shared tiles, which then
// only bulk copies fill: the sectors of C would be mistaken for their banks.
std::optional<SectorDiagram> request_shown(const StageColumn& stage, const Focus& focus)
{
    const auto step = nearest_global(*focus.warp, focus.step);
    const auto& arrays = focus.recording->arrays;
    if (has_shared_tile(arrays) || !step || focus.warp->accesses[*step].array >= arrays.size())
        return {};
    const recording::Access& access = focus.warp->accesses[*step];
    const recording::Array& array = arrays[access.array];
    return SectorDiagram{sector_picture(access, array), access, array, stage.memo<elements_of>()[access.array], {}};
}

} // namespace

Rich headline_without_banks(const StageColumn& stage, const Focus& focus)
{
    if (!focus.warp)
        return rich("nothing to show");
    const auto request = request_shown(stage, focus);
    if (!request)
        return rich(has_shared_tile(focus.recording->arrays) ? "no lane goes to shared memory" : "no shared memory");
    const SectorPicture& picture = request->picture;
    const Meaning meaning = picture.sectors > picture.least_sectors ? Meaning::conflict : Meaning::good;
    return rich("no shared memory: **{}** of global memory instead",
                Value(counted(picture.sectors, "sector")).as(meaning));
}

void add_without_banks(Figure& figure, const ViewFrame& frame, const StageColumn& stage, const Focus& focus,
                       const Box& box)
{
    if (!focus.warp) {
        figure.panels.push_back(words_panel(mark_of(stage, "why not"), box, rich("*{}*", focus.why)));
    } else if (has_shared_tile(focus.recording->arrays)) {
        const Box narrow{box.min, {std::min(box.max.x, box.min.x + frame.theme.px(640)), box.max.y}};
        figure.panels.push_back(
            words_panel(mark_of(stage, "why no banks"), narrow,
                        rich("*Bulk copies fill the tiles, and the tensor cores or other warps read them: there are no "
                             "lanes' banks to show.*")));
    } else {
        figure.said.push_back(
            rich("Every access goes to global memory.{}",
                 focus.recording->executed ? "" : " The first rung with shared memory is shared_tile."));
        if (auto diagram = request_shown(stage, focus)) {
            diagram->box = box;
            figure.panels.push_back(sector_panel(frame, stage, std::move(*diagram)));
        }
    }
}

} // namespace viz
