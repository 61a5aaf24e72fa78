// What belongs to a recording that the session shows: machine code, counters, instructions. Asking for it begins it.
#include "app/session/session.h"

namespace app {

CodePtr Session::code_of(const RecordingPtr& recording)
{
    codes_.want(recording);
    return codes_.of(recording);
}

CountersPtr Session::counters_of(const RecordingPtr& recording)
{
    counters_.want(recording);
    return counters_.of(recording);
}

InstructionsPtr Session::instructions_of(const RecordingPtr& recording)
{
    if (opened_ && !future_.get().gpu()) // what is shipped costs nothing
        instructions_.want(recording);
    return instructions_.of(recording);
}

void Session::count_instructions_of(const RecordingPtr& recording)
{
    instructions_.forget(recording);
    instructions_.want(recording);
}

void Session::stop_looking()
{
    codes_.cancel();
    counted_next_ = nullptr;
    counters_.cancel();
    instructions_.cancel();
}

void Session::count_shown()
{
    if (!opened_ || !future_.get().gpu())
        return;
    for (const Shown& shown : shown_)
        if (const RecordingPtr& made = shown.subject.recording;
            made != nullptr && (&shown == &shown_[0] || comparing_)) {
            if (const CountersPtr own = counters_.of(made); own != nullptr && !own->counters)
                counters_.forget(made); // asked again
            if (counters_.of(made) == nullptr && counters_.busy())
                counted_next_ = made;
            else
                counters_.want(made);
        }
}

} // namespace app
