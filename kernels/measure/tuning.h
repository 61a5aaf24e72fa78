// The search for a stage's fastest parameters on the device at hand.
#pragma once

#include "backend.h"

namespace kernels {

// The product of what is to be tried: the stage's candidates, or else its declared choices; of parameters named in
// `fixed`, and of TYPE, which says what is computed, only the value in `base`. Without those that the stage refuses. `base`
// itself is always among them.
std::vector<ParameterValues> candidate_sets(const Stage& stage, const ParameterValues& base,
                                            std::span<const std::string> fixed);

struct Candidate {
    enum class State { waiting, right, wrong, failed };

    ParameterValues parameters;
    State state = State::waiting;
    Timing timing;
    double gflops = 0; // where right
    std::optional<double> of_cublas;
    double error = 0;
    std::string failure; // a sentence, where it could not be run or is wrong
};

struct TuneOptions {
    double seconds = 0.05;      // per candidate
    double final_seconds = 0.5; // per finalist
    friend bool operator==(const TuneOptions&, const TuneOptions&) = default;
};

// One step at a time, so that whoever drives it can show progress, stop, and keep what was found until then.
class Tuning {
public:
    Tuning(const Stage& stage, const recording::Problem& problem, std::vector<ParameterValues> sets,
           TuneOptions options = {});
    Tuning(Tuning&&) = default; // a copy would point into the other

    // Times one candidate, or verifies one finalist. False when there was nothing left to do. Throws Cancelled, and can be
    // called again afterwards: nothing is lost.
    bool step(Backend& backend, std::stop_token stop);

    std::size_t steps_done() const { return timed_ + finals_; }
    std::size_t steps() const; // the finals included
    bool finished() const { return finished_; }

    const Stage& stage() const { return *stage_; }
    const recording::Problem& problem() const { return problem_; }
    // Right ones first, the fastest of them first; then wrong and failed ones; then those that wait.
    std::vector<const Candidate*> ranking() const;
    // The fastest right one so far; null: none yet. Verified at ragged sizes too once the search has finished.
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
