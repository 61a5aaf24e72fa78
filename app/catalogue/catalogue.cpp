#include "app/catalogue/catalogue.h"

namespace app {

CataloguePtr load_catalogue(const std::filesystem::path& folder, const std::vector<kernels::Stage>& ladder)
{
    return std::make_shared<const Catalogue>(Catalogue{
        .folder = folder,
        .speeds = read_shipped_speeds(folder, ladder),
        .counters = read_shipped_traffic(folder, ladder),
        .searches = read_shipped_searches(folder, ladder),
        .shapes = read_shipped_shapes(folder, ladder),
        .library = read_shipped_library(folder),
        .gpu = folder.empty() ? ReadGpu{{}, "No measurements of a GPU are shipped."} : read_gpu(folder / "gpu.json"),
    });
}

} // namespace app
