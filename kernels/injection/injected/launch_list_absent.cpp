#include "injection/injected/launch_list.h"

#include <stdexcept>

namespace injection {

LaunchList::LaunchList(const Request&, const std::filesystem::path&)
{
    throw std::runtime_error(
        "This gemmscope was built without CUPTI, which lists launches: build it where a CUDA toolkit "
        "of version 12 or later is installed.");
}

} // namespace injection
