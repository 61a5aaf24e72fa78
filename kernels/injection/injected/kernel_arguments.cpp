#include "injection/injected/kernel_arguments.h"

#include "machine_code/elf.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace injection {

namespace {

// The attribute of a kernel's section .nv.info that describes one parameter.
struct ParameterInfo {
    uint32_t index;
    uint16_t parameter, first;
    uint32_t bits;
    uint32_t bytes() const { return bits >> 18; }
};

// Attributes have two bytes of kind and two of length or value. Those with a length are followed by so many bytes.
std::vector<ParameterInfo> parameters_in(std::string_view info)
{
    constexpr uint8_t with_length = 4, parameter_info = 0x17;
    std::vector<ParameterInfo> found;
    for (uint64_t at = 0; at + 4 <= info.size();) {
        const auto form = cuda::read_at<uint8_t>(info, at), kind = cuda::read_at<uint8_t>(info, at + 1);
        if (form == with_length && kind == parameter_info)
            found.push_back(cuda::read_at<ParameterInfo>(info, at + 4));
        at += 4 + (form == with_length ? cuda::read_at<uint16_t>(info, at + 2) : 0);
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.parameter < b.parameter; });
    return found;
}

// The parameters of the driver's functions, as in generated_cuda_meta.h.
struct LaunchCall { // of cuLaunchKernel and, without the last member, cuLaunchCooperativeKernel
    const void* function;
    uint32_t extents[6], shared_bytes;
    const void* stream;
    const void* const* arguments;
};
struct LaunchCallEx { // of cuLaunchKernelEx
    const void *launch, *function;
    const void* const* arguments;
};

} // namespace

std::vector<ArgumentWord> argument_words(std::string_view cubin, const std::string& kernel,
                                         const void* const* arguments)
{
    std::vector<ArgumentWord> words;
    for (const ParameterInfo& info : parameters_in(cuda::find_section(cubin, ".nv.info." + kernel).value_or("")))
        for (uint32_t at = 0; at + sizeof(uint64_t) <= info.bytes(); at += sizeof(uint64_t)) {
            words.push_back({.parameter = info.parameter, .offset = at});
            std::memcpy(&words.back().value, static_cast<const std::byte*>(arguments[info.parameter]) + at,
                        sizeof(uint64_t));
        }
    return words;
}

const void* const* arguments_of_call(std::string_view function, const void* parameters)
{
    const std::string_view name = function.substr(0, function.find("_ptsz")); // of the default stream per thread
    if (name == "cuLaunchKernelEx")
        return static_cast<const LaunchCallEx*>(parameters)->arguments;
    if (name == "cuLaunchKernel" || name == "cuLaunchCooperativeKernel")
        return static_cast<const LaunchCall*>(parameters)->arguments;
    return nullptr;
}

} // namespace injection
