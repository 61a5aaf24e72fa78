#include "app/learn/facts.h"

#include "app/data/metrics.h"

#include "error.h"

#include "viz/analysis/counted.h"
#include "viz/analysis/gpu_levels.h"
#include "viz/analysis/instruction_mix.h"
#include "viz/analysis/placement.h"
#include "viz/analysis/roofline.h"
#include "viz/text/figures.h"

#include "model/access_cost.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace app {

namespace {

const TimedRow& row_of(const FactContext& shown, std::string_view slug)
{
    const TimedRow* row = shown.examples.timed(slug);
    if (row == nullptr)
        throw kernels::Error("its speed is not shipped");
    return *row;
}

const TimedRow& row_of(const FactContext& shown)
{
    return row_of(shown, shown.slug);
}

// Returns a metric of the timed row by its id.
double timed(const FactContext& shown, std::string_view id, std::string_view slug)
{
    const auto figure = metric(id).of(facts_of(shown.examples.catalogue().speeds, row_of(shown, slug)));
    if (!figure)
        throw kernels::Error("it was not measured");
    return *figure;
}

double timed(const FactContext& shown, std::string_view id)
{
    return timed(shown, id, shown.slug);
}

// Returns the executed loads at the shown size.
uint64_t executed_loads(const FactContext& shown)
{
    const CountedRow* row = shown.examples.counted(shown.slug, shown.recording->problem);
    if (row == nullptr)
        throw kernels::Error("its counters are not shipped at this size");
    const auto found = row->counters.sums.find("smsp__sass_inst_executed_op_shared_ld.sum");
    if (found == row->counters.sums.end())
        throw kernels::Error("the GPU did not count it");
    return found->second;
}

// Returns the launch whose instructions were counted, which the bars of "Why faster" show.
viz::CountedRun run_of(const FactContext& shown)
{
    const kernels::Job job = job_of(shown.place, shown.examples.ladder(), shown.slug != shown.place.stage());
    auto run = shown.examples.catalogue().counters.run_of(*job.stage, job.parameters);
    if (!run)
        throw kernels::Error("its instructions were not counted one by one");
    return std::move(*run);
}

viz::Value share_of_executed(const FactContext& shown, viz::InstructionClass of)
{
    return viz::share(viz::mix_of(*run_of(shown).run).share(of));
}

const CountedRow& counted_row(const FactContext& shown, bool largest)
{
    const CountedRow* best = nullptr;
    for (const CountedRow& row : shown.examples.catalogue().counters.rows)
        if (row.slug == shown.slug && (best == nullptr || (row.problem.N > best->problem.N) == largest))
            best = &row;
    if (best == nullptr)
        throw kernels::Error("its counters are not shipped");
    return *best;
}

double known(const std::optional<double>& figure)
{
    if (!figure)
        throw kernels::Error("the GPU did not count it");
    return *figure;
}

// Returns a metric at the largest or the smallest counted size.
double metric_of(const FactContext& shown, std::string_view id, bool largest = true)
{
    return known(metric(id).of(facts_of(shown.examples.catalogue().counters, counted_row(shown, largest))).value());
}

double least_bytes(const FactContext& shown)
{
    const CountedRow& row = counted_row(shown, true);
    return least_dram_bytes({&kernels::find_stage(shown.examples.ladder(), shown.slug), row.parameters, row.problem});
}

viz::MemoryLevel level_of(const FactContext& shown, std::string_view name)
{
    for (const viz::MemoryLevel& level : shown.examples.memory_levels())
        if (level.name.find(name) != std::string::npos)
            return level;
    throw kernels::Error("the GPU's memory was not measured");
}

viz::Value cycles_of(const FactContext& shown, std::string_view name)
{
    const viz::MemoryLevel level = level_of(shown, name);
    if (!level.latency)
        throw kernels::Error("its latency was not measured");
    return static_cast<int64_t>(std::lround(level.latency->cycles));
}

viz::PlacementPicture placement_of(const FactContext& shown)
{
    const auto picture = viz::placement_of(*shown.recording);
    if (!picture)
        throw kernels::Error("when its blocks ran was not recorded on a GPU");
    return *picture;
}

const TriedParameters& search_of(const FactContext& shown)
{
    const TriedParameters* search = shown.examples.catalogue().searches.find(shown.slug);
    if (search == nullptr)
        throw kernels::Error("no search is shipped");
    return *search;
}

std::vector<double> tried(const FactContext& shown)
{
    std::vector<double> gflops;
    for (const kernels::Candidate& one : search_of(shown).ranked)
        if (one.state == kernels::Candidate::State::right)
            gflops.push_back(one.gflops);
    return gflops;
}

// Returns the ceilings of the roofline, measured if available, so that a lesson has the figures of the view that it
// shows.
viz::Ceilings ceilings_of(const FactContext& shown)
{
    const auto& facts = shown.examples.catalogue().gpu.facts;
    return viz::ceilings_of(shown.examples.gpu(), facts && facts->measured ? &*facts->measured : nullptr);
}

viz::Ceiling arithmetic_roof(const FactContext& shown)
{
    const viz::Ceilings all = ceilings_of(shown);
    const viz::Ceiling* fp32 = all.of_type("fp32");
    return fp32 != nullptr ? *fp32 : viz::Ceiling{shown.examples.gpu().fp32_gflops};
}

viz::Ceiling memory_roof(const FactContext& shown)
{
    return ceilings_of(shown).dram.value_or(viz::Ceiling{shown.examples.gpu().memory_gbps()});
}

viz::Floor floor_of(const FactContext& shown)
{
    const viz::Ceiling memory = memory_roof(shown), arithmetic = arithmetic_roof(shown);
    return viz::floor_of(row_of(shown).problem, 4, false, &memory, &arithmetic);
}

viz::Value milliseconds(double ms)
{
    return viz::nanoseconds(ms * 1e6);
}

viz::Value error_of(const FactContext& shown, std::string_view library)
{
    return viz::rounded(timed(shown, "error", library));
}

viz::Value speed_of(const FactContext& shown, std::string_view library)
{
    return viz::number(timed(shown, "gflops", library));
}

void add_speeds(Facts& facts)
{
    facts.add("gflops", "GFLOPS, as timed", [](const FactContext& s) { return viz::number(timed(s, "gflops")); });
    facts.add("of_cublas", "share of cuBLAS", [](const FactContext& s) { return viz::share(timed(s, "of_cublas")); });
    facts.add("of_best", "share of the fastest of cuBLASLt's algorithms",
              [](const FactContext& s) { return viz::share(timed(s, "of_best")); });
    facts.add("time", "time of one run", [](const FactContext& s) { return milliseconds(timed(s, "median_ms")); });
    facts.add("runs", "runs that were timed", [](const FactContext& s) { return row_of(s).timing.samples; });
    facts.add("timed_size", "size that was timed",
              [](const FactContext& s) { return viz::size_words(row_of(s).problem); });
    facts.add("times", "how many times as fast as the other stage", [](const FactContext& s) {
        const std::string& other = s.slug == s.place.columns[1].stage ? s.place.stage() : s.place.columns[1].stage;
        const double times = timed(s, "gflops") / timed(s, "gflops", other);
        return viz::with_decimals(times, times < 9.95 ? 2 : 1); // formatted like the headline of "Why faster"
    });
    facts.add("cublas_gflops", "GFLOPS of cuBLAS", [](const FactContext& s) { return speed_of(s, "cublas_sgemm"); });
    facts.add("cublas_beside", "GFLOPS of cuBLAS in the run of the stage, which its share is of",
              [](const FactContext& s) { return viz::number(timed(s, "gflops") / timed(s, "of_cublas")); });
    facts.add("error", "error of the result, relative to the FP32 operands",
              [](const FactContext& s) { return viz::rounded(timed(s, "error")); });
    facts.add("error_fp32", "the same of cuBLAS in FP32",
              [](const FactContext& s) { return error_of(s, "cublas_sgemm"); });
    facts.add("error_tf32", "in TF32", [](const FactContext& s) { return error_of(s, "cublas_tf32"); });
    facts.add("error_fp16", "in FP16", [](const FactContext& s) { return error_of(s, "cublas_fp16"); });
    facts.add("error_bf16", "in BF16", [](const FactContext& s) { return error_of(s, "cublas_bf16"); });
    facts.add("tf32_gflops", "GFLOPS of cuBLAS in TF32",
              [](const FactContext& s) { return speed_of(s, "cublas_tf32"); });
    facts.add("fp16_gflops", "in FP16", [](const FactContext& s) { return speed_of(s, "cublas_fp16"); });
    facts.add("bf16_gflops", "in BF16", [](const FactContext& s) { return speed_of(s, "cublas_bf16"); });
    facts.add("device", "the GPU that was measured",
              [](const FactContext& s) { return s.examples.catalogue().speeds.from.device; });
    facts.add("date", "the day", [](const FactContext& s) { return s.examples.catalogue().speeds.from.date; });
    facts.add("tried", "candidates that a search timed",
              [](const FactContext& s) { return search_of(s).ranked.size(); });
    facts.add("best", "GFLOPS of the best of them",
              [](const FactContext& s) { return viz::number(std::ranges::max(tried(s))); });
    facts.add("worst", "GFLOPS of the slowest right one",
              [](const FactContext& s) { return viz::number(std::ranges::min(tried(s))); });
    facts.add("floor", "least time, by arithmetic and by bytes",
              [](const FactContext& s) { return milliseconds(known(floor_of(s).least_ms())); });
    facts.add("floor_memory", "least time by bytes alone",
              [](const FactContext& s) { return milliseconds(known(floor_of(s).memory_ms)); });
}

void add_counts(Facts& facts)
{
    facts.add("counted_size", "the largest size that was counted",
              [](const FactContext& s) { return viz::size_words(counted_row(s, true).problem); });
    facts.add("asked", "bytes that requests load there",
              [](const FactContext& s) { return viz::bytes(metric_of(s, "global_load_sectors") * 32); });
    facts.add("dram", "bytes that came from DRAM",
              [](const FactContext& s) { return viz::bytes(metric_of(s, "dram_read_bytes")); });
    facts.add("least", "bytes of A and B", [](const FactContext& s) { return viz::bytes(least_bytes(s)); });
    facts.add("l1_hits", "share of sectors that L1 had",
              [](const FactContext& s) { return viz::share(metric_of(s, "l1_hit_rate")); });
    facts.add("l2_hits", "share of sectors that L2 had",
              [](const FactContext& s) { return viz::share(metric_of(s, "l2_hit_rate")); });
    facts.add("issued", "instructions issued in a cycle by an SM",
              [](const FactContext& s) { return viz::rounded(metric_of(s, "issued_per_cycle")); });
    facts.add("executed_loads", "loads of shared memory that the GPU executed",
              [](const FactContext& s) { return executed_loads(s); });
    facts.add("executed_all", "warp instructions that the GPU executed, counted one by one",
              [](const FactContext& s) { return viz::mix_of(*run_of(s).run).total(); });
    facts.add("executed_size", "the size of that launch",
              [](const FactContext& s) { return viz::size_words(run_of(s).problem); });
    facts.add("share_arithmetic", "share of them that is floating-point arithmetic",
              [](const FactContext& s) { return share_of_executed(s, viz::InstructionClass::floating); });
    facts.add("share_shared", "share of them that loads or stores shared memory",
              [](const FactContext& s) { return share_of_executed(s, viz::InstructionClass::shared); });
    facts.add("counted_wavefronts", "wavefronts of shared loads, counted at the smallest size",
              [](const FactContext& s) { return viz::number(metric_of(s, "shared_load_wavefronts", false)); });
}

void add_gpu(Facts& facts)
{
    facts.add("gpu", "the GPU", [](const FactContext& s) { return s.examples.gpu().name; });
    facts.add("sms", "its SMs", [](const FactContext& s) { return s.examples.gpu().sm_count; });
    facts.add("lanes_of_sm", "FP32 lanes of an SM",
              [](const FactContext& s) { return viz::lanes_of_sm(s.examples.gpu().compute_capability); });
    facts.add("peak", "the roof of arithmetic in TFLOPS",
              [](const FactContext& s) { return viz::number(arithmetic_roof(s).value * 1e-3); });
    facts.add("bandwidth", "the roof of DRAM in TB/s",
              [](const FactContext& s) { return viz::number(memory_roof(s).value * 1e-3); });
    facts.add("ridge", "FLOP per byte where they meet",
              [](const FactContext& s) { return viz::rounded(arithmetic_roof(s).value / memory_roof(s).value); });
    facts.add("l2", "bytes of L2",
              [](const FactContext& s) { return viz::bytes(static_cast<double>(s.examples.gpu().l2_bytes)); });
    facts.add("cycles_shared", "cycles until shared memory answers",
              [](const FactContext& s) { return cycles_of(s, "hared"); });
    facts.add("cycles_l1", "cycles until L1 answers", [](const FactContext& s) { return cycles_of(s, "L1"); });
    facts.add("cycles_l2", "cycles until L2 answers", [](const FactContext& s) { return cycles_of(s, "L2"); });
    facts.add("cycles_dram", "cycles until DRAM answers", [](const FactContext& s) { return cycles_of(s, "DRAM"); });
    facts.add("waves", "waves of the recorded launch", [](const FactContext& s) { return placement_of(s).waves; });
    facts.add("sms_used", "SMs that ran a block of it", [](const FactContext& s) { return placement_of(s).sms_used; });
}

void add_constants(Facts& facts)
{
    facts.add("warp_size", "lanes of a warp", [](const FactContext&) { return recording::warp_size; });
    facts.add("banks", "banks of shared memory", [](const FactContext&) { return model::banks; });
    facts.add("word_bytes", "bytes of a word", [](const FactContext&) { return model::bank_bytes; });
    facts.add("sector_bytes", "bytes of a sector", [](const FactContext&) { return model::sector_bytes; });
    facts.add("wavefront_bytes", "bytes that a wavefront moves at most",
              [](const FactContext&) { return model::banks * model::bank_bytes; });
}

} // namespace

void add_speed_facts(Facts& facts)
{
    add_speeds(facts);
    add_counts(facts);
    add_gpu(facts);
    add_constants(facts);
}

} // namespace app
