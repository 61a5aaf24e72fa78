#include "app/data/claims.h"

#include "app/data/fields_json.h"

#include "claim_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace app {

namespace {

constexpr int format_of_claims = 1;

void require_a_figure(const Claim& claim)
{
    if (compares_two(claim.measure) && claim.against.empty() && !claim.gflops)
        throw kernels::Error(claim.id + " is compared with nothing");
    const bool has = claim.gflops || claim.amount || claim.order;
    if (has != claim.missing.empty())
        throw kernels::Error(claim.id + " has neither a figure nor a reason, or both");
}

void require_stages(const Claim& claim, const Ladder& ladder)
{
    kernels::find_stage(ladder, claim.stage);
    if (!claim.against.empty())
        kernels::find_stage(ladder, claim.against);
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

Claims claims_from(const nlohmann::json& json, const Ladder& ladder)
{
    require_format(json, format_of_claims);
    auto claims = from_named_json<Claims>(json);
    std::set<std::string> ids;
    for (const Claim& claim : claims.all) {
        require_stages(claim, ladder);
        require_a_figure(claim);
        if (!ids.insert(claim.id).second)
            throw kernels::Error(claim.id + " is there twice");
        const auto source = std::ranges::find(claims.sources, claim.source, &ClaimSource::id);
        if (source == claims.sources.end())
            throw kernels::Error(fmt::format("{} is of '{}', which is no source", claim.id, claim.source));
        if (source->ran_on.empty() && (claim.ran_gflops || claim.ran_share || claim.ran_wrong))
            throw kernels::Error(claim.id + " ran on no GPU");
    }
    return claims;
}

Claims shipped_claims(const Ladder& ladder)
{
    return claims_from(parse_json(claim_files::file("claims.json")), ladder);
}

} // namespace app
