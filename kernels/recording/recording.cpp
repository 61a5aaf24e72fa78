#include "recording/recording.h"

namespace recording {

namespace {

void add(SharedTotals& sum, const SharedTotals& part)
{
    sum.instructions += part.instructions;
    sum.wavefronts += part.wavefronts;
    sum.conflicts += part.conflicts;
}

void add(GlobalTotals& sum, const GlobalTotals& part)
{
    sum.requests += part.requests;
    sum.sectors += part.sectors;
}

} // namespace

Totals& Totals::operator+=(const Totals& other)
{
    add(shared_load, other.shared_load);
    add(shared_store, other.shared_store);
    add(global_load, other.global_load);
    add(global_store, other.global_store);
    return *this;
}

Totals Recording::totals() const
{
    Totals sum;
    for (const LineTotals& line : lines)
        sum += line.totals;
    return sum;
}

} // namespace recording
