// The kernels that cuBLAS launches: the shipped ones, and those traced on this machine's GPU.
#pragma once

#include "app/data/catalogue.h"
#include "app/session/measurements.h"

#include <span>

namespace app {

// Combines the shipped kernels of a GPU of the same name with the traced ones. `machine` is null during the search for
// it.
std::shared_ptr<const viz::LibraryKernels> library_kernels(const CataloguePtr& catalogue, const MachineFacts* machine,
                                                           std::span<const BaselineMeasurement> traced);

} // namespace app
