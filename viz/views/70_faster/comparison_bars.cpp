#include "viz/views/70_faster/facts.h"

#include "viz/draw/draw.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace viz {

namespace {

constexpr const char* names_of_work[work_count] = {"time", "instructions issued", "shared-memory wavefronts",
                                                   "global-memory lines"};

std::string name_of(Work work)
{
    return names_of_work[static_cast<std::size_t>(work)];
}

NumberOrigin origin_of(const Comparison& comparison, const WorkPair& pair)
{
    if (pair.work == Work::time)
        return comparison.first.speed.here() ? NumberOrigin::measured : NumberOrigin::shipped;
    return pair.executed ? NumberOrigin::counter : NumberOrigin::derived;
}

// Returns the value of the first stage, of the second stage, or of column 2.
std::optional<double> value_of(const Comparison& comparison, const WorkPair& pair, std::size_t side)
{
    if (side < 2)
        return side == 0 ? pair.first : pair.second;
    const auto found = std::ranges::find(*comparison.further, pair.work, &WorkPair::work);
    return found == comparison.further->end() ? std::nullopt : found->second;
}

// Returns the cycles of the stage, or 0 if not known.
double cycles_taken(const Comparison& comparison, std::size_t side)
{
    const auto time = std::ranges::find(comparison.work, Work::time, &WorkPair::work);
    return time == comparison.work.end() ? 0 : time->cycles(value_of(comparison, *time, side).value_or(0));
}

std::string how_counted(const Comparison& comparison, const WorkPair& pair)
{
    if (pair.work == Work::time)
        return {};
    if (pair.executed)
        return comparison.counted_at ? ", counted at " + size_words(*comparison.counted_at) : std::string(", counted");
    return comparison.traced() ? ", as executed" : ", as written";
}

Rich work_tip(const Comparison& comparison, const WorkPair& pair)
{
    const auto value = [](std::optional<double> figure) {
        return figure ? Value(number(*figure)) : Value("not known");
    };
    const std::string &first = comparison.first.slug, &second = comparison.second.slug;
    if (pair.work == Work::time)
        return joined(
            {rich("Time: {} cycles in {}, {} in {}.", value(pair.first), first, value(pair.second), second),
             rich("From their GFLOPS ({}) and the highest clock.", how_had(comparison.first.speed.gflops.from()))});
    std::vector<Rich> all{
        rich("{}: {} in {}, {} in {}.", name_of(pair.work), value(pair.first), first, value(pair.second), second)};
    if (!pair.executed)
        all.push_back(rich("As the source says; the compiler may merge some."));
    else if (comparison.counted_at)
        all.push_back(rich("Counted while they ran, at {}.", size_words(*comparison.counted_at)));
    else
        all.push_back(rich("Counted while they ran."));
    all.push_back(rich("An SM serves {} in a cycle.", rounded(per_cycle(pair.work))));
    if (pair.work == Work::instructions)
        all.push_back(rich("An instruction that is issued again, as when a pipe is busy, counts again."));
    return joined(std::move(all));
}

std::string number_of(Measure measure, double value)
{
    if (measure == Measure::occupancy)
        return fmt::format("{:.0f} %", value * 100);
    return value == 0 ? "0" : value == std::floor(value) ? thousands(static_cast<uint64_t>(value)) : thousands(value);
}

std::string why_missing(Measure measure, const ComparedRung& rung)
{
    if (per_multiplication(measure) && rung.figures.work.mostly_edge())
        return "mostly outside C";
    if (per_multiplication(measure) && rung.figures.unseen)
        return "not counted: TMA or tensor cores move it";
    if (per_multiplication(measure))
        return computes(rung.recording) == Computes::unknown ? "not known what it computes" : "multiplies nothing";
    return plain(in_short(measure == Measure::speed ? rung.speed.gflops.missing() : rung.figures.why_missing));
}

std::string measure_words(Measure measure, const ComparedRung& rung)
{
    const auto value = rung.figures[measure];
    return value ? number_of(measure, *value) : why_missing(measure, rung);
}

bool is_shown(const Comparison& comparison, Measure measure)
{
    const auto a = comparison.first.figures[measure], b = comparison.second.figures[measure];
    if ((!a || *a == 0) && (!b || *b == 0))
        return false;
    const KernelFigures &first = comparison.first.figures, &second = comparison.second.figures;
    const bool unseen = first.unseen || second.unseen;
    if (per_multiplication(measure) && (!a || !b) && !unseen) // the text in place of the costs says why
        return false;
    return !(is_ratio(measure) && (unseen || (first[Measure::wavefronts] && second[Measure::wavefronts])));
}

BarLayer::Bar measure_bar(const Comparison& comparison, Measure measure)
{
    const MeasureInfo& what = info(measure);
    const ComparedRung &first = comparison.first, &second = comparison.second;
    const auto a = first.figures[measure], b = second.figures[measure];
    BarLayer::Bar bar{.name = *what.unit != 0 ? what.unit : what.name, .id = what.name, .quiet = a == b};
    for (const std::size_t side : {0, 1}) {
        const auto value = side == 0 ? a : b;
        bar.parts.push_back(
            {std::to_string(side), value, value ? number_of(measure, *value) : "", comparison.theme.accent(side)});
    }
    if (!a || !b)
        bar.missing = why_missing(measure, a ? second : first);
    const bool per = per_multiplication(measure) && comparison.per == Per::multiplications;
    bar.tip = said_tip(rich("{}: {} in {}, {} in {}{}", what.name, measure_words(measure, first), first.slug,
                            measure_words(measure, second), second.slug, per ? ", per 1,000 multiplications" : ""));
    return bar;
}

Rich part_tip(const MixPair& pair, std::size_t side, const MixPart& part)
{
    const MixOfLaunch& mix = pair.mixes[side];
    return joined({rich("{}, {}: **{}** of what {} execute at {}.", pair.slugs[side], part.name, share(mix.share(part)),
                        pair.kind == MixKind::by_class ? "its warps" : "the pipes of its SMs", size_words(mix.problem)),
                   rich("{}, {} per 1,000 multiplications ({}).", counted(part.executed, "warp instruction"),
                        rounded(mix.per_thousand(part)), how_had(mix.from))});
}

// Describes in which part the two differ most.
Rich mix_difference(const MixPair& pair, double most)
{
    const MixDifference one = largest_difference(pair.mixes[0], pair.mixes[1]);
    constexpr double alike = 0.02; // fraction of the longer one's instructions
    if (std::abs(one.first - one.second) < alike * most)
        return rich("**alike**: as many instructions of each kind");
    return rich("{}: **{}** instead of {}", one.of, Value(rounded(one.first)).as(of_column(0)),
                Value(rounded(one.second)).as(of_column(1)));
}

} // namespace

std::string cycle_words(const WorkPair& pair, double count)
{
    const auto digits = [](double one) { return one == 0 ? std::string("0") : thousands(one); };
    const double rate = per_cycle(pair.work);
    const std::string cycles = digits(pair.cycles(count)) + " cycles";
    return rate == 1 ? cycles : fmt::format("{} ({} ÷ {:.0f})", cycles, digits(count), rate);
}

BarLayer cost_bars(const Comparison& comparison)
{
    BarLayer bars{.name = "work", .names = BarLayer::Names::above};
    const std::optional<Work> cause = main_cause(comparison.work);
    for (const WorkPair& pair : comparison.work) {
        BarLayer::Bar bar{.name = name_of(pair.work) + how_counted(comparison, pair),
                          .tip = said_tip(work_tip(comparison, pair)),
                          .lit = cause == pair.work,
                          .id = name_of(pair.work),
                          .origin = origin_of(comparison, pair)};
        for (std::size_t side = 0; side < comparison.sides(); ++side) {
            const auto value = value_of(comparison, pair, side);
            bar.parts.push_back({.series = std::to_string(side),
                                 .value = value ? std::optional(pair.cycles(*value)) : std::nullopt,
                                 .words = value ? cycle_words(pair, *value) : "",
                                 .colour = comparison.theme.accent(side),
                                 .ground = cycles_taken(comparison, side)});
        }
        bars.bars.push_back(std::move(bar));
    }
    return bars;
}

BarLayer measure_bars(const Comparison& comparison, float height)
{
    BarLayer bars{.name = "bar", .own_scales = true, .numbers = BarLayer::Numbers::in_columns};
    const auto add = [&](bool with_alike) {
        bars.bars.clear();
        bool within = false; // the current measure is a count per multiplication
        for (std::size_t i = 0; i < measure_count; ++i) {
            const auto measure = static_cast<Measure>(i);
            if (!is_shown(comparison, measure))
                continue;
            BarLayer::Bar bar = measure_bar(comparison, measure);
            if (bar.quiet && !with_alike)
                continue;
            if (per_multiplication(measure) != within) {
                within = !within;
                bar.rule = !within;
                if (within)
                    bars.bars.push_back(
                        {.name = fmt::format("{}, as {}",
                                             comparison.per == Per::launch ? "of the whole launch"
                                                                           : "per 1,000 multiplications",
                                             comparison.traced() ? "executed" : "written")});
            }
            bars.bars.push_back(std::move(bar));
        }
    };
    add(true);
    if (bars_height(comparison.theme, bars) > height)
        add(false);
    return bars;
}

std::vector<std::string> mix_titles(const MixPair& pair)
{
    const recording::Problem &a = pair.mixes[0].problem, &b = pair.mixes[1].problem;
    // The issued instructions above may be counted at another size.
    const std::string size = same_sides(a, b) ? " at " + size_words(a) : std::string();
    const std::string what = (pair.kind == MixKind::by_pipe ? "by pipe" : "executed") + size;
    return {"warp instructions " + what + ", per 1,000 multiplications", what + ", per 1,000 products", what};
}

// Arithmetic has the stage's own colour. Other instructions are paler, the farther they are from arithmetic.
BarLayer mix_bars(const Theme& theme, const MixPair& pair)
{
    BarLayer bars{.name = "mix", .stacked = true};
    for (std::size_t side = 0; side < pair.mixes.size(); ++side) {
        const MixOfLaunch& mix = pair.mixes[side];
        const double total = per_thousand(mix.total(), mix.problem);
        bars.most = std::max(bars.most, total);
        BarLayer::Bar bar{.words = thousands(total)};
        for (const MixPart& part : mix.parts)
            bar.parts.push_back({.series = part.name,
                                 .value = mix.per_thousand(part),
                                 .words = fmt::format("{} {}", part.name, percent(mix.share(part))),
                                 .colour = viz::mix(theme.accent(side), theme.panel, static_cast<float>(part.quieter)),
                                 .brief = part.name,
                                 .tip = said_tip(part_tip(pair, side, part)),
                                 .id = fmt::format("{} {}", part.name, side)});
        bars.bars.push_back(std::move(bar));
    }
    bars.foot = mix_difference(pair, bars.most);
    return bars;
}

namespace {

using recording::LaunchedKernel;

// A kernel of a stage or of the library.
struct Launch {
    std::string name, series; // `series` is the stage's number
    Colour colour = 0;
    const LaunchedKernel* kernel = nullptr;
    std::optional<TileOfName> tile;
    std::optional<Fill> fill = {};
    uint32_t element_bytes = 4; // of A and B

    // Returns the bytes of the tiles of A and B in all phases in flight, or 0 if a factor is not known.
    uint64_t bytes_under_way() const
    {
        return tile ? uint64_t{tile->rows + tile->cols} * tile->depth.value_or(0) * tile->stages.value_or(0) *
                          element_bytes
                    : 0;
    }
};

// Returns the kernel that multiplies; others sum slices.
const LaunchedKernel* main_kernel(const KernelsAt& at)
{
    const auto found = std::ranges::find_if(at.kernels, [](const auto& one) { return !reduces(one.name); });
    return found == at.kernels.end() ? nullptr : &*found;
}

std::vector<Launch> launches_of(const ViewFrame& frame, std::span<const std::optional<int>> under_way,
                                const LibraryKernels::Row& row)
{
    std::vector<Launch> launches;
    const LibraryKernels& library = *frame.ladder_facts.library;
    const auto add = [&](Launch one) {
        one.element_bytes = row.type == "fp16" || row.type == "bf16" ? 2 : 4;
        one.fill = fill_of(*one.kernel, library.compute_capability, library.sm_count);
        launches.push_back(std::move(one));
    };
    for (std::size_t i = 0; i < std::min<std::size_t>(frame.columns.size(), 2); ++i) {
        const RecordingPtr& recording = frame.columns[i].recording;
        const StageFacts* const rung = frame.ladder_facts.find(recording->stage);
        if (rung == nullptr || !rung->launched)
            continue;
        std::optional<TileOfName> tile = tile_in(rung->parameters);
        // Not every rung that loads ahead has a parameter for this.
        if (tile && !tile->stages && recording->parameters == rung->parameters && under_way[i])
            tile->stages = static_cast<uint32_t>(*under_way[i]);
        add({rung->slug, std::to_string(i), frame.theme.accent(i), &*rung->launched, tile});
    }
    if (const LaunchedKernel* kernel = main_kernel(row.at))
        add({"cuBLAS", "", frame.theme.good, kernel, tile_in(kernel->name)});
    return launches;
}

struct LaunchLine {
    const char *name, *narrow;      // `narrow` is used if the values do not fit beside the name
    double (*value)(const Launch&); // returns 0 if there is no value
    std::string (*words)(const Launch&, double) = [](const Launch&, double value) {
        return thousands(static_cast<uint64_t>(value));
    };
    bool of_shared = false; // the tip describes the contents of shared memory
};

const LaunchLine launch_lines[] = {
    {"tile of C per block", "tile of C",
     [](const Launch& one) { return one.tile ? double{1} * one.tile->rows * one.tile->cols : 0; },
     [](const Launch& one, double) { return fmt::format("{} × {}", one.tile->rows, one.tile->cols); }},
    {"K per phase", "k-tile", [](const Launch& one) { return double(one.tile ? one.tile->depth.value_or(0) : 0); }},
    {"phases under way", "under way",
     [](const Launch& one) { return double(one.tile ? one.tile->stages.value_or(0) : 0); }},
    {"threads per block", "threads",
     [](const Launch& one) { return static_cast<double>(one.kernel->launch.threads_per_block()); }},
    {"registers per thread", "registers",
     [](const Launch& one) { return double(one.kernel->resources.registers_per_thread); }},
    {.name = "shared bytes per block",
     .narrow = "shared B",
     .value =
         [](const Launch& one) {
             const auto& resources = one.kernel->resources;
             return resources.registers_per_thread == 0 ? 0 : static_cast<double>(resources.shared_bytes_per_block);
         },
     .of_shared = true},
    {.name = "of them tiles under way",
     .narrow = "of tiles",
     .value = [](const Launch& one) { return static_cast<double>(one.bytes_under_way()); },
     .of_shared = true},
    {"blocks per cluster", "in cluster",
     [](const Launch& one) {
         const auto blocks = static_cast<double>(one.kernel->cluster.volume());
         return blocks > 1 ? blocks : 0;
     }},
    {"blocks", "blocks", [](const Launch& one) { return static_cast<double>(one.kernel->launch.grid.volume()); }},
    {"blocks per SM at once", "on an SM", [](const Launch& one) { return double(one.fill ? one.fill->per_sm : 0); }},
    {"waves", "waves", [](const Launch& one) { return one.fill ? static_cast<double>(one.fill->waves) : 0; },
     [](const Launch&, double value) { return fmt::format("{:.2f}", value); }}};

// Describes the contents of shared memory: tiles of A and B for several phases, and other data that the name does not
// reveal.
Rich shared_words(const std::vector<Launch>& launches)
{
    std::vector<Rich> lines;
    for (const Launch& one : launches) {
        const uint64_t tiles = one.bytes_under_way(), all = one.kernel->resources.shared_bytes_per_block;
        if (tiles == 0 || all < tiles)
            continue;
        lines.push_back(rich("**{}**: {} of ({} + {}) × {} elements of {} bytes are {} bytes.", one.name,
                             counted(one.tile->stages.value_or(0), "phase"), one.tile->rows, one.tile->cols,
                             one.tile->depth.value_or(0), one.element_bytes, tiles));
        if (all > tiles)
            lines.back() =
                joined({lines.back(), rich("What the other {} hold, neither name nor driver says.", all - tiles)});
    }
    return in_lines(std::move(lines));
}

BarLayer library_bars(const std::vector<Launch>& launches, bool narrow)
{
    BarLayer bars{.name = "library", .own_scales = true, .numbers = BarLayer::Numbers::in_columns};
    for (const LaunchLine& line : launch_lines) {
        BarLayer::Bar bar{.name = narrow ? line.narrow : line.name, .id = line.name};
        Rich said = rich("{}:", line.name);
        for (const Launch& one : launches) {
            const double value = line.value(one);
            const std::string words = value > 0 ? line.words(one, value) : "-";
            bar.parts.push_back({.series = one.series,
                                 .value = value > 0 ? std::optional(value) : std::nullopt,
                                 .words = words,
                                 .colour = one.colour});
            said = joined({said, rich("{} {}{}", one.name, words, &one == &launches.back() ? "" : ",")});
        }
        if (line.of_shared)
            said = in_lines({said, shared_words(launches)});
        bar.tip = said_tip(said);
        if (std::ranges::any_of(bar.parts, [](const BarLayer::Part& part) { return part.value.has_value(); }))
            bars.bars.push_back(std::move(bar));
    }
    return bars;
}

Rich kernel_words(const LaunchedKernel& kernel)
{
    const uint64_t blocks = kernel.launch.grid.volume();
    Rich what = rich("`{}` in **{}**", short_name(kernel.name), counted(blocks, "block"));
    if (reduces(kernel.name))
        return joined({what, rich("adds up slices of K.")});
    if (kernel.launch.grid.z > 1)
        return joined({what, rich("has {} of them for each tile of C.", kernel.launch.grid.z)});
    return what;
}

void explain_library(Figure& figure, const KernelsAt& at, const recording::Problem& size)
{
    std::vector<Rich> kernels{rich("cuBLAS launches **{}**:", counted(at.kernels.size(), "kernel"))};
    for (const LaunchedKernel& kernel : at.kernels)
        kernels.push_back(kernel_words(kernel));
    figure.said.push_back(rich("*Beside cuBLAS: what each launches at {}*", size_words(size)));
    figure.said.push_back(in_lines(std::move(kernels)));
    figure.said.push_back(in_lines(
        {rich("> Tile, K per phase and phases under way are what its name says, as cuBLAS counts rows and columns."),
         rich("> Blocks per SM follow from registers, shared memory and threads ({}).", how_had(at.from)),
         rich("> It may ask for more shared memory than its tiles take.")}));
}

Rich library_unknown(const LadderFacts& ladder_facts, const std::string& type)
{
    std::vector<Rich> all{
        rich("Which kernels cuBLAS launches for {} at {} is not known.", type, size_words(ladder_facts.timed))};
    if (ladder_facts.library != nullptr)
        all.push_back(in_sentences(ladder_facts.library->missing));
    all.push_back(
        rich("On a machine with an NVIDIA GPU and CUPTI, `gemmscope bench cublas_sgemm --kernels` names them."));
    all.push_back(rich("`scripts/make-assets --only library` keeps them for this view."));
    return joined(std::move(all));
}

// Draws why a row-major program passes B before A. cuBLAS takes consecutive elements for columns, so it sees the
// transposed matrices. Their product in that order is the transpose of C. Lines in a matrix show consecutive elements.
Panel column_major(const Theme& theme, const Box& box)
{
    constexpr float M = 2, N = 3, K = 1.4f; // extents in the drawing; each matrix has another shape
    struct Matrix {
        const char* name;
        float rows, cols;
        Colour colour;
    };
    const Colour a = draw::operand_colour(theme, 0), b = draw::operand_colour(theme, 1), c = theme.accent();
    const Matrix ours[] = {{"A", M, K, a}, {"B", K, N, b}, {"C", M, N, c}},
                 theirs[] = {{"B^T", N, K, b}, {"A^T", K, M, a}, {"C^T", N, M, c}};
    Panel panel{.id = "column-major", .box = box, .title = "one memory: by rows, and as cuBLAS reads it, by columns"};
    panel.shorter = {"by rows, and by columns", "two readings"};
    const Box area = layers_box(theme, panel);
    const float gap = theme.px(16), unit = std::min((area.height() - theme.px(4)) / N,
                                                    (area.width() - 5 * gap - theme.px(20)) / (K + N + N + K + M + M));
    ShapeLayer shapes;
    LabelLayer labels;
    float left = area.min.x;
    for (const bool by_rows : {true, false}) {
        for (const Matrix& one : by_rows ? ours : theirs) {
            const float width = one.cols * unit, height = one.rows * unit, top = area.middle().y - height / 2;
            const Box place{{left, top}, {left + width, top + height}};
            shapes.shapes.push_back(said_of(box_shape(place, mix(theme.panel, one.colour, 0.45f)),
                                            {.name = std::string("matrix ") + one.name}));
            const float length = by_rows ? height : width;
            for (float at = theme.px(6); at < length; at += theme.px(9)) {
                const ImVec2 from = by_rows ? ImVec2{left + 3, top + at} : ImVec2{left + at, top + 3};
                const ImVec2 until = by_rows ? ImVec2{place.max.x - 3, top + at} : ImVec2{left + at, place.max.y - 3};
                shapes.shapes.push_back({.kind = Shape::Kind::line, .points = {from, until}, .stroke = one.colour});
            }
            labels.labels.push_back(words_at(place.middle(), Label::Side::middle, one.name,
                                             {.colour = theme.ink, .strong = true, .plate = true, .must = true}));
            left = place.max.x + gap;
            if (std::string_view(one.name).front() != 'C') {
                const bool before_result = &one == &(by_rows ? ours : theirs)[1];
                labels.labels.push_back(words_at({left - gap / 2, area.middle().y}, Label::Side::middle,
                                                 before_result ? "=" : "·", {.colour = theme.ink, .must = true}));
            }
        }
        left += theme.px(20);
    }
    panel.layers = {std::move(shapes), std::move(labels)};
    return panel;
}

} // namespace

void add_library(Figure& figure, const ViewFrame& frame, std::span<const std::optional<int>> under_way, const Box& box)
{
    const LadderFacts& ladder_facts = frame.ladder_facts;
    const StageFacts* rung = ladder_facts.find(frame.columns[0].recording->stage);
    if (rung == nullptr)
        rung = ladder_facts.find(frame.columns[1].recording->stage);
    const std::string type = rung != nullptr ? rung->type : "fp32";
    const std::vector<Box> parts = rows(box, {share_of_rest(), pixels(frame.theme.px(140))}, frame.theme.px(8));
    const bool room = parts[0].height() >= frame.theme.px(330);
    Panel panel{.id = "library", .box = room ? parts[0] : box};
    if (room)
        figure.panels.push_back(column_major(frame.theme, parts[1]));
    const LibraryKernels::Row* const row =
        ladder_facts.library != nullptr ? ladder_facts.library->find(type, ladder_facts.timed) : nullptr;
    if (row == nullptr) {
        panel.layers = {RichTextLayer{library_unknown(ladder_facts, type)}};
    } else {
        const std::vector<Launch> launches = launches_of(frame, under_way, *row);
        for (const Launch& one : launches)
            panel.legend.push_back({one.colour, one.name});
        panel.layers = {library_bars(launches, box.width() < frame.theme.px(400))};
        explain_library(figure, row->at, ladder_facts.timed);
    }
    figure.panels.push_back(std::move(panel));
}

Rich limit_words(std::span<const WorkPair> work, const std::string& first, const std::string& second)
{
    constexpr double nearly = 0.8;
    const auto cycles_of = [](const WorkPair& pair, bool of_second) {
        return pair.cycles((of_second ? pair.second : pair.first).value_or(0));
    };
    std::vector<Rich> said;
    for (const bool of_second : {false, true}) {
        const WorkPair* longest = nullptr;
        double time = 0;
        for (const WorkPair& pair : work) {
            if (pair.work == Work::time)
                time = cycles_of(pair, of_second);
            else if (longest == nullptr || cycles_of(pair, of_second) > cycles_of(*longest, of_second))
                longest = &pair;
        }
        if (time <= 0 || longest == nullptr)
            continue;
        const double part = std::min(cycles_of(*longest, of_second) / time, 1.0);
        const std::string& slug = of_second ? second : first;
        if (part >= nearly)
            said.push_back(rich("In {} the {} take **{}** of the time: they limit it.", slug, name_of(longest->work),
                                share(part)));
        else
            said.push_back(rich("In {} no unit is full: the {} take most, **{}** of the time. Waiting takes the rest.",
                                slug, name_of(longest->work), share(part)));
    }
    return joined(std::move(said));
}

} // namespace viz
