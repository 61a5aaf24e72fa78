#include "app/data/metrics.h"
#include "app/learn/quiz.h"

#include "viz/analysis/access.h"
#include "viz/analysis/counted.h"
#include "viz/analysis/gpu_levels.h"
#include "viz/analysis/reuse.h"
#include "viz/analysis/roofline.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace app {

namespace {

// Returns the timed FP32 stages in the ladder's order.
std::vector<const TimedRow*> all_timed(QuestionContext& context)
{
    std::vector<const TimedRow*> rows;
    for (const kernels::Stage& stage : context.examples().ladder())
        if (const TimedRow* row = context.examples().timed(stage.slug);
            row != nullptr && row->type == "fp32" && row->problem.K > 1)
            rows.push_back(row);
    return rows;
}

viz::Message faster_label(const std::string& stage, double times)
{
    return {"quiz.faster_label", {{"stage", stage}, {"times", viz::with_decimals(times, 2)}}};
}

// Asks which of two stages is faster, and by how much.
std::optional<QuizQuestion> faster(QuestionContext& context)
{
    struct Pair {
        const char *first, *second, *topic;
    };
    constexpr std::array pairs = {Pair{"padded_b", "vectorized", "contradictions"},
                                  Pair{"linearized_b", "vectorized", "contradictions"},
                                  Pair{"swizzled_reads", "vectorized", "cures_that_fail"},
                                  Pair{"swizzled", "vectorized", "swizzle"},
                                  Pair{"warp_tile", "coalesced", "occupancy_is_not_speed"},
                                  Pair{"fastest", "shared_tile", "occupancy_is_not_speed"},
                                  Pair{"padded_b", "padded_a", "cures_that_fail"},
                                  Pair{"coalesced", "naive", "coalescing"},
                                  Pair{"fastest", "cublas_sgemm", "cublas"},
                                  Pair{"warp_tile", "cublas_sgemm", "cublas"},
                                  Pair{"split_k", "warp_tile", "split_k"},
                                  Pair{"prefetched", "swizzled", "prefetch"},
                                  Pair{"strided_b", "coalesced", "coalescing"},
                                  Pair{"shared_tile", "coalesced", "stalls"}};
    const Pair& pair = context.one_of(pairs);
    const TimedRow *first = context.examples().timed(pair.first), *second = context.examples().timed(pair.second);
    if (first == nullptr || second == nullptr)
        return {};
    const ShippedSpeeds& speeds = context.examples().catalogue().speeds;
    QuizQuestion question = question_about(pair.topic, placed(pair.first, "faster"));
    if (std::string_view(pair.second) != "cublas_sgemm")
        question.shown.columns[1].stage = pair.second;
    question.ask = {{"quiz.faster",
                     {{"first", pair.first},
                      {"second", pair.second},
                      {"device", speeds.from.device},
                      {"size", viz::size_words(first->problem)}}}};
    const double ratio = *first->gflops / *second->gflops, times = std::max(ratio, 1 / ratio);
    const std::string winner = ratio > 1 ? pair.first : pair.second, loser = ratio > 1 ? pair.second : pair.first;
    const viz::Message why{"quiz.faster_why",
                           {{"first", pair.first},
                            {"second", pair.second},
                            {"a", viz::number(*first->gflops)},
                            {"b", viz::number(*second->gflops)},
                            {"date", speeds.from.date}}};
    Answers answers(faster_label(winner, times), {why});
    answers.wrong(faster_label(loser, times), {"quiz.faster_loser", {{"why", why}}});
    answers.wrong(faster_label(winner, times > 2 ? 1.2 : times * 3), {"quiz.not_so", {{"why", why}}});
    answers.wrong(faster_label(loser, times > 2 ? 1.2 : times * 3), {"quiz.faster_loser", {{"why", why}}});
    return answers.into(std::move(question), context);
}

// Asks for the GFLOPS that follow from a time.
std::optional<QuizQuestion> gflops(QuestionContext& context)
{
    const auto rows = all_timed(context);
    if (rows.empty())
        return {};
    const TimedRow& row = *context.one_of(rows);
    const double operations = 2.0 * row.problem.M * row.problem.N * row.problem.K;
    const auto right = std::lround(operations / row.timing.median_ms / 1e6);
    QuizQuestion question = question_about("benchmarks", placed(row.slug, "roofline"));
    question.ask = {{"quiz.gflops",
                     {{"stage", row.slug},
                      {"size", viz::size_words(row.problem)},
                      {"ms", viz::rounded(row.timing.median_ms)},
                      {"samples", row.timing.samples}}}};
    Answers answers(right, {{"quiz.gflops_why", {{"n", right}}}});
    answers.wrong(right / 2, {"quiz.two_operations"});
    answers.wrong(right * 4, {"quiz.gflops_bytes"});
    return answers.wrong(right / 1000, {"quiz.gflops_thousand"}).fill(right).into(std::move(question), context);
}

// Asks for a GPU's peak, given its number of units and its clock.
std::optional<QuizQuestion> peak(QuestionContext& context)
{
    const auto gpus = viz::known_gpus();
    const viz::TypedGpu& gpu = context.one_of(gpus);
    QuizQuestion question = question_about("peak", placed("vectorized", "gpu"));
    const auto right = std::lround(gpu.gflops());
    question.ask = {
        {"quiz.peak", {{"gpu", gpu.name}, {"sms", gpu.sms}, {"lanes", gpu.lanes}, {"mhz", viz::index(gpu.clock_mhz)}}}};
    Answers answers(right, {{"quiz.peak_why", {{"sms", gpu.sms}, {"lanes", gpu.lanes}, {"n", right}}}});
    answers.wrong(right / 2, {"quiz.peak_half"});
    answers.wrong(right / gpu.lanes * 32, {"quiz.peak_warp"});
    return answers.wrong(right / gpu.sms, {"quiz.peak_one"}).fill(right).into(std::move(question), context);
}

struct Bound {
    recording::Problem problem;
    viz::Floor floor;
};

std::optional<Bound> bound_by_lot(QuestionContext& context)
{
    constexpr std::array sides = {64, 128, 256, 512, 1024, 2048, 4096, 8192};
    const auto side = [&] { return static_cast<uint32_t>(context.one_of(sides)); };
    Bound bound{.problem = {.M = side(), .N = side(), .K = side()}};
    const recording::GpuProperties gpu = context.examples().gpu();
    const viz::Ceiling memory{gpu.memory_gbps()}, arithmetic{gpu.fp32_gflops};
    bound.floor = viz::floor_of(bound.problem, 4, false, &memory, &arithmetic);
    if (!bound.floor.least_ms())
        return {};
    return bound;
}

// Asks for the minimum time, given the peaks of memory and arithmetic.
std::optional<QuizQuestion> floor(QuestionContext& context)
{
    const auto bound = bound_by_lot(context);
    if (!bound)
        return {};
    const auto ns = [](double ms) { return std::lround(ms * 1e6); };
    const long memory = ns(*bound->floor.memory_ms), arithmetic = ns(*bound->floor.arithmetic_ms);
    const long right = std::max(memory, arithmetic);
    const recording::GpuProperties gpu = context.examples().gpu();
    QuizQuestion question = question_about("floor", placed("vectorized", "roofline"));
    question.ask = {{"quiz.floor",
                     {{"size", viz::size_words(bound->problem)},
                      {"gflops", viz::number(gpu.fp32_gflops)},
                      {"gbps", viz::number(gpu.memory_gbps())}}}};
    Answers answers(right, {{"quiz.floor_why", {{"arithmetic", arithmetic}, {"memory", memory}}}});
    answers.wrong(std::min(memory, arithmetic), {"quiz.floor_smaller"});
    answers.wrong(memory + arithmetic, {"quiz.floor_sum"});
    return answers.wrong(right / 2, {"quiz.floor_half"}).fill(right).into(std::move(question), context);
}

std::optional<QuizQuestion> bound(QuestionContext& context)
{
    const auto bound = bound_by_lot(context);
    if (!bound)
        return {};
    const recording::GpuProperties gpu = context.examples().gpu();
    const double ridge = gpu.fp32_gflops / gpu.memory_gbps(), intensity = viz::best_intensity(bound->problem, 4);
    QuizQuestion question = question_about("roofline", placed("vectorized", "roofline"));
    question.ask = {{"quiz.bound",
                     {{"size", viz::size_words(bound->problem)},
                      {"gflops", viz::number(gpu.fp32_gflops)},
                      {"gbps", viz::number(gpu.memory_gbps())}}}};
    const viz::Message memory{"quiz.bound_memory"}, arithmetic{"quiz.bound_arithmetic"};
    const viz::Message why{"quiz.bound_why", {{"ridge", viz::rounded(ridge)}, {"intensity", viz::rounded(intensity)}}};
    Answers answers(intensity < ridge ? memory : arithmetic, {why});
    answers.wrong(intensity < ridge ? arithmetic : memory, {"quiz.not_so", {{"why", why}}});
    answers.wrong({"quiz.bound_both"}, {"quiz.bound_never", {{"why", why}}});
    return answers.into(std::move(question), context);
}

// Asks for the FLOP per byte of a tile.
std::optional<QuizQuestion> intensity(QuestionContext& context)
{
    constexpr std::array sides = {16, 32, 64, 128, 256};
    const auto rows = static_cast<uint64_t>(context.one_of(sides)), cols = static_cast<uint64_t>(context.one_of(sides));
    const double right = viz::tile_intensity(rows, cols, 4);
    QuizQuestion question = question_about("intensity", placed("shared_tile", "reuse"));
    question.ask = {{"quiz.intensity", {{"rows", rows}, {"cols", cols}}}};
    const auto label = [](double value) { return viz::Message{"quiz.decimal", {{"figure", viz::rounded(value)}}}; };
    Answers answers(label(right),
                    {{"quiz.intensity_why",
                      {{"flops", 2 * rows * cols}, {"bytes", 4 * (rows + cols)}, {"n", viz::rounded(right)}}}});
    answers.wrong(label(right * 4), {"quiz.intensity_elements"});
    answers.wrong(label(right / 2), {"quiz.two_operations"});
    answers.wrong(label(static_cast<double>(rows * cols) / 4), {"quiz.intensity_area"});
    return answers.into(std::move(question), context);
}

// Asks how much came from memory, compared with what the kernel requested.
std::optional<QuizQuestion> dram(QuestionContext& context)
{
    const auto& rows = context.examples().catalogue().counters.rows;
    if (rows.empty())
        return {};
    const CountedRow& row = context.one_of(rows);
    const kernels::Job job{&kernels::find_stage(context.examples().ladder(), row.slug), row.parameters, row.problem};
    const LaunchFacts facts = facts_of(row.counters);
    const auto sectors = metric("global_load_sectors").of(facts), read = metric("dram_read_bytes").of(facts);
    if (!sectors || !read || *read <= 0 || row.problem.K == 1)
        return {};
    const double asked = *sectors * 32;
    const auto right = std::lround(asked / *read);
    if (right < 2)
        return {};
    QuizQuestion question = question_about(context.below(2) == 0 ? "caches" : "dram", placed(row.slug, "global"));
    question.ask = {{"quiz.dram",
                     {{"stage", row.slug},
                      {"size", viz::size_words(row.problem)},
                      {"asked", viz::bytes(asked)},
                      {"least", viz::bytes(least_dram_bytes(job))},
                      {"device", context.examples().catalogue().counters.from.device}}}};
    Answers answers(right, {{"quiz.dram_why", {{"read", viz::bytes(*read)}, {"n", right}}}});
    answers.wrong(1, {"quiz.dram_all"});
    answers.wrong(right * 8, {"quiz.dram_less"});
    answers.wrong(std::max(right / 4, 1L), {"quiz.dram_more"}).fill(right);
    return answers.into(std::move(question), context);
}

// Describes each line's load and the distance to the same thread's next load, which determines what the compiler may
// combine.
viz::Messages loads_in_source(const recording::Recording& recording)
{
    struct Line {
        uint32_t width = 0, first = 0;
        std::optional<int64_t> apart;
    };
    std::map<uint32_t, Line> lines;
    for (const recording::Access& access : recording.blocks.at(0).warps.at(0).accesses) {
        if (access.op != recording::Op::shared_load || !viz::takes_part(access, 0))
            continue;
        const auto [at, is_new] = lines.try_emplace(access.line, Line{access.width, access.offset[0], {}});
        if (!is_new && !at->second.apart)
            at->second.apart = int64_t{access.offset[0]} - at->second.first;
    }
    viz::Messages words;
    for (const auto& [line, load] : lines)
        words.push_back({"quiz.compiled_line",
                         {{"line", viz::index(line)},
                          {"code", viz::source_line(recording, line)},
                          {"bytes", load.width},
                          {"apart", load.apart.value_or(0)}}});
    return words;
}

// Asks what the compiler made of the loads in the source: combined, already wide, or not adjacent.
std::optional<QuizQuestion> compiled(QuestionContext& context)
{
    constexpr std::array rungs = {"vectorized", "padded_b",   "linearized_b", "padded_a",
                                  "swizzled",   "prefetched", "warp_tile",    "swizzled_reads"};
    const Patch place = placed(context.one_of(rungs), "banks");
    const RecordingPtr recording = context.examples().of(place);
    const CountedRow* row = context.examples().counted(place.stage(), recording->problem);
    if (row == nullptr)
        return {};
    const auto counted = row->counters.sums.find("smsp__sass_inst_executed_op_shared_ld.sum");
    const uint64_t written = recording->totals().shared_load.instructions;
    if (counted == row->counters.sums.end() || written == 0)
        return {};
    const uint64_t executed = counted->second;
    const viz::Message fewer{"quiz.compiled_fewer"}, same{"quiz.compiled_same"}, more{"quiz.compiled_more"};
    QuizQuestion question = question_about("compiler", place);
    question.ask = {{"quiz.compiled",
                     {{"stage", row->slug},
                      {"size", viz::size_words(row->problem)},
                      {"written", written},
                      {"lines", loads_in_source(*recording)}}}};
    const viz::Message why{"quiz.compiled_why", {{"written", written}, {"executed", executed}}};
    Answers answers(executed < written ? fewer : executed == written ? same : more, {why});
    answers.wrong(fewer, {"quiz.compiled_not_fewer"});
    answers.wrong(same, {"quiz.compiled_not_same"});
    answers.wrong(more, {"quiz.compiled_not_more"});
    return answers.into(std::move(question), context);
}

// Asks about two candidates of a search.
std::optional<QuizQuestion> candidates(QuestionContext& context)
{
    const auto& searches = context.examples().catalogue().searches.searches;
    if (searches.empty())
        return {};
    const TriedParameters& search = context.one_of(searches);
    std::vector<const kernels::Candidate*> right;
    for (const kernels::Candidate& one : search.ranked)
        if (one.state == kernels::Candidate::State::right)
            right.push_back(&one);
    if (right.size() < 10)
        return {};
    const kernels::Candidate *first = right[context.below(right.size() / 3)],
                             *second = right[right.size() / 2 + context.below(right.size() / 2)];
    const kernels::Stage& stage = kernels::find_stage(context.examples().ladder(), search.stage);
    const auto set = [&](const kernels::Candidate& one) {
        std::string text;
        for (std::size_t i = 0; i < stage.parameters.size(); ++i)
            text += fmt::format("{}{} {}", i == 0 ? "" : ", ", stage.parameters[i].name,
                                kernels::value_text(stage.parameters[i].name, one.parameters.at(i)));
        return text;
    };
    QuizQuestion question = question_about("autotuning", placed(search.stage, "roofline"));
    question.ask = {{"quiz.candidates", {{"stage", search.stage}, {"gpu", search.gpu}}}};
    const auto label = [&](const kernels::Candidate& one) {
        return viz::Message{"quiz.candidate", {{"set", set(one)}}};
    };
    const viz::Message why{
        "quiz.candidates_why",
        {{"a", viz::number(first->gflops)}, {"b", viz::number(second->gflops)}, {"tried", search.ranked.size()}}};
    Answers answers(label(*first), {why});
    answers.wrong(label(*second), {"quiz.not_so", {{"why", why}}});
    answers.wrong({"quiz.candidates_alike"}, {"quiz.not_so", {{"why", why}}});
    return answers.into(std::move(question), context);
}

// Asks for the shared memory of a block with a square tile.
std::optional<QuizQuestion> tile_sizes(QuestionContext& context)
{
    constexpr std::array sides = {16, 32, 64, 128};
    constexpr std::array depths = {8, 16};
    const auto side = static_cast<uint64_t>(context.one_of(sides)), k = static_cast<uint64_t>(context.one_of(depths));
    Patch place = placed("shared_tile", "reuse");
    place.arranged = "sizes";
    QuizQuestion question = question_about("tile_sizes", place);
    question.asked.arranged.clear();
    question.ask = {{"quiz.tile_sizes", {{"side", side}, {"k", k}}}};
    const uint64_t right = 2 * side * k * 4;
    Answers answers(right, {{"quiz.tile_sizes_why", {{"side", side}, {"k", k}, {"n", right}}}});
    answers.wrong(right / 2, {"quiz.tile_sizes_one"});
    answers.wrong(right / 4, {"quiz.tile_sizes_values"});
    answers.wrong(side * side * 4, {"quiz.tile_sizes_c"});
    return answers.into(std::move(question), context);
}

// Asks what makes a kernel faster that keeps memory busy with the same values.
std::optional<QuizQuestion> throughput(QuestionContext& context)
{
    const auto& rows = context.examples().catalogue().counters.rows;
    const CountedRow* largest = nullptr;
    for (const CountedRow& row : rows)
        if (row.slug == "naive" && (largest == nullptr || row.problem.M > largest->problem.M))
            largest = &row;
    const auto busy = largest != nullptr ? kernels::figures(largest->counters).memory_throughput : std::nullopt;
    if (!busy)
        return {};
    Patch place = placed("naive", "roofline");
    place.arranged = "traffic";
    QuizQuestion question = question_about("throughput", place);
    question.asked.arranged.clear();
    question.ask = {{"quiz.throughput", {{"busy", viz::share(*busy)}, {"size", viz::size_words(largest->problem)}}}};
    const viz::Message why{"quiz.throughput_why"};
    Answers answers({"quiz.throughput_less"}, {why});
    answers.wrong({"quiz.throughput_warps"}, {"quiz.not_so", {{"why", why}}});
    answers.wrong({"quiz.throughput_arithmetic"}, {"quiz.not_so", {{"why", why}}});
    return answers.into(std::move(question), context);
}

} // namespace

std::vector<QuestionKind> speed_questions()
{
    return {
        {"faster",
         {"contradictions", "cures_that_fail", "swizzle", "occupancy_is_not_speed", "coalescing", "cublas", "split_k",
          "prefetch", "stalls"},
         faster,
         Level::intermediate,
         "flow"},
        {"gflops", {"benchmarks"}, gflops, Level::intermediate, "flow"},
        {"peak", {"peak"}, peak, Level::intermediate},
        {"floor", {"floor"}, floor, Level::intermediate},
        {"bound", {"roofline"}, bound, Level::intermediate},
        {"intensity", {"intensity"}, intensity, Level::intermediate, "tiling"},
        {"tile_sizes", {"tile_sizes"}, tile_sizes, Level::intermediate, "tiling"},
        {"throughput", {"throughput"}, throughput, Level::intermediate, "flow"},
        {"dram", {"caches", "dram"}, dram, Level::advanced, "tiling"},
        {"compiled", {"compiler"}, compiled, Level::advanced, "tiling"},
        {"candidates", {"autotuning"}, candidates, Level::advanced, "tiling"},
    };
}

} // namespace app
