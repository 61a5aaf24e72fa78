// How fast something is on a GPU, as far as it is known.
#pragma once

#include "recording/measured.h"

#include <optional>

namespace viz {

struct Speed {
    recording::Measured<double> gflops, of_cublas; // the share: 1 is as fast

    bool here() const { return gflops && !gflops.from().shipped; } // measured on this machine
};

} // namespace viz
