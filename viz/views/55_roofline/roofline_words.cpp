#include "viz/views/55_roofline/roofline_words.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace viz {

namespace {

// Prose whose pieces are words of one sentence: a blank between them, none before a full stop and inside of brackets.
class Sentence {
public:
    Sentence(const Theme& theme, std::string_view topic) : prose_(theme) { prose_.strong(topic); }
    Sentence& say(const std::string& words)
    {
        prose_.say((open_ || words.find_first_of(".,:)") == 0 ? "" : " ") + words);
        open_ = words.ends_with('(');
        return *this;
    }
    Sentence& figure(const std::string& words)
    {
        if (!open_)
            prose_.say(" ");
        prose_.figure(words);
        open_ = false;
        return *this;
    }
    const Prose& prose() const { return prose_; }

private:
    Prose prose_;
    bool open_ = false;
};

bool is_vector(const recording::Problem& problem)
{
    return problem.M == 1 && problem.K == 1;
}

std::string time_text(double ms)
{
    return time_words(ms * 1e6);
}

std::string bytes_text(double bytes)
{
    return bytes < 1e6   ? fmt::format("{:.3g} kB", bytes * 1e-3)
           : bytes < 1e9 ? fmt::format("{:.3g} MB", bytes * 1e-6)
                         : fmt::format("{:.3g} GB", bytes * 1e-9);
}

std::string three_digits(double value)
{
    return value < 10 ? fmt::format("{:.2g}", value) : value < 100 ? fmt::format("{:.3g}", value) : thousands(value);
}

// At each level, of the largest launch that a GPU counted.
void say_counted(Sentence& prose, const RungFacts& rung)
{
    if (rung.counted.empty() || !rung.traffic || rung.traffic->flops <= 0)
        return;
    const HardwareFigures& launch = rung.counted.back();
    const CountedIntensity counted = counted_intensity(launch, flops_of(launch.problem, is_vector(launch.problem)));
    bool any = false;
    const auto say = [&](const std::optional<double>& value, const char* level) {
        if (!value)
            return;
        prose.say(any ? "," : "By counter").figure(three_digits(*value)).say(level);
        any = true;
    };
    say(counted.loads, "at the sectors that its loads touch");
    say(counted.l2, "at L2");
    say(counted.dram, "at DRAM");
    if (any)
        prose.say(fmt::format(": {}, {}.", size_words(launch.problem), counted_words(launch.from)));
}

uint32_t element_bytes(const RungFacts& rung)
{
    if (rung.tile)
        return rung.tile->element_bytes;
    return rung.traffic ? rung.traffic->element_bytes : 4;
}

std::string upper(std::string words)
{
    for (char& letter : words)
        letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    return words;
}

} // namespace

Prose intensity_words(const Theme& theme, const RungFacts& rung, const recording::Problem& problem)
{
    Sentence prose(theme, "FLOP per byte.");
    if (rung.tile) {
        const ReuseTile& tile = *rung.tile;
        prose.say("By formula").figure(three_digits(tile.intensity()));
        prose.say(
            fmt::format(": for each k a {} fetches {} + {} values of {} bytes and makes {} × {} products of them.",
                        name_of(tile.holder), tile.rows, tile.cols, tile.element_bytes, tile.rows, tile.cols));
    }
    const bool partly = rung.traffic && rung.tile && smaller_than_tile(rung.traffic->problem, *rung.tile);
    if (rung.traffic && rung.traffic->flops > 0 && !rung.traffic->told_apart) {
        prose.say("Its recording has no block in full (--bare), so loads of A and B are not told from others.");
    } else if (rung.traffic && rung.traffic->complete && rung.traffic->flops > 0) {
        prose.say("By recording").figure(three_digits(rung.traffic->intensity_at(problem)));
        prose.say(fmt::format(": sectors of 32 bytes that its requests touch, {}{}.", rung.traffic_origin,
                              partly ? ", where the matrices are smaller than the tile: the point stands at the formula"
                                     : ""));
    } else if (rung.traffic && rung.traffic->flops > 0) {
        prose.say("Its recording has no sectors of A and B: bulk copies fetch them, and no lane asks.");
    } else if (!rung.traffic) {
        prose.say("Nothing is recorded with these parameters yet; choose the stage to record it.");
    }
    say_counted(prose, rung);
    const Floor least = floor_of(problem, element_bytes(rung), is_vector(problem), nullptr, nullptr);
    if (least.flops > 0 && !rung.library && rung.traffic && rung.traffic->flops > 0)
        prose.say("If every value moved once:").figure(three_digits(least.flops / least.bytes)).say(".");
    return prose.prose();
}

Prose floor_words(const Theme& theme, const RungFacts& rung, const recording::Problem& problem,
                  const Ceilings& ceilings)
{
    Sentence prose(theme, "Floor.");
    if (rung.traffic && rung.traffic->flops == 0)
        return prose.say("It computes nothing, so arithmetic sets none.").prose();
    const Ceiling* peak = ceilings.of_type(rung.type);
    const Ceiling* dram = ceilings.dram ? &*ceilings.dram : nullptr;
    const Floor floor = floor_of(problem, element_bytes(rung), is_vector(problem), dram, peak);
    prose.say(fmt::format("At {} it must move at least {}", size_words(problem), bytes_text(floor.bytes)));
    if (floor.memory_ms)
        prose.say("(")
            .figure(time_text(*floor.memory_ms))
            .say(fmt::format("at DRAM's {:.3g} TB/s)", dram->value * 1e-3));
    else
        prose.say("(DRAM's bandwidth is not known)");
    prose.say(fmt::format("and make {} GFLOP", thousands(floor.flops * 1e-9)));
    if (floor.arithmetic_ms)
        prose.say("(")
            .figure(time_text(*floor.arithmetic_ms))
            .say(fmt::format("at {} TFLOPS of {}).", three_digits(peak->value * 1e-3), upper(rung.type)));
    else
        prose.say(fmt::format("(the peak of {} is not known).", upper(rung.type)));
    const auto least = floor.least_ms();
    if (!least)
        return prose.prose();
    prose.say("So at least").figure(time_text(*least));
    prose.say(floor.memory_bound() ? ": the bytes decide." : ": the arithmetic decides.");
    if (rung.speed && rung.speed->problem == problem && floor.flops > 0) {
        const double takes = floor.flops / rung.speed->gflops * 1e-6;
        prose.say("It takes").figure(time_text(takes)).say(",").figure(fmt::format("{:.3g} ×", takes / *least));
        prose.say("the floor.");
    }
    return prose.prose();
}

Prose place_words(const Theme& theme, const RungFacts& rung, const Ceilings& ceilings)
{
    Sentence prose(theme, "Under the roofs.");
    if (!rung.speed)
        return prose.say(rung.why_no_speed.empty() ? "No speed is known." : "No speed: " + rung.why_no_speed + ".")
            .prose();
    const auto intensity = intensity_of(rung.traffic, rung.tile, rung.speed->problem);
    if (!intensity || intensity->value <= 0)
        return prose.say("Without an intensity it has no place.").prose();
    const double demand = rung.speed->gflops / intensity->value; // GB/s
    prose.figure(thousands(rung.speed->gflops)).say(fmt::format("GFLOPS at {} mean", size_words(rung.speed->problem)));
    prose.figure(fmt::format("{:.3g} TB/s", demand * 1e-3)).say("for its requests");
    double nearest = 0;
    int limits = 0;
    std::string name;
    const auto share_of = [&](const char* what, double share) {
        prose.say(",").figure(percent(share)).say(fmt::format("of what {} gives", what));
        ++limits;
        if (share > nearest) {
            nearest = share;
            name = what;
        }
    };
    if (ceilings.l1)
        share_of("L1", demand / ceilings.l1->value);
    // Vectors: each value is fetched once, so DRAM serves it. What others fetch again, caches serve.
    if (ceilings.dram && demand <= ceilings.dram->value && is_vector(rung.speed->problem))
        share_of("DRAM", demand / ceilings.dram->value);
    if (const Ceiling* peak = ceilings.of_type(rung.type))
        share_of(("the " + upper(rung.type) + " peak").c_str(), rung.speed->gflops / peak->value);
    prose.say(".");
    if (ceilings.dram && demand > ceilings.dram->value)
        prose.say("That is more than DRAM's")
            .figure(fmt::format("{:.3g} TB/s", ceilings.dram->value * 1e-3))
            .say(": caches served")
            .figure(percent(1 - ceilings.dram->value / demand))
            .say("of these bytes, or more.");
    if (ceilings.l1 && nearest < 0.3)
        prose.say(fmt::format("Far from {}: waiting, shared memory or other instructions hold it back.",
                              limits > 2 ? "all of them" : "both"));
    else if (ceilings.l1)
        prose.say(fmt::format("The {} limit is {}.", limits > 2 ? "nearest" : "nearer", name));
    return prose.prose();
}

Prose origin_words(const Theme& theme, const RungFacts& rung, const GpuState& gpu)
{
    Prose prose(theme);
    if (rung.speed)
        prose.faint("Speed: " + rung.speed->origin + ". ");
    if (gpu.measured && gpu.properties)
        prose.faint(fmt::format("Ceilings: {}.", gpu.origin));
    else if (gpu.properties)
        prose.faint(
            fmt::format("Ceilings: theoretical, of {}; the view \"The GPU\" measures them.", gpu.properties->name));
    return prose;
}

} // namespace viz
