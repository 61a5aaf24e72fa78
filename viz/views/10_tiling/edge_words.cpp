// The tiling view's words about edges.
#include "viz/text/figures.h"
#include "viz/views/10_tiling/tiling_words.h"

namespace viz {

Prose edge_sentence(const Theme& theme, const GuardUse& use)
{
    Prose prose(theme);
    if (use.accesses == 0)
        return prose;
    prose.strong("Edges: ");
    if (use.guarded == 0)
        return prose.say("none in this block, no lane of its ")
            .figure(counted(use.accesses, "global access", "global accesses"))
            .say(" is switched off. Press ")
            .code("m")
            .say(" and record a size that is no multiple of the tile, such as 50 x 70 x 40, then ")
            .code("b")
            .say(" to a block at the edge.");
    return prose.say("in ")
        .figure(thousands(uint64_t{use.guarded}))
        .say(" of this block's ")
        .figure(counted(use.accesses, "global access", "global accesses"))
        .say(" lanes take no part, ")
        .figure(thousands(uint64_t{use.off}))
        .say(" of ")
        .figure(thousands(uint64_t{use.lanes}))
        .say(" turns: behind an edge, or after their thread has ended. They wait while the others go on; a load gives "
             "them "
             "0, and a store writes nothing of theirs.");
}

} // namespace viz
