#include "viz/analysis/provenance.h"

#include <fmt/format.h>

namespace viz {

std::string device_and_date(const Provenance& from)
{
    return from.date.empty() ? from.device : fmt::format("{}, {}", from.device, from.date);
}

std::string counted_words(const Provenance& from)
{
    return fmt::format("counted {}on {}{}", from.here ? "here " : "", device_and_date(from),
                       from.here ? "" : ", shipped with gemmscope");
}

} // namespace viz
