// Everything that is shipped besides the recordings. Each file has one member here and its own codec in this folder. A
// new shipped file needs a codec, a member here and a line in catalogue.cpp.
#pragma once

#include "app/data/counters.h"
#include "app/data/gpu.h"
#include "app/data/searches.h"
#include "app/data/speeds.h"

#include <memory>

namespace app {

// Shipped data. It is constant once loaded, so that any thread may read it. An empty member contains the reason.
struct Catalogue {
    std::filesystem::path folder; // folder that also holds the recordings; empty: nothing is shipped
    ShippedSpeeds speeds;
    ShippedCounters counters;
    ShippedSearches searches;
    viz::Shapes shapes;
    viz::RandomShapes random_shapes;
    viz::LibraryKernels library;
    viz::WatchedStages warps;
    viz::CacheHints cache_hints;
    ShippedGpu gpu;
};
using CataloguePtr = std::shared_ptr<const Catalogue>;

// Return a catalogue and never null. load_catalogue() reads everything on the calling thread: 1.5 MB of JSON. Neither
// throws.
CataloguePtr empty_catalogue(); // used until the catalogue is loaded
CataloguePtr load_catalogue(const std::filesystem::path& folder, const Ladder& ladder);

} // namespace app
