// Whose accesses a recording has.
#pragma once

#include "recording/recording.h"

namespace recording {

// Whether they are those that the machine code makes; else those that the source, or the PTX, asks for.
inline bool is_as_executed(const Recording& recording)
{
    return recording.executed && recording.executed->language == "SASS";
}

} // namespace recording
