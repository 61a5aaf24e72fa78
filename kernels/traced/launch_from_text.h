// A launch that a request leaves open, taken from the text of its file: a launch with literals, "scale<float><<<2,
// 32>>>(x, 3)", an explicit instantiation of a template, __launch_bounds__. Nothing is guessed but what buffers hold.
// For files whose own main is not run.
#pragma once

#include "traced/request.h"

#include <string>
#include <string_view>
#include <vector>

namespace traced {

// The size of a buffer that is as large as the kernel's accesses need: --buffer x=auto:random.
inline constexpr std::string_view automatic_size = "auto";

bool has_automatic_size(const std::string& buffer); // as Request has it: "x=auto:random"

// A kernel that can be chosen: with template arguments where the text has them, "scale<float>"; else, of a template,
// with its parameters in their places and `open`.
struct KernelChoice {
    std::string kernel;
    bool open = false;
    uint32_t line = 0;
    friend bool operator==(const KernelChoice&, const KernelChoice&) = default;
};

// In the order of the text.
std::vector<KernelChoice> kernel_choices(const std::string& text);

struct CompletedLaunch {
    Request request;                  // with an example in place of what is missing
    std::vector<std::string> missing; // "--grid", "a value for 'int n'"; empty: it can be launched
};

// `text` of the file, whose comment `request` already has (with_facts_of_file). A kernel may be named by its number
// among the choices, from 1. Throws kernels::Error: no kernel has that number.
CompletedLaunch completed(Request request, const std::string& text);

} // namespace traced
