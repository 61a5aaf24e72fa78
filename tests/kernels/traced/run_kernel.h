// A kernel of a text, run without a GPU as its comment says, and its buffers as numbers.
#pragma once

#include "error.h"
#include "ptx/trace.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace test {

inline ptx::Traced run(const std::string& text, traced::Request request = {})
{
    request.file = "kernel.cu";
    request.most_steps = 200'000;
    request = traced::with_facts_of_file(request, text);
    const traced::UserKernel kernel = ptx::kernel_of(request, text);
    return ptx::trace(request, kernel, traced::compile(kernel), {});
}

// The sentence that it is refused with; empty: it ran.
inline std::string refusal(const std::string& text, const traced::Request& request = {})
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

inline void expect_says(const std::string& said, const std::string& part)
{
    EXPECT_NE(said.find(part), std::string::npos) << "said: " << said << "\nexpected: " << part;
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

// Where there is no NVRTC these tests have nothing to run.
#define RUN_OR_SKIP(traced, text)                   \
    ptx::Traced traced;                             \
    try {                                           \
        traced = test::run(text);                   \
    } catch (const kernels::Unavailable& missing) { \
        GTEST_SKIP() << missing.what();             \
    }

} // namespace test
