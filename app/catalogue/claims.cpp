#include "app/catalogue/claims.h"

#include "claim_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace app {

namespace {

using nlohmann::json;

constexpr int format_of_claims = 1;
constexpr std::array<std::string_view, 5> measure_names = {"speed", "dram_gbps", "cublas_share", "peak_share",
                                                           "dram_bytes"};

ClaimMeasure measure_from(const Fields& row)
{
    if (!row.has("measure"))
        return ClaimMeasure::speed;
    const std::string text = row.text("measure");
    const auto found = std::ranges::find(measure_names, text);
    if (found == measure_names.end())
        throw kernels::Error(fmt::format("'{}' is nothing that is measured", text));
    return static_cast<ClaimMeasure>(found - measure_names.begin());
}

// How often the source compares the two; nothing where it has GFLOPS of both.
std::optional<double> amount_of(const Fields& row, ClaimMeasure measure)
{
    switch (measure) {
    case ClaimMeasure::cublas_share: return row.maybe_positive("of_cublas");
    case ClaimMeasure::peak_share: return row.maybe_positive("of_peak");
    case ClaimMeasure::dram_bytes: return row.maybe_positive("bytes");
    case ClaimMeasure::speed:
    case ClaimMeasure::dram_gbps: break;
    }
    return row.maybe_positive("times");
}

std::optional<bool> order_of(const Fields& row)
{
    if (!row.has("order"))
        return {};
    const std::string order = row.text("order");
    if (order != "slower" && order != "faster")
        throw kernels::Error(fmt::format("'{}' is neither slower nor faster", order));
    return order == "faster";
}

void require_a_figure(const Claim& claim)
{
    if (compares_two(claim.measure) && claim.against.empty() && !claim.gflops)
        throw kernels::Error(claim.id + " is compared with nothing");
    const bool has = claim.gflops || claim.amount || claim.faster;
    if (has != claim.missing.empty())
        throw kernels::Error(claim.id + " has neither a figure nor a reason, or both");
}

Claim claim_from(const Fields& row, const Ladder& ladder)
{
    const kernels::Stage& stage = kernels::find_stage(ladder, row.text("stage"));
    Claim claim{.id = row.text("id"),
                .source = row.text("source"),
                .kernel = row.text("kernel"),
                .stage = std::string(stage.slug),
                .against = row.text_or_none("against"),
                .measure = measure_from(row),
                .gflops = row.maybe_positive("gflops"),
                .of_cublas = row.maybe_positive("of_cublas"),
                .amount = {},
                .faster = order_of(row),
                .said = row.text_or_none("said"),
                .missing = row.text_or_none("missing"),
                .ran_gflops = row.maybe_positive("ran_gflops"),
                .ran_share = row.maybe_positive("ran_share"),
                .ran_wrong = row.has("ran_wrong") && row.flag("ran_wrong"),
                .why = row.text("why")};
    claim.amount = amount_of(row, claim.measure);
    if (!claim.against.empty())
        kernels::find_stage(ladder, claim.against);
    require_a_figure(claim);
    return claim;
}

} // namespace

std::string_view name(ClaimMeasure measure)
{
    return measure_names.at(static_cast<std::size_t>(measure));
}

const ClaimSource& Claims::source_of(const Claim& claim) const
{
    return *std::ranges::find(sources, claim.source, &ClaimSource::id);
}

Claims claims_from(const json& object, const Ladder& ladder)
{
    const Fields file(object);
    if (file.whole<int>("format") != format_of_claims)
        throw kernels::Error("it has a format of another gemmscope");
    Claims claims{.side = file.whole<uint32_t>("size", 1, 1u << 20), .sources = {}, .all = {}};
    for (const json& one : file.list("sources")) {
        const Fields row(one);
        claims.sources.push_back({row.text("id"), row.text("name"), row.text("gpu"), row.text_or_none("ran_on")});
    }
    std::set<std::string> ids;
    for (const json& one : file.list("claims")) {
        Claim claim = claim_from(Fields(one), ladder);
        if (!ids.insert(claim.id).second)
            throw kernels::Error(claim.id + " is there twice");
        const auto source = std::ranges::find(claims.sources, claim.source, &ClaimSource::id);
        if (source == claims.sources.end())
            throw kernels::Error(fmt::format("{} is of '{}', which is no source", claim.id, claim.source));
        if (source->ran_on.empty() && (claim.ran_gflops || claim.ran_share || claim.ran_wrong))
            throw kernels::Error(claim.id + " ran on no GPU");
        claims.all.push_back(std::move(claim));
    }
    return claims;
}

Claims shipped_claims(const Ladder& ladder)
{
    return claims_from(parse_json(claim_files::file("claims.json")), ladder);
}

} // namespace app
