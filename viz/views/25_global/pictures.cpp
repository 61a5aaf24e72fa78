// The pages of the caches: which lines of L1 a model holds in each step, beside what the hardware counted; and measured
// ways to keep a table in L2.
#include "viz/analysis/cache_hints.h"
#include "viz/analysis/gpu_levels.h"
#include "viz/analysis/l1_lines.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/views/25_global/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace viz {

namespace {

constexpr uint32_t steps_shown = 32;

uint64_t l1_bytes_of(const LadderFacts& ladder_facts)
{
    if (ladder_facts.gpu.properties)
        for (const MemoryLevel& level : memory_levels(*ladder_facts.gpu.properties, nullptr))
            if (level.name == "L1")
                return level.bytes;
    return 0;
}

Rich why_no_lines(const L1Page& page)
{
    const auto tile = [](const recording::Array& array) { return array.space == recording::Space::shared; };
    if (std::ranges::any_of(page.part.focus.recording->arrays, tile))
        return rich("This kernel keeps its tiles in shared memory, and asks for hardly anything twice. Lines of L1 "
                    "matter to kernels without tiles, such as naive and strided_b.");
    if (page.whole_l1 == 0)
        return rich("How large L1 is, no GPU has said.");
    if (!page.counted || !page.counted->l1_hits)
        return rich("What L1 had was not counted, so the model of its lines cannot be checked, and is not shown.");
    if (page.of_whole_l1 == nullptr)
        return rich("The lines of L1 are being computed.");
    return rich("The model of L1 has **{}** of the sectors, and the GPU counted **{}**: it is no picture of that.",
                percent(page.of_whole_l1->hit_rate()), percent(*page.counted->l1_hits));
}

CellLayer lines_of_array(const L1Page& page, const Theme& theme, std::span<const L1Lines::Line> lines, uint32_t now)
{
    const uint32_t first = now / steps_shown * steps_shown;
    const recording::Array& array = page.part.focus.recording->arrays[lines.front().array];
    CellLayer cells{.name = page.part.stage->named("l1:" + array.name),
                    .rows = static_cast<uint32_t>(lines.size()),
                    .cols = steps_shown};
    const Colour colours[] = {draw::empty_colour(theme), mix(theme.panel, theme.ink, 0.35f), theme.good, theme.load,
                              theme.warning};
    cells.colour = [=, gone = mix(theme.panel, theme.warning, 0.45f)](uint32_t row, uint32_t col) -> Colour {
        const uint32_t step = first + col;
        if (step > now)
            return 0;
        const LineState state = lines[row].at(step);
        return state == LineState::absent && lines[row].evicted_at(step) ? gone
                                                                         : colours[static_cast<std::size_t>(state)];
    };
    cells.value = [=](uint32_t row, uint32_t col) -> std::optional<double> {
        return first + col > now ? std::nullopt : std::optional<double>(static_cast<int>(lines[row].at(first + col)));
    };
    cells.tip = [=, &array](uint32_t row, uint32_t col) {
        constexpr const char* states[] = {"not in L1", "in L1, not read", "read, and found in L1",
                                          "read, and fetched from L2", "read, evicted before, and fetched once more"};
        const L1Lines::Line& line = lines[row];
        return rich("Step {}, bytes {} to {} of {}: {}{}", index(first + col), index(line.number * 128),
                    index(line.number * 128 + 127), array.name, states[static_cast<std::size_t>(line.at(first + col))],
                    line.evicted_at(first + col) ? "; evicted" : "");
    };
    cells.click = [first](const ViewScene& scene, uint32_t, uint32_t col) { scene.selection.step = first + col; };
    cells.frames = {{.col = now - first, .rows = cells.rows, .colour = theme.ink, .name = cells.name + " now"}};
    cells.bordered = false;
    return cells;
}

BarLayer hit_bars(const L1Page& page, const Theme& theme)
{
    BarLayer bars{.name = page.part.stage->named("l1 hits"), .most = 1, .on_ground = true};
    const auto add = [&](std::string name, double hits, Colour colour, NumberOrigin origin) {
        bars.bars.push_back({.name = std::move(name), .parts = {{"", hits, percent(hits), colour}}, .origin = origin});
    };
    add(page.bytes == 0 ? "model" : fmt::format("model, {} KiB", page.bytes / 1024), page.lines->hit_rate(),
        theme.accent(page.part.stage->number), NumberOrigin::derived);
    add("counted", *page.counted->l1_hits, mix(theme.panel, theme.ink, 0.4f), NumberOrigin::counter);
    bars.bars.back().tip = [from = page.counted->from, size = page.counted->problem] {
        return rich("Of the whole launch at {}. {}", size_words(size), how_had(from));
    };
    return bars;
}

} // namespace

L1Page l1_page(const GlobalPart& part, const LadderFacts& ladder_facts, uint64_t bytes)
{
    L1Page page{.part = part, .whole_l1 = l1_bytes_of(ladder_facts), .bytes = bytes};
    if (!part.ready() || page.whole_l1 == 0)
        return page;
    page.counted = CacheFacts::of(*part.focus.recording, ladder_facts).any();
    const auto tile = [](const recording::Array& array) { return array.space == recording::Space::shared; };
    if (std::ranges::any_of(part.focus.recording->arrays, tile) || !page.counted || !page.counted->l1_hits)
        return page;
    const auto with_l1_of = [&, quick = access_count(*part.focus.block) <= accesses_in_frame](uint64_t size) {
        return part.stage->memo_later<l1_lines>(quick, *part.focus.block, size);
    };
    page.of_whole_l1 = with_l1_of(page.whole_l1);
    constexpr double near = 0.01;
    if (page.of_whole_l1 != nullptr && std::abs(page.of_whole_l1->hit_rate() - *page.counted->l1_hits) <= near)
        page.lines = bytes == 0 ? page.of_whole_l1 : with_l1_of(bytes);
    return page;
}

Rich l1_headline(const L1Page& page)
{
    if (page.lines == nullptr)
        return rich("no picture of L1's lines");
    const uint64_t gone = page.lines->evictions;
    return rich("{} **{}** of the sectors; **{}** evicted",
                page.bytes == 0 ? "L1 has" : fmt::format("{} KiB of L1 have", page.bytes / 1024),
                Value(percent(page.lines->hit_rate())).as(gone > 0 ? Meaning::conflict : Meaning::good),
                gone == 0 ? "no line is" : counted(gone, "line"));
}

void add_l1_lines(Figure& figure, const ViewFrame& frame, const L1Page& page, const Box& box)
{
    const Theme& theme = frame.theme;
    const std::size_t number = page.part.stage->number;
    if (page.lines == nullptr) {
        if (page.part.ready())
            figure.panels.push_back({.id = fmt::format("no lines {}", number),
                                     .box = box,
                                     .layers = {RichTextLayer{why_no_lines(page)}},
                                     .is_picture = false});
        return;
    }
    const auto now = static_cast<uint32_t>(page.part.focus.step);
    const uint32_t first = now / steps_shown * steps_shown;
    std::vector<std::vector<L1Lines::Line>> arrays;
    for (const L1Lines::Line& line : page.lines->lines) {
        const auto event = std::ranges::lower_bound(line.events, first, {}, &L1Lines::Event::step);
        if (event == line.events.end() || event->step >= first + steps_shown)
            continue; // not read while this is shown
        if (arrays.empty() || arrays.back().front().array != line.array)
            arrays.emplace_back();
        arrays.back().push_back(line);
    }
    const BarLayer bars = hit_bars(page, theme);
    std::vector<Track> tracks;
    for (const auto& lines : arrays)
        tracks.push_back(share_of_rest(static_cast<float>(lines.size()) + 4));
    tracks.push_back(pixels(title_height(theme) + bars_height(theme, bars)));
    const std::vector<Box> places = rows(box, tracks, theme.px(6));
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        Panel panel{.id = fmt::format("lines of L1 {} {}", number, i), .box = places[i]};
        const std::string name = page.part.focus.recording->arrays[arrays[i].front().array].name;
        panel.title = fmt::format("{}: each row a line of 128 bytes, each column a step, from {} on", name, first);
        panel.shorter = {fmt::format("{}: lines of 128 bytes by step", name), name};
        panel.origin = NumberOrigin::derived;
        if (i == 0)
            panel.legend = {{theme.load, "fetched from L2"},
                            {theme.good, "found"},
                            {mix(theme.panel, theme.ink, 0.35f), "kept"},
                            {mix(theme.panel, theme.warning, 0.45f), "evicted"},
                            {theme.warning, "fetched again"}};
        const auto kept = std::make_shared<const std::vector<L1Lines::Line>>(std::move(arrays[i]));
        CellLayer cells = lines_of_array(page, theme, *kept, now);
        cells.id = [kept, name = cells.name](uint32_t row, uint32_t col) {
            return fmt::format("{} {} {}", name, row, col);
        };
        panel.layers = {std::move(cells)};
        figure.panels.push_back(std::move(panel));
    }
    figure.panels.push_back({.id = fmt::format("hits of L1 {}", number),
                             .box = places.back(),
                             .title = "sectors found in L1",
                             .layers = {bars}});
    figure.said.push_back(
        rich("*A model*: an L1 of **{}** keeps the lines that were used last. The warps of one block are in step, and "
             "the block is alone. For all of L1 ({}) the model is within one point of what the GPU counted; a smaller "
             "L1 is a thought.",
             page.lines == page.of_whole_l1 ? viz::bytes(static_cast<double>(page.whole_l1))
                                            : viz::bytes(static_cast<double>(page.bytes)),
             viz::bytes(static_cast<double>(page.whole_l1))));
}

namespace {

// The ways in the order in which they are drawn, with their words and the hint that the source gives.
struct HintedWay {
    const char *way, *words, *how;
};
constexpr HintedWay hinted_ways[] = {
    {"plain", "plain", "Nothing is said."},
    {"persisting", "table persists", "A window of the stream: lines of the table persist, as many as fit."},
    {"evict_first", "evict_first", "Loads of the array have the hint L2::evict_first."},
    {"streaming", "__ldcs", "Loads of the array are __ldcs (ld.global.cs)."},
    {"no_allocate", "no_allocate", "Loads of the array take no line of L1 (L1::no_allocate)."}};

Colour colour_of_way(const Theme& theme, std::size_t i)
{
    const Colour colours[] = {theme.ink, theme.accent(0), theme.good, theme.accent(1), theme.ink_faint};
    return colours[i];
}

double figure_of(const CacheHintRow& row, bool time)
{
    return time ? row.us : 1e-9 * static_cast<double>(row.dram_bytes);
}

// Returns the first way whose curve cannot be told from that of the way: its figures differ by at most 1%.
std::size_t drawn_as(const CacheHints& hints, std::size_t way, bool time)
{
    const auto differ = [&](const CacheHintRow& one, const char* other) {
        return one.way == hinted_ways[way].way && std::ranges::none_of(hints.rows, [&](const CacheHintRow& row) {
                   return row.way == other && row.kib == one.kib &&
                          std::abs(figure_of(row, time) / figure_of(one, time) - 1) <= 0.01;
               });
    };
    for (std::size_t first = 0; first < way; ++first)
        if (std::ranges::none_of(hints.rows,
                                 [&](const CacheHintRow& one) { return differ(one, hinted_ways[first].way); }))
            return first;
    return way;
}

using DrawnWays = std::array<std::size_t, std::size(hinted_ways)>; // drawn_as() of each way

// Describes the launches at a point: one of each way that is drawn there.
Rich hint_words(const CacheHints& hints, uint32_t kib, const DrawnWays& drawn, std::size_t way)
{
    std::vector<Rich> said{rich("A table of {} KiB.", kib)};
    for (std::size_t i = way; i < drawn.size(); ++i)
        for (const CacheHintRow& row : hints.rows)
            if (drawn[i] == way && row.kib == kib && row.way == hinted_ways[i].way)
                said.push_back(rich("{} **{}** µs, L2 had **{}** and L1 **{}** of the sectors, DRAM sent **{}**.",
                                    hinted_ways[i].how, rounded(row.us), percent(row.l2_hits), percent(row.l1_hits),
                                    bytes(static_cast<double>(row.dram_bytes))));
    return in_lines(std::move(said));
}

Panel hint_chart(const ViewFrame& frame, const CacheHints& hints, bool time, const Box& box)
{
    const Theme& theme = frame.theme;
    CurveLayer chart{.name = time ? "hints:time" : "hints:DRAM",
                     .right = {.base = 2, .title = "MiB of the table"},
                     .up = {.least = 0, .most = 1, .logarithmic = false, .title = time ? "µs" : "GB"},
                     .curves = {}};
    chart.right.least = 1;
    chart.right.most = 1;
    DrawnWays drawn{};
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        drawn[i] = drawn_as(hints, i, time);
        const HintedWay& way = hinted_ways[i];
        CurveLayer::Curve curve{.name = fmt::format("{} {}", chart.name, way.way),
                                .points = {},
                                .colour = colour_of_way(theme, drawn[i]),
                                .radius = 3};
        for (const CacheHintRow& row : hints.rows) {
            if (row.way != way.way)
                continue;
            const double right = row.kib / 1024.0, up = figure_of(row, time);
            curve.points.push_back({right, up, fmt::format("{} {}", curve.name, row.kib)});
            curve.points.back().tip = [&hints, kib = row.kib, drawn, way = drawn[i]] {
                return hint_words(hints, kib, drawn, way);
            };
            chart.right.least = std::min(chart.right.least, right / 1.3);
            chart.right.most = std::max(chart.right.most, right * 1.3);
            chart.up.most = std::max(chart.up.most, 1.1 * up);
        }
        chart.curves.push_back(std::move(curve));
    }
    Panel panel{.id = chart.name,
                .box = box,
                .title = time ? "time of the launch" : "read from DRAM",
                .origin = time ? NumberOrigin::measured : NumberOrigin::counter};
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        std::string words;
        for (std::size_t other = i; drawn[i] == i && other < drawn.size(); ++other)
            if (drawn[other] == i)
                words += (words.empty() ? "" : ", ") + std::string(hinted_ways[other].words);
        if (!words.empty())
            panel.legend.push_back({colour_of_way(theme, i), std::move(words)});
    }
    panel.layers = {std::move(chart)};
    return panel;
}

Rich hints_headline(const LadderFacts& ladder_facts)
{
    const CacheHints* const hints = ladder_facts.cache_hints.get();
    if (hints == nullptr || hints->rows.empty())
        return rich("hints to L2 were not measured");
    const auto time_of = [&](uint32_t kib, std::string_view way) {
        const auto row = std::ranges::find_if(
            hints->rows, [&](const CacheHintRow& one) { return one.kib == kib && one.way == way; });
        return row == hints->rows.end() ? 0 : row->us;
    };
    double most = 1;
    uint32_t at = 0;
    for (const CacheHintRow& row : hints->rows)
        if (const double plain = time_of(row.kib, "plain"); row.way == "evict_first" && plain > most * row.us) {
            most = plain / row.us;
            at = row.kib;
        }
    if (at == 0)
        return rich("no hint gained anything");
    return rich("**{}** µs with a hint, {} plain, {} persisting: {} MiB",
                Value(rounded(time_of(at, "evict_first"))).as(Meaning::good), rounded(time_of(at, "plain")),
                rounded(time_of(at, "persisting")), at / 1024);
}

} // namespace

void add_cache_hints(Figure& figure, const ViewFrame& frame, Box box)
{
    Heading heading{{{.words = "l2_persistence", .style = Style::heading}}, hints_headline(frame.ladder_facts), box};
    box.min.y += heading_height(frame.theme, heading, box.width());
    heading.box.max.y = box.min.y;
    figure.headings.push_back(std::move(heading));
    const CacheHints* const hints = frame.ladder_facts.cache_hints.get();
    if (hints == nullptr || hints->rows.empty()) {
        figure.panels.push_back(
            {.id = "no hints",
             .box = box,
             .layers = {RichTextLayer{hints == nullptr ? Rich() : rich(in_sentences(hints->missing))}},
             .is_picture = false});
        return;
    }
    const std::vector<Box> places = columns(box, {share_of_rest(), share_of_rest()}, frame.theme.px(16));
    figure.panels.push_back(hint_chart(frame, *hints, true, places[0]));
    figure.panels.push_back(hint_chart(frame, *hints, false, places[1]));
    figure.numbers.push_back({Numbers::How::timed, "time, bytes from DRAM, by the size of the table", hints->from});
    figure.said.push_back(rich(
        "Each launch reads 1 GiB once, and for each 16 bytes of it 4 bytes of the table, in "
        "order and again from its start. The three hints at loads of the array differ in L1 alone, so their curves "
        "lie on one another ({}).",
        how_had(hints->from)));
}

} // namespace viz
