// On which GPU a figure was had, and when.
#pragma once

#include <string>

namespace viz {

struct Provenance {
    bool here = false;  // on this machine; else it comes with gemmscope
    std::string device; // "NVIDIA H200"
    std::string date;   // "2026-11-21"; empty: in this run
};

// "NVIDIA H200", "NVIDIA H200, 2026-11-21"
std::string device_and_date(const Provenance& from);

// "counted here on NVIDIA H200", "counted on NVIDIA H200, 2026-11-21, shipped with gemmscope"
std::string counted_words(const Provenance& from);

} // namespace viz
