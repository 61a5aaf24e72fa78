// The search for a stage's parameters that is shown: one made here while it goes on, or a shipped one.
#pragma once

#include "app/catalogue/searches.h"
#include "app/session/engine.h"

#include <utility>

namespace app {

struct SearchState {
    const kernels::Stage* stage = nullptr;
    recording::Problem problem;
    std::vector<kernels::Candidate> ranked; // see Tuning::ranking
    std::size_t done = 0, steps = 0;
    bool running = true;
    bool whole = false;                           // it came to its end, and the winner is remembered
    std::optional<recording::Provenance> shipped; // where it was made, if not here
    std::string error;                            // a sentence: why it ended, or why its winner is not remembered
    std::string device;                           // GPU that it is made on here
};

class Search {
public:
    // Winners are kept in the file.
    Search(const std::vector<kernels::Stage>& ladder, Engine& engine, std::filesystem::path file)
        : ladder_(ladder), engine_(engine), file_(std::move(file))
    {
    }

    void start(const kernels::Job& job, std::string gpu); // beside one that runs, nothing
    void show(const TriedParameters& shipped);            // likewise
    void leave();                                         // stops it, or closes what it found
    void turn();

    const SearchState* state() const { return state_ ? &*state_ : nullptr; } // null: none to show

    // The job of what won, once.
    std::optional<kernels::Job> take_winner() { return std::exchange(winner_, std::nullopt); }
    // Whether what was remembered has changed since it was last asked.
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

// That none of the stage is shipped, and which stages have one: a sentence.
std::string no_search_of(const std::string& stage, const ShippedSearches& shipped);

} // namespace app
