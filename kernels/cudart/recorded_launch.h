// The launch of a program that is recorded: its buffers under the names of the kernel's parameters, its source, its arguments,
// as ptx::trace() takes them.
#pragma once

#include "cudart/device.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace cudart {

struct LaunchToRecord {
    const Session& session;
    const LoadedPtx& module;
    const LaunchKernel& question;
    const NamedLaunch& named;
    const std::vector<Window>& windows;
    const std::vector<ptx::Region>& regions; // what the windows hold
};

// Traced::after has what each window holds afterwards. Throws as ptx::trace() does.
ptx::Traced recorded_launch(const LaunchToRecord& launch, const std::stop_token& stop, const ptx::Told& told);

} // namespace cudart
