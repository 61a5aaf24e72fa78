#include "app/panels/pages.h"

#include "app/panels/claims/claim_page.h"
#include "app/panels/counters/counter_table.h"
#include "app/panels/learn/library.h"
#include "app/panels/programs/programs.h"
#include "app/panels/search/tuning.h"

namespace app {

bool draw_open_page(const Snapshot& snapshot, Session& session, State& state, const Area& area)
{
    if (state.at.page == Page::learn)
        draw_library(session, state, area);
    else if (state.at.page == Page::sources)
        draw_claims(snapshot, state, area);
    else if (state.at.page == Page::counters || state.at.page == Page::accuracy)
        draw_counter_table(snapshot, state, area);
    else if (snapshot.program() != nullptr)
        draw_programs(snapshot, session, state, area);
    else if (snapshot.search() != nullptr)
        draw_search(snapshot, session, state, area);
    else
        return false;
    return true;
}

} // namespace app
