#include "injection/injected/sanitizer_api.h"

#include <dlfcn.h>

#include <stdexcept>

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
    find(unpatch_module, "sanitizerUnpatchModule");
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

void SanitizerApi::check(int result, const char* call) const
{
    if (result == 0)
        return;
    const char* text = nullptr;
    result_text(result, &text);
    throw std::runtime_error(std::string("NVIDIA's Sanitizer API refused ") + call + ": " +
                             (text != nullptr ? text : std::to_string(result)) + ".");
}

} // namespace injection
