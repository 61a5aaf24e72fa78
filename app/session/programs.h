// Another program whose kernels are looked at: what it launches, and the recording that is made of one launch.
#pragma once

#include "app/engine/engine.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace app {

struct ProgramState {
    enum class Doing { nothing, listing, tracing, saving };
    std::string command; // as it was typed
    Doing doing = Doing::nothing;
    std::vector<injection::ListedLaunch> launches; // of the last list
    std::size_t traced = 0;                        // in launches: which is, or was, recorded
    std::string error;                             // a sentence: why the last request came to nothing
};

class Programs {
public:
    // Recordings are kept in the folder.
    Programs(Engine& engine, std::filesystem::path folder) : engine_(engine), folder_(std::move(folder)) {}

    void show() { shown_ = true; } // the page, with what was listed last
    void list(const std::string& command);
    void trace(std::size_t row); // the first launch of that row
    void leave();                // stops the program that runs, or closes the page
    void turn();

    const ProgramState* state() const { return shown_ ? &state_ : nullptr; } // null: not to be shown
    std::optional<std::filesystem::path> take_recording() { return std::exchange(recording_, std::nullopt); }

private:
    template <Request R>
    void begin(ProgramState::Doing doing, R& request, Lane lane);
    // Its answer, once; null while there is none.
    template <Request R>
    std::shared_ptr<const typename R::Result> take(const R& request);
    void save(const RecordingPtr& made);

    Engine& engine_;
    std::filesystem::path folder_;
    bool shown_ = false;
    ProgramState state_;
    std::vector<std::string> words_; // of the command
    ListProgramTask listing_;        // these three: while that is being done
    TraceProgramTask tracing_;
    SaveTask saving_;
    std::optional<std::filesystem::path> recording_;
};

} // namespace app
