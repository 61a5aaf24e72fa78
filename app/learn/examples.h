// Recordings for lessons and questions: the shipped one where it answers, else one made by the CPU's backend; and what is
// shipped beside them. Needs neither window nor GPU.
#pragma once

#include "app/catalogue/catalogue.h"
#include "app/tasks/context.h"
#include "app/workspace/patch.h"

#include "backend.h"

#include "viz/analysis/gpu_levels.h"
#include "viz/analysis/occupancy.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace app {

class Examples {
public:
    // `shipped`: see shipped_folder(). Empty: nothing is shipped.
    explicit Examples(std::filesystem::path shipped);

    const std::vector<kernels::Stage>& ladder() const { return ladder_; }
    const Catalogue& catalogue() const { return *catalogue_; }
    recording::GpuProperties gpu() const; // the one whose figures are shipped; throws kernels::Error where none are
    viz::SmLimits limits() const;         // of an SM of it
    std::vector<viz::MemoryLevel> memory_levels() const; // of it; none where nothing is shipped

    // As shipped; null: it is not.
    const TimedRow* timed(std::string_view slug) const;
    const CountedRow* counted(std::string_view slug, const recording::Problem& problem) const;

    // Of the place's first stage or file, or its second one, with its block in full. Made once. Throws kernels::Error where there is
    // none: a kernel for GPUs alone that is not shipped with these parameters.
    RecordingPtr of(const Patch& place, std::size_t column = 0);

private:
    RecordingPtr make(const kernels::Job& job, const recording::Index3& block);

    std::vector<kernels::Stage> ladder_ = kernels::make_ladder();
    std::filesystem::path shipped_;
    CataloguePtr catalogue_;
    std::unique_ptr<kernels::Backend> backend_; // made when it is first needed
    std::map<std::string, RecordingPtr> made_;
};

} // namespace app
