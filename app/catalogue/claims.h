// What published ladders claim of their kernels, each beside the stage of ours that has the same idea: assets/claims/claims.json,
// which is a part of the program. Claims only: what a GPU gave here comes from what is shipped (app/session/claim_table.h).
#pragma once

#include "app/catalogue/shipped_file.h"

#include "base/fields.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

enum class ClaimMeasure : uint8_t {
    speed,        // times as fast as the stage it is compared with
    dram_gbps,    // times the bytes per second of memory, likewise
    cublas_share, // 1 is as fast as cuBLAS
    peak_share,   // of the arithmetic peak
    dram_bytes,   // that memory gives and takes
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

constexpr const char* amount_name(ClaimMeasure measure) // in the file
{
    switch (measure) {
    case ClaimMeasure::cublas_share: return "of_cublas";
    case ClaimMeasure::peak_share: return "of_peak";
    case ClaimMeasure::dram_bytes: return "bytes";
    case ClaimMeasure::speed:
    case ClaimMeasure::dram_gbps: break;
    }
    return "times"; // as fast; nothing where it has GFLOPS of both
}

struct ClaimSource {
    std::string id, name; // "siboehm/SGEMM_CUDA"
    std::string gpu;      // on which it measured; empty: not known
    std::string ran_on;   // a GPU on which its own program was run for our notes; empty: none
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
    std::string kernel;  // as its source calls it
    std::string stage;   // of ours, with that idea
    std::string against; // a stage of ours; empty: compared with none
    ClaimMeasure measure = ClaimMeasure::speed;
    std::optional<double> gflops, of_cublas;     // as published
    std::optional<double> amount;                // where no GFLOPS say it: in the unit of `measure`
    std::optional<ClaimOrder> order;             // where the claim has no figure, only this
    std::string said;                            // in its words; may be empty
    std::string missing;                         // why it has no figure, as a sentence; empty: it has one
    std::optional<double> ran_gflops, ran_share; // of its own program on `ran_on`
    bool ran_wrong = false;                      // its results there were wrong
    std::string why;                             // it agrees or not, as far as it is known
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
    uint32_t side = 0; // of the cubes at which they are compared
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

// Throws kernels::Error where something is missing, names what the ladder has not, or is said twice.
Claims claims_from(const nlohmann::json& json, const Ladder& ladder);

Claims shipped_claims(const Ladder& ladder);

} // namespace app
