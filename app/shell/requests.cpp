#include "app/shell/requests.h"

#include "app/state/position.h"

namespace app {

void grant(Session& session, State& state, const viz::Requests& requests)
{
    if (requests.stage)
        if (const auto rung = session.snapshot()->rung(*requests.stage))
            session.change([&](Choice& choice) { choice.show(*rung); });
    if (requests.block)
        show_block(session, state, *requests.block);
    if (requests.measure_gpu)
        session.measure_gpu();
    if (requests.count)
        session.count_shown();
    if (requests.stop_measuring)
        session.stop_measuring_gpu();
}

void explain_tiny(const Snapshot& snapshot, const viz::ViewFrame& frame)
{
    for (const ColumnDetails& shown : snapshot.details) {
        if (!shown.in_ladder || !snapshot.choice.tiny)
            continue;
        const kernels::Stage& stage = snapshot.ladder()[*shown.in_ladder];
        if (!stage.tiny)
            frame.explain({{"tiny.none", {{"stage", stage.slug}}}});
        else if (!stage.tiny->limit.empty())
            frame.explain({{"tiny.limit", {{"stage", stage.slug}, {"why", stage.tiny->limit}}}});
    }
}

} // namespace app
