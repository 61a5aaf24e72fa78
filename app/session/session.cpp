#include "app/session/session.h"

#include "app/engine/trace.h"
#include "app/session/snapshot.h"
#include "app/text/command_words.h"
#include "app/text/format.h"

#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace app {

namespace {

std::size_t index_of(const std::vector<kernels::Stage>& ladder, std::string_view slug)
{
    return static_cast<std::size_t>(&kernels::find_stage(ladder, slug) - ladder.data());
}

} // namespace

Choice first_choice(const std::vector<kernels::Stage>& ladder, const SessionOptions& options)
{
    Choice choice;
    choice.show(index_of(ladder, options.first));
    const std::filesystem::path own = options.own / (options.second + ".cu");
    const bool in_ladder = std::ranges::find(ladder, options.second, &kernels::Stage::slug) != ladder.end();
    std::error_code error;
    if (!options.second.empty() && !in_ladder && !options.own.empty() && std::filesystem::exists(own, error))
        choice.compare(own);
    else if (!options.second.empty())
        choice.compare(index_of(ladder, options.second));
    if (!options.third.empty())
        choice.toggle_beside(index_of(ladder, options.third));
    choice.columns[0].file = options.file;
    // The initial size, for users who do not want a size of whole tiles.
    if (const char* const size = std::getenv("GEMMSCOPE_SIZE"); size != nullptr && *size != '\0')
        choice.sizes.recorded = parse_extent(size, largest_recorded);
    choice.set_tiny(options.tiny);
    if (options.inputs != recording::Inputs::random)
        choice.inputs = options.inputs;
    return choice;
}

Session::Session(SessionOptions options)
    : ladder_(options.visit ? options.visit->ladder
                            : std::make_shared<const std::vector<kernels::Stage>>(kernels::make_ladder())),
      options_(std::move(options)), choice_(first_choice(*ladder_, options_)), catalogue_(empty_catalogue()),
      library_(std::make_shared<const viz::LibraryKernels>()),
      workers_(*ladder_, options_.worker, options_.backend, options_.wake),
      engine_(
          [this, seen = seen_](const Task& task, Lane lane, std::stop_token stop, const auto& progress) {
              return workers_.run(seen->with_text(task), lane, std::move(stop), progress);
          },
          options_.wake),
      catalogue_loader_(
          [this](const std::stop_token&) {
              return options_.visit ? options_.visit->catalogue() : load_catalogue(options_.shipped, *ladder_);
          },
          options_.wake),
      launches_(
          [this](std::stop_token stop) {
              return options_.visit ? options_.visit->launches()
                                    : read_shipped_launches(options_.shipped, *ladder_, stop);
          },
          options_.wake),
      recordings_(*ladder_, engine_), watch_(options_.wake), measurements_(engine_), details_(*ladder_, engine_),
      gpu_(engine_), search_(*ladder_, engine_, options_.tuned), programs_(engine_, options_.traces),
      sources_(engine_, seen_, options_.own, options_.wake)
{
    for (const kernels::Stage& stage : *ladder_)
        standard_.push_back(stage.standard_parameters());
    turn();
}

Session::~Session()
{
    workers_.close();
}

SnapshotPtr Session::snapshot()
{
    if (stale_ && proposed_.empty())
        turn();
    if (snapshot_ == nullptr) {
        Snapshot made = make_snapshot({ladder_,
                                       choice_,
                                       in_use_,
                                       standard_,
                                       {parameters_of(0), parameters_of(1), parameters_of(2)},
                                       machine_.get(),
                                       catalogue_,
                                       launches_.get(),
                                       recordings_,
                                       measurements_,
                                       details_,
                                       gpu_,
                                       search_,
                                       programs_,
                                       sources_.versions(),
                                       sources_.main_answer(choice_),
                                       library_});
        for (viz::StageColumn& column : made.columns)
            column.kept = memos_[column.number];
        made.version = ++version_;
        made.measures = options_.measures;
        made.loaded = loaded_ && launches_loaded_;
        made.notice = notice_;
        made.saving = saving_ || sources_.saving();
        made.source = sources_.text(choice_);
        made.alone.can_change =
            made.source != nullptr && made.main.answer != MainAnswer::yes && !kernels::is_stage_file(*made.source);
        if (const traced::Request* const launch = sources_.launch_of(choice_))
            made.alone.launch = *launch;
        made.own_files = sources_.own().files();
        made.own_folder = sources_.own().path();
        made.versions_kept_in = sources_.kept_in(choice_);
        snapshot_ = std::make_shared<const Snapshot>(std::move(made));
    }
    return snapshot_;
}

void Session::open(const std::filesystem::path& file)
{
    recordings_.leave(0); // it may have changed since it was read
    sources_.read_again();
    propose([file](Choice& choice) { choice.show(file); });
}

void Session::show_made(const std::optional<std::filesystem::path>& file)
{
    notice_ = file ? fmt::format("A copy of your own: {}. Change it and press Ctrl+Enter.", file->string())
                   : "There is no folder for stages of your own: set HOME or GEMMSCOPE_STAGES.";
    changed();
    if (file)
        propose([file = *file](Choice& choice) { choice.show(file); });
}

void Session::write_source(const std::string& text)
{
    if (!choice_.columns[0].file || !is_cuda_source(*choice_.columns[0].file))
        return;
    sources_.write(*choice_.columns[0].file, text);
    turn();
}

void Session::run_main(ChosenLaunch launch)
{
    launch.on_gpu = options_.backend != "cpu";
    if (machine_ && worker().command.empty()) // it runs on this machine
        launch.gpu = machine_->chosen_gpu;
    sources_.answer_main(choice_, launch);
    turn();
    if (const ShownRecording& shown = recordings_.shown(0);
        !shown.busy() && shown.state != ShownRecording::State::ready)
        recordings_.read_again(0); // it was stopped, or failed
    changed();
}

void Session::open_in_editor(uint32_t line)
{
    if (refuse_visitor())
        return;
    if (choice_.columns[0].file && !app::open_in_editor(*choice_.columns[0].file, line)) {
        notice_ = "No editor was found: set VISUAL to the one that you use, such as code or gvim.";
        changed();
    }
}

void Session::go_back_to(const FileVersion& version)
{
    sources_.write(version.file, version.text);
    propose([file = version.file, parameters = version.parameters](Choice& choice) {
        choice.show(file);
        choice.columns[0].file_parameters = parameters;
    });
}

// Returns what each column shows.
RecordingRequests Session::wanted() const
{
    RecordingRequests all;
    for (std::size_t column = 0; column < viz::most_columns; ++column) {
        const ChosenStage& chosen = choice_.columns[column];
        if (column == 0 && chosen.file)
            all[column] = sources_.wanted(choice_, *chosen.file);
        else if (column == 1 && (chosen.version || chosen.file))
            all[column] = sources_.second(choice_);
        else if (chosen.rung)
            all[column] = wanted_stage(choice_, *ladder_, *chosen.rung, parameters_of(column), options_.shipped);
    }
    return all;
}

// Requests everything that is wanted, and takes the answers.
void Session::turn()
{
    stale_ = false;
    if (timed_problem(choice_.sizes, kernels::Operation::gemm) != tuned_for_)
        use_tuned();
    in_use_ = standard_;
    for (const auto& [stage, values] : choice_.parameters)
        in_use_[stage] = values;
    const auto& file = choice_.columns[0].file;
    watch_.watch(file && is_cuda_source(*file) ? file : std::nullopt);

    recordings_.turn(wanted(), machine_.get());
    if (machine_ && options_.measures)
        measurements_.turn(*machine_, timed_jobs(), shown_rungs(),
                           timed_problem(choice_.sizes, kernels::Operation::gemm));
    std::vector<RecordingPtr> shown;
    for (std::size_t column = 0; column < viz::most_columns; ++column)
        shown.push_back(recordings_.shown(column).recorded.recording);
    details_.turn(machine_.get(), loaded_ ? catalogue_ : nullptr, shown);
    gpu_.turn();
    search_.turn();
    programs_.turn();
    if (sources_.turn()) // true when the file itself was written, not its stored versions
        watch_.forgive();
    take_notices();
    take_winner();
    take_version(); // also for a text that ran before, because its run is shown at once
    if (const auto recording = programs_.take_recording())
        open(*recording);
    renew_library();
    engine_.end_turn();
    snapshot_.reset();
}

// Takes notices about problems, and about the save in progress.
void Session::take_notices()
{
    for (std::string notice : {recordings_.take_notice(), sources_.take_notice()})
        if (!notice.empty())
            notice_ = std::move(notice);
    const Loadable<SaveTask>* saved = saving_ ? engine_.follow(*saving_) : nullptr;
    if (saved == nullptr || saved->busy)
        return;
    notice_ = saved->failure ? saved->failure->why : saved_notice(saving_->path);
    if (options_.visit && !saved->failure) {
        notice_ = saved_notice(saving_->path.filename());
        options_.visit->hand_out(saving_->path);
    }
    saving_.reset();
}

// Adds a run to the versions of its file, and compares it with the previous version unless the user compares with
// something else.
void Session::take_version()
{
    const std::optional<uint64_t> before = sources_.take(choice_, recordings_.shown(0));
    if (before && !choice_.columns[1].rung && !choice_.columns[1].file)
        propose([before](Choice& choice) { choice.columns[1].version = before; }, false);
}

std::vector<std::size_t> Session::shown_rungs() const
{
    std::vector<std::size_t> shown;
    for (const ChosenStage& chosen : choice_.columns)
        if (chosen.rung && std::ranges::find(shown, *chosen.rung) == shown.end())
            shown.push_back(*chosen.rung);
    return shown;
}

std::vector<kernels::Job> Session::timed_jobs() const
{
    std::vector<kernels::Job> jobs;
    for (std::size_t i = 0; i < ladder_->size(); ++i)
        jobs.push_back({&(*ladder_)[i], in_use_[i], timed_problem(choice_.sizes, (*ladder_)[i].operation)});
    return jobs;
}

// Uses the winner at the timed size, otherwise the parameters that suit that size. Parameters that the user chose take
// precedence.
void Session::use_tuned()
{
    if (!machine_ || !machine_->gpu())
        return;
    const TunedFile tuned(options_.tuned);
    if (!tuned.broken().empty())
        notice_ = tuned.broken();
    tuned_for_ = timed_problem(choice_.sizes, kernels::Operation::gemm);
    for (std::size_t i = 0; i < ladder_->size(); ++i) {
        const kernels::Stage& stage = (*ladder_)[i];
        standard_[i] =
            standard_parameters(tuned, stage, *machine_->device, timed_problem(choice_.sizes, stage.operation));
    }
}

bool Session::poll()
{
    const SnapshotPtr before = snapshot_;
    if (MachinePtr machine = workers_.machine(); machine != machine_ && machine != nullptr)
        change_machine(std::move(machine));
    if (std::string notice = workers_.take_notice(); !notice.empty()) {
        notice_ = std::move(notice);
        changed();
    }
    if (!loaded_ && catalogue_loader_.get() != nullptr)
        catalogue_loaded();
    if (!launches_loaded_ && launches_.get() != nullptr) {
        launches_loaded_ = true;
        changed();
    }
    if (watch_.changed() && !sources_.saving()) {
        const bool typed = sources_.typed(choice_);
        sources_.read_again();
        if (!typed)
            recordings_.read_again(0);
        changed();
    }
    const bool answered = engine_.poll();
    if (sources_.poll() || answered)
        changed();
    // A turn for the old choice would begin work that the new choice does not want.
    const bool proposes = !proposed_.empty();
    if (stale_ && !proposes)
        turn();
    return proposes || snapshot_ == nullptr || snapshot_ != before;
}

// Switches to another machine; null: the search for it has begun. Forgets what the old machine made, except for its
// speeds.
void Session::change_machine(MachinePtr found)
{
    const auto key = [&](const MachinePtr& machine) {
        return machine == nullptr ? std::string() : speeds_key(machine_of_, *machine);
    };
    const std::string before = key(machine_);
    if (machine_ != nullptr) {
        recordings_.forget();
        details_.cancel();
        gpu_.stop();
        search_.leave();
    }
    machine_ = std::move(found);
    machine_of_ = worker();
    engine_.change_device(before, key(machine_));
    measurements_.device_changed();
    if (machine_ != nullptr) {
        gpu_.machine_found(*machine_, catalogue_->gpu);
        use_tuned();
    }
    changed();
}

void Session::use_worker(const WorkerAt& at)
{
    if (at == worker() || refuse_visitor())
        return;
    change_machine(nullptr); // before the switch, so that the key still names the old worker
    workers_.use(at);
    turn();
}

void Session::catalogue_loaded()
{
    loaded_ = true;
    catalogue_ = *catalogue_loader_.get();
    if (machine_)
        gpu_.machine_found(*machine_, catalogue_->gpu);
    if (shows_search_of_)
        show_shipped_search(*std::exchange(shows_search_of_, std::nullopt));
    changed();
}

// Updates the library's kernels, which are traced with its timing, if their inputs changed.
void Session::renew_library()
{
    const std::vector<BaselineMeasurement> traced = measurements_.all_baselines();
    const std::tuple made_of(catalogue_, machine_, traced.size());
    if (std::exchange(library_made_of_, made_of) != made_of)
        library_ = library_kernels(catalogue_, machine_.get(), traced);
}

void Session::take_winner()
{
    if (const auto winner = search_.take_winner())
        propose([this, stage = static_cast<std::size_t>(winner->stage - ladder_->data()),
                 values = winner->parameters](Choice& choice) {
            choice.set_parameters(stage, values, standard_[stage], is_tiny(choice, (*ladder_)[stage]));
        });
    if (!search_.take_remembered())
        return;
    use_tuned();
    propose(
        [this](Choice& choice) { // the stored winner is now the default
            std::erase_if(choice.parameters, [&](const auto& one) { return one.second == standard_[one.first]; });
        },
        false);
}

void Session::save()
{
    const RecordingPtr& made = recordings_.shown(0).recorded.recording;
    changed();
    if (made == nullptr) {
        notice_ = "There is no recording to save yet.";
        return;
    }
    const recording::Problem& problem = made->problem;
    std::error_code ignored; // on an error the path stays relative
    const std::string name = fmt::format("{}_{}x{}x{}", made->stage.substr(0, 60), problem.M, problem.N, problem.K);
    const auto folder = options_.visit ? options_.visit->folder : std::filesystem::current_path(ignored);
    saving_ = {free_path(folder, name, "gscope"), made};
    engine_.renew(*saving_, Lane::files);
    notice_ = fmt::format("Saving {} …", options_.visit ? saving_->path.filename().string() : saving_->path.string());
}

void Session::clear_notice()
{
    if (!std::exchange(notice_, {}).empty())
        changed();
}

void Session::look_at_programs(const std::function<void(Programs&)>& request)
{
    if (refuse_visitor())
        return;
    request(programs_);
    changed();
}

void Session::search_parameters(std::size_t stage)
{
    if (machine_ && machine_->gpu())
        search_.start({&(*ladder_)[stage], in_use_[stage], timed_problem(choice_.sizes, (*ladder_)[stage].operation)},
                      machine_->device->name);
    changed();
}

void Session::show_shipped_search(std::size_t stage)
{
    if (!loaded_)
        shows_search_of_ = stage;
    else if (const TriedParameters* shipped = catalogue_->searches.find((*ladder_)[stage].slug))
        search_.show(*shipped);
    else
        notice_ = no_search_of(std::string((*ladder_)[stage].slug), catalogue_->searches);
    changed();
}

void Session::want(Detail detail, const RecordingPtr& recording)
{
    if (details_.want(detail, recording))
        changed();
}

void Session::measure_pattern(const model::PatternRow& row)
{
    if (gpu_.measure_pattern(row))
        changed();
}

void Session::count_shown()
{
    if (!machine_ || !machine_->gpu())
        return;
    for (std::size_t column = 0; column < viz::most_columns; ++column) {
        const RecordingPtr& made = recordings_.shown(column).recorded.recording;
        const CountersPtr own = details_.counters_of(made);
        if (made != nullptr && (own == nullptr || !own->counters))
            details_.count_again(Detail::counters, made);
    }
    changed();
}

// Applies the choice, and records stages here instead of showing shipped recordings.

void Session::propose(ChoiceEdit edit, bool undoable)
{
    proposed_.push_back({std::move(edit), undoable});
    changed();
}

void Session::follow(Choice& choice, History& history)
{
    do {
        const std::vector<Proposal> proposed = std::exchange(proposed_, {});
        for (const Proposal& one : proposed)
            one.undoable ? history.change(choice, one.edit) : one.edit(choice);
        if (proposed.empty() && choice == choice_)
            return;
        if (shows_forbidden_file(choice)) {
            choice = choice_; // the choice before, which the visitor may see
            refuse_visitor();
        }
        choice_ = choice;
        turn();
    } while (!proposed_.empty()); // a text that ran before adds its version at once
}

bool Session::shows_forbidden_file(const Choice& choice) const
{
    return options_.visit && std::ranges::any_of(choice.columns, [&](const ChosenStage& column) {
               return column.file && !options_.visit->may_show(*column.file);
           });
}

bool Session::refuse_visitor()
{
    if (options_.visit) {
        notice_ = not_for_visitors;
        changed();
    }
    return options_.visit != nullptr;
}

kernels::ParameterValues Session::parameters_of(std::size_t column) const
{
    const std::optional<std::size_t> stage = choice_.columns[column].rung;
    if (!stage)
        return {};
    return column == 1 && choice_.columns[1].parameters ? *choice_.columns[1].parameters
                                                        : parameters(choice_, *ladder_, *stage, in_use_[*stage]);
}

// Returns the stages whose shown recordings are shipped. Sets a notice for a stage that cannot run here.
std::vector<std::size_t> Session::recordable_here()
{
    std::vector<std::size_t> here;
    for (std::size_t column = 0; column < viz::most_columns; ++column) {
        const std::optional<std::size_t> stage = choice_.columns[column].rung;
        if (!stage || !recordings_.shown(column).shipped || !machine_)
            continue;
        if (std::string why_not = why_not_on(*machine_, (*ladder_)[*stage]); !why_not.empty())
            notice_ = std::move(why_not);
        else
            here.push_back(*stage);
    }
    return here;
}

void Session::record_again()
{
    const std::vector<std::size_t> here = recordable_here();
    recordings_.forget();
    propose([here](Choice& choice) { choice.recorded_here.insert(here.begin(), here.end()); });
}

void Session::record_block(const recording::Index3& block)
{
    const std::vector<std::size_t> here = recordable_here();
    const std::optional<std::size_t> first = choice_.columns[0].rung;
    if (recordings_.shown(0).shipped && std::ranges::find(here, first) == here.end())
        return changed(); // the notice has the reason
    propose([here, block](Choice& choice) {
        choice.recorded_here.insert(here.begin(), here.end());
        choice.block = block;
    });
}

} // namespace app
