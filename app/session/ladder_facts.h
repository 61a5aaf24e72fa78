// Collects the facts of the whole ladder and of the GPU for the views.
#pragma once

#include "app/data/catalogue.h"
#include "app/session/measurements.h"
#include "app/session/snapshot.h"

#include <span>

namespace app {

// Makes the board. `snapshot` must be complete except for its board.
viz::LadderFacts make_ladder_facts(const SnapshotInputs& known, const Snapshot& snapshot);

// The kernels that cuBLAS launches: the shipped ones, and those traced on this machine's GPU.

// Combines the shipped kernels of a GPU of the same name with the traced ones. `machine` is null during the search for
// it.
std::shared_ptr<const viz::LibraryKernels> library_kernels(const CataloguePtr& catalogue, const MachineFacts* machine,
                                                           std::span<const BaselineMeasurement> traced);

} // namespace app
