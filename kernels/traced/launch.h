// A request made ready: the buffers with what they hold, each parameter with its argument.
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

// Of a parameter that is a tensor map: what each copy takes of the buffer, and how it lies in shared memory.
struct MapBox {
    uint32_t rows = 1, cols = 1; // elements
    uint32_t swizzle = 0;        // bytes: 0, 32, 64 or 128
};

// Of one parameter, in order.
struct Argument {
    std::variant<int64_t, double, std::size_t> value = int64_t{0}; // the last: a buffer
    std::vector<Argument> members = {};                            // of a struct, instead
    std::optional<MapBox> map = {};                                // of the buffer
};

struct KernelParameter {
    TypeName type;
    std::string words; // "parameter 3, 'const float* A'"
    uint64_t bytes = 0;
    std::vector<StructMember> members = {}; // of a struct that the file declares
};

struct PreparedLaunch {
    recording::Problem problem;
    recording::Launch extent;
    std::optional<recording::Index3> cluster; // where it was asked for
    uint64_t dynamic_shared_bytes = 0;
    std::vector<Buffer> buffers;
    std::vector<Argument> arguments;
    bool multiplies = false; // A, B and C are all among them
};

// The kernel's parameters as it finds them. Where an address of a buffer stands, or a map of one, depends on who runs it.
struct ArgumentBytes {
    struct OfBuffer {
        uint64_t first = 0; // byte
        std::size_t buffer = 0;
        std::optional<MapBox> map = {}; // its bytes; else an address
    };
    std::vector<std::byte> bytes;
    std::vector<uint64_t> firsts =
        {}; // the first byte of each parameter, as PTX lays them out: cubins may begin elsewhere
    std::vector<OfBuffer> buffers;
};

// The kernel that is meant. Throws kernels::Error: there is none, or several and none is named.
WrittenKernel find_kernel(const std::string& text, const std::string& named);

recording::Problem problem_of(const Request& request);
Names names_of(const Request& request, const std::string& text);

// What a parameter of that name gets where nothing else is said: "N" for n, "A" for a, a buffer that is declared; empty: nothing.
std::string argument_of_name(const Request& request, const std::string& name);

// `parameters`: with the types that the compiler gave them. Throws kernels::Error with the parameter that does not fit.
PreparedLaunch prepare(const Request& request, const WrittenKernel& kernel,
                       const std::vector<KernelParameter>& parameters, const Names& names);

} // namespace traced
