// The speed of a stage on a GPU.
#pragma once

#include "recording/measured.h"

#include <optional>

namespace viz {

// A speed, absolute and relative to cuBLAS.
struct Speed {
    recording::Measured<double> gflops, of_cublas; // of_cublas is the fraction of the cuBLAS speed: 1 is equal

    bool here() const { return gflops && !gflops.from().shipped; } // measured on this machine
};

} // namespace viz
