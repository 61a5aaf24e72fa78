// Checks error sentences: what is refused, and with which words.
#pragma once

#include "error.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace test {

// Returns whether the text contains the words; a failing test prints both.
inline testing::AssertionResult says(std::string_view text, std::string_view words)
{
    const bool found = text.find(words) != std::string_view::npos;
    return (found ? testing::AssertionSuccess() : testing::AssertionFailure())
           << "\"" << words << "\" is " << (found ? "" : "not ") << "in\n"
           << text;
}

// Returns the sentence of the exception that the call throws; "" if it throws nothing. Exceptions of other types
// propagate.
template <class Thrown = kernels::Error>
std::string refusal(const auto& call)
{
    try {
        call();
    } catch (const Thrown& thrown) {
        return thrown.what();
    }
    return "";
}

} // namespace test

// Skips the test if this machine lacks what the statement needs: a CUDA compiler, CUPTI.
#define SKIP_WHERE_UNAVAILABLE(...)                 \
    try {                                           \
        __VA_ARGS__;                                \
    } catch (const kernels::Unavailable& missing) { \
        GTEST_SKIP() << missing.what();             \
    }
