#include "viz/text/known.h"

#include "viz/origin.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

namespace viz {

namespace {

Message verb(How how)
{
    switch (how) {
    case How::measured: return {"origin.measured"};
    case How::recorded: return {"origin.recorded"};
    case How::derived: return {"origin.derived"};
    case How::counted: return {"origin.counted"};
    }
    return {"origin.measured"};
}

// What the reason has to say beyond its kind; empty where whoever gave it said nothing.
std::string said(const Reason& reason, std::size_t argument)
{
    return argument < reason.arguments.size() ? reason.arguments[argument] : std::string();
}

} // namespace

std::string device_and_date(const Provenance& from)
{
    return from.date.empty() ? from.device : fmt::format("{}, {}", from.device, from.date);
}

Message how_had(const Provenance& from)
{
    const std::string device = device_and_date(from), size = from.problem ? size_words(*from.problem) : std::string();
    if (from.shipped && from.problem)
        return {"origin.shipped_at", {{"how", verb(from.how)}, {"device", device}, {"size", size}}};
    if (from.shipped)
        return {"origin.shipped", {{"how", verb(from.how)}, {"device", device}}};
    if (device.empty())
        return {"origin.here", {{"how", verb(from.how)}}};
    if (!from.problem)
        return {"origin.here_on", {{"how", verb(from.how)}, {"device", device}}};
    if (from.samples == 0)
        return {"origin.here_at", {{"how", verb(from.how)}, {"device", device}, {"size", size}}};
    return {"origin.here_median",
            {{"how", verb(from.how)}, {"device", device}, {"size", size}, {"samples", from.samples}}};
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

Message in_short(const Reason& reason)
{
    switch (reason.missing) {
    case Missing::looking_for_gpu: return {"missing.looking"};
    case Missing::in_progress: return {"missing.in_progress"};
    case Missing::not_asked:
    case Missing::after_timing:
    case Missing::cancelled: return {"missing.not_asked"};
    case Missing::no_gpu: return {"missing.no_gpu"};
    case Missing::absent: return {"missing.absent"};
    case Missing::failed: return {"missing.failed"};
    case Missing::wrong_result: return {"missing.wrong_result"};
    case Missing::no_arithmetic: return {"missing.no_arithmetic", {{"ms", said(reason, 0)}}};
    case Missing::not_recorded: return {"missing.not_recorded"};
    case Missing::recorded_on_cpu: return {"missing.recorded_on_cpu"};
    case Missing::from_file: return {"missing.from_file"};
    case Missing::tiny: return {"missing.tiny"};
    case Missing::not_shipped:
    case Missing::reading:
    case Missing::unreadable:
    case Missing::damaged:
    case Missing::other_stages:
    case Missing::other_launch:
    case Missing::other_code:
    case Missing::not_each:
    case Missing::not_kept: return {"missing.not_shipped"};
    case Missing::unknown: break;
    }
    return {"missing.unknown"};
}

Message in_a_sentence(const Reason& reason)
{
    switch (reason.missing) {
    case Missing::looking_for_gpu: return {"missing.why_looking"};
    case Missing::in_progress: return {"missing.why_in_progress"};
    case Missing::not_asked: return {"missing.why_not_asked"};
    case Missing::cancelled: return {"missing.why_cancelled"};
    case Missing::no_gpu:
    case Missing::absent:
    case Missing::failed: return {"missing.why", {{"why", said(reason, 0)}}};
    case Missing::not_shipped:
        return reason.arguments.size() < 2
                   ? Message{"missing.why_not_shipped", {{"file", said(reason, 0)}}}
                   : Message{"missing.why_file_absent", {{"file", said(reason, 0)}, {"path", said(reason, 1)}}};
    case Missing::reading: return {"missing.why_reading", {{"file", said(reason, 0)}}};
    case Missing::unreadable: return {"missing.why_unreadable", {{"path", said(reason, 0)}, {"why", said(reason, 1)}}};
    case Missing::damaged:
        return {"missing.why_damaged",
                {{"damaged", said(reason, 0)},
                 {"rows", said(reason, 1)},
                 {"path", said(reason, 2)},
                 {"why", said(reason, 3)}}};
    case Missing::other_stages: return {"missing.why_other_stages", {{"path", said(reason, 0)}}};
    case Missing::other_launch: return {"missing.why_other_launch"};
    case Missing::other_code: return {"missing.why_other_code"};
    case Missing::not_each: return {"missing.why_not_each"};
    case Missing::after_timing: return {"missing.why_after_timing"};
    case Missing::not_kept: return {"missing.why_not_kept", {{"path", said(reason, 0)}}};
    case Missing::wrong_result:
    case Missing::no_arithmetic:
    case Missing::not_recorded:
    case Missing::recorded_on_cpu:
    case Missing::from_file:
    case Missing::tiny:
    case Missing::unknown: break;
    }
    return {"missing.why_unknown"};
}

Messages in_sentences(const Reasons& reasons)
{
    Messages messages;
    for (const Reason& reason : reasons)
        messages.push_back(in_a_sentence(reason));
    return messages;
}

} // namespace viz
