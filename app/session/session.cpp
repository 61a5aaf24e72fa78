#include "app/session/session.h"

#include "app/session/editor_program.h"
#include "app/session/library_kernels.h"
#include "app/tasks/trace.h"

#include <fmt/format.h>

#include <utility>

namespace app {

Session::Session(SessionOptions options)
    : ladder_(std::make_shared<const std::vector<kernels::Stage>>(kernels::make_ladder())),
      options_(std::move(options)), choice_(first_choice(*ladder_, options_)), catalogue_(empty_catalogue()),
      library_(std::make_shared<const viz::LibraryKernels>()),
      workers_(*ladder_, {options_.worker, options_.backend, options_.tuned, options_.wake}),
      queue_(
          [this, seen = seen_](const Task& task, Lane lane, std::stop_token stop, const auto& progress) {
              return workers_.run(seen->with_text(task), lane, std::move(stop), progress);
          },
          options_.wake),
      catalogue_loader_([this](const std::stop_token&) { return load_catalogue(options_.shipped, *ladder_); },
                        options_.wake),
      launches_([this](std::stop_token stop) { return read_shipped_launches(options_.shipped, *ladder_, stop); },
                options_.wake),
      recordings_(*ladder_, queue_), watch_(options_.wake), measurements_(queue_), details_(*ladder_, queue_),
      gpu_(queue_), search_(*ladder_, queue_, options_.tuned), programs_(queue_, options_.traces), saving_(queue_),
      sources_(queue_, seen_, options_.own, options_.wake)
{
    for (const kernels::Stage& stage : *ladder_)
        standard_.push_back(stage.standard_parameters());
    apply();
    for (const std::string& command : options_.beside)
        put_beside({command, {}});
}

Session::~Session()
{
    workers_.close();
}

SnapshotPtr Session::snapshot()
{
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
                                       library_});
        for (viz::StageColumn& column : made.columns)
            column.kept = memos_[column.number];
        made.version = ++version_;
        made.measures = options_.measures;
        made.loaded = loaded_ && launches_loaded_;
        made.notice = notice_;
        made.saving = saving_.busy() || sources_.saving();
        made.source = sources_.text(choice_);
        made.own_files = sources_.own().files();
        made.own_folder = sources_.own().path();
        made.versions_kept_in = sources_.kept_in(choice_);
        made.beside = workers_.states(choice_);
        if (const SearchState* search = workers_.search(); search != nullptr && !made.searched)
            made.searched = *search;
        snapshot_ = std::make_shared<const Snapshot>(std::move(made));
    }
    return snapshot_;
}

void Session::open(const std::filesystem::path& file)
{
    recordings_.want(0, std::nullopt, nullptr); // it may have changed since it was read
    sources_.read_again();
    propose([file](Choice& choice) { choice.show(file); });
}

void Session::show_made(const std::optional<std::filesystem::path>& file)
{
    notice_ = file ? fmt::format("A copy of your own: {}. Change it and press Ctrl+Enter.", file->string())
                   : "There is no folder for stages of your own: set HOME or GEMMSCOPE_STAGES.";
    snapshot_.reset();
    if (file)
        propose([file = *file](Choice& choice) { choice.show(file); });
}

void Session::write_source(const std::string& text)
{
    if (!choice_.columns[0].file || !is_cuda_source(*choice_.columns[0].file))
        return;
    sources_.write(*choice_.columns[0].file, text);
    apply();
}

void Session::open_in_editor(uint32_t line)
{
    if (choice_.columns[0].file && !app::open_in_editor(*choice_.columns[0].file, line)) {
        notice_ = "No editor was found: set VISUAL to the one that you use, such as code or gvim.";
        snapshot_.reset();
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

// What follows from the choice.
void Session::apply()
{
    const Choice& choice = choice_;
    if (timed_problem(choice.sizes, kernels::Operation::gemm) != tuned_for_)
        use_tuned();
    in_use_ = standard_;
    for (const auto& [stage, values] : choice.parameters)
        in_use_[stage] = values;
    watch_.watch(choice.columns[0].file && is_cuda_source(*choice.columns[0].file) ? choice.columns[0].file
                                                                                   : std::nullopt);
    for (std::size_t column = 0; column < viz::most_columns; ++column) {
        const std::optional<std::size_t> stage = choice.columns[column].rung;
        std::optional<WantedRecording> want;
        if (column == 0 && choice.columns[0].file)
            want = sources_.wanted(choice, *choice.columns[0].file);
        else if (column == 1 && (choice.columns[1].version || choice.columns[1].file))
            want = sources_.second(choice);
        else if (stage)
            want = wanted_stage(choice, *ladder_, *stage, parameters_of(column), options_.shipped);
        recordings_.want(column, want, machine_.get());
    }
    measure();
    workers_.follow(choice);
    snapshot_.reset();
    take_version(); // of a text that ran before, which is shown at once
}

// What ran is a version of its file; the one before it is compared with, unless something else is.
void Session::take_version()
{
    const std::optional<uint64_t> before = sources_.take(choice_, recordings_.shown(0));
    if (before && !choice_.columns[1].rung && !choice_.columns[1].file)
        propose([before](Choice& choice) { choice.columns[1].version = before; }, false);
}

void Session::measure()
{
    if (!machine_ || !options_.measures)
        return;
    std::vector<kernels::Job> jobs;
    for (std::size_t i = 0; i < ladder_->size(); ++i)
        jobs.push_back({&(*ladder_)[i], in_use_[i], timed_problem(choice_.sizes, (*ladder_)[i].operation)});
    measurements_.want(*machine_, std::move(jobs), timed_problem(choice_.sizes, kernels::Operation::gemm));
}

// Stages take what won at the timed size, or else suits it, unless a person has chosen something else.
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
    if (MachinePtr machine = workers_.machine(); machine != machine_ && machine != nullptr) {
        forget_machine();
        machine_ = std::move(machine);
        machine_found();
    }
    if (workers_.poll(choice_))
        snapshot_.reset();
    if (std::string notice = workers_.take_notice(); !notice.empty()) {
        notice_ = std::move(notice);
        snapshot_.reset();
    }
    if (!loaded_ && catalogue_loader_.get() != nullptr)
        catalogue_loaded();
    if (!launches_loaded_ && launches_.get() != nullptr) {
        launches_loaded_ = true;
        snapshot_.reset();
    }
    if (watch_.changed() && !sources_.saving()) {
        const bool typed = sources_.typed(choice_);
        sources_.read_again();
        typed ? apply() : recordings_.read_again(0);
        snapshot_.reset();
    }
    if (sources_.poll())
        snapshot_.reset();
    for (const Report& report : queue_.take())
        receive(report);
    return snapshot_ == nullptr || snapshot_ != before;
}

// What was measured and made there.
void Session::forget_machine()
{
    const MachinePtr before = std::exchange(machine_, nullptr);
    if (before == nullptr)
        return;
    workers_.kept_speeds()[speeds_key(worker(), *before)] = measurements_.take();
    recordings_.forget();
    details_.cancel();
    gpu_.stop();
    search_.leave();
    snapshot_.reset();
}

void Session::use_worker(const WorkerAt& at)
{
    if (at == worker())
        return;
    forget_machine(); // while it is still called what it was
    workers_.use(at);
    apply();
}

void Session::put_beside(const WorkerAt& at)
{
    if (!workers_.put_beside(at))
        notice_ = fmt::format("At most {} workers can run beside this one: remove one first.", most_beside);
    snapshot_.reset();
}

void Session::leave_out(const WorkerAt& at)
{
    workers_.leave_out(at);
    snapshot_.reset();
}

void Session::machine_found()
{
    const KeptSpeeds& speeds = workers_.kept_speeds();
    if (const auto kept = speeds.find(speeds_key(worker(), *machine_)); kept != speeds.end())
        measurements_.know(kept->second);
    details_.machine_found(*machine_);
    gpu_.machine_found(*machine_, catalogue_->gpu);
    renew_library();
    use_tuned();
    apply();
    recordings_.machine_found(*machine_);
}

void Session::catalogue_loaded()
{
    loaded_ = true;
    catalogue_ = *catalogue_loader_.get();
    details_.catalogue_loaded(catalogue_);
    renew_library();
    if (machine_)
        gpu_.machine_found(*machine_, catalogue_->gpu);
    if (shows_search_of_)
        show_shipped_search(*std::exchange(shows_search_of_, std::nullopt));
    snapshot_.reset();
}

void Session::renew_library()
{
    library_ = library_kernels(catalogue_, machine_.get(), measurements_.all_baselines());
}

void Session::receive(const Report& report)
{
    if (measurements_.receive(report)) {
        if (report.result<BaselineResult>() != nullptr)
            renew_library();
    } else if (auto [why, writing] = std::pair(std::string(), sources_.saving()); sources_.receive(report, why)) {
        if (writing && !sources_.saving()) // the file itself, not its kept versions
            watch_.forgive();
        if (!why.empty())
            notice_ = std::move(why);
    } else if (recordings_.receive(report)) {
        if (report.result<RunFileResult>() != nullptr)
            take_version();
        if (std::string notice = recordings_.take_notice(); !notice.empty())
            notice_ = std::move(notice);
    } else if (programs_.receive(report)) {
        if (const auto recording = programs_.take_recording())
            open(*recording);
    } else if (search_.receive(report)) {
        take_winner();
    } else if (std::string saved = saving_.receive(report); !saved.empty()) {
        notice_ = std::move(saved);
    } else if (!details_.receive(report) && !gpu_.receive(report)) {
        return;
    }
    snapshot_.reset();
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
        [this](Choice& choice) { // a winner that was remembered is the standard from now on
            std::erase_if(choice.parameters, [&](const auto& one) { return one.second == standard_[one.first]; });
        },
        false);
}

void Session::cancel()
{
    recordings_.cancel();
    snapshot_.reset();
}

void Session::save()
{
    notice_ = saving_.start(recordings_.shown(0).recorded.recording);
    snapshot_.reset();
}

void Session::clear_notice()
{
    if (!std::exchange(notice_, {}).empty())
        snapshot_.reset();
}

void Session::look_at_programs(const std::function<void(Programs&)>& wish)
{
    wish(programs_);
    snapshot_.reset();
}

void Session::search_parameters(std::size_t stage)
{
    if (Beside* const there = workers_.searching(); there != nullptr)
        there->search(stage, choice_);
    else if (machine_ && machine_->gpu())
        search_.start({&(*ladder_)[stage], in_use_[stage], timed_problem(choice_.sizes, (*ladder_)[stage].operation)},
                      machine_->device->name);
    snapshot_.reset();
}

void Session::show_shipped_search(std::size_t stage)
{
    if (!loaded_)
        shows_search_of_ = stage;
    else if (const TriedParameters* shipped = catalogue_->searches.find((*ladder_)[stage].slug))
        search_.show(*shipped);
    else
        notice_ = no_search_of(std::string((*ladder_)[stage].slug), catalogue_->searches);
    snapshot_.reset();
}

void Session::leave_search()
{
    search_.leave();
    workers_.leave_searches();
    snapshot_.reset();
}

void Session::measure_gpu()
{
    gpu_.measure();
    snapshot_.reset();
}

void Session::want(Detail detail, const RecordingPtr& recording)
{
    const bool before = details_.busy();
    details_.want(detail, recording);
    if (details_.busy() != before)
        snapshot_.reset();
}

void Session::ask_again(Detail detail, const RecordingPtr& recording)
{
    details_.count_again(detail, recording);
    snapshot_.reset();
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
    snapshot_.reset();
}

} // namespace app
