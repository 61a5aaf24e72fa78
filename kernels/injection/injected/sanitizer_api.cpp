#include "injection/injected/sanitizer_api.h"

#include <stdexcept>

#include <dlfcn.h>

namespace injection {

SanitizerApi::SanitizerApi(const std::string& path)
{
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr)
        throw std::runtime_error("NVIDIA's Sanitizer API could not be loaded: " + std::string(dlerror()));
    const auto find = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        if (function == nullptr)
            throw std::runtime_error(path + " has no function " + name + ": install CUDA 12 or later.");
    };
    find(subscribe, "sanitizerSubscribe");
    find(enable_domain, "sanitizerEnableDomain");
    find(add_patches, "sanitizerAddPatchesFromFile");
    find(patch_instructions, "sanitizerPatchInstructions");
    find(patch_module, "sanitizerPatchModule");
    find(set_launch_data, "sanitizerSetLaunchCallbackData");
    find(function_place, "sanitizerGetFunctionPcAndSize");
    find(alloc, "sanitizerAlloc");
    find(free, "sanitizerFree");
    find(to_device, "sanitizerMemcpyHostToDeviceAsync");
    find(to_host, "sanitizerMemcpyDeviceToHost");
    find(set, "sanitizerMemset");
    find(synchronize, "sanitizerStreamSynchronize");
    find(result_text, "sanitizerGetResultString");
}

std::string SanitizerApi::problem(int result, const char* call) const
{
    if (result == 0)
        return {};
    const char* text = nullptr;
    result_text(result, &text);
    return std::string("NVIDIA's Sanitizer API refused ") + call + ": " +
           (text != nullptr ? text : std::to_string(result)) + ".";
}

void SanitizerApi::check(int result, const char* call) const
{
    if (const std::string text = problem(result, call); !text.empty())
        throw std::runtime_error(text);
}

namespace {

// Finds a function of the driver that the program has loaded.
template <class Function>
Function driver_function(const char* name)
{
    static void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    return driver != nullptr ? reinterpret_cast<Function>(dlsym(driver, name)) : nullptr;
}

// Values of CUdevice_attribute and CUfunction_attribute in cuda.h.
constexpr int attribute_clock_khz = 13, attribute_sms = 16, attribute_threads_per_sm = 39;
constexpr int attribute_major = 75, attribute_minor = 76;
constexpr int attribute_local_bytes = 3, attribute_registers = 4;

} // namespace

Fields gpu_facts(int device)
{
    Fields facts;
    char name[256] = {};
    const auto get_name = driver_function<int (*)(char*, int, int)>("cuDeviceGetName");
    if (get_name != nullptr && get_name(name, sizeof name - 1, device) == 0)
        facts.add("device", name);
    const auto get = driver_function<int (*)(int*, int, int)>("cuDeviceGetAttribute");
    const auto attribute = [&](int which) {
        int value = 0;
        return get != nullptr && get(&value, which, device) == 0 && value > 0 ? static_cast<uint64_t>(value) : 0;
    };
    facts.add("compute_capability", attribute(attribute_major) * 10 + attribute(attribute_minor));
    facts.add("sms", attribute(attribute_sms));
    facts.add("threads_per_sm", attribute(attribute_threads_per_sm));
    facts.add("clock_khz", attribute(attribute_clock_khz));
    int version = 0;
    const auto driver_version = driver_function<int (*)(int*)>("cuDriverGetVersion");
    if (driver_version != nullptr && driver_version(&version) == 0)
        facts.add("cuda", std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10));
    return facts;
}

Fields current_gpu_facts()
{
    int device = 0;
    const auto get = driver_function<int (*)(int*)>("cuCtxGetDevice");
    if (get != nullptr)
        get(&device);
    return gpu_facts(device);
}

bool is_captured(Handle stream)
{
    const auto get = driver_function<int (*)(Handle, int*)>("cuStreamIsCapturing");
    int status = 0; // CU_STREAM_CAPTURE_STATUS_NONE
    return get != nullptr && get(stream, &status) == 0 && status != 0;
}

Fields kernel_facts(Handle function)
{
    Fields facts;
    const auto get = driver_function<int (*)(int*, int, Handle)>("cuFuncGetAttribute");
    int value = 0;
    if (get != nullptr && get(&value, attribute_registers, function) == 0)
        facts.add("registers", static_cast<uint64_t>(value));
    if (get != nullptr && get(&value, attribute_local_bytes, function) == 0)
        facts.add("local_bytes", static_cast<uint64_t>(value));
    return facts;
}

} // namespace injection
