// Records one launch of a host program: gives ptx::trace() the kernel's source and arguments, and the buffers under the
// names of the kernel's parameters.
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
    const std::vector<ptx::Region>& regions; // the contents of the windows
};

// Traced::after has the contents of each window after the launch. Throws what ptx::trace() throws.
ptx::Traced recorded_launch(const LaunchToRecord& launch, const std::stop_token& stop, const ptx::OnProgress& told);

} // namespace cudart
