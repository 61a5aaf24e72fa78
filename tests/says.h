// Sentences that tests look into: what is refused and with which words.
#pragma once

#include "error.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace test {

// Whether the text has the words; a test that fails shows both.
inline testing::AssertionResult says(std::string_view text, std::string_view words)
{
    const bool found = text.find(words) != std::string_view::npos;
    return (found ? testing::AssertionSuccess() : testing::AssertionFailure())
           << "\"" << words << "\" is " << (found ? "" : "not ") << "in\n"
           << text;
}

// The sentence of what the call throws; "" where it throws nothing. Errors of other kinds pass.
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

// Skips the test where this machine lacks what the statement needs: a compiler of CUDA, CUPTI.
#define SKIP_WHERE_UNAVAILABLE(...)                 \
    try {                                           \
        __VA_ARGS__;                                \
    } catch (const kernels::Unavailable& missing) { \
        GTEST_SKIP() << missing.what();             \
    }
