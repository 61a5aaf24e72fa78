#include "injection/tools.h"

#include "error.h"

namespace injection {

namespace fs = std::filesystem;

fs::path injected_library()
{
    std::error_code ignored;
    const fs::path beside = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    for (const fs::path& place : {beside / "libgemmscope_trace.so", beside / "../lib/gemmscope/libgemmscope_trace.so",
                                  beside / "../lib/x86_64-linux-gnu/gemmscope/libgemmscope_trace.so"})
        if (fs::exists(place, ignored))
            return fs::canonical(place);
    throw kernels::Unavailable(
        "libgemmscope_trace.so, which tracing a program needs, is not beside gemmscope: install or "
        "build gemmscope anew.");
}

} // namespace injection
