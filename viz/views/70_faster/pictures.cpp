#include "viz/views/70_faster/facts.h"

#include "viz/analysis/access.h"
#include "viz/analysis/partial_sums.h"
#include "viz/draw/draw.h"
#include "viz/figure/draw_figure.h"
#include "viz/text/figures.h"

#include "model/access_cost.h"
#include "recording/tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>

namespace viz {

namespace {

using recording::warp_size;

Rich mapping_words(const Theme& theme, const StageColumn& stage, const BlockMapping& mapping)
{
    const Colour accent = theme.accent(stage.number);
    std::vector<Rich> lines{
        rich("`{}`: block {} × {}", stage.slug, index(mapping.tile.rows), index(mapping.tile.cols))};
    if (mapping.reaches_out())
        lines.push_back(rich("Of it {} × {} lie in C: the recorded C is smaller than the tile.", index(mapping.rows),
                             index(mapping.cols)));
    if (mapping.passed_on)
        lines.push_back(rich("Shown is who stores: another warp may have added up these sums in shared memory."));
    lines.push_back(rich("{}warp: {}", Swatch{mix(theme.panel, accent, 0.5f)}, mapping.warp_results));
    lines.push_back(rich("{}lane: {}", Swatch{accent}, counted(mapping.thread_results, "result")));
    return in_lines(std::move(lines));
}

// A tile drawn to scale. Each element has the tint of its warp.
class MappingPicture {
public:
    MappingPicture(const Theme& with, const StageColumn& of, const BlockMapping& what, uint32_t selected,
                   const Box& place)
        : theme(with), stage(of), mapping(what), warp(selected), corner(place.min),
          size(std::min(place.width() / static_cast<float>(mapping.tile.cols),
                        place.height() / static_cast<float>(mapping.tile.rows)))
    {
    }

    std::vector<Layer> layers() const
    {
        ShapeLayer shapes;
        add_outside(shapes, {0, mapping.cols, mapping.tile.rows, mapping.tile.cols - mapping.cols});
        add_outside(shapes, {mapping.rows, 0, mapping.tile.rows - mapping.rows, mapping.cols});
        for (const CellRect& one : mapping.thread) { // visible also if elements are thinner than a pixel
            Box box = box_of(one);
            box.max = {std::max(box.max.x, box.min.x + 2), std::max(box.max.y, box.min.y + 2)};
            shapes.shapes.push_back(box_shape(box, theme.accent(stage.number)));
        }
        return {cells(), std::move(shapes)};
    }

private:
    Box box_of(const CellRect& rect) const
    {
        const auto x = [&](uint32_t col) { return corner.x + size * static_cast<float>(col); };
        const auto y = [&](uint32_t row) { return corner.y + size * static_cast<float>(row); };
        return {{x(rect.col), y(rect.row)}, {x(rect.col + rect.cols), y(rect.row + rect.rows)}};
    }

    // Adds the area beyond the edges of C.
    void add_outside(ShapeLayer& shapes, const CellRect& part) const
    {
        if (part.rows == 0 || part.cols == 0)
            return;
        shapes.shapes.push_back(said_of(box_shape(box_of(part), draw::empty_colour(theme)), {.words = "outside C"}));
    }

    // If elements are thinner than a pixel, one cell represents several.
    CellLayer cells() const
    {
        const auto each = static_cast<uint32_t>(std::max(std::ceil(1 / size), 1.0f));
        const Colour face = theme.panel, accent = theme.accent(stage.number);
        const auto owner = [&owners = mapping.threads, cols = mapping.cols, each](uint32_t row, uint32_t col) {
            return owners[std::size_t{row} * each * cols + std::size_t{col} * each];
        };
        CellLayer layer{.name = fmt::format("mapping {}", stage.number),
                        .rows = (mapping.rows + each - 1) / each,
                        .cols = (mapping.cols + each - 1) / each,
                        .box = box_of({0, 0, mapping.rows, mapping.cols})};
        layer.colour = [owner, face, accent, selected = warp](uint32_t row, uint32_t col) {
            const uint32_t thread = owner(row, col);
            if (thread == recording::no_owner)
                return face;
            const uint32_t of = thread / warp_size; // adjacent warps alternate between two tints
            return mix(face, accent, of == selected ? 0.5f : of % 2 == 0 ? 0.16f : 0.28f);
        };
        layer.tip = [owner, words = mapping_words(theme, stage, mapping), tile = mapping.tile, each](uint32_t row,
                                                                                                     uint32_t col) {
            const uint32_t thread = owner(row, col);
            if (thread == recording::no_owner)
                return words;
            return in_lines(
                {words, rich("C({}, {}): warp {}, lane {}", index(tile.row + row * each), index(tile.col + col * each),
                             index(thread / warp_size), index(thread % warp_size))});
        };
        return layer;
    }

    const Theme& theme;
    const StageColumn& stage;
    const BlockMapping& mapping;
    uint32_t warp;
    ImVec2 corner;
    float size; // size of an element, in pixels
};

bool lies_elsewhere(const recording::Array& array, const recording::Array& other)
{
    if (array.rows != other.rows || array.cols != other.cols)
        return true;
    for (uint32_t row = 0; row < array.rows; ++row)
        for (uint32_t col = 0; col < array.cols; ++col)
            if (array.offset_of(row, col) != other.offset_of(row, col))
                return true;
    return false;
}

} // namespace

BlockMapping mapping_of(const recording::Recording& recording, const recording::BlockTrace& block, uint32_t warp,
                        uint32_t lane)
{
    // With slices of K, C belongs to the threads of the first slice.
    const uint32_t linear = linear_of({block.block.x, block.block.y, 0}, recording.launch.grid);
    const std::vector<OwnedCell> owned = cells_of_block(recording, linear);
    BlockMapping mapping;
    std::vector<Cell> all, of_thread;
    for (const OwnedCell& one : owned) {
        all.push_back(one.cell);
        mapping.warp_results += one.thread / warp_size == warp ? 1 : 0;
        if (one.thread == warp * warp_size + lane)
            of_thread.push_back(one.cell);
    }
    mapping.thread_results = of_thread.size();
    mapping.tile = bounds(all).value_or(CellRect{0, 0, 0, 0});
    mapping.rows = mapping.tile.rows;
    mapping.cols = mapping.tile.cols;
    mapping.threads.assign(std::size_t{mapping.rows} * mapping.cols, recording::no_owner);
    for (const OwnedCell& one : owned)
        mapping.threads[std::size_t{one.cell.row - mapping.tile.row} * mapping.cols + one.cell.col - mapping.tile.col] =
            one.thread;
    if (computes(recording) == Computes::products && !recording.executed) {
        const recording::Tiles named = recording::tiles_named(recording.parameters);
        const Cell c = extent_of_c(recording);
        if (mapping.tile.row + mapping.rows == c.row) // cut off by C's edge
            mapping.tile.rows = std::max(mapping.rows, named.rows);
        if (mapping.tile.col + mapping.cols == c.col)
            mapping.tile.cols = std::max(mapping.cols, named.cols);
    }
    const bool one_row = recording.executed && !recording.executed->multiplies && extent_of_c(recording).row == 1;
    mapping.scattered = one_row && all.size() < uint64_t{mapping.tile.rows} * mapping.tile.cols;
    mapping.passed_on = sums_pass_through_shared(recording, block);
    mapping.thread = cover(std::move(of_thread));
    for (CellRect& rect : mapping.thread) {
        rect.row -= mapping.tile.row;
        rect.col -= mapping.tile.col;
    }
    return mapping;
}

Panel mapping_panel(const Theme& theme, const StageColumn& stage, const BlockMapping& mapping, uint32_t warp,
                    const Box& box)
{
    Panel panel{.id = fmt::format("owners {}", stage.number), .box = box};
    if (mapping.tile.rows == 0 || mapping.tile.cols == 0)
        return panel;
    if (mapping.scattered) {
        panel.layers = {RichTextLayer{
            rich("**{}** elements per warp, **{}** per lane; the trace does not say in which rows and columns",
                 mapping.warp_results, mapping.thread_results)}};
        return panel;
    }
    const std::string stored = mapping.passed_on ? ", as stored" : "";
    panel.title = fmt::format("{} × {}", mapping.tile.rows, mapping.tile.cols);
    if (mapping.thread_results > 0) {
        panel.shorter = {panel.title + stored};
        panel.title += fmt::format(": {} per warp, {} per lane", thousands(mapping.warp_results),
                                   thousands(mapping.thread_results));
    }
    panel.title += stored;
    const Box inside = below_title(theme, box);
    if (inside.width() > 0 && inside.height() > 0)
        panel.layers = MappingPicture(theme, stage, mapping, warp, inside).layers();
    return panel;
}

std::optional<std::size_t> moved_array(const recording::Recording& recording, const recording::Recording& other)
{
    for (std::size_t i = 0; i < recording.arrays.size(); ++i) {
        const recording::Array& array = recording.arrays[i];
        const auto same = std::ranges::find(other.arrays, array.name, &recording::Array::name);
        if (array.space == recording::Space::shared && same != other.arrays.end() && lies_elsewhere(array, *same))
            return i;
    }
    return {};
}

Panel layout_panel(const Theme& theme, const StageColumn& stage, std::size_t number, const Box& box)
{
    constexpr uint32_t row_bytes = uint32_t{model::banks} * model::bank_bytes;
    const recording::Array& array = stage.recording->arrays[number];
    const Elements& elements = stage.memo<elements_of>()[number];
    CellLayer cells{.name = fmt::format("layout {}", stage.number),
                    .rows = static_cast<uint32_t>(std::max<uint64_t>(1, (array.bytes + row_bytes - 1) / row_bytes)),
                    .cols = row_bytes / std::max<uint32_t>(1, array.element_bytes)};
    const auto offset = [width = array.element_bytes](uint32_t row, uint32_t col) {
        return uint64_t{row} * row_bytes + uint64_t{col} * width;
    };
    // As in the layout view, the colour is that of the element's bank in a row-major layout.
    cells.colour = [&theme, &array, &elements, offset](uint32_t row, uint32_t col) {
        const auto cell = elements.at(offset(row, col));
        if (!cell)
            return theme.panel;
        const uint64_t home = (uint64_t{cell->row} * array.cols + cell->col) * array.element_bytes;
        return lane_colour(theme, static_cast<uint32_t>(model::bank_of(home)));
    };
    cells.tip = [&array, &elements, offset, slug = stage.slug](uint32_t row, uint32_t col) {
        const uint64_t at = offset(row, col);
        const auto cell = elements.at(at);
        return cell ? rich("{}: {} lies at place {}, byte {}, bank {}", slug, element_name(array.name, {*cell}),
                           at / array.element_bytes, at, index(model::bank_of(at)))
                    : rich("{}: byte {} holds no element of {}", slug, at, array.name);
    };
    return {.id = fmt::format("layouts {}", stage.number),
            .box = box,
            .title = array.name + ": each colour a bank of the plain layout",
            .shorter = {array.name + ", 32 banks"},
            .layers = {std::move(cells)}};
}

namespace {

constexpr std::size_t lines_around = 2;
constexpr float letters_before = 6; // for the line number and the sign

std::size_t indentation(const std::string& text)
{
    return std::min(text.find_first_not_of(' '), text.size());
}

// Returns the lines of the stage's own file, followed by those of its kernel's file if it uses another stage's kernel.
std::vector<SourceLine> lines_of(const recording::Recording& recording, bool with_comments)
{
    std::vector<SourceLine> lines = kernel_lines(recording.sources.at(0).text, with_comments);
    if (recording.body == 0)
        return lines;
    for (SourceLine& line : kernel_lines(recording.source().text, with_comments)) {
        line.file = recording.body;
        lines.push_back(std::move(line));
    }
    return lines;
}

// Returns the file that a line's number refers to.
std::string file_of(const DiffLine& line, const recording::Recording& before, const recording::Recording& after)
{
    const recording::Recording& of = line.change == Change::removed ? before : after;
    return std::filesystem::path(of.sources.at(line.file).name).filename();
}

} // namespace

bool same_kernel(const recording::Recording& a, const recording::Recording& b)
{
    return std::ranges::equal(kernel_lines(a.source().text, false), kernel_lines(b.source().text, false), {},
                              &SourceLine::text, &SourceLine::text);
}

std::string language(const recording::Recording& recording)
{
    const std::string name = std::filesystem::path(recording.source().name).extension().string();
    return name.empty() ? name : name.substr(1);
}

SourceChanges::SourceChanges(const RecordingPtr& after, const RecordingPtr& before, bool with_comments)
    : after_(after), before_(before)
{
    hunks_ = added_first(
        hunks_of(diff_lines(lines_of(*before, with_comments), lines_of(*after, with_comments)), lines_around));
    for (const Hunk& hunk : hunks_)
        for (const DiffLine& line : hunk) {
            removed_ += line.change == Change::removed ? 1 : 0;
            added_ += line.change == Change::added ? 1 : 0;
        }
}

// Removes indentation common to all lines of a hunk. If a stage uses another stage's kernel, its lines come from two
// files.
void SourceChanges::lay_out(const Theme& theme, float width)
{
    const float letter = draw::measure(theme.mono, "0").x;
    const auto letters = static_cast<std::size_t>(std::max(width / letter - letters_before - 1, 16.0f));
    if (std::exchange(letters_, letters) == letters)
        return;
    rows_.clear();
    const bool names = before_->body != 0 || after_->body != 0;
    std::string file;
    for (const Hunk& hunk : hunks_) {
        std::size_t common = std::string::npos;
        for (const DiffLine& line : hunk)
            common = std::min(common, indentation(line.text));
        bool separate = !rows_.empty();
        const std::size_t from = rows_.size();
        for (const DiffLine& line : hunk) {
            std::string next = names ? file_of(line, *before_, *after_) : "";
            if (std::exchange(separate, false) || next != file)
                rows_.push_back({nullptr, next != file ? next : ""});
            file = std::move(next);
            rows_.push_back({&line, line.text.substr(std::min(common, line.text.size()))});
        }
        for (std::size_t i = from; i < rows_.size(); ++i)
            if (rows_[i].line != nullptr)
                wrap(i);
    }
}

// Wraps a long line with extra indentation.
void SourceChanges::wrap(std::size_t row)
{
    const std::string whole = rows_[row].text;
    if (whole.size() <= letters_)
        return;
    std::size_t end = whole.rfind(' ', letters_);
    const std::size_t begin = indentation(whole);
    if (end == std::string::npos || end <= begin)
        end = letters_;
    const std::string rest = whole.substr(std::min(whole.find_first_not_of(' ', end), whole.size()));
    const std::size_t further = std::min(rows_[row].continued ? begin : begin + 4, letters_ / 2);
    rows_[row].text = whole.substr(0, end);
    if (!rest.empty())
        rows_.insert(rows_.begin() + static_cast<std::ptrdiff_t>(row) + 1,
                     {rows_[row].line, std::string(further, ' ') + rest, true});
}

void SourceChanges::draw_row(const Theme& theme, const Row& row, const draw::Box& box, float letter) const
{
    ImDrawList* list = ImGui::GetWindowDrawList();
    const DiffLine& line = *row.line;
    const bool changed = line.change != Change::none, added = line.change == Change::added;
    const Colour accent = theme.accent(added ? 0 : 1);
    if (changed)
        list->AddRectFilled(box.min, box.max, mix(theme.background, accent, 0.2f));
    if (changed && !row.continued)
        draw::text(list, theme.mono_bold, {box.min.x + letter * 4.5f, box.min.y}, accent, added ? "+" : "\xe2\x88\x92");
    if (!row.continued)
        draw::text(list, theme.mono, box.min, theme.ink_faint,
                   fmt::format("{:>4}", line.after != 0 ? line.after : line.before));
    draw::text(list, theme.mono, {box.min.x + letter * letters_before, box.min.y},
               changed ? theme.ink : theme.ink_quiet, row.text);
}

float SourceChanges::height(const Theme& theme, float width)
{
    const ImVec2 padding = ImGui::GetStyle().WindowPadding;
    lay_out(theme, width - 2 * padding.x);
    return draw::row_height(theme, 2, theme.mono) * static_cast<float>(rows_.size()) + 2 * padding.y + theme.px(2);
}

void SourceChanges::draw(const Theme& theme, const draw::Box& box, Marks* marks)
{
    ImGui::SetCursorScreenPos(box.min);
    ImGui::PushStyleColor(ImGuiCol_ChildBg, theme.background);
    ImGui::BeginChild("source changes", {std::max(1.0f, box.width()), std::max(1.0f, box.height())}, true);
    const float letter = draw::measure(theme.mono, "0").x;
    const float height = draw::row_height(theme, 2, theme.mono), width = ImGui::GetContentRegionAvail().x;
    lay_out(theme, width);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 clip_min = list->GetClipRectMin(), clip_max = list->GetClipRectMax();
    bool marked[2] = {false, false}; // the first visible line of each kind
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const ImVec2 at{corner.x, corner.y + height * static_cast<float>(i)};
        if (at.y + height < clip_min.y || at.y > clip_max.y)
            continue;
        const draw::Box row{at, {at.x + width, at.y + height}};
        if (rows_[i].line == nullptr) {
            const float middle = std::round(at.y + height / 2);
            draw::text(list, theme.mono, at, theme.ink_quiet, rows_[i].text);
            const float name = letter * static_cast<float>(rows_[i].text.size() + (rows_[i].text.empty() ? 0 : 1));
            list->AddRectFilled({at.x + name, middle}, {row.max.x, middle + 1}, theme.border);
            continue;
        }
        draw_row(theme, rows_[i], row, letter);
        const Change change = rows_[i].line->change;
        if (change == Change::none || at.y < clip_min.y || row.max.y > clip_max.y)
            continue;
        if (!std::exchange(marked[change == Change::added ? 1 : 0], true))
            mark(marks, change == Change::added ? "line:added" : "line:removed", at, row.max);
    }
    ImGui::Dummy({width, height * static_cast<float>(rows_.size())});
    ImGui::EndChild();
    ImGui::PopStyleColor();
}

} // namespace viz
