// Everything that is shipped beside the recordings: one member per file, each with its own codec in this folder. A new
// shipped file is one new codec, one member here and one line in catalogue.cpp.
#pragma once

#include "app/catalogue/counters.h"
#include "app/catalogue/gpu.h"
#include "app/catalogue/library.h"
#include "app/catalogue/random_shapes.h"
#include "app/catalogue/searches.h"
#include "app/catalogue/shapes.h"
#include "app/catalogue/speeds.h"
#include "app/catalogue/warps.h"

#include <memory>

namespace app {

// Does not change once it is loaded, so any thread may read it. Each member says itself why it is empty.
struct Catalogue {
    std::filesystem::path folder; // where the recordings lie, too; empty: nothing is shipped
    ShippedSpeeds speeds;
    ShippedCounters counters;
    ShippedSearches searches;
    viz::Shapes shapes;
    viz::RandomShapes random_shapes;
    viz::LibraryKernels library;
    viz::WatchedStages warps;
    ReadGpu gpu;
};
using CataloguePtr = std::shared_ptr<const Catalogue>;

// Reads all of it, on whichever thread calls: 1.5 MB of JSON. Never throws, and never gives null.
CataloguePtr empty_catalogue(); // until it is loaded
CataloguePtr load_catalogue(const std::filesystem::path& folder, const Ladder& ladder);

} // namespace app
