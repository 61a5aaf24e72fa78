// Which kernels cuBLAS launches: as shipped, and as traced on the GPU here.
#pragma once

#include "app/catalogue/catalogue.h"
#include "app/session/measurements.h"

#include <span>

namespace app {

// What is shipped of a GPU of the same name stays beside what is traced here. `machine` null: still being looked for.
std::shared_ptr<const viz::LibraryKernels> library_kernels(const CataloguePtr& catalogue, const MachineFacts* machine,
                                                           std::span<const BaselineMeasurement> traced);

} // namespace app
