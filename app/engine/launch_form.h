// How a kernel of a CUDA file is launched, as a form that its user fills in: what is known stands there already. Pure.
#pragma once

#include "traced/request.h"

#include <string>
#include <vector>

namespace app {

struct FormParameter {
    std::string type, name;  // "const float*", "in"
    bool is_buffer = false;  // a pointer that gets a buffer of its own; else `value` is a number, A, B or C, or null
    std::string value;       // "N", "2.5"
    std::string bytes, fill; // of a buffer: "4*N", "auto"; "zeros", "random", "iota", a number or a file
    friend bool operator==(const FormParameter&, const FormParameter&) = default;
};

struct LaunchForm {
    std::vector<std::string> kernels; // that there are to choose from
    std::string kernel, grid, block, shared;
    std::vector<FormParameter> parameters;
    std::vector<std::string> missing; // what is only an example: sentences' parts, as in traced::CompletedLaunch
    friend bool operator==(const LaunchForm&, const LaunchForm&) = default;
};

// `asked` so far, of that text. Of another kernel than before give nothing but its name.
LaunchForm form_of(const traced::Request& asked, const std::string& text);

// The form as a request; what it has no field for is as in `asked`.
traced::Request request_of(const LaunchForm& form, const traced::Request& asked);

} // namespace app
