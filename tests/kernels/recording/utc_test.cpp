// Tests the time of a recording, which can be fixed for reproducible output.
#include "recording/disk.h"
#include "tests/says.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace {

TEST(UtcNow, IsWhatSourceDateEpochSays)
{
    const char* const before = std::getenv("SOURCE_DATE_EPOCH");
    const std::string kept = before == nullptr ? "" : before;
    setenv("SOURCE_DATE_EPOCH", "1767225600", 1);
    EXPECT_EQ(recording::utc_now(), "2026-01-01T00:00:00Z");
    for (const char* wrong : {"", "x", "1767225600 ", "-1", "999999999999999999", "99999999999999999999"}) {
        setenv("SOURCE_DATE_EPOCH", wrong, 1);
        EXPECT_TRUE(test::says(test::refusal([] { recording::utc_now(); }), "SOURCE_DATE_EPOCH")) << wrong;
    }
    before == nullptr ? unsetenv("SOURCE_DATE_EPOCH") : setenv("SOURCE_DATE_EPOCH", kept.c_str(), 1);
}

} // namespace
