// Runs the kernel of a text without a GPU, with the launch in its comment, and returns its buffers as numbers.
#pragma once

#include "error.h"
#include "ptx/file_launch.h"
#include "ptx/trace.h"
#include "tests/paths.h"
#include "tests/says.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace test {

// Returns a path in the tests' data.
inline std::string cuda_path(const std::string& name)
{
    return data("cuda/" + name);
}

inline std::string cuda_text(const std::string& name)
{
    return text_of(cuda_path(name));
}

// `request.file` is the text's name.
inline ptx::Traced run(const std::string& text, traced::Request request = {})
{
    if (request.file.empty())
        request.file = "kernel.cu";
    request.most_steps = 200'000;
    request = traced::with_facts_of_file(request, text);
    const traced::UserKernel kernel = ptx::kernel_of(request, text);
    return ptx::trace(request, kernel, traced::compile(kernel), {});
}

inline ptx::Traced run_file(const std::string& name, traced::Request request = {})
{
    request.file = cuda_path(name);
    return run(cuda_text(name), request);
}

// Returns the sentence that refuses the kernel, or an empty text if it ran.
inline std::string why_refused(const std::string& text, const traced::Request& request = {})
{
    try {
        run(text, request);
    } catch (const kernels::Unavailable&) {
        throw;
    } catch (const kernels::Error& error) {
        return error.what();
    }
    return "";
}

template <class T>
std::vector<T> values(const std::vector<traced::Buffer>& buffers, const std::string& name)
{
    for (const traced::Buffer& buffer : buffers)
        if (buffer.name == name) {
            std::vector<T> result(buffer.bytes.size() / sizeof(T));
            std::memcpy(result.data(), buffer.bytes.data(), buffer.bytes.size());
            return result;
        }
    ADD_FAILURE() << "no buffer " << name;
    return {};
}

#define RUN_OR_SKIP(traced, ...) \
    ptx::Traced traced;          \
    SKIP_WHERE_UNAVAILABLE(traced = test::run(__VA_ARGS__))

} // namespace test
