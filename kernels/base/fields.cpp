#include "base/fields.h"

#include "error.h"

#include <fmt/format.h>

namespace kernels {

void refuse_field(std::string_view name, std::string_view why)
{
    throw Error(fmt::format("{} {}", name, why));
}

void refuse_range(std::string_view name, std::string_view what, double least, double most)
{
    throw Error(fmt::format("{} {} from {} to {}", name, what, least, most));
}

void refuse_range(std::string_view name, std::string_view what, uint64_t least, uint64_t most)
{
    throw Error(fmt::format("{} {} from {} to {}", name, what, least, most));
}

void refuse_range(std::string_view name, std::string_view what, int64_t least, int64_t most)
{
    throw Error(fmt::format("{} {} from {} to {}", name, what, least, most));
}

} // namespace kernels
