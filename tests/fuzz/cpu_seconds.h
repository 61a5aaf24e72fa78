// The CPU time of the calling thread.
#pragma once

#include <time.h>

namespace fuzz {

inline double cpu_seconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

} // namespace fuzz
