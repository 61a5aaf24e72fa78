// Everything that is shown at one moment, for panels and views. A snapshot never changes. After a change another
// snapshot with another version replaces it.
#pragma once

#include "app/data/catalogue.h"
#include "app/data/recordings.h"
#include "app/session/measurements.h"
#include "app/session/programs.h"
#include "app/session/recordings.h"
#include "app/session/search.h"
#include "app/session/sources.h"
#include "app/workspace/choice.h"

#include "viz/ladder_facts.h"
#include "viz/stage_column.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

using LadderPtr = std::shared_ptr<const std::vector<kernels::Stage>>;

// Facts about a compared stage that only the program needs, not the views.
struct ColumnDetails {
    std::optional<std::size_t> in_ladder; // index in the ladder; empty for a file's stage that is not in the ladder
    bool shipped = false;                 // the recording was not made here
    bool busy = false;                    // the recording is being made or read
    kernels::ParameterValues parameters;  // parameters of the stage as shown
    CodePtr code;                         // machine code of the recording; null until it is available
    CountersPtr counters;                 // null until it is available
    InstructionsPtr instructions;         // null until it is available
    RunPtr run;                           // run of a source; null for anything else
    std::string failed;                   // why the current source failed to run; empty: it ran or has not finished
};

// The main function of the shown CUDA file.
struct MainState {
    MainAnswer answer = MainAnswer::none;
    bool busy = false;    // it is being compiled or runs
    bool stopped = false; // the user stopped it
    Progress progress;    // valid while it is busy
    std::string failed;   // sentence: why it failed
    RunPtr run;           // result of the last complete run; null: none yet
};

// A kernel of the shown CUDA file that is launched without the file's main function.
struct KernelAlone {
    bool can_change = false; // the user can change its launch in a form
    traced::Request launch;  // as changed in the form; empty: as the text says
};

class Snapshot {
public:
    uint64_t version = 0;
    Choice choice;
    LadderPtr stages;
    std::vector<StageStatus> status;                // of each stage
    std::vector<kernels::ParameterValues> standard; // of each stage, used unless the user chose others
    std::optional<MachineFacts> found;              // empty during the search for the machine
    CataloguePtr catalogue;                         // empty until it is loaded
    bool measures = true;                           // stages are verified, and timed on a GPU, without a request
    bool loaded = false;                            // everything shipped is loaded
    std::vector<viz::StageColumn> columns;          // one stage, or the compared stages
    std::vector<ColumnDetails> details;             // of each column
    std::vector<BaselineMeasurement> baselines;     // in the order of kernels::baselines(), at the compared size
    viz::LadderFacts ladder_facts;
    std::optional<SearchState> searched;
    std::optional<ProgramState> traced;
    MainState main;
    KernelAlone alone;
    std::shared_ptr<const std::string> source;    // text of the shown source; null: none, or not read yet
    std::vector<FileVersionPtr> versions;         // of the shown source, oldest first
    std::filesystem::path versions_kept_in;       // file that stores them; empty: none
    std::vector<std::filesystem::path> own_files; // the user's kernels
    std::filesystem::path own_folder;             // folder of these files; empty: none
    std::string notice;                           // result of the last save or cancellation

    bool saving = false;
    bool counting = false, counting_instructions = false; // the GPU is counting
    bool looking = false;                                 // a detail of a recording is being determined

    const std::vector<kernels::Stage>& ladder() const { return *stages; }
    std::optional<std::size_t> rung(std::string_view slug) const; // index in the ladder; empty: not in it
    const StageStatus& stage(std::size_t index) const { return status[index]; }
    const MachineFacts* machine() const { return found ? &*found : nullptr; }
    bool gpu() const { return found && found->gpu(); }
    bool comparing() const { return columns.size() > 1; }
    // Returns the columns that views can draw: those before the first column without a recording.
    std::span<const viz::StageColumn> recorded() const;
    // Returns whether no result that views requested from the columns is being computed.
    bool derived() const { return std::ranges::all_of(columns, &viz::StageColumn::settled); }
    // Returns the index of column 0's stage in the ladder, or nothing if it is not in it.
    std::optional<std::size_t> leading_rung() const { return details.front().in_ladder; }
    bool shows_shipped(std::size_t column) const { return details[column].shipped; }
    const SearchState* search() const { return searched ? &*searched : nullptr; }
    const ProgramState* program() const { return traced ? &*traced : nullptr; } // null: its page is closed
    const ColumnDetails* of(const RecordingPtr& recording) const;               // null: no column shows it

    recording::Problem recorded_problem(std::size_t stage) const;
    recording::Problem timed_problem(std::size_t stage) const;
    const TimedRow* shipped_speed(std::size_t stage) const { return shipped_row(stage, status[stage].parameters); }
    const TimedRow* shipped_row(std::size_t stage, const kernels::ParameterValues& parameters) const;
    viz::Speed shipped_figures(std::size_t stage, const kernels::ParameterValues& parameters) const;
    viz::Speed shipped_figures(std::size_t stage) const { return shipped_figures(stage, status[stage].parameters); }
    bool is_tiny(std::size_t stage) const { return app::is_tiny(choice, ladder()[stage]); }
    // Returns the default stage to compare with: the stage that this one builds on, otherwise the last earlier stage of
    // the same operation, otherwise the next such stage. Returns nothing if no other stage has the same operation.
    std::optional<std::size_t> rung_below(std::size_t stage) const;
    std::optional<double> cublas_gflops() const; // at the timed size

    // Returns whether a recording is being made or read.
    bool busy() const { return std::ranges::any_of(details, &ColumnDetails::busy); }
    bool ready() const { return found && !busy() && !saving; }
    // Returns whether every stage that is measured without a request was verified at least once, and timed if there is
    // a GPU.
    bool measured() const;
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

// Inputs of a snapshot.
struct SnapshotInputs {
    const LadderPtr& ladder;
    const Choice& choice;
    const std::vector<kernels::ParameterValues>& parameters; // in use, of each stage
    const std::vector<kernels::ParameterValues>& standard;   // of each stage, used unless the user chose others
    std::array<kernels::ParameterValues, viz::most_columns> of_columns; // of the stage in each column
    const MachineFacts* machine;                                        // null during the search for it
    const CataloguePtr& catalogue;
    const ShippedLaunches* launches; // null while they are being read
    const Recordings& recordings;
    const Measurements& measurements;
    const Details& details;
    const GpuFigures& gpu;
    const Search& search;
    const Programs& programs;
    const FileHistory& history;
    MainAnswer main;
    const std::shared_ptr<const viz::LibraryKernels>& library;
};

Snapshot make_snapshot(const SnapshotInputs& known);

// Collects the facts of the whole ladder and of the GPU for the views.

// Makes the facts. `snapshot` must be complete except for its `ladder_facts`.
viz::LadderFacts make_ladder_facts(const SnapshotInputs& known, const Snapshot& snapshot);

// The kernels that cuBLAS launches: the shipped ones, and those traced on this machine's GPU.

// Combines the shipped kernels of a GPU of the same name with the traced ones. `machine` is null during the search for
// it.
std::shared_ptr<const viz::LibraryKernels> library_kernels(const CataloguePtr& catalogue, const MachineFacts* machine,
                                                           std::span<const BaselineMeasurement> traced);

} // namespace app
