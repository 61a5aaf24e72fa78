// Compiles a kernel of any CUDA file. See traced/user_kernel.h.
#include "traced/user_kernel.h"

#include "cuda/nvrtc.h"
#include "cuda/toolkit_paths.h"
#include "error.h"
#include "machine_code/ptx_source.h"

#include <fmt/format.h>

#include <cxxabi.h>

#include <array>
#include <cstdlib>
#include <memory>

namespace traced {

namespace {

// Headers that a file with host code includes, and that a kernel needs nothing of.
constexpr std::array host_headers = {"iostream",
                                     "fstream",
                                     "sstream",
                                     "iomanip",
                                     "cstdio",
                                     "stdio.h",
                                     "cstdlib",
                                     "stdlib.h",
                                     "cstring",
                                     "string.h",
                                     "string",
                                     "vector",
                                     "map",
                                     "set",
                                     "memory",
                                     "functional",
                                     "random",
                                     "chrono",
                                     "thread",
                                     "algorithm",
                                     "numeric",
                                     "exception",
                                     "stdexcept",
                                     "filesystem",
                                     "ctime",
                                     "time.h",
                                     "sys/time.h",
                                     "unistd.h",
                                     "assert.h",
                                     "cassert",
                                     "cuda_runtime.h",
                                     "cuda_runtime_api.h",
                                     "cuda.h",
                                     "device_launch_parameters.h",
                                     "cublas_v2.h",
                                     "curand.h",
                                     "cudaProfiler.h",
                                     "cuda_profiler_api.h",
                                     "helper_cuda.h",
                                     "helper_functions.h",
                                     "getopt.h",
                                     "sys/stat.h",
                                     "omp.h",
                                     "math.h",
                                     "cmath"};

// What <cstdint> and others have that kernels do use.
constexpr std::string_view integers =
    "typedef signed char int8_t; typedef unsigned char uint8_t; typedef short int16_t; typedef unsigned short "
    "uint16_t; typedef int int32_t; typedef unsigned int uint32_t; typedef long long int64_t; typedef unsigned "
    "long long uint64_t; typedef unsigned long long uintptr_t; typedef long long intptr_t;\n"
    "namespace std { using ::int8_t; using ::uint8_t; using ::int16_t; using ::uint16_t; using ::int32_t; using "
    "::uint32_t; using ::int64_t; using ::uint64_t; using ::size_t; }\n";
constexpr std::string_view limits =
    "#ifndef FLT_MAX\n#define FLT_MAX 3.402823466e+38f\n#define FLT_MIN 1.175494351e-38f\n#define FLT_EPSILON "
    "1.192092896e-07f\n#define DBL_MAX 1.7976931348623158e+308\n#define INT_MAX 2147483647\n#define INT_MIN "
    "(-2147483647 - 1)\n#define UINT_MAX 4294967295u\n#endif\n";
constexpr std::string_view assertions =
    "#ifndef assert\n#define assert(condition) ((condition) ? (void)0 : __trap())\n#endif\n";

std::vector<std::string> include_options(const UserKernel& kernel)
{
    std::vector<std::string> options;
    for (const std::string& folder : kernel.include_folders)
        options.push_back("--include-path=" + folder);
    const std::filesystem::path own = std::filesystem::absolute(kernel.file).parent_path();
    options.push_back("--include-path=" + own.string());
    for (const std::filesystem::path& home : cuda::toolkit_homes())
        if (std::error_code ignored; std::filesystem::exists(home / "include" / "cuda_fp16.h", ignored)) {
            options.push_back("--include-path=" + (home / "include").string());
            if (std::filesystem::exists(home / "include" / "cccl", ignored))
                options.push_back("--include-path=" + (home / "include" / "cccl").string());
            break;
        }
    return options;
}

// "void transpose<32>(float const*, float*, int, int)"; of a C name, that name.
std::string demangled(const std::string& lowered)
{
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(lowered.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && text != nullptr ? std::string(text.get()) : lowered;
}

} // namespace

CompiledKernel compile(const UserKernel& kernel)
{
    const cuda::Nvrtc nvrtc;
    const std::string name = kernel.file.filename().string();
    cuda::Program program;
    program.text = fmt::format("#include \"{}\"\n", name);
    program.headers.push_back({name, kernel.text});
    for (const char* header : host_headers)
        program.headers.push_back({header, ""});
    for (const char* header : {"assert.h", "cassert"})
        std::erase_if(program.headers, [header](const cuda::Program::Header& one) { return one.name == header; });
    program.headers.push_back({"assert.h", assertions});
    program.headers.push_back({"cassert", assertions});
    for (const char* header : {"cstdint", "stdint.h", "cstddef", "stddef.h"})
        program.headers.push_back({header, header[0] == 'c' || std::string_view(header) == "stdint.h" ? integers : ""});
    for (const char* header : {"cfloat", "float.h", "climits", "limits.h"})
        program.headers.push_back({header, limits});
    std::vector<std::string> options = nvrtc.options_for(90);
    for (const std::string& option : include_options(kernel))
        options.push_back(option);
    for (const std::string& define : kernel.defines)
        options.push_back("--define-macro=" + define);
    const cuda::Compiled compiled = nvrtc.compile(program, kernel.kernel, options);
    CompiledKernel result{.ptx = compiled.ptx,
                          .lowered_name = compiled.lowered_name,
                          .signature = demangled(compiled.lowered_name),
                          .source_lines = {},
                          .compiler = "NVRTC " + nvrtc.version()};
    while (!result.ptx.empty() && result.ptx.back() == '\0')
        result.ptx.pop_back();
    result.source_lines = cuda::source_lines(cuda::lines_of(result.ptx), name);
    return result;
}

} // namespace traced
