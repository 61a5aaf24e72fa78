// The examples of lessons and questions, for all tests of both: recordings are made once.
#pragma once

#include "app/learn/examples.h"
#include "tests/paths.h"

namespace test {

inline app::Examples& examples()
{
    static app::Examples all(test::shipped());
    return all;
}

} // namespace test
