#include "viz/views/55_roofline/facts.h"

#include "viz/analysis/gpu_levels.h"
#include "viz/analysis/launches.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/rich.h"

#include "model/access_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <string_view>
#include <utility>

namespace viz {

namespace {

uint32_t element_bytes(const StageFacts& rung)
{
    if (rung.tile)
        return rung.tile->element_bytes;
    return rung.traffic ? rung.traffic->element_bytes : 4;
}

Quantity milliseconds(double ms)
{
    return nanoseconds(ms * 1e6);
}

Quantity tera(double giga)
{
    return number(giga * 1e-3);
}

Rich recorded_words(const StageFacts& rung, const recording::Problem& problem)
{
    if (!rung.traffic)
        return rich("Nothing is recorded with these parameters yet; choose the stage to record it.");
    if (!rung.traffic->told_apart)
        return rich("Its recording has no block in full (--bare), so loads of A and B are not told from others.");
    if (!rung.traffic->complete)
        return rich("Its recording has no sectors of A and B: bulk copies fetch them, and no lane asks.");
    return rich("By recording **{}**: sectors that its requests touch, {}.{}",
                number(rung.traffic->intensity_at(problem)), how_had(rung.traffic.from()),
                rung.tile && smaller_than_tile(rung.traffic->problem, *rung.tile)
                    ? " Its matrices are smaller than the tile, so the point is drawn at the formula."
                    : "");
}

// Describes the intensity at each level in the largest launch that a GPU counted.
Rich counted_words(const StageFacts& rung)
{
    const HardwareFigures* launch = largest_counted(&rung);
    if (launch == nullptr || !rung.traffic || rung.traffic->flops <= 0)
        return {};
    const CountedIntensity counted = counted_intensity(*launch, flops_of(launch->problem, is_vector(launch->problem)));
    std::vector<Rich> levels;
    const auto add = [&](const std::optional<double>& value, const char* level) {
        if (value)
            levels.push_back(rich("**{}** at {}", number(*value), level));
    };
    add(counted.loads, "the sectors that its loads touch");
    add(counted.l2, "L2");
    add(counted.dram, "DRAM");
    if (levels.empty())
        return {};
    return rich("By counter {}: {}, {}.", listed(std::move(levels)), size_words(launch->problem),
                how_had(launch->from));
}

constexpr double far = 0.3; // a roof with a smaller share does not limit the stage

// The shares of the limits that a stage reaches.
struct Demand {
    std::vector<Rich> shares;
    double nearest = 0;  // the largest share
    std::string name;    // the limit with the largest share
    bool memory = false; // it is a limit of bytes

    // `by` ends the sentence, with the counted traffic. It is empty for a limit of arithmetic.
    void add(const std::string& what, double demanded, const Ceiling& ceiling, std::string_view by = {})
    {
        const bool moves = !by.empty();
        const double part = demanded / ceiling.value;
        shares.push_back(rich("**{}** of {}{}", share(part), what, by));
        if (part > nearest) {
            nearest = part;
            name = what;
            memory = moves;
        }
    }
};

Demand demand_of(const StageFacts& rung, double intensity, const Ceilings& ceilings, std::optional<double> shared)
{
    const double gbps = rung.speed->gflops / intensity;
    constexpr const char* by_requests = ", by the bytes of these requests";
    Demand demand;
    if (ceilings.shared && shared)
        demand.add("shared memory", rung.speed->gflops / *shared, *ceilings.shared, ", by its wavefronts");
    if (ceilings.l1)
        demand.add("L1", gbps, *ceilings.l1, by_requests);
    // The values of a vector come from DRAM once. Caches serve repeated fetches.
    if (ceilings.dram && gbps <= ceilings.dram->value && is_vector(rung.speed->problem))
        demand.add("DRAM", gbps, *ceilings.dram, by_requests);
    if (const Ceiling* peak = ceilings.of_type(rung.type))
        demand.add(fmt::format("the {} {} peak", peak->measured ? "measured" : "theoretical", upper_case(rung.type)),
                   rung.speed->gflops, *peak);
    return demand;
}

} // namespace

Rich intensity_words(const StageFacts& rung, const recording::Problem& problem)
{
    std::vector<Rich> said{rich("*FLOP per byte.*")};
    if (rung.tile)
        said.push_back(
            rich("By formula **{}**: for each k a {} fetches {} + {} values of {} bytes and makes {} × {} products.",
                 number(rung.tile->intensity()), name_of(rung.tile->holder), rung.tile->rows, rung.tile->cols,
                 rung.tile->element_bytes, rung.tile->rows, rung.tile->cols));
    if (!rung.traffic || rung.traffic->flops > 0)
        said.push_back(recorded_words(rung, problem));
    said.push_back(counted_words(rung));
    const Floor least = floor_of(problem, element_bytes(rung), is_vector(problem), nullptr, nullptr);
    if (least.flops > 0 && !rung.library && rung.traffic && rung.traffic->flops > 0)
        said.push_back(rich("If every value moved once: **{}**.", number(least.flops / least.bytes)));
    return joined(std::move(said));
}

Floor floor_of_rung(const StageFacts& rung, const recording::Problem& problem, const Ceilings& ceilings)
{
    return floor_of(problem, element_bytes(rung), is_vector(problem), ceilings.dram ? &*ceilings.dram : nullptr,
                    ceilings.of_type(rung.type));
}

Rich floor_words(const StageFacts& rung, const recording::Problem& problem, const Ceilings& ceilings)
{
    if (rung.traffic && rung.traffic->flops == 0)
        return rich("*Floor.* It computes nothing, so arithmetic sets none.");
    const Floor floor = floor_of_rung(rung, problem, ceilings);
    const std::string type = upper_case(rung.type);
    const Rich memory =
        floor.memory_ms ? rich("**{}** at DRAM's {} TB/s", milliseconds(*floor.memory_ms), tera(ceilings.dram->value))
                        : rich("DRAM's bandwidth is not known");
    const Rich arithmetic = floor.arithmetic_ms ? rich("**{}** at {} TFLOPS of {}", milliseconds(*floor.arithmetic_ms),
                                                       tera(ceilings.of_type(rung.type)->value), type)
                                                : rich("the peak of {} is not known", type);
    std::vector<Rich> said{rich("*Floor.* At {} it must move at least {} ({}) and make {} GFLOP ({}).",
                                size_words(problem), bytes(floor.bytes), memory, number(floor.flops * 1e-9),
                                arithmetic)};
    const auto least = floor.least_ms();
    if (least)
        said.push_back(rich("So at least **{}**: the {}.", milliseconds(*least),
                            floor.memory_bound() ? "bytes decide" : "arithmetic decides"));
    if (least && rung.speed && rung.speed->problem == problem && floor.flops > 0) {
        const double takes = floor.flops / rung.speed->gflops * 1e-6;
        said.push_back(rich("It takes **{}**, **{} ×** the floor.", milliseconds(takes), number(takes / *least)));
    }
    return joined(std::move(said));
}

// Returns the counted memory throughput, as a share of the peak, if memory is almost fully used but the stage is far
// from each limit of bytes and FLOP. `nearest` is the largest share of such a limit.
std::optional<double> full_memory(const StageFacts& rung, double nearest)
{
    constexpr double full = 0.8;
    const HardwareFigures* const counted = largest_counted(&rung);
    if (nearest >= far || counted == nullptr || counted->memory_throughput.value_or(0) < full)
        return {};
    return counted->memory_throughput;
}

Rich place_words(const StageFacts& rung, const Ceilings& ceilings, std::optional<double> shared)
{
    if (!rung.speed)
        return rich("*Under the roofs.* No speed: {}.", in_short(rung.speed.missing()));
    const auto intensity = intensity_of(rung.traffic.value(), rung.tile, rung.speed->problem);
    if (!intensity || intensity->value <= 0)
        return rich("*Under the roofs.* Without an intensity it has no place.");
    const double gbps = rung.speed->gflops / intensity->value;
    std::vector<Rich> said{
        rich("*Under the roofs.* **{}** GFLOPS at {} mean **{} TB/s** for its requests to global memory.",
             number(rung.speed->gflops), size_words(rung.speed->problem), tera(gbps))};
    const Demand demand = demand_of(rung, intensity->value, ceilings, shared);
    if (!demand.shares.empty())
        said.push_back(rich("It has {}.", listed(demand.shares)));
    const HardwareFigures* const counted = largest_counted(&rung);
    if (counted != nullptr && counted->dram_read)
        said.push_back(rich("By counter DRAM sent **{}** at {}: caches served the rest.", bytes(*counted->dram_read),
                            size_words(counted->problem)));
    else if (ceilings.dram && gbps > ceilings.dram->value)
        said.push_back(rich("DRAM has **{} TB/s**: caches served **{}** of these bytes, or more.",
                            tera(ceilings.dram->value), share(1 - ceilings.dram->value / gbps)));
    const bool two = demand.shares.size() <= 2;
    if (const auto busy = full_memory(rung, demand.nearest))
        said.push_back(
            rich("By counter the way to memory is **{}** busy all the same: L1 looks up one line of 128 bytes "
                 "at a time, and these requests use little of each.",
                 share(*busy)));
    else if (ceilings.l1 && demand.nearest < far)
        said.push_back(rich("Far from {}: waiting, or instructions that do not multiply, hold it back.",
                            two ? "both" : "all of them"));
    else if (ceilings.l1)
        said.push_back(rich("The {} limit is {}.", two ? "nearer" : "nearest", demand.name));
    return joined(std::move(said));
}

std::optional<NearRoof> near_roof(const StageFacts& rung, const Ceilings& ceilings, std::optional<double> shared)
{
    const auto intensity =
        rung.speed ? intensity_of(rung.traffic.value(), rung.tile, rung.speed->problem) : std::optional<Intensity>();
    if (!intensity || intensity->value <= 0)
        return {};
    const Demand demand = demand_of(rung, intensity->value, ceilings, shared);
    return demand.name.empty() ? std::nullopt : std::optional(NearRoof{demand.name, demand.nearest, demand.memory});
}

Rich nearest_roof(const StageFacts& rung, const Ceilings& ceilings, std::optional<double> shared)
{
    const std::optional<NearRoof> near = near_roof(rung, ceilings, shared);
    if (!near)
        return rich("Nothing is known of its place");
    const Quantity below = with_decimals(1 / near->share, 1);
    if (const auto busy = full_memory(rung, near->share))
        return rich("memory-bound: memory **{}** busy, {} × below {}", Value(share(*busy)).as(Meaning::conflict), below,
                    near->name);
    if (near->share < far)
        return rich("**{}** of the nearest roof, {} × below: {}", Value(share(near->share)).as(Meaning::conflict),
                    below, near->name);
    return rich("{}-bound: **{}** of {}, {} × below", near->memory ? "memory" : "compute",
                Value(share(near->share)).as(Meaning::good), near->name, below);
}

Rich origin_words(const StageFacts& rung, const GpuState& gpu)
{
    std::vector<Rich> said;
    if (rung.speed)
        said.push_back(rich("> Speed: {}.", how_had(rung.speed.from())));
    if (gpu.measured && gpu.properties)
        said.push_back(rich("> Ceilings: {}.", how_had(gpu.measured.from())));
    else if (gpu.properties)
        said.push_back(
            rich("> Ceilings: theoretical, of {}; the view \"The GPU\" measures them.", gpu.properties->name));
    const Ceilings ceilings =
        gpu.properties && gpu.measured ? ceilings_of(*gpu.properties, &*gpu.measured) : Ceilings();
    if (const Ceiling* fp32 = ceilings.of_type("fp32"); fp32 != nullptr && fp32->measured)
        said.push_back(rich("> FP32: {} TFLOPS as measured, at the clock that the GPU keeps under that load. At its "
                            "highest clock, {} MHz, it would be {}.",
                            tera(fp32->value), gpu.properties->clock_khz / 1000,
                            tera(typed_of(*gpu.properties).gflops())));
    return joined(std::move(said));
}

namespace {

constexpr std::size_t listed_shapes = 5;

Value coloured(double share, int decimals)
{
    return Value(with_decimals(share, decimals)).as(share < 1 ? Meaning::conflict : Meaning::good);
}

Rich least_words(const RandomSeries& series)
{
    std::vector<Rich> least;
    for (const RandomShape& one : series.shapes | std::views::take(listed_shapes))
        least.push_back(rich("**{}** at {}", with_decimals(one.of_cublas, 2), size_words(one.problem)));
    const auto behind =
        std::ranges::count_if(series.shapes, [](const RandomShape& one) { return one.of_cublas < far_behind; });
    return rich("{} below {}; the least: {}.", counted(static_cast<uint64_t>(behind), "shape is", "shapes are"),
                with_decimals(far_behind, 2), listed(std::move(least)));
}

} // namespace

bool has_random_shapes(const LadderFacts& ladder_facts)
{
    return ladder_facts.random_shapes != nullptr && !ladder_facts.random_shapes->series.empty();
}

const RandomSeries* random_series_of(const LadderFacts& ladder_facts, const std::string& slug)
{
    const StageFacts* rung = ladder_facts.find(slug);
    return has_random_shapes(ladder_facts)
               ? series_for(*ladder_facts.random_shapes, slug, rung != nullptr ? rung->type : "fp32")
               : nullptr;
}

Rich random_headline(const LadderFacts& ladder_facts, const std::string& slug, bool beside)
{
    const RandomSeries* series = random_series_of(ladder_facts, slug);
    if (series == nullptr)
        return rich("Share of cuBLAS at shapes drawn at random");
    const MeanShare mean = mean_share(*series);
    const Value of_all = coloured(mean.of_cublas, 3);
    if (series->slug != slug)
        return rich("Not timed at these shapes; `{}` had **{}** × cuBLAS", series->slug, of_all);
    const RandomShape& least = series->shapes.front();
    return rich("**{}** × cuBLAS over {}, least {}{}", of_all, counted(mean.shapes, "shape"),
                coloured(least.of_cublas, 2), beside ? "" : " at " + size_words(least.problem));
}

Rich random_words(const LadderFacts& ladder_facts, const RandomSeries& series)
{
    const MeanShare all = mean_share(series), whole = mean_share(series, ShapeRows::whole),
                    others = mean_share(series, ShapeRows::others);
    std::vector<Rich> said{rich("*`{}` at {} drawn at random (seed {}).* Geometric mean **{}** × cuBLAS.", series.slug,
                                counted(all.shapes, "shape"), index(ladder_facts.random_shapes->seed),
                                with_decimals(all.of_cublas, 3))};
    if (all.of_best > 0)
        said.push_back(rich("Against the fastest of all of its algorithms **{}**.", with_decimals(all.of_best, 3)));
    if (whole.shapes > 0)
        said.push_back(rich("Where rows of A, B and C are multiples of 16 bytes ({}) **{}**.",
                            counted(whole.shapes, "shape"), with_decimals(whole.of_cublas, 3)));
    if (others.shapes > 0)
        said.push_back(
            rich("At the other {} **{}**.", counted(others.shapes, "shape"), with_decimals(others.of_cublas, 3)));
    said.push_back(least_words(series));
    said.push_back(rich("> {}.", how_had(ladder_facts.random_shapes->from)));
    return joined(std::move(said));
}

Rich random_missing(const LadderFacts& ladder_facts)
{
    return rich(
        "*No speeds at shapes drawn at random are known.* {} Run `scripts/make-assets --only random` where there "
        "is an NVIDIA GPU. It times the fastest stages beside cuBLAS at 60 of them.",
        ladder_facts.random_shapes != nullptr ? in_sentences(ladder_facts.random_shapes->missing) : Rich());
}

Rich random_words(const RandomSeries& series, const RandomShape& shape)
{
    const auto tile = tile_in(shape.parameters);
    return rich("{} at {}: **{}** × cuBLAS{}, {} GFLOPS{}", series.slug, size_words(shape.problem),
                with_decimals(shape.of_cublas, 2),
                shape.of_best ? rich(", {} × its fastest algorithm", with_decimals(*shape.of_best, 2)) : Rich(),
                number(shape.gflops), tile ? fmt::format(", tile {} × {}", tile->rows, tile->cols) : "");
}

bool has_shapes(const LadderFacts& ladder_facts)
{
    return ladder_facts.shapes != nullptr && !ladder_facts.shapes->series.empty();
}

namespace {

Rich gain_words(const SplitPair& pair, const SplitAt& gain, uint32_t sms)
{
    return rich(
        "At {} `{}` has **{}**{} and gives **{}** GFLOPS. `{}` with {} slices of K has **{}** and gives **{}**, "
        "**{} times** as much.",
        size_words(gain.whole->problem), pair.whole->slug, counted(gain.whole->blocks, "block"),
        sms > 0 ? fmt::format(" for {} SMs", sms) : "", number(gain.whole->gflops), pair.split.front()->slug,
        gain.slices, counted(gain.split->blocks, "block"), number(gain.split->gflops), with_decimals(gain.gain(), 2));
}

Rich library_words(const LadderFacts& ladder_facts, const recording::Problem& problem)
{
    const LibraryKernels::Row* row =
        ladder_facts.library != nullptr ? ladder_facts.library->find("fp32", problem) : nullptr;
    if (row == nullptr)
        return {};
    bool splits = false;
    std::vector<Rich> kernels;
    for (const recording::LaunchedKernel& one : row->at.kernels) {
        splits = splits || reduces(one.name) || one.launch.grid.z > 1;
        kernels.push_back(rich("`{}` in **{}**", short_name(one.name), counted(one.launch.grid.volume(), "block")));
    }
    return rich("cuBLAS {} {}.", splits ? "splits K here, too: it launches" : "launches here",
                listed(std::move(kernels)));
}

uint32_t sms_of(const LadderFacts& ladder_facts)
{
    if (ladder_facts.library != nullptr && ladder_facts.library->sm_count > 0)
        return ladder_facts.library->sm_count;
    return ladder_facts.gpu.properties ? ladder_facts.gpu.properties->sm_count : 0;
}

} // namespace

Rich shapes_words(const LadderFacts& ladder_facts)
{
    if (!has_shapes(ladder_facts))
        return rich(
            "*No speeds of other shapes are known.* {} Run `scripts/make-assets --only shapes` where there is an "
            "NVIDIA GPU. It times every stage on one amount of work, in shapes from tall to flat.",
            ladder_facts.shapes != nullptr ? in_sentences(ladder_facts.shapes->missing) : Rich());
    const auto pair = split_pair(*ladder_facts.shapes);
    const std::vector<SplitAt> gains = pair ? split_gains(*pair) : std::vector<SplitAt>();
    const Rich question = rich("*When do more blocks beat less work per block?*");
    if (gains.empty())
        return rich("{} No stage that splits K was timed beside the one that it is made of.", question);
    const recording::Problem& tallest = gains.front().whole->problem;
    std::vector<Rich> said{rich("{} Every point is the same {} GFLOP; to the left C is small and K long.", question,
                                number(flops_of(tallest, false) * 1e-9)),
                           gain_words(*pair, gains.front(), sms_of(ladder_facts)),
                           library_words(ladder_facts, tallest)};
    const auto enough = std::ranges::find_if(gains, [](const SplitAt& gain) { return gain.gain() < 1.02; });
    if (enough != gains.end()) {
        if (enough != gains.begin())
            said.push_back(gain_words(*pair, *enough, 0));
        said.push_back(
            rich("There the blocks fill the GPU by themselves, and slices only add traffic and a second launch."));
    }
    said.push_back(rich("> {}.", how_had(ladder_facts.shapes->from)));
    return joined(std::move(said));
}

Busy busy_of(const ChartFacts& facts, const std::string& slug)
{
    Busy busy{.rung = facts.ladder_facts.find(slug)};
    busy.counted = largest_counted(busy.rung);
    if (busy.counted == nullptr)
        return busy;
    const Ceiling* const peak = facts.ceilings.of_type(busy.rung->type);
    for (const Measured<SpeedAt>& speed : busy.rung->speeds)
        if (peak != nullptr && speed && same_sides(speed->problem, busy.counted->problem))
            busy.of_peak = speed->gflops / peak->value;
    return busy;
}

Rich busy_headline(const Busy& busy)
{
    if (busy.counted == nullptr || !busy.counted->memory_throughput || !busy.of_peak)
        return rich("no counters of a launch");
    const bool in_vain = *busy.counted->memory_throughput > 0.7 && *busy.of_peak < 0.3;
    return rich("memory {} busy, {} of the peak", share(*busy.counted->memory_throughput),
                Value(percent(*busy.of_peak)).as(in_vain ? Meaning::conflict : Meaning::strong));
}

namespace {

// Returns the bytes of a level: how many, how many times the fewest possible, and how fast.
std::string moved_words(double bytes, const HardwareFigures& counted)
{
    std::string words = bytes_words(bytes);
    if (counted.least_read > 0)
        words += " · " + plain(rich("{} times", number(bytes / counted.least_read)));
    if (counted.nanoseconds && *counted.nanoseconds > 0)
        words += " · " + plain(rich("{} TB/s", tera(bytes / *counted.nanoseconds)));
    return words;
}

struct MovedLevel {
    const char *id, *name;
    std::optional<double> (*bytes)(const HardwareFigures&);
};

std::optional<double> bytes_of_sectors(const std::optional<double>& sectors)
{
    return sectors ? std::optional(*sectors * model::sector_bytes) : std::nullopt;
}

BarLayer bars_of_levels(const Theme& theme, const std::vector<Busy>& stages)
{
    static constexpr MovedLevel levels[] = {
        {"L1", "lanes ask L1", [](const HardwareFigures& one) { return bytes_of_sectors(one.load_sectors); }},
        {"L2", "L1 asks L2", [](const HardwareFigures& one) { return bytes_of_sectors(one.l2_sectors); }},
        {"DRAM", "L2 reads DRAM", [](const HardwareFigures& one) { return one.dram_read; }},
        {"least", "each value once", [](const HardwareFigures& one) { return std::optional(one.least_read); }}};
    BarLayer bars{.name = "moved"};
    for (const MovedLevel& level : levels) {
        BarLayer::Bar bar{.name = level.name, .id = level.id};
        for (std::size_t i = 0; i < stages.size(); ++i) {
            const HardwareFigures* const counted = stages[i].counted;
            if (counted == nullptr)
                continue;
            const std::optional<double> bytes = level.bytes(*counted);
            const bool least = level.id == std::string_view("least");
            bar.parts.push_back({stages[i].rung->slug, bytes,
                                 !bytes  ? ""
                                 : least ? bytes_words(*bytes)
                                         : moved_words(*bytes, *counted),
                                 least ? theme.good : theme.accent(i)});
        }
        bars.bars.push_back(std::move(bar));
    }
    return bars;
}

BarLayer bars_of_shares(const Theme& theme, const std::vector<Busy>& stages)
{
    BarLayer bars{.name = "busy", .most = 1, .on_ground = true};
    const auto add = [&](const char* name, auto share_of) {
        BarLayer::Bar bar{.name = name};
        for (std::size_t i = 0; i < stages.size(); ++i)
            if (stages[i].counted != nullptr) {
                const std::optional<double> value = share_of(stages[i]);
                bar.parts.push_back({stages[i].rung->slug, value, value ? percent(*value) : "", theme.accent(i)});
            }
        bars.bars.push_back(std::move(bar));
    };
    add("way to memory", [](const Busy& one) { return one.counted->memory_throughput; });
    add("DRAM", [](const Busy& one) { return one.counted->dram_throughput; });
    add("arithmetic", [](const Busy& one) { return one.of_peak; });
    return bars;
}

} // namespace

Rich busy_words(const Busy& busy)
{
    if (busy.counted == nullptr)
        return {};
    return rich(
        "*{}.* The way to memory is as busy as its busiest part: L1, L2, DRAM or what lies between. Arithmetic is "
        "GFLOPS over the measured peak. Counted at {}, {}.",
        busy.rung->slug, size_words(busy.counted->problem), how_had(busy.counted->from));
}

void add_traffic(Figure& figure, const ChartFacts& facts, const Box& box)
{
    std::vector<Busy> stages;
    for (const std::string& slug : facts.shown)
        stages.push_back(busy_of(facts, slug));
    const auto counted = std::ranges::find_if(stages, [](const Busy& one) { return one.counted != nullptr; });
    if (counted == stages.end()) {
        figure.panels.push_back(
            {.id = "busy",
             .box = box,
             .layers = {RichTextLayer{rich("No GPU counted what these stages move. The view \"Global memory\" has it "
                                           "counted.")}}});
        return;
    }
    const std::vector<Box> parts = rows(box, {share_of_rest(0.45f), share_of_rest(0.55f)}, facts.theme.px(10));
    figure.panels.push_back({.id = "busy",
                             .box = parts[0],
                             .title = "share of the most that it can do",
                             .origin = NumberOrigin::counter,
                             .layers = {bars_of_shares(facts.theme, stages)}});
    figure.panels.push_back({.id = "moved",
                             .box = parts[1],
                             .title = "bytes loaded at " + size_words(counted->counted->problem),
                             .origin = NumberOrigin::counter,
                             .layers = {bars_of_levels(facts.theme, stages)}});
}

} // namespace viz
