#include "app/catalogue/claims.h"

#include "app/catalogue/fields_json.h"

#include "claim_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace app {

namespace {

using nlohmann::json;

constexpr int format_of_claims = 1;

void require_a_figure(const Claim& claim)
{
    if (compares_two(claim.measure) && claim.against.empty() && !claim.gflops)
        throw kernels::Error(claim.id + " is compared with nothing");
    const bool has = claim.gflops || claim.amount || claim.order;
    if (has != claim.missing.empty())
        throw kernels::Error(claim.id + " has neither a figure nor a reason, or both");
}

Claim claim_from(const json& row, const Ladder& ladder)
{
    auto claim = from_named_json<Claim>(row);
    kernels::find_stage(ladder, claim.stage);
    if (!claim.against.empty())
        kernels::find_stage(ladder, claim.against);
    require_a_figure(claim);
    return claim;
}

} // namespace

std::string_view name(ClaimMeasure measure)
{
    return names_of(measure).at(static_cast<std::size_t>(measure));
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
    claims.sources = field_of<std::vector<ClaimSource>>(object, "sources");
    std::set<std::string> ids;
    for (const json& one : file.list("claims")) {
        Claim claim = claim_from(one, ladder);
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
