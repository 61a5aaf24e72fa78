// What published ladders claim, held against what a GPU gave here: each claim as one number, the same number of their own
// program where it was run, and of our stage from what is shipped. Pure functions, for the window, the command line and
// docs/sources.md.
#pragma once

#include "app/catalogue/catalogue.h"
#include "app/catalogue/claims.h"

#include "viz/text/message.h"

#include <string>
#include <vector>

namespace app {

enum class Agreement : uint8_t {
    unknown,       // one of both figures is missing, or nothing is claimed but a figure to compare others with
    agrees,        // faster where it is claimed to be, or slower where it is; of a share or of bytes: within a tenth
    no_difference, // claimed to make one, and makes none here
    opposite,      // slower where it is claimed to be faster, or the other way round
    less,          // of a share or of bytes: less than claimed
    more,
};
std::string_view name(Agreement agreement);

// What is left as the cause where our stage does not do as is claimed, by their own program's figure on a GPU of ours.
enum class Cause : uint8_t {
    not_known,   // it was not run, or all do as is claimed
    our_code,    // theirs does here as is claimed: the kernels differ
    another_gpu, // theirs does not do so here either: the GPUs differ
};
std::string_view name(Cause cause);

struct ClaimRow {
    const Claim* claim = nullptr;
    const ClaimSource* source = nullptr;
    std::optional<double> claimed;      // in the unit of the claim's measure
    std::optional<double> theirs_here;  // likewise, of their own program on ClaimSource::ran_on
    recording::Measured<double> ours;   // likewise, of our stage
    recording::Measured<double> gflops; // of our stage, alone
    std::optional<double> claimed_share;
    recording::Measured<double> our_share; // of cuBLAS
    Agreement agreement = Agreement::unknown;
    Cause cause = Cause::not_known;
};

struct ClaimTable {
    recording::Problem problem;
    std::string device; // whose figures "ours" are; empty: none are shipped
    std::vector<ClaimRow> rows;

    std::size_t count(Agreement agreement) const;
};

// Points into `claims`.
ClaimTable claim_table(const Claims& claims, const Catalogue& catalogue, const Ladder& ladder);

// Less than a fiftieth faster or slower is no difference; of shares and bytes less than a tenth.
Agreement agreement_of(ClaimMeasure measure, std::optional<double> claimed, std::optional<ClaimOrder> order,
                       std::optional<double> ours);

// "1.19 ×", "95.6%", "548 GB"; in words where there is no figure: "slower", "-".
std::string figure_words(const Claim& claim, const std::optional<double>& figure);
std::string claimed_words(const ClaimRow& row);

std::string heading_of(const ClaimTable& table);  // how many claims hold, on which GPU
std::string_view verdict_of(const ClaimRow& row); // in two words, coloured by what they say
viz::Rich words_of(const ClaimRow& row);          // what is claimed, what came of it, and why

nlohmann::json to_json(const ClaimTable& table);
std::string claim_page(const ClaimTable& table); // Markdown, the whole of docs/sources.md

} // namespace app
