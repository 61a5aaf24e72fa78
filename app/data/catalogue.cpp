#include "app/data/catalogue.h"

namespace app {

CataloguePtr empty_catalogue()
{
    Catalogue catalogue;
    catalogue.speeds.missing = {{recording::Missing::reading, {"speeds.json"}}};
    catalogue.random_shapes.missing = {{recording::Missing::reading, {"random_shapes.json"}}};
    catalogue.warps.missing = {{recording::Missing::reading, {"warps.json"}}};
    catalogue.cache_hints.missing = {{recording::Missing::reading, {"cache_hints.json"}}};
    return std::make_shared<const Catalogue>(std::move(catalogue));
}

CataloguePtr load_catalogue(const std::filesystem::path& folder, const Ladder& ladder)
{
    return std::make_shared<const Catalogue>(Catalogue{
        .folder = folder,
        .speeds = read_speeds(folder, ladder),
        .counters = read_counters(folder, ladder),
        .searches = read_searches(folder, ladder),
        .shapes = read_shapes(folder, ladder),
        .random_shapes = read_random_shapes(folder, ladder),
        .library = read_library(folder),
        .warps = read_warps(folder, ladder),
        .cache_hints = read_cache_hints(folder),
        .gpu = read_shipped_gpu(folder),
    });
}

} // namespace app
