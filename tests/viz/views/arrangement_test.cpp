// What is arranged in the view of layouts, as words there and back.
#include "viz/views/35_layout/arrangement.h"

#include <gtest/gtest.h>

namespace {

using viz::Arrangement;
using viz::Mapping;

TEST(LayoutArrangement, IsReadBackAsItWasWritten)
{
    EXPECT_EQ(viz::text_of(Arrangement{}), "");
    for (const char* words : {"tile=As", "tile=As;places=row_after_row", "places=padded;padding=12;element=5,76",
                              "places=xor;row_bits=3,1,2", "places=xor;column_bits=5,2,1",
                              "tile=Bs;places=formula;element=0,7;formula=row*cols + (col ^ row); x=1"})
        EXPECT_EQ(viz::text_of(viz::arrangement_of(words)), words);
}

TEST(LayoutArrangement, LeavesOutWhatItDoesNotKnow)
{
    EXPECT_EQ(viz::text_of(viz::arrangement_of("colour=red;places=sideways;padding=many;element=1;tile=As")),
              "tile=As");
    EXPECT_EQ(viz::arrangement_of("padding=999").mapping.padding, viz::most_padding);
    EXPECT_EQ(viz::arrangement_of("row_bits=99,99,99").mapping.count, viz::most_bits);
}

} // namespace
