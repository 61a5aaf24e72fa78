#include "viz/draw/sector_diagram.h"

#include "viz/analysis/bank_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <string>
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

struct SectorHit {
    const MemoryLine* line = nullptr;
    uint32_t word = 0;
};

Message word_message(const StageColumn& stage, const SectorDiagram& diagram, const SectorHit& hit)
{
    const uint64_t offset = hit.line->offset + uint64_t{hit.word} * 4;
    const auto cell = diagram.elements.at(offset);
    const uint32_t lanes = hit.line->lanes[hit.word];
    Message what{"global.not_moved"};
    if (lanes != 0)
        what = {"global.used", {{"store", is_store(diagram.access.op)}, {"lanes", lane_list(lanes)}}};
    else if (hit.line->touches(hit.word / words_of_sector))
        what = {"global.wasted"};
    return {"global.word",
            {{"stage", stage.slug},
             {"element", cell ? element_name(diagram.array.name, {*cell}) : diagram.array.name},
             {"byte", offset},
             {"sector", offset / model::sector_bytes},
             {"what", what}}};
}

class SectorPainter {
public:
    SectorPainter(const ViewFrame& frame, const StageColumn& stage, const SectorDiagram& d)
        : diagram(d), theme(frame.theme), marks(&stage == &frame.columns.front() ? frame.marks : nullptr),
          selected_lane(frame.selection.lane),
          m(measure(frame.theme, d)), place{std::round(d.box.min.x), std::round(d.box.min.y)},
          list(ImGui::GetWindowDrawList())
    {
    }

    void draw() const
    {
        const std::size_t count = diagram.picture.lines.size();
        for (std::size_t fold = 0; fold * m.rows < count; ++fold)
            draw_head(fold);
        for (std::size_t i = 0; i < count; ++i)
            draw_line(i);
    }

    std::optional<SectorHit> under(ImVec2 mouse) const
    {
        const float row = std::floor((mouse.y - place.y - m.head) / m.row);
        const float fold = std::floor((mouse.x - place.x) / m.fold);
        const auto index =
            static_cast<std::size_t>(std::max(0.0f, fold)) * m.rows + static_cast<std::size_t>(std::max(0.0f, row));
        if (row < 0 || row >= static_cast<float>(m.rows) || fold < 0 || index >= diagram.picture.lines.size())
            return {};
        for (uint32_t word = 0; word < words_of_line; ++word)
            if (const float left = place.x + m.fold * fold + m.x_of(word); mouse.x >= left && mouse.x < left + m.cell)
                return SectorHit{&diagram.picture.lines[index], word};
        return {};
    }

private:
    void draw_head(std::size_t fold) const
    {
        for (uint32_t sector = 0; sector < sectors_of_line; ++sector) {
            const float left = place.x + m.fold * static_cast<float>(fold) + m.x_of(sector * words_of_sector);
            const draw::Box box{{left, place.y}, {left + m.cell * words_of_sector, place.y + m.head}};
            if (draw::measure(theme.text, "sector 0 ").x > box.width() ||
                !draw::text_in(list, theme.text, box, theme.ink_quiet, fmt::format("sector {}", sector)))
                draw::text_in(list, theme.text, box, theme.ink_quiet, fmt::format("{}", sector));
        }
    }

    void draw_line(std::size_t index) const
    {
        const MemoryLine& line = diagram.picture.lines[index];
        const ImVec2 corner = corner_of(index);
        const float y = corner.y;
        // Where lines are lower than words, every second, third ... has a name.
        const float text = draw::line_height(theme.mono);
        const auto named = static_cast<std::size_t>(std::ceil((text - 2) / m.row));
        if (index % m.rows % std::max<std::size_t>(named, 1) == 0)
            draw::text(list, theme.mono, {corner.x, y + (m.row - text) / 2}, theme.ink_quiet, label_of(diagram, line));
        for (uint32_t sector = 0; sector < sectors_of_line; ++sector) {
            const float left = corner.x + m.x_of(sector * words_of_sector);
            const draw::Box box{{left, y}, {left + m.cell * words_of_sector, y + m.row - 1}};
            list->AddRectFilled(box.min, box.max,
                                line.touches(sector) ? wasted_colour(theme) : draw::empty_colour(theme));
            if (line.touches(sector))
                draw_sector(line, sector, corner);
        }
    }

    ImVec2 corner_of(std::size_t index) const
    {
        return {place.x + m.fold * static_cast<float>(index / m.rows),
                place.y + m.head + m.row * static_cast<float>(index % m.rows)};
    }

    void draw_sector(const MemoryLine& line, uint32_t sector, ImVec2 corner) const
    {
        const float y = corner.y;
        const std::vector<WordRun> runs = runs_of(line, sector);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const WordRun& run = runs[i];
            const float left = corner.x + m.x_of(run.first);
            const draw::Box box{{left, y}, {left + m.cell * static_cast<float>(run.count) - 1, y + m.row - 1}};
            if (run.lanes == 0) {
                mark(marks, "wasted bytes", box);
                continue;
            }
            const auto lane = static_cast<uint32_t>(std::countr_zero(run.lanes));
            const Colour face = theme.lane_group[lane / 8];
            list->AddRectFilled(box.min, box.max, face);
            if (run.lanes >> selected_lane & 1u)
                list->AddRect(box.min, box.max, theme.ink, 0, 0, theme.px(2));
            mark(marks, "used bytes", box);
            // Words about many lanes may reach over the unused bytes behind them.
            const std::string words = lanes_text(run.lanes);
            const bool alone = i + 1 < runs.size() && runs[i + 1].lanes == 0; // unused bytes behind it
            const bool fits = draw::measure(theme.mono, words).x + theme.px(6) <= box.width() && (m.inside || !alone);
            if (fits)
                draw::text_in(list, theme.mono, box, ink_on(face), words);
            const bool low = m.row < draw::measure(theme.mono, words).y - 3;
            if (fits || low || !alone)
                continue;
            const draw::Box behind{{box.max.x + theme.px(3), box.min.y},
                                   {box.max.x + m.cell * static_cast<float>(runs[i + 1].count), box.max.y}};
            if (draw::measure(theme.mono, words).x <= behind.width())
                draw::text(list, theme.mono,
                           {behind.min.x, (behind.min.y + behind.max.y - draw::measure(theme.mono, words).y) / 2},
                           ink_on(wasted_colour(theme)), words);
        }
    }

    const SectorDiagram& diagram;
    const Theme& theme;
    Marks* marks; // of the first stage alone
    uint32_t selected_lane;
    Measures m;
    ImVec2 place;
    ImDrawList* list;
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

void draw_sector_diagram(ViewFrame& frame, const StageColumn& stage, const SectorDiagram& diagram)
{
    const SectorPainter painter(frame, stage, diagram);
    painter.draw();
    ImGui::PushID(static_cast<int>(stage.number));
    const bool hovered = draw::item("sectors", diagram.box);
    ImGui::PopID();
    mark_picture(frame.marks, stage.slug, diagram.box);
    const auto hit = hovered ? painter.under(ImGui::GetMousePos()) : std::nullopt;
    if (!hit)
        return;
    frame.point_out(word_message(stage, diagram, *hit));
    if (const uint32_t lanes = hit->line->lanes[hit->word]; ImGui::IsItemClicked() && lanes != 0)
        frame.selection.lane = static_cast<uint32_t>(std::countr_zero(lanes));
}

} // namespace viz
