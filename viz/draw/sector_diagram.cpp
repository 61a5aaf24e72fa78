#include "viz/draw/sector_diagram.h"

#include "viz/analysis/bank_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace viz {

namespace {

constexpr uint32_t sectors_of_line = words_of_line / words_of_sector;

// Many lines are folded into two columns of rows.
constexpr std::size_t most_rows = 16;

constexpr float tallest_row = 64; // pixels at scale 1, beside other pictures

float head_height(const Theme& theme)
{
    return draw::row_height(theme, 3);
}

// A run of words that the same lanes touch; what nobody touches is a run as well.
struct WordRun {
    uint32_t first = 0, count = 0, lanes = 0;
};

std::vector<WordRun> runs_of(const MemoryLine& line, uint32_t sector)
{
    std::vector<WordRun> runs;
    for (uint32_t word = sector * words_of_sector; word < (sector + 1) * words_of_sector; ++word) {
        if (!runs.empty() && runs.back().lanes == line.lanes[word])
            ++runs.back().count;
        else
            runs.push_back({word, 1, line.lanes[word]});
    }
    return runs;
}

// Which lanes use a run of words: "0-7", "0, 16", or how many.
std::string lanes_text(uint32_t lanes)
{
    if (std::string run = lane_run(lanes); !run.empty())
        return run;
    if (std::popcount(lanes) == 2)
        return fmt::format("{}, {}", std::countr_zero(lanes), 31 - std::countl_zero(lanes));
    return fmt::format("{} lanes", std::popcount(lanes));
}

struct Measures {
    float label = 0, row = 0, cell = 0, gap = 0, head = 0; // gap: between sectors
    float fold = 0;                                        // from one column of rows to the next
    std::size_t rows = 1;
    bool inside = true; // every run of words has room for its lanes' numbers: all stand inside, or all beside
    float x_of(uint32_t word) const
    {
        return label + static_cast<float>(word) * cell + static_cast<float>(word / words_of_sector) * gap;
    }
};

std::string label_of(const SectorDiagram& diagram, const MemoryLine& line)
{
    const auto cell = diagram.elements.at(line.offset);
    return cell ? element_name(diagram.array.name, {*cell}) : fmt::format("byte {}", line.offset);
}

Measures measure(const Theme& theme, const SectorDiagram& diagram)
{
    const float width = diagram.box.width();
    Measures m;
    for (const MemoryLine& line : diagram.picture.lines)
        m.label = std::max(m.label, draw::measure(theme.mono, label_of(diagram, line)).x);
    m.label = std::ceil(m.label + theme.px(8));
    m.gap = theme.px(4);
    const std::size_t count = std::max(diagram.lines, diagram.picture.lines.size());
    const std::size_t folds = diagram.picture.lines.size() > most_rows ? 2 : 1;
    m.rows = std::max<std::size_t>(1, (count + (count > most_rows ? 1 : 0)) / (count > most_rows ? 2 : 1));
    m.fold = folds > 1 ? (width + theme.px(16)) / 2 : width;
    const float whole = folds > 1 ? m.fold - theme.px(16) : width;
    m.cell = std::max(2.0f, (whole - m.label - m.gap * (sectors_of_line - 1)) / words_of_line);
    m.head = head_height(theme);
    m.row = std::floor(std::max((diagram.box.height() - m.head) / static_cast<float>(m.rows), theme.px(4)));
    for (const MemoryLine& line : diagram.picture.lines)
        for (uint32_t sector = 0; sector < sectors_of_line; ++sector)
            for (const WordRun& run : line.touches(sector) ? runs_of(line, sector) : std::vector<WordRun>())
                m.inside =
                    m.inside && (run.lanes == 0 || draw::measure(theme.mono, lanes_text(run.lanes)).x + theme.px(6) <=
                                                       m.cell * static_cast<float>(run.count) - 1);
    return m;
}

// A word of memory under the mouse.
struct PointedWord {
    const StageColumn& stage;
    const recording::Array& array;
    const Elements& elements;
    uint64_t offset = 0;
    uint32_t lanes = 0; // that use it
    bool store = false, moved = false;

    Rich words() const
    {
        const auto cell = elements.at(offset);
        const Rich what = lanes != 0 ? rich("{} by {}", store ? "written" : "used", lane_list(lanes))
                          : moved    ? rich("moved with its sector, used by no lane of this request")
                                     : rich("not moved");
        return rich("{}: {}, byte {}, sector {}: {}", stage.slug, cell ? element_name(array.name, {*cell}) : array.name,
                    offset, offset / model::sector_bytes, what);
    }
};

class SectorLayers {
public:
    SectorLayers(const Theme& with, const StageColumn& of, const SectorDiagram& d, uint32_t lane)
        : diagram(d), theme(with), stage(of), selected_lane(lane),
          m(measure(with, d)), place{std::round(d.box.min.x), std::round(d.box.min.y)}
    {
        const std::size_t count = diagram.picture.lines.size();
        for (std::size_t fold = 0; fold * m.rows < count; ++fold)
            add_head(fold);
        for (std::size_t i = 0; i < count; ++i)
            add_line(i);
    }

    std::vector<Layer> layers() { return {std::move(shapes), std::move(labels)}; }

private:
    void add_head(std::size_t fold)
    {
        for (uint32_t sector = 0; sector < sectors_of_line; ++sector) {
            const float left = place.x + m.fold * static_cast<float>(fold) + m.x_of(sector * words_of_sector);
            const float width = m.cell * words_of_sector;
            const std::string words[] = {fmt::format("sector {}", sector), std::to_string(sector)};
            labels.labels.push_back({.words = draw::first_fitting(theme.text, width - theme.px(4), words),
                                     .at = {left + width / 2, place.y + m.head / 2},
                                     .side = Label::Side::middle});
        }
    }

    ImVec2 corner_of(std::size_t index) const
    {
        return {place.x + m.fold * static_cast<float>(index / m.rows),
                place.y + m.head + m.row * static_cast<float>(index % m.rows)};
    }

    void add_line(std::size_t index)
    {
        const MemoryLine& line = diagram.picture.lines[index];
        const ImVec2 corner = corner_of(index);
        const float middle = corner.y + m.row / 2;
        // Where lines are lower than words, every second, third ... has a name.
        const auto named = static_cast<std::size_t>(std::ceil((draw::line_height(theme.mono) - 2) / m.row));
        if (index % m.rows % std::max<std::size_t>(named, 1) == 0) {
            const std::string name = label_of(diagram, line);
            const float width = draw::measure(theme.mono, name).x, half = draw::line_height(theme.mono) / 2;
            shapes.shapes.push_back(
                said_of(box_shape({{corner.x, middle - half}, {corner.x + width, middle + half}}, 0), {.words = name}));
        }
        for (uint32_t sector = 0; sector < sectors_of_line; ++sector) {
            const float left = corner.x + m.x_of(sector * words_of_sector);
            shapes.shapes.push_back(
                box_shape({{left, corner.y}, {left + m.cell * words_of_sector, corner.y + m.row - 1}},
                          line.touches(sector) ? wasted_colour(theme) : draw::empty_colour(theme)));
            if (line.touches(sector))
                add_runs(runs_of(line, sector), corner);
        }
        for (uint32_t word = 0; word < words_of_line; ++word)
            add_word(line, word, corner);
    }

    std::string mark_of(const char* what) const // of the first stage; others have theirs
    {
        return stage.number == 0 ? what : fmt::format("{} {}", what, stage.number);
    }

    void add_runs(const std::vector<WordRun>& runs, ImVec2 corner)
    {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const WordRun& run = runs[i];
            const float left = corner.x + m.x_of(run.first);
            const Box box{{left, corner.y}, {left + m.cell * static_cast<float>(run.count) - 1, corner.y + m.row - 1}};
            if (run.lanes == 0) {
                shapes.shapes.push_back(
                    said_of(box_shape(box, wasted_colour(theme)), {.name = mark_of("wasted bytes")}));
                continue;
            }
            const auto lane = static_cast<uint32_t>(std::countr_zero(run.lanes));
            Shape used = box_shape(box, theme.lane_group[lane / 8]);
            Shape::Said said{.name = mark_of("used bytes")};
            if (run.lanes >> selected_lane & 1u) {
                used.stroke = theme.ink;
                used.thick = 2;
            }
            // Words about many lanes may reach over the unused bytes behind them.
            const std::string words = lanes_text(run.lanes);
            const float wide = draw::measure(theme.mono, words).x;
            const bool alone = i + 1 < runs.size() && runs[i + 1].lanes == 0; // unused bytes behind it
            const bool low = m.row < draw::line_height(theme.mono) - 3;
            if (wide + theme.px(6) <= box.width() && (m.inside || !alone))
                said.words = words;
            else if (!low && alone && wide <= m.cell * static_cast<float>(runs[i + 1].count) - theme.px(3))
                labels.labels.push_back({.words = words,
                                         .at = {box.max.x, (box.min.y + box.max.y) / 2},
                                         .distance = 3,
                                         .colour = ink_on(wasted_colour(theme)),
                                         .side = Label::Side::right});
            shapes.shapes.push_back(said_of(std::move(used), std::move(said)));
        }
    }

    // What is said of each word, and what a click on it does: the runs are but its colour.
    void add_word(const MemoryLine& line, uint32_t word, ImVec2 corner)
    {
        const float left = corner.x + m.x_of(word);
        Shape::Said said;
        said.tip = [pointed = PointedWord{stage, diagram.array, diagram.elements, line.offset + uint64_t{word} * 4,
                                          line.lanes[word], is_store(diagram.access.op),
                                          line.touches(word / words_of_sector)}] { return pointed.words(); };
        if (line.lanes[word] != 0)
            said.click = [lane = std::countr_zero(line.lanes[word])](const ViewScene& scene) {
                scene.selection.lane = static_cast<uint32_t>(lane);
            };
        shapes.shapes.push_back(
            said_of(box_shape({{left, corner.y}, {left + m.cell, corner.y + m.row}}, 0), std::move(said)));
    }

    const SectorDiagram& diagram;
    const Theme& theme;
    const StageColumn& stage;
    uint32_t selected_lane;
    Measures m;
    ImVec2 place;
    ShapeLayer shapes;
    LabelLayer labels;
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

Panel sector_panel(const ViewFrame& frame, const StageColumn& stage, const SectorDiagram& diagram)
{
    return {.id = stage.slug + (stage.variant.empty() ? "" : " " + stage.variant),
            .box = diagram.box,
            .layers = SectorLayers(frame.theme, stage, diagram, frame.selection.lane).layers()};
}

} // namespace viz
