#include "machine_code/machine_code.h"

namespace kernels {

recording::Totals Executed::totals() const
{
    recording::Totals sum;
    for (const SassAccessCounts& one : instructions)
        sum += one.totals;
    return sum;
}

} // namespace kernels
