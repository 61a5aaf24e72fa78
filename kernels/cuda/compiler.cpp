#include "cuda/compiler.h"

#include "error.h"
#include "processor.h"
#include "recording/disk.h"
#include "temporary_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace cuda {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "gemmscope cubin 2\n";
constexpr uint64_t entry_limit = 256u << 20; // image, PTX and warnings of one kernel: several MB if the kernel is large

using kernels::Hash;

std::string body_of(const Compiled& compiled)
{
    return fmt::format("{}\n{}\n{}\n{}\n{}{}{}", compiled.lowered_name, compiled.log.size(), compiled.image.size(),
                       compiled.ptx.size(), compiled.log, compiled.image, compiled.ptx);
}

// Removes the first line from the front of the text and returns it; returns nothing if there is no line break.
std::optional<std::string_view> take_line(std::string_view& text)
{
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos)
        return std::nullopt;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    return line;
}

std::optional<std::size_t> take_number(std::string_view& text)
{
    const auto line = take_line(text);
    if (!line || line->empty() || line->size() > 12 || line->find_first_not_of("0123456789") != std::string_view::npos)
        return std::nullopt;
    return std::stoull(std::string(*line));
}

// Returns no folder if other users could place GPU code there; kernels are then compiled anew each time.
fs::path usual_folder()
try {
    const fs::path folder = kernels::user_cache();
    return folder.empty() ? folder : kernels::private_folder(folder / "cubins");
} catch (const kernels::Error&) {
    return {};
}

} // namespace

CubinCache::CubinCache() : CubinCache(usual_folder()) {}

CubinCache::CubinCache(fs::path folder) : folder_(std::move(folder)) {}

std::string CubinCache::key(const Program& program, const std::string& expression,
                            const std::vector<std::string>& options, const std::string& compiler)
{
    kernels::CacheKey key;
    key.add(program.text);
    for (const Program::Header& header : program.headers) {
        key.add(header.name);
        key.add(header.text);
    }
    key.add(expression);
    for (const std::string& option : options)
        key.add(option);
    key.add(compiler);
    return key.text();
}

fs::path CubinCache::file_of(const std::string& key) const
{
    return folder_ / (key + ".cubin");
}

std::optional<Compiled> CubinCache::find(const std::string& key) const
{
    if (folder_.empty())
        return std::nullopt;
    std::string contents;
    try {
        contents = recording::read_whole(file_of(key), entry_limit);
    } catch (const std::exception&) {
        return std::nullopt;
    }
    std::string_view rest = contents;
    if (!rest.starts_with(magic))
        return std::nullopt;
    rest.remove_prefix(magic.size());
    const auto checksum = take_line(rest);
    if (!checksum || *checksum != fmt::format("{:016x}", Hash().add(rest).value))
        return std::nullopt;
    const auto name = take_line(rest);
    const auto log_size = take_number(rest);
    const auto image_size = take_number(rest);
    const auto ptx_size = take_number(rest);
    if (!name || !log_size || !image_size || !ptx_size || *log_size + *image_size + *ptx_size != rest.size())
        return std::nullopt;
    return Compiled{.image = std::string(rest.substr(*log_size, *image_size)),
                    .lowered_name = std::string(*name),
                    .log = std::string(rest.substr(0, *log_size)),
                    .ptx = std::string(rest.substr(*log_size + *image_size))};
}

void CubinCache::store(const std::string& key, const Compiled& compiled) const
{
    if (folder_.empty())
        return;
    const std::string body = body_of(compiled);
    try {
        std::filesystem::create_directories(folder_);
        recording::write_atomically(file_of(key), fmt::format("{}{:016x}\n{}", magic, Hash().add(body).value, body));
    } catch (const std::exception&) { // no space, no permission: compiled again next time
    }
}

Compiler::Compiler(Nvrtc nvrtc, int compute_capability, CubinCache cache)
    : nvrtc_(std::move(nvrtc)), options_(nvrtc_.options_for(compute_capability)), cache_(std::move(cache))
{
}

Compiled Compiler::compile(const kernels::Stage& stage, const KernelName& name) const
{
    return compile(program_for(stage, name.probe), name.expression);
}

Compiled Compiler::compile(const Program& program, const std::string& expression) const
{
    const std::string key = CubinCache::key(program, expression, options_, "NVRTC " + version());
    if (std::optional<Compiled> cached = cache_.find(key))
        return std::move(*cached);
    const kernels::Heartbeat alive(sign_); // compiling a large kernel on a slow machine takes a minute or more
    Compiled compiled = nvrtc_.compile(program, expression, options_);
    cache_.store(key, compiled);
    return compiled;
}

Compiler ptx_compiler()
{
    Compiler compiler(Nvrtc(), ptx_capability);
    std::string& architecture = compiler.options_.front(); // for machine code: "--gpu-architecture=sm_90a"
    if (const std::size_t at = architecture.find("=sm_"); at != std::string::npos)
        architecture.replace(at, 4, "=compute_");
    return compiler;
}

namespace {

// Headers that host code includes and kernels do not need: those of the standard library, of POSIX, of the toolkit, and
// of NVIDIA's samples. helper_math.h is not among them, because it has functions for kernels.
constexpr std::array nothing = {"iostream",
                                "fstream",
                                "sstream",
                                "iomanip",
                                "ostream",
                                "istream",
                                "ios",
                                "cstdio",
                                "stdio.h",
                                "cstdlib",
                                "stdlib.h",
                                "cstring",
                                "string.h",
                                "string",
                                "string_view",
                                "strings.h",
                                "vector",
                                "deque",
                                "list",
                                "map",
                                "set",
                                "unordered_map",
                                "unordered_set",
                                "queue",
                                "stack",
                                "memory",
                                "functional",
                                "random",
                                "chrono",
                                "thread",
                                "mutex",
                                "atomic",
                                "condition_variable",
                                "future",
                                "numeric",
                                "iterator",
                                "optional",
                                "variant",
                                "any",
                                "span",
                                "ranges",
                                "regex",
                                "bitset",
                                "complex",
                                "valarray",
                                "locale",
                                "codecvt",
                                "typeinfo",
                                "initializer_list",
                                "new",
                                "system_error",
                                "exception",
                                "stdexcept",
                                "filesystem",
                                "format",
                                "source_location",
                                "ctime",
                                "time.h",
                                "csignal",
                                "signal.h",
                                "cstdarg",
                                "stdarg.h",
                                "cerrno",
                                "errno.h",
                                "cctype",
                                "ctype.h",
                                "clocale",
                                "locale.h",
                                "malloc.h",
                                "memory.h",
                                "sys/time.h",
                                "sys/types.h",
                                "sys/stat.h",
                                "sys/mman.h",
                                "sys/wait.h",
                                "sys/resource.h",
                                "unistd.h",
                                "fcntl.h",
                                "dirent.h",
                                "pthread.h",
                                "sched.h",
                                "getopt.h",
                                "dlfcn.h",
                                "omp.h",
                                "immintrin.h",
                                "x86intrin.h",
                                "cuda_runtime.h",
                                "cuda_runtime_api.h",
                                "device_launch_parameters.h",
                                "cuda_profiler_api.h",
                                "cudaProfiler.h",
                                "cuda_gl_interop.h",
                                "cuda_d3d11_interop.h",
                                "cublas_v2.h",
                                "cublas.h",
                                "cublasLt.h",
                                "cublasXt.h",
                                "cufft.h",
                                "cufftXt.h",
                                "curand.h",
                                "cusolverDn.h",
                                "cusparse.h",
                                "cudnn.h",
                                "npp.h",
                                "nvml.h",
                                "nvrtc.h",
                                "nvToolsExt.h",
                                "nvtx3/nvToolsExt.h",
                                "nvtx3/nvtx3.hpp",
                                "helper_cuda.h",
                                "helper_cuda_drvapi.h",
                                "helper_cuda_gl.h",
                                "helper_cusolver.h",
                                "helper_functions.h",
                                "helper_gl.h",
                                "helper_image.h",
                                "helper_multiprocess.h",
                                "helper_nvJPEG.hxx",
                                "helper_string.h",
                                "helper_timer.h",
                                "rendercheck_gl.h",
                                "rendercheck_gles.h",
                                "GL/glew.h",
                                "GL/freeglut.h",
                                "GL/glut.h",
                                "GL/gl.h",
                                "GL/glu.h",
                                "GL/glxew.h",
                                "GL/wglew.h",
                                "GLUT/glut.h",
                                "GLFW/glfw3.h"};

// The parts of <cstdint> and other headers that kernels use.
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
// Declarations that nvcc provides without any header. The last ones come from glibc's <sys/types.h>.
constexpr std::string_view always =
    "#define INFINITY __int_as_float(0x7f800000)\n#define NAN __int_as_float(0x7fffffff)\n#define M_PI "
    "3.14159265358979323846\ntypedef unsigned int uint;\ntypedef unsigned short ushort;\ntypedef unsigned long "
    "ulong;\ntypedef unsigned char u_char;\ntypedef unsigned short u_short;\ntypedef unsigned int u_int;\n"
    "typedef unsigned long u_long;\n";
constexpr std::string_view algorithms =
    "#ifndef GEMMSCOPE_ALGORITHMS\n#define GEMMSCOPE_ALGORITHMS\nnamespace std {\n"
    "template <class T> constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }\n"
    "template <class T> constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }\n}\n#endif\n";
// NVRTC declares these without a header, but not in namespace std.
constexpr std::string_view mathematics =
    "#ifndef GEMMSCOPE_MATHEMATICS\n#define GEMMSCOPE_MATHEMATICS\nnamespace std {\n"
    "using ::abs; using ::fabs; using ::sqrt; using ::cbrt; using ::hypot; using ::exp; using ::exp2; using ::expm1; "
    "using ::log; using ::log2; using ::log10; using ::log1p; using ::pow; using ::sin; using ::cos; using ::tan; "
    "using ::asin; using ::acos; using ::atan; using ::atan2; using ::sinh; using ::cosh; using ::tanh; using ::erf; "
    "using ::floor; using ::ceil; using ::round; using ::trunc; using ::rint; using ::fmod; using ::fmin; using "
    "::fmax; "
    "using ::fma; using ::copysign; using ::isnan; using ::isinf; using ::isfinite;\n}\n#endif\n";
constexpr std::string_view driver =
    "#ifndef GEMMSCOPE_DRIVER_TYPES\n#define GEMMSCOPE_DRIVER_TYPES\n"
    "typedef struct alignas(64) CUtensorMap_st { unsigned long long opaque[16]; } CUtensorMap;\n#endif\n";
constexpr std::string_view assertions =
    "#ifndef assert\n#define assert(condition) ((condition) ? (void)0 : __trap())\n#endif\n";
#define FROM_LIBRARY(name)                                                                     \
    Program::Header                                                                            \
    {                                                                                          \
        name, "#include <cuda/std/" name ">\nnamespace std { using namespace ::cuda::std; }\n" \
    }
// Parts of the toolkit's C++ library that kernels use under std names.
const std::array from_library = {FROM_LIBRARY("limits"), FROM_LIBRARY("type_traits"), FROM_LIBRARY("utility"),
                                 FROM_LIBRARY("array"), FROM_LIBRARY("tuple")};
#undef FROM_LIBRARY

} // namespace

std::string_view text_of_no_header()
{
    return always;
}

std::vector<Program::Header> host_headers(bool has_library)
{
    std::vector<Program::Header> headers;
    for (const char* name : nothing)
        headers.push_back({name, ""});
    headers.push_back({"algorithm", algorithms});
    for (const char* name : {"cmath", "math.h"})
        headers.push_back({name, mathematics});
    for (const char* name : {"cuda.h", "cudaTypedefs.h"})
        headers.push_back({name, driver});
    for (const char* name : {"assert.h", "cassert"})
        headers.push_back({name, assertions});
    for (const char* name : {"cstdint", "stdint.h", "inttypes.h", "cinttypes"})
        headers.push_back({name, integers});
    for (const char* name : {"cstddef", "stddef.h"})
        headers.push_back({name, ""});
    for (const char* name : {"cfloat", "float.h", "climits", "limits.h"})
        headers.push_back({name, limits});
    if (has_library)
        headers.insert(headers.end(), from_library.begin(), from_library.end());
    return headers;
}

} // namespace cuda
