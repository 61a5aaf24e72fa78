// The candidates that a search for a stage's parameters tried. `gemmscope tune --json` prints them. candidates.json
// holds searches on the GPU that made the shipped recordings.
#pragma once

#include "app/data/shipped_file.h"

#include "measure/tuning.h"

namespace app {

struct TriedParameters {
    std::string stage; // slug
    recording::Problem problem;
    std::string gpu;
    std::vector<kernels::Candidate> ranked; // right ones first, fastest first
    bool whole = false;                     // the search completed
    recording::Provenance from;             // for a shipped search
};

std::string_view state_name(kernels::Candidate::State state); // "right", "wrong", "failed" or "not timed"

nlohmann::json to_json(const TriedParameters& search, const kernels::Stage& stage);

// Parses a search. Returns nothing for a stage that the ladder does not have. Skips waiting candidates and those whose
// parameters the stage no longer has. Throws kernels::Error.
std::optional<TriedParameters> tried_parameters_from(const nlohmann::json& row, const Ladder& ladder);

struct ShippedSearches {
    std::vector<TriedParameters> searches;
    recording::Reasons missing; // why there are no searches, or not all

    const TriedParameters* find(std::string_view stage) const; // null: no search of the stage is shipped
};

// Reads the shipped searches. Never throws.
ShippedSearches read_searches(const std::filesystem::path& folder, const Ladder& ladder);

} // namespace app
