#include "viz/views/55_roofline/roofline_messages.h"

#include "viz/analysis/gpu_levels.h"

#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"

namespace viz {

namespace {

uint32_t element_bytes(const RungFigures& rung)
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

Message recorded_message(const RungFigures& rung, const recording::Problem& problem)
{
    if (!rung.traffic)
        return {"roofline.not_recorded"};
    if (!rung.traffic->told_apart)
        return {"roofline.bare"};
    if (!rung.traffic->complete)
        return {"roofline.no_sectors"};
    const Quantity intensity = number(rung.traffic->intensity_at(problem));
    if (rung.tile && smaller_than_tile(rung.traffic->problem, *rung.tile))
        return {"roofline.recorded_partly", {{"intensity", intensity}, {"origin", how_had(rung.traffic.from())}}};
    return {"roofline.recorded", {{"intensity", intensity}, {"origin", how_had(rung.traffic.from())}}};
}

// At each level, of the largest launch that a GPU counted.
Messages counted_messages(const RungFigures& rung)
{
    const HardwareFigures* launch = largest_counted(&rung);
    if (launch == nullptr || !rung.traffic || rung.traffic->flops <= 0)
        return {};
    const CountedIntensity counted = counted_intensity(*launch, flops_of(launch->problem, is_vector(launch->problem)));
    Value::List levels;
    const auto add = [&](const std::optional<double>& value, const char* level) {
        if (value)
            levels.emplace_back(Message{"roofline.counted_level", {{"intensity", number(*value)}, {"level", level}}});
    };
    add(counted.loads, "at the sectors that its loads touch");
    add(counted.l2, "at L2");
    add(counted.dram, "at DRAM");
    if (levels.empty())
        return {};
    return {{"roofline.counted",
             {{"levels", levels}, {"size", size_words(launch->problem)}, {"counted", how_had(launch->from)}}}};
}

constexpr double far = 0.3; // a share below: the roof is not what holds a stage back

// What it demands of each limit.
struct Demand {
    Value::List shares;
    double nearest = 0; // the largest share
    std::string name;   // its limit

    // `by`: whose bytes these are.
    void add(const std::string& what, double demanded, const Ceiling& ceiling, const Messages& by = {})
    {
        const double part = demanded / ceiling.value;
        shares.emplace_back(Message{"roofline.share_of", {{"share", share(part)}, {"what", what}, {"by", by}}});
        if (part > nearest) {
            nearest = part;
            name = what;
        }
    }
};

Demand demand_of(const RungFigures& rung, double intensity, const Ceilings& ceilings, std::optional<double> shared)
{
    const double gbps = rung.speed->gflops / intensity;
    Demand demand;
    if (ceilings.shared && shared)
        demand.add("shared memory", rung.speed->gflops / *shared, *ceilings.shared, {{"roofline.by_wavefronts"}});
    if (ceilings.l1)
        demand.add("L1", gbps, *ceilings.l1, {{"roofline.by_requests"}});
    // Vectors: each value is fetched once, so DRAM serves it. What others fetch again, caches serve.
    if (ceilings.dram && gbps <= ceilings.dram->value && is_vector(rung.speed->problem))
        demand.add("DRAM", gbps, *ceilings.dram, {{"roofline.by_requests"}});
    if (const Ceiling* peak = ceilings.of_type(rung.type))
        demand.add(plain({peak->measured ? "roofline.measured_peak" : "roofline.theoretical_peak",
                          {{"type", upper_case(rung.type)}}}),
                   rung.speed->gflops, *peak);
    return demand;
}

} // namespace

Messages intensity_messages(const RungFigures& rung, const recording::Problem& problem)
{
    Messages messages{{"roofline.intensity"}};
    if (rung.tile)
        messages.push_back({"roofline.formula",
                            {{"intensity", number(rung.tile->intensity())},
                             {"holder", name_of(rung.tile->holder)},
                             {"rows", rung.tile->rows},
                             {"cols", rung.tile->cols},
                             {"bytes", rung.tile->element_bytes}}});
    if (!rung.traffic || rung.traffic->flops > 0)
        messages.push_back(recorded_message(rung, problem));
    for (Message& message : counted_messages(rung))
        messages.push_back(std::move(message));
    const Floor least = floor_of(problem, element_bytes(rung), is_vector(problem), nullptr, nullptr);
    if (least.flops > 0 && !rung.library && rung.traffic && rung.traffic->flops > 0)
        messages.push_back({"roofline.once", {{"intensity", number(least.flops / least.bytes)}}});
    return messages;
}

Floor floor_of_rung(const RungFigures& rung, const recording::Problem& problem, const Ceilings& ceilings)
{
    return floor_of(problem, element_bytes(rung), is_vector(problem), ceilings.dram ? &*ceilings.dram : nullptr,
                    ceilings.of_type(rung.type));
}

Messages floor_messages(const RungFigures& rung, const recording::Problem& problem, const Ceilings& ceilings)
{
    if (rung.traffic && rung.traffic->flops == 0)
        return {{"roofline.no_floor"}};
    const Ceiling* peak = ceilings.of_type(rung.type);
    const Floor floor = floor_of_rung(rung, problem, ceilings);
    const std::string type = upper_case(rung.type);
    const Message memory =
        floor.memory_ms ? Message{"roofline.memory_time",
                                  {{"time", milliseconds(*floor.memory_ms)}, {"bandwidth", tera(ceilings.dram->value)}}}
                        : Message{"roofline.memory_unknown"};
    const Message arithmetic =
        floor.arithmetic_ms
            ? Message{"roofline.arithmetic_time",
                      {{"time", milliseconds(*floor.arithmetic_ms)}, {"peak", tera(peak->value)}, {"type", type}}}
            : Message{"roofline.arithmetic_unknown", {{"type", type}}};
    Messages messages{{"roofline.floor",
                       {{"size", size_words(problem)},
                        {"bytes", bytes(floor.bytes)},
                        {"memory", memory},
                        {"gflop", number(floor.flops * 1e-9)},
                        {"arithmetic", arithmetic}}}};
    const auto least = floor.least_ms();
    if (!least)
        return messages;
    messages.push_back({"roofline.least", {{"time", milliseconds(*least)}, {"memory", floor.memory_bound()}}});
    if (rung.speed && rung.speed->problem == problem && floor.flops > 0) {
        const double takes = floor.flops / rung.speed->gflops * 1e-6;
        messages.push_back({"roofline.takes", {{"time", milliseconds(takes)}, {"times", number(takes / *least)}}});
    }
    return messages;
}

Messages place_messages(const RungFigures& rung, const Ceilings& ceilings, std::optional<double> shared)
{
    if (!rung.speed)
        return {{"roofline.no_speed", {{"why", in_short(rung.speed.missing())}}}};
    const auto intensity = intensity_of(rung.traffic.value(), rung.tile, rung.speed->problem);
    if (!intensity || intensity->value <= 0)
        return {{"roofline.no_place"}};
    const double gbps = rung.speed->gflops / intensity->value;
    Messages messages{
        {"roofline.place",
         {{"gflops", number(rung.speed->gflops)}, {"size", size_words(rung.speed->problem)}, {"demand", tera(gbps)}}}};
    const Demand demand = demand_of(rung, intensity->value, ceilings, shared);
    if (!demand.shares.empty())
        messages.push_back({"roofline.shares", {{"shares", demand.shares}}});
    if (ceilings.dram && gbps > ceilings.dram->value)
        messages.push_back({"roofline.from_caches",
                            {{"dram", tera(ceilings.dram->value)}, {"share", share(1 - ceilings.dram->value / gbps)}}});
    const bool two = demand.shares.size() <= 2;
    if (ceilings.l1 && demand.nearest < far)
        messages.push_back({"roofline.far", {{"two", two}}});
    else if (ceilings.l1)
        messages.push_back({"roofline.nearest", {{"two", two}, {"name", demand.name}}});
    return messages;
}

std::optional<NearRoof> near_roof(const RungFigures& rung, const Ceilings& ceilings, std::optional<double> shared)
{
    const auto intensity =
        rung.speed ? intensity_of(rung.traffic.value(), rung.tile, rung.speed->problem) : std::optional<Intensity>();
    if (!intensity || intensity->value <= 0)
        return {};
    const Demand demand = demand_of(rung, intensity->value, ceilings, shared);
    return demand.name.empty() ? std::nullopt : std::optional(NearRoof{demand.name, demand.nearest});
}

Message nearest_roof(const RungFigures& rung, const Ceilings& ceilings, std::optional<double> shared)
{
    const std::optional<NearRoof> near = near_roof(rung, ceilings, shared);
    if (!near)
        return {"roofline.headline_unknown"};
    const Meaning meaning = near->share < far ? Meaning::conflict : Meaning::good;
    return {"roofline.headline", {{"share", Value(share(near->share)).as(meaning)}, {"name", near->name}}};
}

Messages origin_messages(const RungFigures& rung, const GpuState& gpu)
{
    Messages messages;
    if (rung.speed)
        messages.push_back({"roofline.origin_of_speed", {{"origin", how_had(rung.speed.from())}}});
    if (gpu.measured && gpu.properties)
        messages.push_back({"roofline.origin_of_ceilings", {{"origin", how_had(gpu.measured.from())}}});
    else if (gpu.properties)
        messages.push_back({"roofline.theoretical_ceilings", {{"gpu", gpu.properties->name}}});
    const Ceilings ceilings =
        gpu.properties && gpu.measured ? ceilings_of(*gpu.properties, &*gpu.measured) : Ceilings();
    if (const Ceiling* fp32 = ceilings.of_type("fp32"); fp32 != nullptr && fp32->measured)
        messages.push_back({"roofline.peak_by_clock",
                            {{"measured", number(fp32->value * 1e-3)},
                             {"theory", number(typed_of(*gpu.properties).gflops() * 1e-3)},
                             {"mhz", gpu.properties->clock_khz / 1000}}});
    return messages;
}

} // namespace viz
