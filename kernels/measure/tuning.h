// Searches for the fastest parameters of a stage on the device in use.
#pragma once

#include "backend.h"

namespace kernels {

// Returns all combinations of the stage's candidate values, or of its declared choices if it has no candidates.
// Parameters named in `fixed` keep their value in `base`, and so does TYPE, which determines what is computed.
// Omits combinations that the stage refuses or does not find worth trying. `base` comes first, unless it is refused.
std::vector<ParameterValues> candidate_sets(const Stage& stage, const ParameterValues& base,
                                            std::span<const std::string> fixed);

struct Candidate {
    enum class State { waiting, right, wrong, failed };

    ParameterValues parameters;
    State state = State::waiting;
    Timing timing;
    double gflops = 0; // set only if the result is right
    std::optional<double> of_cublas;
    double error = 0;
    std::string failure; // a sentence, if the candidate could not run or is wrong
};

struct TuneOptions {
    double seconds = 0.05;      // per candidate
    double final_seconds = 0.5; // per finalist
    friend bool operator==(const TuneOptions&, const TuneOptions&) = default;
};

// The search, one step at a time. Its caller can show progress, stop, and keep the results so far.
class Tuning {
public:
    Tuning(const Stage& stage, const recording::Problem& problem, std::vector<ParameterValues> sets,
           TuneOptions options = {});
    Tuning(Tuning&&) = default; // a copy would contain pointers into the original

    // Times one candidate or finalist, or verifies the winner. Returns false if nothing was left to do. After it throws
    // Cancelled, it can be called again and continues.
    bool step(Backend& backend, std::stop_token stop);

    std::size_t steps_done() const { return timed_ + finals_; }
    std::size_t steps() const; // including the finals
    bool finished() const { return finished_; }

    const Stage& stage() const { return *stage_; }
    const recording::Problem& problem() const { return problem_; }
    // Returns the right candidates, fastest first, then the wrong and failed ones, then the waiting ones.
    std::vector<const Candidate*> ranking() const;
    // Returns the fastest right candidate so far, or null. Once the search has finished, this candidate has also been
    // verified at a ragged size.
    const Candidate* best() const;

private:
    void prepare_next(Backend& backend, std::stop_token stop);
    void time(Backend& backend, Candidate& candidate, double seconds, std::stop_token stop) const;
    bool final(Backend& backend, std::stop_token stop);
    Job job(const Candidate& candidate) const { return {stage_, candidate.parameters, problem_}; }

    const Stage* stage_;
    recording::Problem problem_;
    TuneOptions options_;
    std::vector<Candidate> candidates_;
    std::vector<const Candidate*> timed_again_;
    std::size_t prepared_ = 0, timed_ = 0, finals_ = 0;
    bool finished_ = false;
};

} // namespace kernels
