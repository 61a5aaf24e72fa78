// Provides recordings and shipped figures for lessons and questions. Uses the shipped recording if it matches,
// otherwise one made by the CPU backend. Needs neither a window nor a GPU.
#pragma once

#include "app/data/catalogue.h"
#include "app/engine/context.h"
#include "app/workspace/patch.h"

#include "viz/analysis/gpu_levels.h"
#include "viz/analysis/occupancy.h"

#include "backend.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace app {

class ExampleRecordings {
public:
    // `shipped`: see shipped_folder(). Empty: nothing is shipped.
    explicit ExampleRecordings(std::filesystem::path shipped);

    const std::vector<kernels::Stage>& ladder() const { return ladder_; }
    const Catalogue& catalogue() const { return *catalogue_; }
    recording::GpuProperties gpu() const; // GPU of the shipped figures; throws kernels::Error if none are shipped
    viz::SmLimits limits() const;         // limits of an SM of that GPU
    std::vector<viz::MemoryLevel> memory_levels() const; // of that GPU; empty if nothing is shipped

    // Return the shipped row, or null if there is none.
    const TimedRow* timed(std::string_view slug) const;
    const CountedRow* counted(std::string_view slug, const recording::Problem& problem) const;

    // Returns the recording of a stage or file of the patch, with the patch's block in full. Each is made once. Throws
    // kernels::Error if none can be made: the kernel runs only on GPUs and is not shipped with these parameters.
    RecordingPtr of(const Patch& place, std::size_t column = 0);

private:
    RecordingPtr make(const kernels::Job& job, const recording::Index3& block);

    std::vector<kernels::Stage> ladder_ = kernels::make_ladder();
    std::filesystem::path shipped_;
    CataloguePtr catalogue_;
    std::unique_ptr<kernels::Backend> backend_; // created when it is first needed
    std::map<std::string, RecordingPtr> made_;
};

} // namespace app
