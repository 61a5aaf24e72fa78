// Compares the claims of published ladders with figures from a GPU. Each claim becomes one number. Beside it are the
// same number for the claim's own program, if it was run, and for our stage, from the shipped figures. Pure functions
// for the window, the command line and docs/sources.md.
#pragma once

#include "app/data/catalogue.h"
#include "app/data/claims.h"

#include "viz/text/message.h"

#include <string>
#include <vector>

namespace app {

enum class Agreement : uint8_t {
    unknown,       // a figure is missing, or the claim is only a figure to compare others with
    agrees,        // faster or slower as claimed; a share or number of bytes within a tenth
    no_difference, // claimed to make a difference, but makes none here, or the reverse
    opposite,      // slower although claimed faster, or the reverse
    less,          // a share or number of bytes below the claim
    more,
};
std::string_view name(Agreement agreement);

// The remaining cause if our stage does not confirm the claim, judged by the published program's figure on our GPU.
enum class Cause : uint8_t {
    not_known,   // the published program was not run, or everything agrees with the claim
    our_code,    // the published program confirms the claim here: the kernels differ
    another_gpu, // the published program does not confirm it here either: the GPUs differ
};
std::string_view name(Cause cause);

struct ClaimRow {
    const Claim* claim = nullptr;
    const ClaimSource* source = nullptr;
    std::optional<double> claimed;      // in the unit of the claim's measure
    std::optional<double> theirs_here;  // of the published program on ClaimSource::ran_on; same unit
    recording::Measured<double> ours;   // of our stage; same unit
    recording::Measured<double> gflops; // speed of our stage alone
    std::optional<double> claimed_share;
    recording::Measured<double> our_share; // our stage's share of cuBLAS
    Agreement agreement = Agreement::unknown;
    Cause cause = Cause::not_known;
};

struct ClaimTable {
    recording::Problem problem;
    std::string device; // GPU of our figures; empty: none are shipped
    std::vector<ClaimRow> rows;

    std::size_t count(Agreement agreement) const;
};

// Makes the table. The rows point into `claims`.
ClaimTable claim_table(const Claims& claims, const Catalogue& catalogue, const Ladder& ladder);

// Judges a claim. A speed difference below a fiftieth counts as none. For shares and bytes the limit is a tenth.
Agreement agreement_of(ClaimMeasure measure, std::optional<double> claimed, std::optional<ClaimOrder> order,
                       std::optional<double> ours);

// Returns the figure as text, for example "1.19 ×", "95.6%" or "548 GB". Without a figure it returns "slower" or "-".
std::string figure_words(const Claim& claim, const std::optional<double>& figure);
std::string claimed_words(const ClaimRow& row);

std::string heading_of(const ClaimTable& table);  // how many claims hold, and on which GPU
std::string_view verdict_of(const ClaimRow& row); // two words, colored by the verdict
viz::Rich words_of(const ClaimRow& row);          // the claim, the result, and the reason

nlohmann::json to_json(const ClaimTable& table);
std::string claim_page(const ClaimTable& table); // docs/sources.md as Markdown

} // namespace app
