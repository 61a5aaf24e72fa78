#include "app/session/details.h"

#include <algorithm>

namespace app {

namespace {

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
