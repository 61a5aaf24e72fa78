// The examples of lessons and questions, for all tests of both: recordings are made once.
#pragma once

#include "app/learn/example_recordings.h"
#include "tests/paths.h"

namespace test {

inline app::ExampleRecordings& examples()
{
    static app::ExampleRecordings all(test::shipped());
    return all;
}

} // namespace test
