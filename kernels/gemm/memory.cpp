#include "gemm/memory.h"

#include "error.h"

#include <fmt/format.h>

#include <fstream>
#include <string>

namespace kernels {

namespace {

// Returns the free memory that Linux reports; 0 if unknown.
uint64_t available_bytes()
{
    std::ifstream info("/proc/meminfo");
    for (std::string name, unit; info >> name;) {
        uint64_t kib = 0;
        info >> kib;
        std::getline(info, unit);
        if (name == "MemAvailable:")
            return kib * 1024;
    }
    return 0;
}

} // namespace

void require_memory(std::string_view what, uint64_t bytes)
{
    const auto needed = static_cast<double>(bytes), available = static_cast<double>(available_bytes());
    if (available != 0 && needed > 0.9 * available)
        throw Error(fmt::format("{} needs {:.1f} GiB of memory and {:.1f} GiB are free; choose a smaller size.", what,
                                needed * 0x1p-30, available * 0x1p-30));
}

} // namespace kernels
