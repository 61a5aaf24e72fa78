#include "app/session/details.h"

namespace app {

Details::Details(const std::vector<kernels::Stage>& ladder, TaskQueue& queue)
    : ladder_(ladder), queue_(queue),
      code_(
          [this](const RecordingPtr& recording) {
              return queue_.submit(Lane::code, ExamineTask{.recording = recording, .job = {}});
          },
          [](Result result) { return std::get<ExamineResult>(std::move(result)); }),
      counters_([this](const RecordingPtr& recording) { return count(recording, false); },
                [](Result result) { return *std::move(std::get<CountResult>(result).launch); }),
      instructions_([this](const RecordingPtr& recording) { return count(recording, true); },
                    [](Result result) { return *std::move(std::get<CountResult>(result).instructions); })
{
}

// Without a GPU there is nothing but following the machine code, beside shipped counters.
Ticket Details::count(const RecordingPtr& recording, bool instructions)
{
    CountTask task{.job = job_of(*recording),
                   .recording = recording,
                   .launch = !instructions,
                   .instructions = instructions,
                   .shipped = {}};
    if (!gpu_ && catalogue_ != nullptr)
        task.shipped = counted_elsewhere(catalogue_->counters, find_job(ladder_, task.job));
    return queue_.submit(gpu_ ? Lane::counters : Lane::code, std::move(task));
}

// What is asked about another recording is of no use any more.
template <class Question>
void Details::want(Question& question, const RecordingPtr& recording)
{
    if (question.busy() && recording != nullptr && question.asked() != recording && question.of(recording) == nullptr)
        queue_.cancel(question.under_way());
    question.want(recording);
}

void Details::want(Detail detail, const RecordingPtr& recording)
{
    if (detail == Detail::code)
        want(code_, recording);
    else if (detail == Detail::counters && (gpu_ || catalogue_ != nullptr))
        want(counters_, recording);
    else if (detail == Detail::instructions && found_ && !gpu_ && catalogue_ != nullptr)
        want(instructions_, recording);
}

void Details::count_again(Detail detail, const RecordingPtr& recording)
{
    if (detail == Detail::counters) {
        counters_.forget(recording);
        counters_.want(recording); // after another that is being counted: both are compared
    } else if (detail == Detail::instructions) {
        instructions_.forget(recording);
        want(instructions_, recording);
    }
}

void Details::cancel()
{
    code_.drop_next();
    counters_.drop_next();
    instructions_.drop_next();
    for (const Ticket ticket : {code_.under_way(), counters_.under_way(), instructions_.under_way()})
        queue_.cancel(ticket);
}

bool Details::receive(const Report& report)
{
    return code_.receive(report) || counters_.receive(report) || instructions_.receive(report);
}

} // namespace app
