// The winners of searches for parameters, remembered from run to run, per GPU and size class.
#pragma once

#include "base/fields.h"
#include "measure/tuning.h"

#include <filesystem>
#include <string>
#include <vector>

namespace app {

struct Winner {
    std::string gpu;   // its name
    std::string stage; // slug
    std::string size;  // class, see size_class
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

// M, N and K, each as the nearest power of two: "4096x4096x4096". What is fastest at one size is taken to be at all of
// its class.
std::string size_class(const recording::Problem& problem);

class TunedFile {
public:
    static std::filesystem::path usual_path(); // tuned.json in config_folder(); empty when there is none

    // Reads the file. A missing one holds no winners; of one that cannot be understood, or of which winners are damaged,
    // `broken` says so.
    explicit TunedFile(std::filesystem::path path = usual_path());

    const std::vector<Winner>& winners() const { return winners_; }
    const std::string& broken() const { return broken_; } // a sentence; empty: it was well

    // Null: no search was made there.
    const Winner* find(const std::string& gpu, const kernels::Stage& stage, const recording::Problem& problem) const;

    // Adds the winner, or replaces the one of the same GPU, stage and size class, and writes the file as a whole; what other
    // processes remember meanwhile stays. A broken one is kept beside it under another name. Throws kernels::Error saying
    // what could not be written.
    void remember(const Winner& winner);

private:
    void read();

    std::filesystem::path path_;
    std::vector<Winner> winners_;
    std::string broken_;
};

Winner winner_of(const kernels::Stage& stage, const recording::Problem& problem, const kernels::Candidate& best,
                 const std::string& gpu);

// The stage's parameters where the user says nothing: the remembered winner's for a stage that declares candidates, where
// there is one that the stage still takes; else its own, as they suit the problem.
kernels::ParameterValues standard_parameters(const TunedFile& tuned, const kernels::Stage& stage,
                                             const recording::Device& device, const recording::Problem& problem);

} // namespace app
