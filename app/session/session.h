// Knows everything about the current choice and requests what is missing. Use it from the window's thread only; other
// threads do the work. No function blocks.
//
// A turn follows every change. In it, turn() requests everything that is wanted from the engine again. snapshot() shows
// the engine's answers.
#pragma once

#include "app/engine/background.h"
#include "app/engine/engine.h"
#include "app/session/programs.h"
#include "app/session/session_options.h"
#include "app/session/session_workers.h"
#include "app/session/snapshot.h"
#include "app/session/sources.h"
#include "app/session/user_files.h"
#include "app/workspace/workspace.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace app {

class Session {
public:
    // Throws kernels::Error that lists the valid slugs.
    explicit Session(SessionOptions options);
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session();

    // Takes the reports of tasks. Returns true if something shown has changed.
    bool poll();
    // Returns the current snapshot. It is the same object until something changes.
    SnapshotPtr snapshot();

    // Works for this choice from now on. First applies the consequences of earlier requests and results to it, such as
    // an opened file or a search's winner. Such a change enters the history if the user may want to undo it.
    void follow(Choice& choice, History& history);

    // The following functions change the choice. Their changes take effect with the next follow().
    void open(const std::filesystem::path& file);
    // Copies a stage of the ladder to a user file and shows it.
    void edit_copy(std::size_t stage) { show_made(sources_.copy((*ladder_)[stage])); }
    // Creates a user file with the text of a sample kernel and shows it.
    void begin_kernel(const kernels::Sample& sample) { show_made(sources_.begin(sample)); }
    // Replaces the text of the shown source. The text is saved and run.
    void write_source(const std::string& text);
    // Runs the main of the shown CUDA file after the user agreed, and records the given launch or, by default, that of
    // default_launch().
    void run_main() { run_main(ChosenLaunch()); }
    void run_main(const ProgramLaunch& launch) { run_main(ChosenLaunch{launch.name, launch.first_of_kernel}); }
    void refuse_main() { sources_.answer_main(choice_, {}), turn(); } // runs only its kernel
    void launch_as(const traced::Request& request)
    {
        sources_.launch_as(choice_, request), turn();
    }                                                  // sets a kernel's launch
    void open_in_editor(uint32_t line);                // the user's editor
    void go_back_to(const FileVersion& version);       // restores its text and its parameters
    void record_again();                               // records here even if a recording is shipped
    void record_block(const recording::Index3& block); // the same, with this block in full
    void cancel() { recordings_.cancel(), changed(); } // cancels recordings in progress
    void save();                                       // saves the first recording in the current directory
    void clear_notice();

    // Switches to another worker. Forgets what the old worker made, except for content of files. The speeds of the old
    // worker's device reappear when that device is used again.
    void use_worker(const WorkerAt& at);
    WorkerAt worker() const { return workers_.at(); }

    // Searches for the fastest parameters on a GPU, then uses and stores them.
    void search_parameters(std::size_t stage);
    void show_shipped_search(std::size_t stage);        // does nothing while a search runs
    void leave_search() { search_.leave(), changed(); } // stops the search, or closes its results
    // Applies a request to the page of other programs' kernels. A recording made there is saved and shown.
    void look_at_programs(const std::function<void(Programs&)>& request);
    void measure_gpu() { gpu_.measure(), changed(); } // measures in the background; does nothing without a GPU
    void stop_measuring_gpu() { gpu_.stop(); }
    void measure_pattern(const model::PatternRow& row); // measures it on the GPU, if there is one

    // Requests a detail of a recording: see ColumnDetails. Instructions are counted only if that costs nothing.
    void want(Detail detail, const RecordingPtr& recording);
    // Requests it even if that takes time.
    void ask_again(Detail detail, const RecordingPtr& recording) { details_.count_again(detail, recording), changed(); }
    void count_shown(); // counts the launches of the shown recordings on the GPU; does nothing without a GPU
    void stop_looking() { details_.cancel(), changed(); }

private:
    struct Proposal { // a change of the choice
        ChoiceEdit edit;
        bool undoable = true;
    };
    void run_main(ChosenLaunch launch);
    void propose(ChoiceEdit edit, bool undoable = true);
    bool shows_forbidden_file(const Choice& choice) const;
    bool refuse_visitor(); // tells a visitor that it is not possible
    std::vector<std::size_t> recordable_here();
    void changed() { stale_ = true, options_.wake(); }
    void turn();
    RecordingRequests wanted() const;
    void show_made(const std::optional<std::filesystem::path>& file);
    kernels::ParameterValues parameters_of(std::size_t column) const; // of the column's stage
    void take_version();
    std::vector<kernels::Job> timed_jobs() const;
    std::vector<std::size_t> shown_rungs() const; // what is timed first
    void change_machine(MachinePtr found);
    void use_tuned();
    void renew_library();
    void catalogue_loaded();
    void take_notices();
    void take_winner();

    LadderPtr ladder_;
    SessionOptions options_;
    Choice choice_; // the choice that follow() received last
    std::vector<Proposal> proposed_;
    std::vector<kernels::ParameterValues> standard_; // of each stage, used unless the user chose others
    std::vector<kernels::ParameterValues> in_use_;
    recording::Problem tuned_for_; // size that standard_ is for
    CataloguePtr catalogue_;
    std::shared_ptr<const viz::LibraryKernels> library_; // shipped, or traced here
    // Inputs of library_. The last is the number of baselines.
    std::tuple<CataloguePtr, MachinePtr, std::size_t> library_made_of_;
    MachinePtr machine_;  // null during the search for it
    WorkerAt machine_of_; // worker that machine_ belongs to
    bool loaded_ = false, launches_loaded_ = false;
    std::optional<std::size_t> shows_search_of_; // set until the catalogue is loaded
    std::string notice_;
    bool stale_ = true;    // something changed: a turn is due
    SnapshotPtr snapshot_; // null: it must be made again
    // Memos of the columns. All snapshots share them.
    std::array<std::shared_ptr<viz::Memo>, viz::most_columns> memos_{
        std::make_shared<viz::Memo>(), std::make_shared<viz::Memo>(), std::make_shared<viz::Memo>()};
    uint64_t version_ = 0;

    // The following members have threads. They are destroyed first, because the threads use the members above. They
    // report to poll() only.
    std::shared_ptr<SeenSource> seen_ = std::make_shared<SeenSource>();
    SessionWorkers workers_;
    Engine engine_;
    Background<CataloguePtr> catalogue_loader_;
    Background<ShippedLaunches> launches_;
    Recordings recordings_;
    FileWatch watch_; // watches the shown CUDA file
    Measurements measurements_;
    Details details_;
    GpuFigures gpu_;
    Search search_;
    Programs programs_;
    std::optional<SaveTask> saving_; // the first column's recording is being saved
    Sources sources_;
};

} // namespace app
