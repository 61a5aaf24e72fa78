// Completes a launch from the text of its file, for files whose main() is not run. It uses a launch whose values are
// known, "scale<float><<<2, 32>>>(x, 3)", an explicit instantiation of a template, or __launch_bounds__. Contents of
// buffers, and arguments that have only their parameter's name, are guessed.
#pragma once

#include "traced/request.h"

#include <string>
#include <string_view>
#include <vector>

namespace traced {

// The size of a buffer that becomes as large as the kernel's accesses need: --buffer x=auto:random.
inline constexpr std::string_view automatic_size = "auto";

bool has_automatic_size(const std::string& buffer); // `buffer` is an entry of Request::buffers: "x=auto:random"

// A kernel that can be chosen, with template arguments if the text has them: "scale<float>". Otherwise a template has
// its parameters in their place, and `open` is true.
struct KernelChoice {
    std::string kernel;
    bool open = false;
    uint32_t line = 0;
    friend bool operator==(const KernelChoice&, const KernelChoice&) = default;
};

// Returns the choices in the order of the text.
std::vector<KernelChoice> kernel_choices(const std::string& text);

struct CompletedLaunch {
    Request request;                  // contains examples for what is missing
    std::vector<std::string> missing; // "--grid", "a value for 'int n'"; if empty, the kernel can be launched
};

// Completes the request. `text` is the text of the file, whose comment must already be in `request`
// (with_facts_of_file). The kernel may be given by its number among the choices, counted from 1. Throws kernels::Error
// if no kernel has that number.
CompletedLaunch completed(Request request, const std::string& text);

} // namespace traced
