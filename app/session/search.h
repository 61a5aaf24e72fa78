// The shown search for a stage's parameters: one that runs here, or a shipped one.
#pragma once

#include "app/data/searches.h"
#include "app/engine/engine.h"

#include <utility>

namespace app {

struct SearchState {
    const kernels::Stage* stage = nullptr;
    recording::Problem problem;
    std::vector<kernels::Candidate> ranked; // see Tuning::ranking
    std::size_t done = 0, steps = 0;
    bool running = true;
    bool whole = false;                           // it completed, and its winner is remembered
    std::optional<recording::Provenance> shipped; // where it ran, if not here
    std::string error;  // sentence that says why it ended, or why its winner is not remembered
    std::string device; // GPU of a search that runs here
};

class Search {
public:
    // `file` stores the winners.
    Search(const std::vector<kernels::Stage>& ladder, Engine& engine, std::filesystem::path file)
        : ladder_(ladder), engine_(engine), file_(std::move(file))
    {
    }

    void start(const kernels::Job& job, std::string gpu); // does nothing while a search runs
    void show(const TriedParameters& shipped);            // does nothing while a search runs
    void leave();                                         // stops the search, or closes its results
    void turn();

    const SearchState* state() const { return state_ ? &*state_ : nullptr; } // null: no search is shown

    // Returns the winner's job once.
    std::optional<kernels::Job> take_winner() { return std::exchange(winner_, std::nullopt); }
    // Returns whether the stored winners changed since the last call.
    bool take_remembered() { return std::exchange(remembered_, false); }

private:
    void take(const TuneResult& result);

    const std::vector<kernels::Stage>& ladder_;
    Engine& engine_;
    std::filesystem::path file_;
    std::optional<SearchState> state_;
    std::string gpu_;
    std::optional<TuneTask> searching_;
    std::optional<SaveTask> saving_;
    std::optional<kernels::Job> winner_;
    bool remembered_ = false;
};

// Returns a sentence that says that no search of the stage is shipped, and which stages have one.
std::string no_search_of(const std::string& stage, const ShippedSearches& shipped);

} // namespace app
