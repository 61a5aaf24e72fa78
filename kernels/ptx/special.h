// Special registers that say where a thread is.
#pragma once

#include "recording/recording.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace ptx {

struct ThreadPlace {
    const recording::Launch& launch;
    const recording::Index3 &block, &thread;
};

inline uint32_t on_axis(const recording::Index3& index, std::string_view name) // "%tid.x"
{
    return name.back() == 'x' ? index.x : name.back() == 'y' ? index.y : index.z;
}

// %tid.x ... %nctaid.z; nothing for others.
inline std::optional<uint32_t> special_of_place(std::string_view name, const ThreadPlace& place)
{
    if (name.starts_with("%tid."))
        return on_axis(place.thread, name);
    if (name.starts_with("%ntid."))
        return on_axis(place.launch.block, name);
    if (name.starts_with("%ctaid."))
        return on_axis(place.block, name);
    if (name.starts_with("%nctaid."))
        return on_axis(place.launch.grid, name);
    return {};
}

} // namespace ptx
