// What published ladders claim of their kernels, each beside the stage of ours that has the same idea: assets/claims/claims.json,
// which is a part of the program. Claims only: what a GPU gave here comes from what is shipped (app/session/claim_table.h).
#pragma once

#include "app/catalogue/shipped_file.h"

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
std::string_view name(ClaimMeasure measure);
constexpr bool compares_two(ClaimMeasure measure)
{
    return measure == ClaimMeasure::speed || measure == ClaimMeasure::dram_gbps;
}

struct ClaimSource {
    std::string id, name; // "siboehm/SGEMM_CUDA"
    std::string gpu;      // on which it measured; empty: not known
    std::string ran_on;   // a GPU on which its own program was run for our notes; empty: none
};

struct Claim {
    std::string id, source;
    std::string kernel;  // as its source calls it
    std::string stage;   // of ours, with that idea
    std::string against; // a stage of ours; empty: compared with none
    ClaimMeasure measure = ClaimMeasure::speed;
    std::optional<double> gflops, of_cublas;     // as published
    std::optional<double> amount;                // where no GFLOPS say it: in the unit of `measure`
    std::optional<bool> faster;                  // where the claim has no figure, only this
    std::string said;                            // in its words; may be empty
    std::string missing;                         // why it has no figure, as a sentence; empty: it has one
    std::optional<double> ran_gflops, ran_share; // of its own program on `ran_on`
    bool ran_wrong = false;                      // its results there were wrong
    std::string why;                             // it agrees or not, as far as it is known
};

struct Claims {
    uint32_t side = 0; // of the cubes at which they are compared
    std::vector<ClaimSource> sources;
    std::vector<Claim> all; // in the order of their sources

    const ClaimSource& source_of(const Claim& claim) const;
};

// Throws kernels::Error where something is missing, names what the ladder has not, or is said twice.
Claims claims_from(const nlohmann::json& json, const Ladder& ladder);

Claims shipped_claims(const Ladder& ladder);

} // namespace app
