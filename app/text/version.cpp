#include "app/text/version.h"

namespace app {

std::string_view program_version()
{
    return GEMMSCOPE_VERSION;
}

} // namespace app
