#include "model/access_totals.h"

namespace model {

recording::Totals totals_of(recording::Op op, const Pattern& pattern)
{
    using recording::Op;
    recording::Totals totals;
    const std::optional<Op> kind = pattern.mask != 0 ? recording::counted_as(op) : std::nullopt;
    if (kind == Op::shared_load || kind == Op::shared_store)
        (kind == Op::shared_load ? totals.shared_load : totals.shared_store) = totals_of(shared_access(op, pattern));
    else if (kind)
        (kind == Op::global_load ? totals.global_load : totals.global_store) = totals_of(global_access(pattern));
    return totals;
}

} // namespace model
