// Claims of published ladders about their kernels, each with our stage of the same idea, from
// assets/claims/claims.json. The file is part of the program. It holds only claims: the figures of our GPU come from
// the shipped files (app/session/claim_table.h).
#pragma once

#include "app/data/shipped_file.h"

#include "base/fields.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

enum class ClaimMeasure : uint8_t {
    speed,        // factor over the speed of the stage it is compared with
    dram_gbps,    // factor over that stage's memory bandwidth
    cublas_share, // 1: as fast as cuBLAS
    peak_share,   // share of the arithmetic peak
    dram_bytes,   // bytes read from and written to DRAM
};
constexpr std::array<std::string_view, 5> names_of(ClaimMeasure)
{
    return {"speed", "dram_gbps", "cublas_share", "peak_share", "dram_bytes"};
}
std::string_view name(ClaimMeasure measure);
constexpr bool compares_two(ClaimMeasure measure)
{
    return measure == ClaimMeasure::speed || measure == ClaimMeasure::dram_gbps;
}

constexpr const char* amount_name(ClaimMeasure measure) // name of the field in the file
{
    switch (measure) {
    case ClaimMeasure::cublas_share: return "of_cublas";
    case ClaimMeasure::peak_share: return "of_peak";
    case ClaimMeasure::dram_bytes: return "bytes";
    case ClaimMeasure::speed:
    case ClaimMeasure::dram_gbps: break;
    }
    return "times"; // the factor; absent if the claim has both speeds in GFLOPS
}

struct ClaimSource {
    std::string id, name; // name: for example "siboehm/SGEMM_CUDA"
    std::string gpu;      // GPU of its measurements; empty: unknown
    std::string ran_on;   // GPU on which its program was run for our notes; empty: none
};
void fields(auto& visit, kernels::Like<ClaimSource> auto& source)
{
    visit("id", source.id);
    visit("name", source.name);
    visit("gpu", source.gpu);
    visit("ran_on", source.ran_on, kernels::unless_empty);
}

enum class ClaimOrder : uint8_t { slower, faster };
constexpr std::array<std::string_view, 2> names_of(ClaimOrder)
{
    return {"slower", "faster"};
}

struct Claim {
    std::string id, source;
    std::string kernel;  // name in its source
    std::string stage;   // our stage with the same idea
    std::string against; // our stage to compare with; empty: none
    ClaimMeasure measure = ClaimMeasure::speed;
    std::optional<double> gflops, of_cublas;     // published figures
    std::optional<double> amount;                // in the unit of `measure`, if no GFLOPS express it
    std::optional<ClaimOrder> order;             // for a claim that states only the order, without a figure
    std::string said;                            // quotation; may be empty
    std::string missing;                         // sentence that says why there is no figure; empty: there is one
    std::optional<double> ran_gflops, ran_share; // figures of the published program on `ran_on`
    bool ran_wrong = false;                      // the published program's results were wrong there
    std::string why;                             // why it agrees with our figures or not, as far as known
};
void fields(auto& visit, kernels::Like<Claim> auto& claim)
{
    visit("id", claim.id);
    visit("source", claim.source);
    visit("kernel", claim.kernel);
    visit("stage", claim.stage);
    visit("against", claim.against, kernels::unless_empty);
    visit("measure", claim.measure, kernels::unless_empty);
    visit("gflops", claim.gflops, kernels::above_zero);
    visit("of_cublas", claim.of_cublas, kernels::above_zero);
    visit(amount_name(claim.measure), claim.amount, kernels::above_zero);
    visit("order", claim.order);
    visit("said", claim.said, kernels::unless_empty);
    visit("missing", claim.missing, kernels::unless_empty);
    visit("ran_gflops", claim.ran_gflops, kernels::above_zero);
    visit("ran_share", claim.ran_share, kernels::above_zero);
    visit("ran_wrong", claim.ran_wrong, kernels::unless_empty);
    visit("why", claim.why);
}

struct Claims {
    uint32_t side = 0; // M, N and K of the compared problems
    std::vector<ClaimSource> sources;
    std::vector<Claim> all; // in the order of their sources

    const ClaimSource& source_of(const Claim& claim) const;
};
void fields(auto& visit, kernels::Like<Claims> auto& claims)
{
    visit("size", claims.side, kernels::between(1u, 1u << 20));
    visit("sources", claims.sources);
    visit("claims", claims.all);
}

// Parses the claims. Throws kernels::Error if something is missing or duplicate, or is not in the ladder.
Claims claims_from(const nlohmann::json& json, const Ladder& ladder);

Claims shipped_claims(const Ladder& ladder);

} // namespace app
