#include "recording/recording.h"

namespace recording {

SharedTotals& SharedTotals::operator+=(const SharedTotals& other)
{
    instructions += other.instructions;
    wavefronts += other.wavefronts;
    conflicts += other.conflicts;
    return *this;
}

GlobalTotals& GlobalTotals::operator+=(const GlobalTotals& other)
{
    requests += other.requests;
    sectors += other.sectors;
    return *this;
}

Totals& Totals::operator+=(const Totals& other)
{
    shared_load += other.shared_load;
    shared_store += other.shared_store;
    global_load += other.global_load;
    global_store += other.global_store;
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
