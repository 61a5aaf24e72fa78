// Demangles function names.
#pragma once

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace kernels {

// Returns "fib(int)" for "_Z3fibi". A name that is not mangled stays as it is: "s" is an array called s, although it is
// also the mangled type short. Returns an empty text for null.
inline std::string readable_name(const char* name)
{
    if (name == nullptr)
        return {};
    if (std::string_view(name).substr(0, 2) != "_Z")
        return name;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> plain(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                            &std::free);
    return status == 0 && plain ? plain.get() : name;
}

} // namespace kernels
