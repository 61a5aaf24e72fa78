// What the page of keys says of the keys that a view alone understands.
#include "app/platform/offscreen.h"
#include "app/shell/view_keys.h"

#include "viz/view.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace {

// Each key has words of its own: "the next or the previous block", said of two keys, leaves open which is which.
TEST(ViewKeys, EachSaysWhatItDoes)
{
    const app::Offscreen context; // views make their handles at once
    app::State state;
    state.views = viz::make_views();
    std::map<std::string, std::set<std::string>> said;
    for (const app::Command& command : app::view_commands(state, {}))
        EXPECT_TRUE(said[command.view].insert(command.words).second) << command.id << ": " << command.words;
    EXPECT_GT(said.size(), 5u);
}

} // namespace
