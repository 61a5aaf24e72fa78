// The examples of lessons and questions, for all tests of both: recordings are made once.
#pragma once

#include "app/learn/examples.h"

namespace test {

inline constexpr const char* shipped_recordings = SOURCE_DIR "/assets/recordings";

inline app::Examples& examples()
{
    static app::Examples all(shipped_recordings);
    return all;
}

} // namespace test
