// What a search for a stage's parameters tried: as `gemmscope tune --json` prints it, and candidates.json, which has searches
// of the GPU that the shipped recordings come from.
#pragma once

#include "app/catalogue/shipped_file.h"

#include "measure/tuning.h"

namespace app {

struct TriedParameters {
    std::string stage; // slug
    recording::Problem problem;
    std::string gpu;
    std::vector<kernels::Candidate> ranked; // right ones first, the fastest of them first
    bool whole = false;                     // the search came to its end
    recording::Provenance from;             // of what is shipped
};

std::string_view state_name(kernels::Candidate::State state); // "right", "wrong", "failed", "not timed"

nlohmann::json to_json(const TriedParameters& search, const kernels::Stage& stage);

// Nothing of a stage that the ladder has not; candidates whose parameters the stage has no longer, and those that wait, are
// left out. Throws kernels::Error.
std::optional<TriedParameters> tried_parameters_from(const nlohmann::json& row, const Ladder& ladder);

struct ShippedSearches {
    std::vector<TriedParameters> searches;
    recording::Reasons missing; // why there are none, or not all

    const TriedParameters* find(std::string_view stage) const; // null: none of it is shipped
};

// Never throws.
ShippedSearches read_searches(const std::filesystem::path& folder, const Ladder& ladder);

} // namespace app
