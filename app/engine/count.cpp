#include "app/engine/count.h"

#include "app/data/counters.h"

#include "measure/readings.h"
#include "stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace app {

namespace {

using recording::Missing;

// Inputs of both parts. Follows the machine code once, when a part first needs it.
class Counting {
public:
    Counting(const CountTask& task, const TaskContext& context) : task_(task), context_(context)
    {
        job = task.recording != nullptr ? examinable(context, *task.recording) : context.resolve(task.job);
    }

    bool gpu() const { return context_.machine.gpu(); }

    // Returns the capability of this machine's GPU, or Hopper's without a GPU, because the shipped counters are from
    // Hopper.
    uint32_t capability() const { return gpu() ? context_.machine.device->compute_capability : without_gpu; }

    // Follows the machine code. Only compiles it if nothing is derived to compare with the counters.
    const Followed& followed()
    {
        if (!followed_ && task_.recording == nullptr)
            followed_ = {
                .code = kernels::machine_code(*job.stage, job.parameters, capability()), .executed = {}, .why = {}};
        if (!followed_)
            followed_ = follow(job, capability(), context_.stop);
        return *followed_;
    }

    // Samples on this machine's GPU what ran and why warps stalled.
    recording::WarpSamples samples() const { return context_.backend().warp_samples(job, context_.stop); }

    // Returns a function that reads the counters again, or null if they are shipped and cannot be read again.
    template <class Counters, class Read>
    std::function<Counters()> reader(Read read) const
    {
        if (!gpu())
            return nullptr;
        return [this, read] { return (context_.backend().*read)(job, context_.stop); };
    }

    bool alone() const { return !task_.launch; }
    const CountedElsewhere& elsewhere() const { return task_.shipped; }
    const CountedRow& shipped() const { return *task_.shipped.row; }
    // Returns why counters are available neither on this machine nor among the shipped ones.
    recording::Reasons why_none(const recording::Reasons& not_shipped) const
    {
        recording::Reasons reasons{{Missing::no_gpu, {context_.machine.why_no_gpu}}};
        reasons.insert(reasons.end(), not_shipped.begin(), not_shipped.end());
        return reasons;
    }

    kernels::Job job;

private:
    const CountTask& task_;
    const TaskContext& context_;
    std::optional<Followed> followed_;
};

void count_launch(Counting& counting, const RecordingPtr& recording, CountedLaunch& result)
{
    result.least_dram_bytes = least_dram_bytes(counting.job);
    if (!counting.gpu() && !counting.elsewhere().row) {
        result.missing = counting.why_none(counting.elsewhere().missing);
        return;
    }
    const auto again = counting.reader<kernels::Counters>(&kernels::Backend::counters);
    kernels::Counters first = counting.gpu() ? again() : counting.shipped().counters;
    if (!counting.gpu()) {
        result.shipped = counting.elsewhere().from;
        result.readings = counting.shipped().readings;
    }
    if (recording == nullptr) {
        result.not_executed = "It was not asked for.";
        result.counters = std::move(first);
        return;
    }
    const Followed& followed = counting.followed();
    result.not_executed = followed.why;
    if (followed.executed) {
        result.copy_wavefronts = 0;
        for (const kernels::SassAccessCounts& one : followed.executed->instructions)
            *result.copy_wavefronts += one.copy_wavefronts;
    }
    kernels::CounterReading reading = kernels::settle(std::move(first), *recording, followed.totals(), again);
    result.counters = std::move(reading.counters);
    result.check = std::move(reading.check);
    if (counting.gpu())
        result.readings = reading.readings;
}

void count_instructions(Counting& counting, const RecordingPtr& recording, CountedInstructions& result)
{
    const uint32_t shown = recording == nullptr ? 0 : recording->device.compute_capability;
    if (shown != 0 && shown != counting.capability())
        throw kernels::Unavailable(fmt::format("The machine code shown is that for sm_{}, and this GPU's is another; "
                                               "record the stage here (r).",
                                               shown));
    if (!counting.gpu() && (!counting.elsewhere().row || counting.shipped().each.empty())) {
        result.missing = counting.why_none(counting.elsewhere().row ? recording::Reasons{{Missing::not_each}}
                                                                    : counting.elsewhere().missing);
        return;
    }
    const Followed& followed = counting.followed();
    if (followed.code.kernels.empty())
        throw kernels::Unavailable(followed.why);
    if (!counting.gpu() && !counting.shipped().fits(followed.code)) {
        result.missing = {{Missing::other_code}};
        return;
    }
    // Takes samples before instructions are counted, because that counting cannot be switched off. A check of all
    // counters also requests the launch's counters and needs no samples.
    std::optional<recording::WarpSamples> samples;
    if (counting.gpu() && counting.alone())
        result.not_sampled = why_it_failed([&] { samples = counting.samples(); });
    const auto again = counting.reader<kernels::InstructionCounters>(&kernels::Backend::instruction_counters);
    kernels::InstructionReading reading =
        kernels::settle(counting.gpu() ? again() : counting.shipped().instructions(), followed.code,
                        followed.executed ? &*followed.executed : nullptr, again);
    result.counters = std::move(reading.counters);
    result.accesses = std::move(reading.accesses);
    result.readings = counting.gpu() ? reading.readings : counting.shipped().instruction_readings;
    if (!counting.gpu()) {
        result.shipped = counting.elsewhere().from;
        return;
    }
    recording::RunProfile run = kernels::run_profile(followed.code, *result.counters, std::move(samples));
    run.source = source_checksum(kernels::describe_launch(counting.job, {}));
    result.run = std::make_shared<const recording::RunProfile>(std::move(run));
}

// Computes a part of the task. An error in it becomes the reason why the part is missing.
template <class Part, class Work>
Part had(const Work& work)
{
    Part part;
    if (const std::string why = why_it_failed([&] { work(part); }); !why.empty()) {
        part.counters.reset();
        part.missing = {{Missing::failed, {why}}};
    }
    return part;
}

} // namespace

CountedElsewhere counted_elsewhere(const ShippedCounters& shipped, const std::optional<kernels::Job>& job)
{
    CountedElsewhere result;
    if (const CountedRow* row = job ? shipped.find(*job) : nullptr) {
        result.row = *row;
        result.row->run = nullptr; // the window has the profile, and a worker does not need it
        result.from = shipped.from_of(*row);
    } else {
        result.missing = shipped.why_none();
    }
    return result;
}

bool CountedInstructions::ok() const
{
    return missing.empty() && std::ranges::none_of(accesses, [](const kernels::CountedAccesses& one) {
               return one.derived && !one.agrees();
           });
}

CountResult CountTask::run(const TaskContext& context) const
{
    CountResult result;
    std::optional<Counting> counting;
    const auto begin = [&]() -> Counting& {
        return counting ? *counting : counting.emplace(*this, context); // throws if the stage cannot be examined
    };
    if (instructions) // first, because samples must be taken before anything else counts in this process
        result.instructions = had<CountedInstructions>([&](CountedInstructions& part) {
            count_instructions(begin(), recording, part);
            result.code = begin().followed().code;
        });
    if (launch)
        result.launch = had<CountedLaunch>([&](CountedLaunch& part) { count_launch(begin(), recording, part); });
    return result;
}

} // namespace app
