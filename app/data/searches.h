// Searches for a stage's parameters: the candidates that they tried, and the winners, stored between runs.
#pragma once

#include "app/data/shipped_file.h"

#include "base/fields.h"
#include "measure/tuning.h"

#include <filesystem>
#include <string>
#include <vector>

namespace app {

// The candidates that a search for a stage's parameters tried. `gemmscope tune --json` prints them. candidates.json
// holds searches on the GPU that made the shipped recordings.

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

// The winners of searches for parameters, stored between runs by GPU and size class.

struct Winner {
    std::string gpu;   // name of the GPU
    std::string stage; // slug
    std::string size;  // size class, see size_class
    std::vector<recording::Parameter> parameters;
    double gflops = 0;
    std::string date; // UTC, ISO 8601
    friend bool operator==(const Winner&, const Winner&) = default;
};
void fields(auto& visit, kernels::Like<Winner> auto& winner)
{
    visit("gpu", winner.gpu);
    visit("stage", winner.stage);
    visit("size", winner.size);
    visit("parameters", winner.parameters);
    visit("gflops", winner.gflops, kernels::above_zero);
    visit("date", winner.date);
}

// Returns the size class: M, N and K, each rounded to the nearest power of two, for example "4096x4096x4096". The
// parameters that are fastest at one size are used for its whole class.
std::string size_class(const recording::Problem& problem);

class TunedFile {
public:
    static std::filesystem::path usual_path(); // tuned.json in config_folder(); empty if there is no such folder

    // Reads the file. A missing file holds no winners. If the file or some winners are damaged, `broken` says so.
    explicit TunedFile(std::filesystem::path path = usual_path());

    const std::vector<Winner>& winners() const { return winners_; }
    const std::string& broken() const { return broken_; } // sentence; empty: no damage

    // Returns null if no winner is stored.
    const Winner* find(const std::string& gpu, const kernels::Stage& stage, const recording::Problem& problem) const;

    // Adds the winner or replaces the one of the same GPU, stage and size class, and writes the file as a whole. Keeps
    // what other processes stored meanwhile. Renames a damaged file instead of deleting it. Throws kernels::Error that
    // says what could not be written.
    void remember(const Winner& winner);

private:
    void read();

    std::filesystem::path path_;
    std::vector<Winner> winners_;
    std::string broken_;
};

Winner winner_of(const kernels::Stage& stage, const recording::Problem& problem, const kernels::Candidate& best,
                 const std::string& gpu);

// Returns the stage's parameters if the user sets none. A stage that declares candidates uses the stored winner's, if
// the stage still accepts them. Otherwise returns the stage's own parameters that suit the problem.
kernels::ParameterValues standard_parameters(const TunedFile& tuned, const kernels::Stage& stage,
                                             const recording::Device& device, const recording::Problem& problem);

} // namespace app
