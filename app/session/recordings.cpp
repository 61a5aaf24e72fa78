#include "app/session/recordings.h"

#include "app/data/recordings.h"

#include <algorithm>

namespace app {

namespace {

using Shown = ShownRecording::State;

// Returns whether both requests record the same launch, regardless of which blocks are recorded in full.
bool same_launch(const RecordingRequest& a, const RecordingRequest& b)
{
    return a.file == b.file && a.task.job == b.task.job && a.shipped == b.shipped && !a.made && !b.made;
}

template <Request R>
ShownRecording shown_of(const Loadable<R>& known, Shown busy)
{
    if (known.busy)
        return {.state = busy, .progress = known.progress};
    if (known.failure)
        return {.state = known.cancelled() ? Shown::cancelled : Shown::failed, .why = known.failure->why};
    return {.state = Shown::ready, .recorded = known.value->recorded};
}

ExamineTask examine(const RecordingPtr& recording)
{
    return {.recording = recording, .job = {}};
}

CountTask count(Detail detail, const RecordingPtr& recording)
{
    return {.job = job_of(*recording),
            .recording = recording,
            .launch = detail == Detail::counters,
            .instructions = detail == Detail::instructions,
            .shipped = {}};
}

} // namespace

RecordingRequest wanted_stage(const Choice& choice, const std::vector<kernels::Stage>& ladder, std::size_t index,
                              const kernels::ParameterValues& parameters, const std::filesystem::path& shipped)
{
    const kernels::Stage& stage = ladder[index];
    const kernels::Job job{&stage, parameters, recorded_problem(choice, ladder, index), choice.filled_with()};
    const recording::Index3 grid = stage.launch(job.parameters, job.problem).grid;
    RecordingRequest result{.task = {named(job), blocks_in_full(grid, block_within(choice.block, grid))}};
    if (!choice.recorded_here.contains(index))
        result.shipped = shipped;
    return result;
}

void Recordings::turn(const RecordingRequests& wanted, const MachineFacts* machine)
{
    std::vector<const Own*> recorded;
    std::array<std::optional<ShownRecording>, viz::most_columns> found;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        want(columns_[i], wanted[i]);
        found[i] = look(columns_[i], machine);
        if (!found[i])
            recorded.push_back(&columns_[i]);
    }
    prepare_together(recorded);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        Own& own = columns_[i];
        ShownRecording now = found[i] ? *std::move(found[i])
                                      : shown_of(engine_.ask(own.wanted->task, Lane::recording), Shown::recording);
        // A source that is being edited does not compile at every moment.
        const bool before_stays =
            now.busy() || now.state == Shown::cancelled || (now.state == Shown::failed && own.wanted->run);
        if (before_stays)
            now.recorded = std::move(own.shown.recorded), now.run = std::move(own.shown.run);
        own.shown = std::move(now);
    }
}

void Recordings::want(Own& own, const std::optional<RecordingRequest>& wanted)
{
    if (own.wanted == wanted)
        return;
    const bool same = wanted && own.wanted && same_launch(*wanted, *own.wanted);
    if (wanted && wanted->run && !wanted->run->text) // the file may have changed since it was read
        engine_.forget(*wanted->run);
    else if (wanted && !wanted->file.empty() && !same)
        engine_.forget(OpenTask{wanted->file, {}});
    own.wanted = wanted;
    own.shipped = wanted && wanted->file.empty() && !wanted->shipped.empty() ? shipped_one(*wanted) : OpenTask();
    own.given_up = false;
    if (!same)
        own.shown = {};
}

// Returns nothing if the stage must be recorded.
std::optional<ShownRecording> Recordings::look(const Own& own, const MachineFacts* machine)
{
    if (!own.wanted)
        return ShownRecording();
    const RecordingRequest& wanted = *own.wanted;
    if (wanted.made != nullptr)
        return ShownRecording{.state = Shown::ready, .recorded = wanted.made->recorded, .run = wanted.made};
    if (wanted.run) {
        const Loadable<RunFileTask>& known = engine_.ask(*wanted.run, Lane::recording);
        ShownRecording shown = shown_of(known, Shown::reading);
        shown.run = known.value;
        return shown;
    }
    if (!wanted.file.empty())
        return shown_of(engine_.ask(OpenTask{wanted.file, {}}, Lane::files), Shown::reading);
    if (own.given_up || machine == nullptr)
        return ShownRecording{.state = own.given_up ? Shown::cancelled : Shown::recording};
    const kernels::Stage& stage = kernels::find_stage(ladder_, wanted.task.job.stage);
    std::string why_not = machine->device ? why_not_on(*machine, stage) : machine->error;
    // Shows the shipped recording if there is no GPU, unless the user requested the CPU, or if the GPU cannot run the
    // stage.
    if (!wanted.shipped.empty() && machine->device && (!why_not.empty() || (!machine->gpu() && !machine->cpu_wanted)))
        if (std::optional<ShownRecording> shipped = look_shipped(own, why_not))
            return shipped;
    if (!why_not.empty())
        return ShownRecording{.state = Shown::failed, .why = std::move(why_not)};
    return std::nullopt;
}

OpenTask Recordings::shipped_one(const RecordingRequest& wanted) const
{
    const kernels::Stage& stage = kernels::find_stage(ladder_, wanted.task.job.stage);
    const std::filesystem::path size = shipped_size(wanted.shipped, stage, wanted.task.job.problem);
    return size.empty() ? OpenTask{wanted.shipped, wanted.task.job.stage} : OpenTask{size, {}};
}

// Returns nothing if the shipped recording differs from the requested one, which is then made here. `why_not` says why
// the stage cannot run here; empty: it can.
std::optional<ShownRecording> Recordings::look_shipped(const Own& own, const std::string& why_not)
{
    const RecordingRequest& wanted = *own.wanted;
    const Loadable<OpenTask>& opened = engine_.ask(own.shipped, Lane::files);
    ShownRecording shown = shown_of(opened, Shown::recording);
    shown.shipped = shown.state == Shown::ready;
    if (shown.shipped) {
        const recording::Recording& made = *shown.recorded.recording;
        const auto job = find_job(ladder_, wanted.task.job);
        if (why_not.empty())
            return job && answers(made, *job) ? std::optional(std::move(shown)) : std::nullopt;
        if (made.parameters != wanted.task.job.parameters)
            return ShownRecording{.state = Shown::failed,
                                  .why = "The recording that is shipped was made with its standard parameters."};
    } else if (shown.state == Shown::failed) {
        if (!why_not.empty()) {
            shown.why = why_not + " " + shown.why;
            return shown;
        }
        if (opened.failure->kind != Failure::Kind::unavailable &&
            told_.insert(shown.why).second) // a missing file is no problem, because not every stage has one
            notice_ = shown.why;
        return std::nullopt;
    }
    return shown;
}

// Compiles what all columns need at once, because the second stage is requested shortly after the first.
void Recordings::prepare_together(std::span<const Own* const> recorded)
{
    PrepareTask prepare{.jobs = {}, .recorded = true};
    bool answered = true;
    for (const Own* own : recorded) {
        const auto* known = engine_.known(own->wanted->task);
        answered &= known != nullptr && !known->busy;
        prepare.jobs.push_back(own->wanted->task.job);
    }
    if (prepare.jobs.size() > 1 && !answered)
        engine_.ask(prepare, Lane::recording);
}

void Recordings::read_again(std::size_t column)
{
    const Own& own = columns_[column];
    if (!own.wanted || own.wanted->file.empty())
        return;
    if (own.wanted->run)
        engine_.renew(*own.wanted->run, Lane::recording);
    else
        engine_.renew(OpenTask{own.wanted->file, {}}, Lane::files);
}

void Recordings::forget()
{
    engine_.forget<RecordTask>();
    engine_.forget<RunFileTask>();
    engine_.forget<OpenTask>();
    columns_ = {};
    told_.clear();
}

void Recordings::cancel()
{
    for (Own& own : columns_) {
        if (!own.shown.busy())
            continue;
        if (own.wanted->run)
            engine_.cancel(*own.wanted->run);
        else if (!own.wanted->file.empty())
            engine_.cancel(OpenTask{own.wanted->file, {}});
        else if (engine_.known(own.wanted->task) != nullptr)
            engine_.cancel(own.wanted->task);
        else if (engine_.known(own.shipped) != nullptr)
            engine_.cancel(own.shipped);
        else
            own.given_up = true;
    }
}

// Returns a part of the answer. After a failure it returns a part with the reason why it is missing, and the same
// object each time.
template <class Part, Request R>
std::shared_ptr<const Part> Details::part_of(const R& request, Detail detail, const auto& part) const
{
    const Loadable<R>* const known = engine_.known(request);
    if (known == nullptr || known->cancelled())
        return nullptr;
    if (known->failure) {
        std::shared_ptr<const void>& made = failed_[{detail, request.recording}];
        if (made == nullptr)
            made = std::make_shared<const Part>(Part{.missing = {{recording::Missing::failed, {known->failure->why}}}});
        return std::static_pointer_cast<const Part>(made);
    }
    return known->value == nullptr ? nullptr : std::shared_ptr<const Part>(known->value, &part(*known->value));
}

void Details::turn(const MachineFacts* machine, CataloguePtr catalogue, std::span<const RecordingPtr> shown)
{
    found_ = machine != nullptr;
    gpu_ = found_ && machine->gpu();
    catalogue_ = std::move(catalogue);
    shown_.assign(shown.begin(), shown.end());
    std::erase_if(failed_, [&](const auto& one) { return !is_shown(one.first.second); });
    for (const Detail detail : {Detail::code, Detail::counters, Detail::instructions})
        std::erase_if(wanted(detail), [&](const RecordingPtr& recording) {
            const bool by_key = std::ranges::find(again_, recording) != again_.end();
            return !is_shown(recording) && !(by_key && busy(detail, recording));
        });
    for (const RecordingPtr& recording : wanted(Detail::code))
        engine_.ask(examine(recording), Lane::code);
    // Without a GPU the only work is to follow the machine code for a comparison with shipped counters.
    for (const Detail detail : {Detail::counters, Detail::instructions})
        for (const RecordingPtr& recording : wanted(detail)) {
            CountTask task = count(detail, recording);
            if (!gpu_ && catalogue_ != nullptr)
                task.shipped = counted_elsewhere(catalogue_->counters, find_job(ladder_, task.job));
            engine_.ask(task, gpu_ ? Lane::counters : Lane::code);
        }
}

bool Details::want(Detail detail, const RecordingPtr& recording)
{
    const bool can = detail == Detail::code || (detail == Detail::counters && (gpu_ || catalogue_ != nullptr)) ||
                     (detail == Detail::instructions && found_ && !gpu_ && catalogue_ != nullptr);
    std::vector<RecordingPtr>& all = wanted(detail);
    if (!is_shown(recording) || !can || std::ranges::find(all, recording) != all.end())
        return false;
    all = {recording};
    return true;
}

void Details::count_again(Detail detail, const RecordingPtr& recording)
{
    engine_.forget(count(detail, recording));
    failed_.erase({detail, recording});
    again_ = {recording};
    std::vector<RecordingPtr>& all = wanted(detail);
    if (detail == Detail::instructions)
        all.clear();
    if (std::ranges::find(all, recording) == all.end())
        all.push_back(recording);
}

bool Details::is_shown(const RecordingPtr& recording) const
{
    return recording != nullptr && std::ranges::find(shown_, recording) != shown_.end();
}

bool Details::busy(Detail detail, const RecordingPtr& recording) const
{
    const auto is_busy = [](const auto* known) { return known != nullptr && known->busy; };
    return detail == Detail::code ? is_busy(engine_.known(examine(recording)))
                                  : is_busy(engine_.known(count(detail, recording)));
}

bool Details::busy(Detail detail) const
{
    return std::ranges::any_of(wanted_[static_cast<std::size_t>(detail)],
                               [&](const RecordingPtr& recording) { return busy(detail, recording); });
}

CodePtr Details::code_of(const RecordingPtr& recording) const
{
    if (recording == nullptr)
        return nullptr;
    return part_of<ExamineResult>(
        examine(recording), Detail::code, [](const auto& all) -> auto& { return all; });
}

CountersPtr Details::counters_of(const RecordingPtr& recording) const
{
    if (recording == nullptr)
        return nullptr;
    return part_of<CountedLaunch>(
        count(Detail::counters, recording), Detail::counters, [](const auto& all) -> auto& { return *all.launch; });
}

InstructionsPtr Details::instructions_of(const RecordingPtr& recording) const
{
    if (recording == nullptr)
        return nullptr;
    return part_of<CountedInstructions>(
        count(Detail::instructions, recording), Detail::instructions,
        [](const auto& all) -> auto& { return *all.instructions; });
}

} // namespace app
