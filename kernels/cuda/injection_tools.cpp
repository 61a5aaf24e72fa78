// The parts of a CUDA toolkit that tracing needs. See injection/traced_program.h.
#include "cuda/context.h"
#include "cuda/disassembler.h"
#include "cuda/library.h"
#include "cuda/nvrtc.h"
#include "error.h"
#include "injection/traced_program.h"
#include "kernel_sources.h"
#include "machine_code/cubin.h"
#include "run_program.h"

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace injection {

namespace {

namespace fs = std::filesystem;

fs::path first_there(const std::vector<fs::path>& places)
{
    std::error_code ignored;
    for (const fs::path& place : places)
        if (fs::exists(place, ignored))
            return fs::canonical(place);
    return {};
}

std::vector<fs::path> in_toolkits(std::initializer_list<const char*> places)
{
    std::vector<fs::path> result;
    for (const fs::path& home : cuda::toolkit_homes())
        for (const char* place : places)
            result.push_back(home / place);
    return result;
}

std::set<int> compute_capabilities()
{
    const cuda::Driver driver;
    CUDA_CHECK(driver, cuInit, 0);
    int count = 0;
    CUDA_CHECK(driver, cuDeviceGetCount, &count);
    std::set<int> result;
    for (int device = 0; device < count; ++device) {
        int major = 0, minor = 0;
        CUDA_CHECK(driver, cuDeviceGetAttribute, &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
        CUDA_CHECK(driver, cuDeviceGetAttribute, &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
        result.insert(10 * major + minor);
    }
    return result;
}

// Returns the patches as relocatable code, because only such code keeps functions that nothing calls.
std::string patches_as_ptx(int compute_capability)
{
    cuda::Program program{.text = std::string(kernel_sources::file("injection/patches.cu")),
                          .headers = {{"trace_format.h", kernel_sources::file("injection/trace_format.h")}}};
    for (const char* header : {"device/warp_cost.h", "device/platform.h", "device/probe_state.h"})
        program.headers.push_back({header, kernel_sources::file(header)});
    std::string ptx = cuda::Nvrtc()
                          .compile(program, "",
                                   {fmt::format("--gpu-architecture=compute_{}", compute_capability), "--std=c++20",
                                    "--relocatable-device-code=true"})
                          .ptx;
    while (!ptx.empty() && ptx.back() == '\0')
        ptx.pop_back();
    return ptx;
}

} // namespace

fs::path sanitizer_library()
{
    fs::path found = first_there(
        in_toolkits({"compute-sanitizer/libsanitizer-public.so", "extras/compute-sanitizer/libsanitizer-public.so"}));
    if (found.empty())
        throw kernels::Unavailable(
            "Tracing a program needs NVIDIA's Sanitizer API (libsanitizer-public.so), which is not "
            "installed: install the package cuda-sanitizer-13-0 from NVIDIA's repository, or set "
            "CUDA_HOME to a toolkit that has the folder compute-sanitizer.");
    return found;
}

fs::path cupti_library()
{
    fs::path found = first_there(in_toolkits(
        {"extras/CUPTI/lib64/libcupti.so.13", "lib64/libcupti.so.13", "targets/x86_64-linux/lib/libcupti.so.13",
         "extras/CUPTI/lib64/libcupti.so.12", "lib64/libcupti.so.12", "targets/x86_64-linux/lib/libcupti.so.12"}));
    if (found.empty())
        throw kernels::Unavailable(
            "Listing a program's launches needs CUPTI, which is not installed: install the package "
            "cuda-cupti-13-0 from NVIDIA's repository.");
    return found;
}

void make_patches(const fs::path& folder)
{
    for (const int capability : compute_capabilities())
        make_patches(folder, capability);
}

void make_patches(const fs::path& folder, int capability)
{
    const fs::path ptxas = cuda::find_program("ptxas");
    if (ptxas.empty())
        throw kernels::Unavailable(
            "Tracing a program needs ptxas, CUDA's assembler, which is not installed: install the "
            "package cuda-nvcc-13-0 from NVIDIA's repository.");
    const fs::path ptx = folder / fmt::format("patches-{}.ptx", capability);
    std::ofstream(ptx) << patches_as_ptx(capability);
    const kernels::ProgramOutput ended = kernels::run_program(
        {.words = {ptxas.string(), fmt::format("-arch=sm_{}", capability), "--compile-as-tools-patch", ptx.string(),
                   "-o", (folder / fmt::format("patches-{}.cubin", capability)).string()}});
    if (!ended.good)
        throw kernels::Error(fmt::format("ptxas cannot assemble what notes a program's accesses: {}",
                                         ended.text.substr(0, ended.text.find('\n'))));
}

KernelCode code_of(std::string_view cubin, std::string_view kernel)
{
    const std::map<uint32_t, std::string> texts = cuda::Disassembler().texts(cubin, kernel);
    KernelCode code{.instructions = {}, .lines = cuda::source_rows(cubin, kernel)};
    for (const kernels::Instruction& instruction : cuda::instructions(cubin, kernel)) {
        const auto text = texts.find(instruction.address);
        code.instructions.push_back(
            {.text = text != texts.end() ? text->second : instruction.name, .address = instruction.address});
    }
    return code;
}

} // namespace injection
