// Another program whose kernels are inspected: the list of its launches, and the recording of one of them.
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
    std::string command; // as typed
    Doing doing = Doing::nothing;
    std::vector<injection::ListedLaunch> launches; // from the last list
    std::size_t traced = 0;                        // index in `launches` of the one that is or was recorded
    std::string error;                             // sentence: why the last request failed
};

class Programs {
public:
    // Stores recordings in the folder.
    Programs(Engine& engine, std::filesystem::path folder) : engine_(engine), folder_(std::move(folder)) {}

    void show() { shown_ = true; } // opens the page with the last list
    void list(const std::string& command);
    void trace(std::size_t row); // records the first launch of that row
    void leave();                // stops the program that runs, or closes the page
    void turn();

    const ProgramState* state() const { return shown_ ? &state_ : nullptr; } // null: the page is closed
    std::optional<std::filesystem::path> take_recording() { return std::exchange(recording_, std::nullopt); }

private:
    template <Request R>
    void begin(ProgramState::Doing doing, R& request, Lane lane);
    // Returns the result of a request once; null while there is none.
    template <Request R>
    std::shared_ptr<const typename R::Result> take(const R& request);
    void save(const RecordingPtr& made);

    Engine& engine_;
    std::filesystem::path folder_;
    bool shown_ = false;
    ProgramState state_;
    std::vector<std::string> words_; // words of the command
    ListProgramTask listing_;        // these three are valid during the matching activity
    TraceProgramTask tracing_;
    SaveTask saving_;
    std::optional<std::filesystem::path> recording_;
};

} // namespace app
