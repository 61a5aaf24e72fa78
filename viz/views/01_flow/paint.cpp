#include "viz/views/01_flow/paint.h"

#include "viz/analysis/bank_picture.h"
#include "viz/analysis/sectors.h"
#include "viz/gl/fill.h"
#include "viz/text/figures.h"
#include "viz/text/templates.h"
#include "viz/views/01_flow/way_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace viz {

namespace {

using draw::with_alpha;

void paint_operand(const FlowPaint& paint, std::size_t array)
{
    const Theme& theme = paint.theme();
    const MatrixFrame& frame = paint.scene.operands()[array];
    if (frame.shape.rows == 0 || frame.shape.cols == 0)
        return;
    draw_matrix(paint.list, frame, theme);
    const Colour used = mix(theme.panel, theme.ink, 0.14f); // the accent is for what moves, and for the k-tile it is of
    const BlockTiling& tiling = *paint.facts.tiling;
    if (array == 2)
        fill_cells(paint.list, frame, placed(frame, tiling.tile()), used, 2);
    else if (const auto band = array < 2 ? tiling.bands()[array].bounds : std::nullopt)
        fill_cells(paint.list, frame, placed(frame, std::vector<CellRect>{*band}), used, 2);
    if (array < 2)
        fill_cells(paint.list, frame, placed(frame, paint.facts.slice[array]), mix(theme.panel, paint.accent(), 0.6f),
                   2);
    if (array == 2)
        fill_cells(paint.list, frame, placed(frame, paint.facts.thread_tile), mix(theme.panel, theme.ink, 0.45f), 3);
    fill_cells(paint.list, frame, placed(frame, paint.facts.lit.all[array]), paint.accent(), 2);
    fill_cells(paint.list, frame, placed(frame, paint.facts.lit.lane[array]), theme.ink, 3);
    const std::string& name = paint.recording().arrays[array].name;
    const draw::Box box = frame.box();
    mark(paint.marks(), "matrix " + name, box);
    const ImVec2 size = draw::measure(theme.mono_bold, name);
    ImVec2 place{box.min.x, box.min.y - size.y - theme.px(2)};
    if (array != 1 && multiplies(paint.recording()) && !frame.shape.wrapped) // beside A, or C
        place = {array == 0 ? box.min.x - size.x - theme.px(5) : box.max.x + theme.px(5),
                 (box.min.y + box.max.y - size.y) / 2};
    draw::text(paint.list, theme.mono_bold, place, theme.ink_quiet, name);
}

// Of words that hold an element: quiet, as what moves stands out; those of A and of B apart.
Colour held_colour(const FlowPaint& paint, std::size_t array)
{
    return mix(paint.theme().panel, paint.theme().ink, array == 1 ? 0.34f : 0.24f);
}

// What shows of them.
std::optional<draw::Box> box_of(const FlowPaint& paint, const HeldWords& held)
{
    const draw::Box& box = paint.scene.memory();
    const float wide = box.width() / 32, left = box.min.x + wide * static_cast<float>(held.first.word);
    const float top = std::max(box.min.y, paint.scene.row_top(held.first.row));
    const float bottom = std::min(box.max.y, paint.scene.row_top(held.first.row + held.rows));
    if (top >= bottom)
        return {};
    return draw::Box{{left, top}, {left + wide * static_cast<float>(held.words), bottom}};
}

void paint_held(const FlowPaint& paint, const HeldWords& held)
{
    constexpr float large = 10'000; // pixels
    const auto box = box_of(paint, held);
    if (!box)
        return;
    if (box->width() * box->height() > large)
        gl::fill(*paint.list, box->min, box->max, held_colour(paint, held.array));
    else
        paint.list->AddRectFilled(box->min, box->max, held_colour(paint, held.array));
}

void paint_rows(const FlowPaint& paint)
{
    const Theme& theme = paint.theme();
    const draw::Box& box = paint.scene.memory();
    for (std::size_t i = 0; i < paint.facts.rows.bands().size(); ++i) {
        const RowBand& band = paint.facts.rows.bands()[i];
        const float top = std::max(box.min.y, paint.scene.row_top(band.top));
        const float bottom = std::min(box.max.y, paint.scene.row_top(band.top + band.rows));
        if (top >= bottom)
            continue;
        gl::fill(*paint.list, {box.min.x, top}, {box.max.x, bottom}, draw::empty_colour(theme));
        if (i > 0 && paint.facts.rows.bands()[i - 1].array != band.array)
            paint.list->AddRectFilled({box.min.x, top - theme.px(1)}, {box.max.x, top + theme.px(1)}, theme.ink_faint);
    }
    for (const HeldWords& held : paint.facts.held)
        paint_held(paint, held);
    const Colour line = with_alpha(theme.background, paint.scene.row_height() < 8 ? 0.25f : 0.5f);
    for (int bank = 0; bank <= 32; ++bank) {
        const float x = std::round(box.min.x + box.width() / 32 * static_cast<float>(bank));
        paint.list->AddRectFilled({x - 1, box.min.y}, {x, box.max.y}, line);
    }
    if (paint.scene.row_height() >= 4)
        for (uint32_t row = 0; row <= paint.scene.rows_shown(); ++row) {
            const float y = paint.scene.row_top(paint.scene.first_row() + row);
            paint.list->AddRectFilled({box.min.x, y - 1}, {box.max.x, y}, line);
        }
}

// The sectors of 32 bytes that are moved whole for the words in them.
void paint_sectors(const FlowPaint& paint)
{
    for (const Way& way : paint.facts.ways.ways)
        for (const WayEnd& end : {way.from, way.to})
            if (const auto place = paint.facts.rows.place(end)) {
                constexpr uint32_t words = model::sector_bytes / 4;
                const auto box = paint.scene.words(WordPlace{place->row, place->word / words * words}, words);
                if (box && paint.motion.along(way.turn) > 0)
                    paint.list->AddRectFilled(box->min, box->max,
                                              mix(paint.theme().panel, paint.theme().warning, 0.45f));
            }
}

// The words at the end of a way that lies in memory: faint until they are served.
void paint_words(const FlowPaint& paint, const Way& way)
{
    for (const WayEnd& end : {way.from, way.to}) {
        const auto box = paint.scene.words(end, way.bytes);
        if (!box)
            continue;
        const Colour colour = paint.colour(way);
        paint.list->AddRectFilled(box->min, box->max, paint.is_there(way, end) ? colour : with_alpha(colour, 0.35f));
        if (way.lane == paint.lane())
            paint.list->AddRect({box->min.x - 1, box->min.y - 1}, {box->max.x + 1, box->max.y + 1}, paint.theme().ink,
                                0, 0, 2);
    }
}

void paint_box(const FlowPaint& paint, uint8_t array, const CellRect& cells, std::vector<ImVec2>& corners)
{
    const recording::Array& of = paint.recording().arrays[array];
    if (of.space == recording::Space::global && array < 3) {
        const MatrixFrame& frame = paint.scene.operands()[array];
        const draw::Box whole = frame.box(), part = frame.box_of(cells);
        corners.push_back({part.min.x, std::min(whole.max.y, part.max.y)});
        corners.push_back({std::min(whole.max.x, part.max.x), corners.back().y});
        return;
    }
    const auto first = paint.facts.rows.place(array, of.offset_of(cells.row, 0));
    const auto last = paint.facts.rows.place(array, of.offset_of(cells.row + cells.rows - 1, 0));
    if (!first || !last)
        return;
    const draw::Box& memory = paint.scene.memory();
    const float top = std::clamp(paint.scene.row_top(std::min(first->row, last->row)), memory.min.y, memory.max.y);
    const float bottom =
        std::clamp(paint.scene.row_top(std::max(first->row, last->row) + 1), memory.min.y, memory.max.y);
    paint.list->AddRectFilled({memory.min.x, top}, {memory.max.x, bottom}, with_alpha(paint.accent(), 0.35f));
    paint.list->AddRect({memory.min.x, top}, {memory.max.x, bottom}, paint.accent(), 0, 0, paint.theme().px(2));
    corners.push_back({memory.min.x, top});
    corners.push_back({memory.max.x, top});
}

// The words of a tile that the tensor core reads, and the upper corners of all of them.
std::vector<ImVec2> paint_operand_words(const FlowPaint& paint, uint8_t array)
{
    std::optional<draw::Box> all;
    for (const HeldWords& words : paint.facts.operand_words)
        if (const auto box = words.array == array ? box_of(paint, words) : std::nullopt) {
            paint.list->AddRectFilled(box->min, box->max, with_alpha(paint.accent(), 0.7f));
            all = all ? draw::Box{{std::min(all->min.x, box->min.x), std::min(all->min.y, box->min.y)},
                                  {std::max(all->max.x, box->max.x), std::max(all->max.y, box->max.y)}}
                      : *box;
        }
    if (!all)
        return {};
    return {all->min, {all->max.x, all->min.y}};
}

// What the hardware moves for nobody's lanes: a ribbon from box to box, or from the tiles up to the tensor core.
void paint_bulk(const FlowPaint& paint)
{
    const auto ribbon = [&](const std::vector<ImVec2>& c) {
        if (c.size() != 4)
            return;
        const auto along = static_cast<float>(paint.motion.along(0));
        const ImVec2 left{c[0].x + (c[2].x - c[0].x) * along, c[0].y + (c[2].y - c[0].y) * along};
        const ImVec2 right{c[1].x + (c[3].x - c[1].x) * along, c[1].y + (c[3].y - c[1].y) * along};
        paint.list->AddQuadFilled(c[0], c[1], right, left, with_alpha(paint.accent(), 0.16f));
        paint.list->AddLine(c[0], left, with_alpha(paint.accent(), 0.6f));
        paint.list->AddLine(c[1], right, with_alpha(paint.accent(), 0.6f));
    };
    if (const auto& box = paint.facts.ways.box) {
        std::vector<ImVec2> corners;
        paint_box(paint, box->from, box->source, corners);
        paint_box(paint, box->to, box->target, corners);
        ribbon(corners);
    }
    if (const auto& operands = paint.facts.ways.operands) {
        const draw::Box& lanes = paint.scene.lanes();
        for (const uint8_t array : {operands->a, operands->b}) {
            if (std::vector<ImVec2> corners = paint_operand_words(paint, array); corners.size() == 2) {
                corners.push_back({lanes.min.x, lanes.max.y});
                corners.push_back({lanes.max.x, lanes.max.y});
                ribbon(corners);
            }
        }
    }
}

// What happens between the lanes and memory where no word moves: a barrier, a wait, a product.
void paint_event(const FlowPaint& paint)
{
    const Theme& theme = paint.theme();
    const draw::Box& lanes = paint.scene.lanes();
    const float y = std::round((lanes.max.y + paint.scene.memory().min.y) / 2);
    const recording::Op op = paint.focus.access().op;
    const bool holds = op == recording::Op::barrier || op == recording::Op::wait || op == recording::Op::async_wait;
    const Colour colour = holds ? theme.barrier : theme.ink_quiet;
    if (holds) { // a gate that closes from both sides and opens again
        const auto shut = static_cast<float>(1 - std::abs(2 * paint.motion.along(0) - 1));
        const float half = lanes.width() / 2 * (paint.motion.over(1) ? 1.0f : std::max(shut, 0.05f));
        const float thick = theme.px(4);
        paint.list->AddRectFilled({lanes.min.x, y - thick / 2}, {lanes.min.x + half, y + thick / 2}, colour);
        paint.list->AddRectFilled({lanes.max.x - half, y - thick / 2}, {lanes.max.x, y + thick / 2}, colour);
    }
    const std::string name(recording::name(op));
    const ImVec2 size = draw::measure(theme.heading, name);
    const ImVec2 place{(lanes.min.x + lanes.max.x - size.x) / 2, y - size.y / 2};
    paint.list->AddRectFilled({place.x - theme.px(10), place.y - theme.px(3)},
                              {place.x + size.x + theme.px(10), place.y + size.y + theme.px(3)}, theme.background,
                              theme.px(4));
    draw::text(paint.list, theme.heading, place, colour, name);
}

struct Note {
    std::string words;
    Colour colour = 0;
    ImFont* font = nullptr;
};

void add_waves(const FlowPaint& paint, std::vector<Note>& notes)
{
    constexpr int most = 4;
    const int turns = paint.facts.ways.turns;
    for (int turn = 0; turn < std::min(turns, most); ++turn) {
        // Also where nobody knows to whom the words go.
        const auto& asked = paint.facts.ways.asked;
        uint32_t lanes = static_cast<std::size_t>(turn) < asked.size() ? asked[static_cast<std::size_t>(turn)] : 0;
        const Way* any = nullptr;
        for (const Way& way : paint.facts.ways.ways)
            if (way.turn == turn) {
                lanes |= 1u << way.lane;
                any = any == nullptr || way.waits ? &way : any;
            }
        notes.push_back({plain({"flow.wave", {{"wave", index(turn + 1)}, {"lanes", lane_list(lanes)}}}),
                         any != nullptr ? paint.colour(*any) : paint.accent(), paint.theme().mono});
    }
    if (turns > most)
        notes.push_back(
            {plain({"flow.more_waves", {{"waves", turns - most}}}), paint.theme().ink_quiet, paint.theme().mono});
}

std::vector<Note> notes_of(const FlowPaint& paint)
{
    const StepWays& ways = paint.facts.ways;
    const Theme& theme = paint.theme();
    std::vector<Note> notes;
    if (ways.bank && ways.turns > 0) {
        const Messages within = within_group(ways.group_lanes);
        const int conflicts = ways.bank->conflicts - ways.l1_waits;
        if (ways.l1_waits > 0 && conflicts == 0)
            notes.push_back({plain({"flow.waits_in_l1", {{"waves", ways.l1_waits}}}), theme.warning, theme.heading});
        else if (conflicts > 0)
            notes.push_back(
                {plain(ways.answers == 2
                           ? Message{"flow.banks_twice", {{"banks", ways.busy_banks}, {"within", within}}}
                           : Message{"flow.banks_often",
                                     {{"banks", ways.busy_banks}, {"times", ways.answers}, {"within", within}}}),
                 theme.warning, theme.heading});
        else
            notes.push_back({plain({"flow.no_bank_twice", {{"within", within}}}), theme.good, theme.heading});
        add_waves(paint, notes);
    } else if (ways.line && !ways.ways.empty()) {
        uint64_t bytes = 0;
        for (const Way& way : ways.ways)
            bytes += way.bytes;
        const auto moved = static_cast<uint64_t>(ways.line->sectors) * model::sector_bytes;
        const bool wasteful = static_cast<uint64_t>(ways.line->sectors) > fewest_sectors(paint.focus.access());
        notes.push_back({plain({"flow.sectors_in_lines", {{"sectors", ways.line->sectors}, {"lines", ways.turns}}}),
                         wasteful ? theme.warning : theme.good, theme.heading});
        notes.push_back({plain({"flow.moved_for", {{"moved", moved}, {"asked", bytes}}}), theme.ink_quiet, theme.text});
    }
    return notes;
}

// How much a box over the memory would cover: the words that the step touches, and what flies there.
int covered(const FlowPaint& paint, const draw::Box& box)
{
    int hits = 0;
    for (const Way& way : paint.facts.ways.ways) {
        for (const WayEnd& end : {way.from, way.to})
            if (const auto word = paint.scene.words(end, way.bytes); word && word->overlaps(box))
                hits += 8;
        if (const auto path = way_path(paint, way))
            for (const float along : {0.4f, 0.6f, 0.8f, 0.9f})
                hits += box.holds(path->at(along)) ? 1 : 0;
    }
    return hits;
}

// Of nine places over the memory, the one that covers least; the lower right one where several are free. Where the memory has
// few rows, three places above it.
draw::Box freest_place(const FlowPaint& paint, ImVec2 size)
{
    const draw::Box& memory = paint.scene.memory();
    const float pad = paint.theme().px(8), x = memory.width() - size.x - 2 * pad,
                y = memory.height() - size.y - 2 * pad;
    std::vector<float> tops{memory.min.y + pad + y, memory.min.y + pad + y / 2, memory.min.y + pad};
    if (y < paint.scene.row_height())
        tops = {paint.scene.lanes().max.y + pad};
    std::optional<draw::Box> best;
    int least = 0;
    for (const float top : tops)
        for (const float along : {1.0f, 0.0f, 0.5f}) {
            const ImVec2 corner{memory.min.x + pad + x * along, top};
            const draw::Box box{corner, {corner.x + size.x, corner.y + size.y}};
            const int hits = covered(paint, box);
            if (!best || hits < least) {
                best = box;
                least = hits;
            }
        }
    return *best;
}

} // namespace

void paint_operands(const FlowPaint& paint)
{
    for (std::size_t array = 0; array < paint.scene.operands().size(); ++array)
        paint_operand(paint, array);
}

void paint_lanes(const FlowPaint& paint)
{
    const Theme& theme = paint.theme();
    const recording::Access& access = paint.focus.access();
    const uint32_t mask = access.op == recording::Op::barrier ? 0 : access.mask;
    const bool moves = !paint.facts.ways.ways.empty(); // else the hardware does, or nothing moves
    const bool inside = paint.scene.lane(0).width() >= draw::measure(theme.mono, "31").x;
    for (uint32_t lane = 0; lane < 32; ++lane) {
        const draw::Box box = paint.scene.lane(lane);
        const bool active = mask >> lane & 1u, waits = paint.facts.ways.waiting >> lane & 1u;
        const Colour face = waits   ? mix(theme.background, theme.warning, 0.55f)
                            : moves ? paint.lane_colour(lane)
                                    : mix(theme.panel, theme.ink, 0.24f);
        if (active)
            paint.list->AddRectFilled(box.min, box.max, face);
        else
            paint.list->AddRect(box.min, box.max, theme.border);
        if (lane == paint.lane())
            paint.list->AddRect({box.min.x - 1, box.min.y - 1}, {box.max.x + 1, box.max.y + 1}, theme.ink, 0, 0, 2);
        if (inside)
            draw::text_in(paint.list, theme.mono, box, active ? ink_on(face) : theme.ink_faint, std::to_string(lane));
        else if (lane % 4 == 0)
            draw::text(paint.list, theme.mono, {box.min.x, box.min.y - draw::measure(theme.mono, "0").y},
                       theme.ink_faint, std::to_string(lane));
    }
    draw::text_right(paint.list, theme.mono, {paint.scene.gutter().max.x, paint.scene.lanes().min.y + theme.px(3)},
                     theme.ink_quiet, fmt::format("warp {}", paint.focus.warp_index));
    mark(paint.marks(), "flow lanes", paint.scene.lanes());
}

void paint_memory(const FlowPaint& paint)
{
    if (paint.facts.rows.rows() == 0)
        return;
    paint_rows(paint);
    if (paint.facts.lines_below)
        paint_sectors(paint);
    for (const Way& way : paint.facts.ways.ways)
        paint_words(paint, way);
    mark(paint.marks(), "flow memory", paint.scene.memory());
}

void paint_ways(const FlowPaint& paint)
{
    const StepWays& ways = paint.facts.ways;
    paint_bulk(paint);
    if (ways.ways.empty() && !ways.box && !ways.operands)
        paint_event(paint);
    const float half = std::round(paint.theme().px(3));
    for (const Way& way : ways.ways) {
        const auto path = way_path(paint, way);
        if (!path)
            continue;
        const bool chosen = way.lane == paint.lane() || (paint.lit_lanes >> way.lane & 1u);
        const Colour colour = paint.colour(way);
        for (const Bezier& curve : std::span(path->parts).first(path->count))
            paint.list->AddBezierCubic(curve.from, curve.out, curve.in, curve.to,
                                       with_alpha(chosen ? paint.theme().ink : colour, chosen ? 0.95f : 0.4f),
                                       chosen ? 2.0f : 1.0f, 14);
        const double along = paint.motion.along(way.turn);
        if (along >= 1)
            continue;
        const ImVec2 at = path->at(static_cast<float>(along));
        paint.list->AddRectFilled({at.x - half, at.y - half}, {at.x + half, at.y + half}, colour);
    }
}

void paint_cost(const FlowPaint& paint)
{
    const float pad = paint.theme().px(8);
    const draw::Box& memory = paint.scene.memory();
    std::vector<Note> notes = notes_of(paint);
    if (!notes.empty() && draw::measure(notes[0].font, notes[0].words).x > memory.width() - 4 * pad)
        notes[0].font = paint.theme().text;
    std::erase_if(notes,
                  [&](const Note& note) { return draw::measure(note.font, note.words).x > memory.width() - 4 * pad; });
    if (notes.empty())
        return;
    float wide = 0, high = 0;
    for (const Note& note : notes) {
        const ImVec2 size = draw::measure(note.font, note.words);
        wide = std::max(wide, size.x);
        high += size.y + paint.theme().px(2);
    }
    const draw::Box place = freest_place(paint, {wide + 2 * pad, high + 2 * pad});
    const float x = place.min.x + pad;
    float y = place.min.y + pad;
    paint.list->AddRectFilled({x - pad, y - pad}, {x + wide + pad, y + high + pad},
                              with_alpha(paint.theme().background, 0.88f), paint.theme().px(5));
    for (const Note& note : notes) {
        draw::text(paint.list, note.font, {x, y}, note.colour, note.words);
        y += draw::measure(note.font, note.words).y + paint.theme().px(2);
    }
}

} // namespace viz
