// Compiles a kernel of any CUDA file. See traced/user_kernel.h.
#include "traced/user_kernel.h"

#include "cuda/nvcc.h"
#include "cuda/nvrtc.h"
#include "cuda/toolkit_paths.h"
#include "cuda/wording.h"
#include "error.h"
#include "machine_code/cubin.h"
#include "machine_code/ptx_source.h"
#include "traced/host_text.h"
#include "traced/source_text.h"

#include <fmt/format.h>

#include <array>

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
                                     "numeric",
                                     "exception",
                                     "stdexcept",
                                     "filesystem",
                                     "ctime",
                                     "time.h",
                                     "sys/time.h",
                                     "unistd.h",
                                     "cuda_runtime.h",
                                     "cuda_runtime_api.h",
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
// What nvcc knows without any header.
constexpr std::string_view everywhere =
    "#define INFINITY __int_as_float(0x7f800000)\n#define NAN __int_as_float(0x7fffffff)\n#define M_PI "
    "3.14159265358979323846\ntypedef unsigned int uint;\ntypedef unsigned short ushort;\ntypedef unsigned long "
    "ulong;\n";
constexpr std::string_view algorithms =
    "namespace std {\ntemplate <class T> constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }\n"
    "template <class T> constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }\n}\n";
constexpr std::string_view driver =
    "#ifndef GEMMSCOPE_DRIVER_TYPES\n#define GEMMSCOPE_DRIVER_TYPES\n"
    "typedef struct alignas(64) CUtensorMap_st { unsigned long long opaque[16]; } CUtensorMap;\n#endif\n";
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
std::string without_blanks(std::string text)
{
    std::erase(text, ' ');
    return text;
}

// The kernel of that name among the entries of a whole file's PTX. Template arguments may be spelled otherwise there: then
// the only one with the name is meant.
std::string entry_of(const std::string& ptx, const std::string& kernel)
{
    const std::string wanted = without_blanks(kernel), base = wanted.substr(0, wanted.find('<'));
    std::vector<std::string> alike;
    constexpr std::string_view mark = ".entry ";
    for (std::size_t at = ptx.find(mark); at != std::string::npos; at = ptx.find(mark, at + 1)) {
        const std::size_t begin = at + mark.size(), end = ptx.find_first_of("( \n\t", begin);
        std::string lowered = ptx.substr(begin, end - begin);
        const std::string named = without_blanks(cuda::demangled(lowered.c_str()));
        const std::size_t found = named.find(base);
        if (found == std::string::npos)
            continue;
        const std::string rest = named.substr(found);
        if (rest == wanted || rest.starts_with(wanted + "("))
            return lowered;
        if (rest == base || rest[base.size()] == '(' || rest[base.size()] == '<')
            alike.push_back(std::move(lowered));
    }
    if (alike.size() == 1)
        return alike.front();
    throw kernels::Error(
        fmt::format("nvcc compiled the file, and {} kernels in it fit the name {}. Give all of its template "
                    "arguments as numbers and types.",
                    alike.size(), kernel));
}

CompiledKernel by_nvcc(const cuda::Nvcc& nvcc, const UserKernel& kernel)
{
    const cuda::Nvcc::Output output = nvcc.compile(kernel);
    if (!output.good)
        throw kernels::Error(
            fmt::format("{} does not compile. nvcc says:\n{}", kernel.file.filename().string(), output.log));
    CompiledKernel result{.ptx = output.ptx, .lowered_name = entry_of(output.ptx, kernel.kernel), .compiler = "nvcc"};
    result.signature = cuda::demangled(result.lowered_name.c_str());
    result.source_lines = cuda::source_lines(cuda::lines_of(result.ptx), kernel.file.filename().string());
    return result;
}

CompiledKernel by_nvrtc(const cuda::Nvrtc& nvrtc, const UserKernel& kernel)
{
    const std::string name = kernel.file.filename().string();
    cuda::Program program;
    program.text = fmt::format("{}#include \"{}\"\n", everywhere, name);
    program.headers.push_back({name, kernel.text});
    for (const char* header : host_headers)
        program.headers.push_back({header, ""});
    program.headers.push_back({"algorithm", algorithms});
    for (const char* header : {"cuda.h", "cudaTypedefs.h"})
        program.headers.push_back({header, driver});
    for (const char* header : {"assert.h", "cassert"})
        program.headers.push_back({header, assertions});
    for (const char* header : {"cstdint", "stdint.h"})
        program.headers.push_back({header, integers});
    for (const char* header : {"cstddef", "stddef.h"})
        program.headers.push_back({header, ""});
    for (const char* header : {"cfloat", "float.h", "climits", "limits.h"})
        program.headers.push_back({header, limits});
    std::vector<std::string> options = nvrtc.options_for(compiled_for);
    for (const std::string& option : include_options(kernel))
        options.push_back(option);
    for (const std::string& define : kernel.defines)
        options.push_back("--define-macro=" + define);
    const cuda::Compiled compiled = nvrtc.compile(program, kernel.kernel, options);
    CompiledKernel result{.ptx = compiled.ptx,
                          .lowered_name = compiled.lowered_name,
                          .signature = cuda::demangled(compiled.lowered_name.c_str()),
                          .source_lines = {},
                          .compiler = "NVRTC " + nvrtc.version()};
    while (!result.ptx.empty() && result.ptx.back() == '\0')
        result.ptx.pop_back();
    if (compiled.image.starts_with("\x7f"
                                   "ELF")) {
        result.cubin = compiled.image;
        if (const auto resources = cuda::thread_resources(compiled.image, compiled.lowered_name)) {
            result.registers = resources->registers;
            result.local_bytes = resources->local_bytes;
        }
    }
    result.source_lines = cuda::source_lines(cuda::lines_of(result.ptx), name);
    return result;
}

// Some headers (all of CUB in one) are for nvcc alone: then the first error is not in the file itself.
bool fails_in_header(std::string_view log, const UserKernel& kernel)
{
    const std::size_t error = log.find(": error");
    if (error == std::string_view::npos)
        return false;
    const std::size_t line = log.rfind('\n', error);
    return !log.substr(line == std::string_view::npos ? 0 : line + 1)
                .starts_with(kernel.file.filename().string() + "(");
}

// NVRTC knows nothing of a host; what it says of a kernel, registers and all, nvcc does not.
CompiledKernel by_nvrtc_without_host(const cuda::Nvrtc& nvrtc, const UserKernel& kernel)
{
    try {
        return by_nvrtc(nvrtc, kernel);
    } catch (const kernels::Unavailable&) {
        throw;
    } catch (const kernels::Error&) {
        UserKernel alone = kernel;
        alone.text = without_host_code(kernel.text);
        if (alone.text == kernel.text)
            throw;
        return by_nvrtc(nvrtc, alone);
    }
}

} // namespace

CompiledKernel compile(const UserKernel& kernel)
{
    const cuda::Nvcc nvcc;
    try {
        return by_nvrtc_without_host(cuda::Nvrtc(), kernel);
    } catch (const kernels::Unavailable&) {
        if (!nvcc.found())
            throw;
    } catch (const kernels::Error& error) {
        if (!nvcc.found() || !(has_host_code(kernel.text) || fails_in_header(error.what(), kernel)))
            throw;
    }
    return by_nvcc(nvcc, kernel);
}

} // namespace traced
