#include "viz/views/70_faster/library_table.h"

#include "viz/draw/prose.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace viz {

namespace {

using recording::LaunchedKernel;

// One column: a rung's kernel, or the library's.
struct Column {
    std::string name;
    Colour colour = 0;
    const LaunchedKernel* kernel = nullptr;
    std::optional<TileOfName> tile;
    std::optional<Fill> fill;
    uint32_t element_bytes = 4; // of A and B

    // Of the tiles of A and B of all phases under way; 0: not all of that is known.
    uint64_t bytes_under_way() const
    {
        return tile ? uint64_t{tile->rows + tile->cols} * tile->depth.value_or(0) * tile->stages.value_or(0) *
                          element_bytes
                    : 0;
    }
};

// The kernel that multiplies: not the one that adds up slices.
const LaunchedKernel* main_kernel(const KernelsAt& at)
{
    const auto found = std::ranges::find_if(at.kernels, [](const auto& one) { return !reduces(one.name); });
    return found == at.kernels.end() ? nullptr : &*found;
}

std::vector<Column> columns_of(const LibraryTable& table, const LibraryKernels::Row& row)
{
    std::vector<Column> columns;
    const LibraryKernels& library = *table.frame.board.library;
    const auto add = [&](Column column) -> Column& {
        column.element_bytes = row.type == "fp16" || row.type == "bf16" ? 2 : 4;
        column.fill = fill_of(*column.kernel, library.compute_capability, library.sm_count);
        return columns.emplace_back(std::move(column));
    };
    for (std::size_t i = 0; i < table.rungs.size(); ++i)
        if (const RungFigures* rung = table.rungs[i]; rung != nullptr && rung->launched) {
            Column& column =
                add({rung->slug, table.frame.theme.accent(i), &*rung->launched, tile_in(rung->parameters), {}});
            // Not every rung that loads ahead has a parameter for it.
            const auto& recording = table.frame.columns[i].recording;
            if (column.tile && !column.tile->stages && recording && !recording->blocks.empty() &&
                recording->parameters == rung->parameters && table.under_way[i])
                column.tile->stages = static_cast<uint32_t>(*table.under_way[i]);
        }
    if (const LaunchedKernel* kernel = main_kernel(row.at))
        add({"cuBLAS", table.frame.theme.good, kernel, tile_in(kernel->name), {}});
    return columns;
}

struct Line {
    const char *name, *narrow; // narrow: where the figures would have no room beside the name
    std::string (*value)(const Column&);
    bool of_shared = false; // what shared memory holds is told beside the pointer
};

std::string dash_or(uint64_t value)
{
    return value == 0 ? "-" : thousands(value);
}

const Line lines[] = {
    {"tile of C per block", "tile of C",
     [](const Column& c) { return c.tile ? fmt::format("{} × {}", c.tile->rows, c.tile->cols) : std::string("-"); }},
    {"K per phase", "k-tile", [](const Column& c) { return dash_or(c.tile ? c.tile->depth.value_or(0) : 0); }},
    {"phases under way", "under way", [](const Column& c) { return dash_or(c.tile ? c.tile->stages.value_or(0) : 0); }},
    {"threads per block", "threads", [](const Column& c) { return dash_or(c.kernel->launch.threads_per_block()); }},
    {"registers per thread", "registers",
     [](const Column& c) { return dash_or(c.kernel->resources.registers_per_thread); }},
    {"shared bytes per block", "shared B",
     [](const Column& c) {
         return c.kernel->resources.registers_per_thread == 0
                    ? std::string("-")
                    : thousands(uint64_t{c.kernel->resources.shared_bytes_per_block});
     },
     true},
    {"of them tiles under way", "of tiles", [](const Column& c) { return dash_or(c.bytes_under_way()); }, true},
    {"blocks per cluster", "in cluster",
     [](const Column& c) {
         return c.kernel->cluster.volume() > 1 ? thousands(c.kernel->cluster.volume()) : std::string("-");
     }},
    {"blocks", "blocks", [](const Column& c) { return thousands(c.kernel->launch.grid.volume()); }},
    {"blocks per SM at once", "on an SM", [](const Column& c) { return dash_or(c.fill ? c.fill->per_sm : 0); }},
    {"waves", "waves", [](const Column& c) {
         return c.fill && c.fill->waves > 0 ? fmt::format("{:.2f}", c.fill->waves) : std::string("-");
     }}};

Message kernel_message(const LaunchedKernel& kernel)
{
    Messages note;
    if (reduces(kernel.name))
        note.push_back({"faster.reduces"});
    else if (kernel.launch.grid.z > 1)
        note.push_back({"faster.slices", {{"slices", kernel.launch.grid.z}}});
    return {"faster.kernel",
            {{"name", short_name(kernel.name)}, {"blocks", kernel.launch.grid.volume()}, {"note", note}}};
}

// What shared memory holds: tiles of A and B for so many phases, and more that no name tells.
void say_shared(const ViewFrame& frame, const std::vector<Column>& columns)
{
    Value::Nested each;
    for (const Column& column : columns) {
        const uint64_t tiles = column.bytes_under_way(), all = column.kernel->resources.shared_bytes_per_block;
        if (tiles == 0 || all < tiles)
            continue;
        Messages rest;
        if (all > tiles)
            rest.push_back({"faster.library_rest", {{"bytes", all - tiles}}});
        each.push_back({"faster.library_shared",
                        {{"name", column.name},
                         {"stages", column.tile->stages.value_or(0)},
                         {"rows", column.tile->rows},
                         {"cols", column.tile->cols},
                         {"depth", column.tile->depth.value_or(0)},
                         {"element", column.element_bytes},
                         {"tiles", tiles},
                         {"rest", rest}}});
    }
    if (!each.empty())
        frame.point_out({"faster.library_shared_all", {{"each", std::move(each)}}});
}

Message library_message(const KernelsAt& at)
{
    Value::List kernels;
    for (const LaunchedKernel& kernel : at.kernels)
        kernels.emplace_back(kernel_message(kernel));
    return {"faster.library", {{"count", at.kernels.size()}, {"kernels", kernels}, {"origin", how_had(at.from)}}};
}

} // namespace

void draw_library(const LibraryTable& table, const draw::Box& box)
{
    const Theme& theme = table.frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const RungFigures* first = table.rungs[0] != nullptr ? table.rungs[0] : table.rungs[1];
    const std::string type = first != nullptr ? first->type : "fp32";
    const LibraryKernels::Row* row =
        table.frame.board.library != nullptr ? table.frame.board.library->find(type, table.frame.board.timed) : nullptr;
    if (row == nullptr) {
        const Message missing{
            "faster.library_unknown",
            {{"type", type},
             {"size", size_words(table.frame.board.timed)},
             {"why",
              table.frame.board.library != nullptr ? in_sentences(table.frame.board.library->missing) : Messages()}}};
        Prose(theme).write(missing).draw(box.min, box.width());
        return;
    }
    table.frame.explain(
        {{"faster.library_heading", {{"size", size_words(table.frame.board.timed)}}}, library_message(row->at)});
    const std::vector<Column> columns = columns_of(table, *row);
    std::vector<const Line*> known;
    for (const Line& one : lines)
        if (std::ranges::any_of(columns, [&](const Column& c) { return one.value(c) != "-"; }))
            known.push_back(&one);
    const float height = std::min(box.height() / static_cast<float>(known.size() + 1), theme.px(44));
    const auto width_of = [&](float names) {
        return (box.width() - names) / static_cast<float>(std::max<std::size_t>(1, columns.size()));
    };
    float needed = 0;
    for (const Line* one : known)
        for (const Column& column : columns)
            needed = std::max(needed, draw::measure(theme.mono, one->value(column)).x + theme.px(8));
    const float wide = draw::measure(theme.text, "shared bytes per block").x + theme.px(10);
    const bool narrow = width_of(wide) < needed;
    const float names = narrow ? draw::measure(theme.text, "under way").x + theme.px(6) : wide;
    const float width = width_of(names);
    float y = box.min.y;
    const auto right = [&](std::size_t column, ImFont* font, Colour colour, const std::string& words) {
        const float edge = box.min.x + names + width * static_cast<float>(column + 1);
        const ImVec2 size = draw::measure(font, words);
        const float from = std::max(edge - size.x, edge - width + theme.px(8));
        list->PushClipRect({from, y}, {edge, y + height}, true);
        draw::text(list, font, {from, y + (height - size.y) / 2}, colour, words);
        list->PopClipRect();
    };
    for (std::size_t i = 0; i < columns.size(); ++i)
        right(i, theme.text, columns[i].colour, columns[i].name);
    y += height;
    for (const Line* one : known) {
        list->AddRectFilled({box.min.x, y - theme.px(1)}, {box.max.x, y}, theme.border);
        draw::text(list, theme.text, {box.min.x, y + (height - draw::line_height(theme.text)) / 2}, theme.ink_quiet,
                   narrow ? one->narrow : one->name);
        for (std::size_t i = 0; i < columns.size(); ++i)
            right(i, theme.mono, theme.ink, one->value(columns[i]));
        const draw::Box whole{{box.min.x, y}, {box.max.x, y + height}};
        mark(table.frame.marks, std::string("library:") + one->name, whole);
        if (one->of_shared && draw::pointed_at(whole))
            say_shared(table.frame, columns);
        y += height;
    }
}

} // namespace viz
