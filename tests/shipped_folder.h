// A folder with the content that scripts/make-assets creates, but made on the CPU. Its speeds are made up.
#pragma once

#include "backend.h"
#include "recording/file.h"
#include "recording/tiles.h"
#include "temporary_folder.h"
#include "tests/ladder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace test {

inline constexpr const char* three_speeds =
    R"({"format": 1, "device": "NVIDIA H200", "toolkit": "NVRTC 13.0", "date": "2026-11-20", "peak_gflops": 66000, "rows": [
 {"stage": "vectorized", "size": "4096", "ok": true, "parameters": {"BM": 128}, "median_ms": 3.8, "gflops": 36000,
  "of_cublas": 0.75},
 {"stage": "cublas_sgemm", "size": "4096", "ok": true, "median_ms": 2.86, "gflops": 48000, "of_cublas": null},
 {"stage": "vector_add", "size": "1048576", "ok": true, "median_ms": 0.01, "gflops": 145,
  "of_cublas": null}]})";

// Returns a recording of whole tiles that claims to come from a GPU.
inline recording::Recording shipped_recording(std::string_view slug)
{
    const kernels::Stage& stage = test::stage(slug);
    const kernels::ParameterValues parameters = stage.standard_parameters();
    const kernels::Job job{&stage, parameters,
                           recording::whole_problem(recording::tiles_named(kernels::named(stage, parameters)))};
    const recording::Index3 grid = stage.launch(job.parameters, job.problem).grid;
    std::vector<recording::Index3> blocks = {{0, 0, 0}};
    if (grid.volume() > 1)
        blocks.push_back({grid.x - 1, grid.y - 1, grid.z - 1});
    recording::Recording result = test::record(job, blocks);
    result.device = {.backend = "cuda", .name = "NVIDIA H200"};
    result.recorded_at = "2026-11-20T09:00:00Z";
    return result;
}

class ShippedFolder {
public:
    const std::filesystem::path& path() const { return folder_.path(); }
    void put_file(const std::filesystem::path& file) const
    {
        std::filesystem::copy(file, path(), std::filesystem::copy_options::overwrite_existing);
    }
    void put_speeds(const std::string& text) const { std::ofstream(path() / "speeds.json") << text; }
    void put(const recording::Recording& recording) const
    {
        recording::write(recording, path() / (recording.stage + ".gscope"));
    }
    void put_recording(const char* slug) const { put(shipped_recording(slug)); }

private:
    kernels::TemporaryFolder folder_;
};

} // namespace test
