#include "app/session/recordings.h"

#include "app/catalogue/recordings.h"

#include <algorithm>
#include <utility>

namespace app {

namespace {

constexpr std::size_t most_kept = 16;

// Of one launch, though other blocks of it are in full.
bool same_launch(const WantedRecording& a, const WantedRecording& b)
{
    return a.file == b.file && a.task.job == b.task.job && a.shipped == b.shipped && !a.made && !b.made;
}

} // namespace

WantedRecording wanted_stage(const Choice& choice, const std::vector<kernels::Stage>& ladder, std::size_t index,
                             const kernels::ParameterValues& parameters, const std::filesystem::path& shipped)
{
    const kernels::Stage& stage = ladder[index];
    const kernels::Job job{&stage, parameters, recorded_problem(choice, ladder, index), choice.filled_with()};
    const recording::Index3 block = block_within(choice.block, stage.launch(job.parameters, job.problem).grid);
    WantedRecording result{.task = {named(job), {{0, 0, 0}}}};
    if (block != result.task.blocks.front())
        result.task.blocks.push_back(block);
    if (!choice.recorded_here.contains(index))
        result.shipped = shipped;
    return result;
}

const kernels::Stage& Recordings::stage_of(const Own& own) const
{
    return kernels::find_stage(ladder_, own.wanted->task.job.stage);
}

void Recordings::want(std::size_t column, const std::optional<WantedRecording>& wanted, const MachineFacts* machine)
{
    Own& own = columns_[column];
    if (own.wanted == wanted)
        return;
    const bool same = wanted && own.wanted && same_launch(*wanted, *own.wanted);
    if (same && own.shown.shipped &&
        own.shown.state == ShownRecording::State::ready) { // its blocks are those that it came with
        own.wanted = wanted;
        return;
    }
    queue_.cancel(own.ticket);
    ShownRecording before = std::move(own.shown);
    own = {.wanted = wanted};
    if (!wanted)
        return;
    const auto kept = std::ranges::find(kept_, *wanted, &Kept::wanted);
    if (kept != kept_.end()) {
        own.shown = kept->shown;
        return;
    }
    if (wanted->made != nullptr) {
        own.shown = {ShownRecording::State::ready, wanted->made->recorded, false, {}, wanted->made};
        return;
    }
    if (same)
        own.shown.recorded = std::move(before.recorded), own.shown.run = std::move(before.run);
    own.shown.state = wanted->file.empty() ? ShownRecording::State::recording : ShownRecording::State::reading;
    if (!wanted->file.empty())
        open(own);
    else if (machine != nullptr)
        begin(own, *machine);
}

void Recordings::open(Own& own)
{
    own.submitted = true;
    if (own.wanted->run)
        own.ticket = queue_.submit(Lane::recording, *own.wanted->run);
    else
        own.ticket = queue_.submit(Lane::files, OpenTask{own.wanted->file, {}});
}

void Recordings::machine_found(const MachineFacts& machine)
{
    for (Own& own : columns_)
        if (own.wanted && !own.submitted && own.shown.busy())
            begin(own, machine);
}

// What is shipped is shown where there is no GPU, unless the CPU was asked for, or none that runs the stage.
void Recordings::begin(Own& own, const MachineFacts& machine)
{
    machine_ = machine;
    own.submitted = true;
    const std::string why_not = machine.device ? why_not_on(machine, stage_of(own)) : machine.error;
    const bool may_be_shipped = !own.wanted->shipped.empty() && machine.device;
    if (may_be_shipped && (!why_not.empty() || (!machine.gpu() && !machine.cpu_wanted))) {
        own.asks_shipped = true;
        const std::string& stage = own.wanted->task.job.stage;
        const std::filesystem::path size =
            shipped_size(own.wanted->shipped, stage_of(own), own.wanted->task.job.problem);
        own.ticket =
            queue_.submit(Lane::files, size.empty() ? OpenTask{own.wanted->shipped, stage} : OpenTask{size, {}});
    } else if (!why_not.empty()) {
        fail(own, {Failure::Kind::unavailable, why_not});
    } else {
        record(own);
    }
}

void Recordings::record(Own& own)
{
    own.asks_shipped = false;
    prepare_together();
    own.ticket = queue_.submit(Lane::recording, own.wanted->task);
}

// The second stage is wanted a moment after the first: what both need is compiled at once.
void Recordings::prepare_together()
{
    PrepareTask prepare{.jobs = {}, .recorded = true};
    for (const Own& own : columns_)
        if (own.wanted && own.wanted->file.empty() && own.shown.state == ShownRecording::State::recording &&
            !own.asks_shipped)
            prepare.jobs.push_back(own.wanted->task.job);
    queue_.cancel(std::exchange(preparing_, 0));
    if (prepare.jobs.size() > 1)
        preparing_ = queue_.submit(Lane::recording, std::move(prepare));
}

void Recordings::read_again(std::size_t column)
{
    Own& own = columns_[column];
    if (!own.wanted || own.wanted->file.empty())
        return;
    queue_.cancel(own.ticket);
    own.shown.state = ShownRecording::State::reading;
    open(own);
}

void Recordings::forget()
{
    kept_.clear();
    for (Own& own : columns_) {
        queue_.cancel(own.ticket);
        own = {};
    }
}

void Recordings::cancel()
{
    for (Own& own : columns_)
        if (own.shown.busy()) {
            queue_.cancel(own.ticket);
            if (!own.submitted)
                own.shown.state = ShownRecording::State::cancelled;
        }
}

bool Recordings::receive(const Report& report)
{
    const auto found =
        std::ranges::find_if(columns_, [&](const Own& own) { return own.ticket == report.ticket && own.ticket != 0; });
    if (found == columns_.end())
        return false;
    Own& own = *found;
    if (report.progress() != nullptr)
        return true;
    own.ticket = 0;
    if (const Failure* failure = report.failure())
        fail(own, *failure);
    else if (const OpenResult* opened = report.result<OpenResult>())
        take(own, opened->recorded);
    else if (const RecordResult* recorded = report.result<RecordResult>())
        take(own, recorded->recorded);
    else if (const RunFileResult* run = report.result<RunFileResult>()) {
        own.shown.run = std::make_shared<const RunFileResult>(*run);
        take(own, run->recorded);
    }
    return true;
}

void Recordings::take(Own& own, const Recorded& recorded)
{
    if (own.asks_shipped) {
        const auto job = find_job(ladder_, own.wanted->task.job);
        const std::string why_not = why_not_on(*machine_, stage_of(own));
        if (why_not.empty() && !(job && answers(*recorded.recording, *job)))
            return record(own); // what was asked for is made here
        if (!why_not.empty() && recorded.recording->parameters != own.wanted->task.job.parameters)
            return fail(own,
                        {Failure::Kind::error, "The recording that is shipped was made with its standard parameters."});
    }
    const RunPtr run = own.wanted->run ? own.shown.run : nullptr;
    own.shown = {ShownRecording::State::ready, recorded, own.asks_shipped, {}, run};
    if (own.wanted->file.empty() || (own.wanted->run && own.wanted->run->text)) // a file may change
        kept_.push_front({*own.wanted, own.shown});
    if (kept_.size() > most_kept)
        kept_.pop_back();
}

void Recordings::fail(Own& own, const Failure& failure)
{
    own.shown.state =
        failure.kind == Failure::Kind::cancelled ? ShownRecording::State::cancelled : ShownRecording::State::failed;
    own.shown.why = failure.why;
    if (own.shown.state == ShownRecording::State::cancelled)
        return;
    if (own.asks_shipped) {
        const std::string why_not = why_not_on(*machine_, stage_of(own));
        if (why_not.empty()) {
            if (failure.kind != Failure::Kind::unavailable) // not every stage has one
                notice_ = failure.why;
            own.shown.state = ShownRecording::State::recording;
            return record(own);
        }
        own.shown.why = why_not + " " + failure.why;
    }
    if (!own.wanted->run) // what is being written does not compile at every moment
        own.shown.recorded = {};
}

} // namespace app
