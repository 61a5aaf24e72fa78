// The winners of searches for parameters, stored between runs by GPU and size class.
#pragma once

#include "base/fields.h"
#include "measure/tuning.h"

#include <filesystem>
#include <string>
#include <vector>

namespace app {

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
