#include "measure/tuning.h"

#include "measure/speed.h"

#include <fmt/format.h>

#include <algorithm>

namespace kernels {

namespace {

constexpr std::size_t prepared_at_once = 32; // compiled in parallel; few enough for progress to be visible
constexpr std::size_t finalists = 5;

const std::vector<int>& values_to_try(const Stage& stage, std::size_t index)
{
    return stage.candidates.empty() ? stage.parameters[index].choices : stage.candidates[index];
}

// A size that is a multiple of no tile size, with alpha, beta and C in use.
constexpr recording::Problem ragged{.M = 131, .N = 137, .K = 43, .alpha = 0.5f, .beta = 3};

} // namespace

std::vector<ParameterValues> candidate_sets(const Stage& stage, const ParameterValues& base,
                                            std::span<const std::string> fixed)
{
    std::vector<ParameterValues> sets = {base};
    for (std::size_t i = 0; i < base.size(); ++i) {
        const std::string& name = stage.parameters[i].name;
        if (name == "TYPE" || std::ranges::count(fixed, name) > 0)
            continue;
        std::vector<ParameterValues> next;
        for (const ParameterValues& set : sets)
            for (const int value : values_to_try(stage, i)) {
                next.push_back(set);
                next.back()[i] = value;
            }
        sets = std::move(next);
    }
    std::erase_if(sets, [&](const ParameterValues& set) {
        return set == base || !stage.refusal(set).empty() || (stage.worth_trying && !stage.worth_trying(set));
    });
    if (stage.refusal(base).empty())
        sets.insert(sets.begin(), base);
    return sets;
}

Tuning::Tuning(const Stage& stage, const recording::Problem& problem, std::vector<ParameterValues> sets,
               TuneOptions options)
    : stage_(&stage), problem_(used_part(stage.operation, problem)), options_(options)
{
    for (ParameterValues& set : sets)
        candidates_.push_back({.parameters = std::move(set)});
}

std::size_t Tuning::steps() const
{
    return candidates_.size() + (finished_ ? finals_ : std::min(finalists, candidates_.size()) + 1);
}

bool Tuning::step(Backend& backend, std::stop_token stop)
{
    if (finished_)
        return false;
    if (stop.stop_requested())
        throw Cancelled();
    if (timed_ == candidates_.size())
        return final(backend, stop);
    if (timed_ == prepared_)
        prepare_next(backend, stop);
    time(backend, candidates_[timed_], options_.seconds, stop);
    ++timed_;
    return true;
}

void Tuning::prepare_next(Backend& backend, std::stop_token stop)
{
    std::vector<Job> jobs;
    const std::size_t end = std::min(prepared_ + prepared_at_once, candidates_.size());
    for (std::size_t i = prepared_; i < end; ++i)
        jobs.push_back(job(candidates_[i]));
    constexpr ProbeKind plain = ProbeKind::none;
    try {
        backend.prepare(jobs, std::span(&plain, 1), stop);
    } catch (const Cancelled&) {
        throw;
    } catch (const std::exception&) { // the candidate will fail in the same way when it is timed
    }
    prepared_ = end;
}

void Tuning::time(Backend& backend, Candidate& candidate, double seconds, std::stop_token stop) const
{
    try {
        const BenchResult result = backend.bench(job(candidate), {.seconds = seconds}, stop);
        candidate.timing = result.stage;
        candidate.error = result.relative_error;
        const SpeedFigures figures = speed_figures(job(candidate), result, backend.device());
        candidate.of_cublas = figures.of_cublas;
        const bool right = result.relative_error <= tolerance(job(candidate)); // false for NaN
        candidate.state = right ? Candidate::State::right : Candidate::State::wrong;
        if (right)
            candidate.gflops = figures.gflops.value_or(0);
        else
            candidate.failure = fmt::format("Wrong result: relative error {:.1e}.", result.relative_error);
    } catch (const Cancelled&) {
        throw;
    } catch (const Unavailable&) { // no candidate can be timed on this machine
        throw;
    } catch (const std::exception& error) {
        candidate.state = Candidate::State::failed;
        candidate.failure = error.what();
    }
}

// Times the fastest candidates again and longer, because the first measurements were short, then verifies the winner at
// a ragged size. If its result is wrong, the next candidate takes its place.
bool Tuning::final(Backend& backend, std::stop_token stop)
{
    const std::vector<const Candidate*> ranked = ranking();
    for (std::size_t i = 0; i < std::min(finalists, ranked.size()); ++i) {
        const Candidate* candidate = ranked[i];
        if (timed_again_.size() == finalists || candidate->state != Candidate::State::right ||
            std::ranges::count(timed_again_, candidate) > 0)
            continue;
        time(backend, candidates_[candidate - candidates_.data()], options_.final_seconds, stop);
        timed_again_.push_back(candidate);
        ++finals_;
        return true;
    }
    const Candidate* winner = best();
    if (winner == nullptr) {
        finished_ = true;
        return false;
    }
    Job small = job(*winner);
    small.problem = used_part(stage_->operation, ragged);
    const Verification found = verify(backend, small, ProbeKind::none, stop);
    ++finals_;
    if (found.ok) {
        finished_ = true;
        return true;
    }
    Candidate& wrong = candidates_[winner - candidates_.data()];
    wrong.state = Candidate::State::wrong;
    wrong.error = found.error;
    wrong.failure = fmt::format("Wrong result at M={} N={} K={}: relative error {:.1e}.", ragged.M, ragged.N, ragged.K,
                                found.error);
    return true;
}

std::vector<const Candidate*> Tuning::ranking() const
{
    std::vector<const Candidate*> result;
    for (const Candidate& candidate : candidates_)
        result.push_back(&candidate);
    const auto place = [](const Candidate* candidate) {
        switch (candidate->state) {
        case Candidate::State::right: return 0;
        case Candidate::State::wrong: return 1;
        case Candidate::State::failed: return 2;
        case Candidate::State::waiting: break;
        }
        return 3;
    };
    std::ranges::stable_sort(result, [&](const Candidate* a, const Candidate* b) {
        if (place(a) != place(b))
            return place(a) < place(b);
        return a->state == Candidate::State::right && a->timing.median_ms < b->timing.median_ms;
    });
    return result;
}

const Candidate* Tuning::best() const
{
    const std::vector<const Candidate*> ranked = ranking();
    return !ranked.empty() && ranked.front()->state == Candidate::State::right ? ranked.front() : nullptr;
}

} // namespace kernels
