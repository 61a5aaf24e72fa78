#include "viz/text/known.h"

#include "viz/origin.h"
#include "viz/text/figures.h"
#include "viz/text/rich.h"

#include <fmt/format.h>

namespace viz {

namespace {

std::string_view verb(How how)
{
    switch (how) {
    case How::measured: return "measured";
    case How::recorded: return "recorded";
    case How::derived: return "derived";
    case How::counted: return "counted";
    }
    return "measured";
}

// Returns an argument of the reason, or an empty string if there is none.
std::string said(const Reason& reason, std::size_t argument)
{
    return argument < reason.arguments.size() ? reason.arguments[argument] : std::string();
}

} // namespace

std::string device_and_date(const Provenance& from)
{
    return from.date.empty() ? from.device : fmt::format("{}, {}", from.device, from.date);
}

Rich how_had(const Provenance& from)
{
    std::string words(verb(from.how));
    words += from.shipped ? "" : " here";
    if (const std::string device = device_and_date(from); !device.empty())
        words += " on " + device;
    words += from.shipped ? ", shipped with gemmscope" : "";
    if (from.problem)
        words += (from.shipped ? ", at " : " at ") + size_words(*from.problem);
    if (from.problem && !from.shipped && from.samples > 0)
        words += fmt::format(", median of {}", from.samples);
    return rich("{}", words);
}

NumberOrigin origin_of(const Provenance& from)
{
    switch (from.how) {
    case How::measured: return from.shipped ? NumberOrigin::shipped : NumberOrigin::measured;
    case How::recorded: return NumberOrigin::recorded;
    case How::derived: return NumberOrigin::derived;
    case How::counted: return NumberOrigin::counter;
    }
    return NumberOrigin::derived;
}

Rich in_short(const Reason& reason)
{
    switch (reason.missing) {
    case Missing::looking_for_gpu: return rich("looking for a GPU …");
    case Missing::in_progress: return rich("measuring …");
    case Missing::not_asked:
    case Missing::after_timing:
    case Missing::cancelled: return rich("not measured yet");
    case Missing::no_gpu: return rich("no GPU here");
    case Missing::absent: return rich("not on this machine");
    case Missing::failed: return rich("failed");
    case Missing::wrong_result: return rich("wrong result");
    case Missing::no_arithmetic: return rich("{} ms, no arithmetic", said(reason, 0));
    case Missing::not_recorded: return rich("not in this recording");
    case Missing::recorded_on_cpu: return rich("not known: recorded on the CPU");
    case Missing::from_file: return rich("not timed: from a file");
    case Missing::tiny: return rich("not timed: too small");
    case Missing::not_shipped:
    case Missing::reading:
    case Missing::unreadable:
    case Missing::damaged:
    case Missing::other_stages:
    case Missing::other_launch:
    case Missing::other_code:
    case Missing::not_each:
    case Missing::not_kept: return rich("not measured");
    case Missing::unknown: break;
    }
    return rich("not known");
}

Rich in_a_sentence(const Reason& reason)
{
    constexpr std::string_view again = "`scripts/make-assets` makes it again on a machine with a GPU.";
    switch (reason.missing) {
    case Missing::looking_for_gpu: return rich("Looking for a GPU …");
    case Missing::in_progress: return rich("It is being measured.");
    case Missing::not_asked: return rich("It has not been measured yet.");
    case Missing::cancelled: return rich("The measurement was cancelled.");
    case Missing::no_gpu:
    case Missing::absent:
    case Missing::failed: return rich("{}", said(reason, 0)); // the library's own error text
    case Missing::not_shipped:
        return reason.arguments.size() < 2
                   ? rich("No {} is shipped.", said(reason, 0))
                   : rich("There is no shipped {}: {} is not there.", said(reason, 0), said(reason, 1));
    case Missing::reading: return rich("The shipped {} is being read.", said(reason, 0));
    case Missing::unreadable: return rich("{} cannot be read: {}. {}", said(reason, 0), said(reason, 1), rich(again));
    case Missing::damaged:
        return rich("{} of {} rows of {} are damaged and left out: {}. {}", said(reason, 0), said(reason, 1),
                    said(reason, 2), said(reason, 3), rich(again));
    case Missing::other_stages: return rich("{} has no stage of this ladder.", said(reason, 0));
    case Missing::other_launch:
        return rich("What is shipped is of other stages, or of other sizes, scales or parameters of this one.");
    case Missing::other_code:
        return rich("The shipped counters are of other machine code, which another version of NVRTC compiled.");
    case Missing::not_each: return rich("The shipped counters of this stage are not per instruction.");
    case Missing::after_timing: return rich("What cuBLAS launches here is traced once it has been timed.");
    case Missing::not_kept: return rich("There are no measurements of a GPU: {} is not there.", said(reason, 0));
    case Missing::wrong_result:
    case Missing::no_arithmetic:
    case Missing::not_recorded:
    case Missing::recorded_on_cpu:
    case Missing::from_file:
    case Missing::tiny:
    case Missing::unknown: break;
    }
    return rich("It is not known.");
}

Rich in_sentences(const Reasons& reasons)
{
    std::vector<Rich> sentences;
    for (const Reason& reason : reasons)
        sentences.push_back(in_a_sentence(reason));
    return joined(std::move(sentences));
}

} // namespace viz
