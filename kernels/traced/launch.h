// Prepares a launch from a request: the buffers with their content, and an argument for each parameter.
#pragma once

#include "traced/buffer.h"
#include "traced/request.h"
#include "traced/source_text.h"
#include "traced/struct_text.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace traced {

// For a parameter that is a tensor map: the box that each copy transfers from the buffer, and its swizzle in shared
// memory.
struct MapBox {
    uint32_t rows = 1, cols = 1; // elements
    uint32_t swizzle = 0;        // bytes: 0, 32, 64 or 128
};

// The argument of one parameter.
struct Argument {
    std::variant<int64_t, double, std::size_t> value = int64_t{0}; // std::size_t: index of a buffer
    std::vector<Argument> members = {};                            // for a struct, instead of a value
    std::optional<MapBox> map = {};                                // for a buffer that is passed as a tensor map
};

struct KernelParameter {
    TypeName type;
    std::string words; // "parameter 3, 'const float* A'"
    uint64_t bytes = 0;
    std::vector<StructMember> members = {}; // for a struct that the file declares
};

struct PreparedLaunch {
    recording::Problem problem;
    recording::Launch extent;
    std::optional<recording::Index3> cluster; // if requested
    uint64_t dynamic_shared_bytes = 0;
    std::vector<Buffer> buffers;
    std::vector<Argument> arguments;
    bool multiplies = false; // A, B and C are all among the buffers
};

// The kernel's parameters as bytes. The address of a buffer, or its tensor map, depends on where the kernel runs and is
// filled in later.
struct ArgumentBytes {
    struct OfBuffer {
        uint64_t first = 0; // offset in bytes
        std::size_t buffer = 0;
        std::optional<MapBox> map = {}; // the bytes are a tensor map; otherwise an address
    };
    std::vector<std::byte> bytes;
    std::vector<uint64_t> firsts = {}; // the offset of each parameter in PTX's layout; the start in a cubin may differ
    std::vector<OfBuffer> buffers;
};

// Returns the kernel with this name. Throws kernels::Error if there is none, or if there are several and `named` is
// empty.
WrittenKernel find_kernel(const std::string& text, const std::string& named);

recording::Problem problem_of(const Request& request);
Names names_of(const Request& request, const std::string& text);

// What a parameter of that name gets where nothing else is said: "N" for n, "A" for a, a buffer that is declared; empty: nothing.
std::string argument_of_name(const Request& request, const std::string& name);

// `parameters`: with the types that the compiler gave them. Throws kernels::Error with the parameter that does not fit.
PreparedLaunch prepare(const Request& request, const WrittenKernel& kernel,
                       const std::vector<KernelParameter>& parameters, const Names& names);

} // namespace traced
