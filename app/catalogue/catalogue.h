// Everything that is shipped beside the recordings: one member per file, each with its own codec in this folder. A new
// shipped file is one new codec, one member here and one line in catalogue.cpp.
#pragma once

#include "app/catalogue/gpu_file.h"
#include "app/catalogue/shipped.h"
#include "app/catalogue/shipped_library.h"
#include "app/catalogue/shipped_searches.h"
#include "app/catalogue/shipped_shapes.h"
#include "app/catalogue/shipped_traffic.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace app {

// Does not change once it is loaded, so any thread may read it. Each member says itself why it is empty.
struct Catalogue {
    std::filesystem::path folder; // where the recordings lie, too; empty: nothing is shipped
    ShippedSpeeds speeds;
    ShippedTraffic counters;
    ShippedSearches searches;
    viz::Shapes shapes;
    viz::LibraryKernels library;
    ReadGpu gpu;
};
using CataloguePtr = std::shared_ptr<const Catalogue>;

// Reads all of it, on whichever thread calls: 1.5 MB of JSON. Never throws, and never gives null.
CataloguePtr load_catalogue(const std::filesystem::path& folder, const std::vector<kernels::Stage>& ladder);

} // namespace app
