// Prepares a launch from a request: the buffers with their content, and an argument for each parameter.
#pragma once

#include "base/fields.h"
#include "traced/buffer.h"
#include "traced/expression.h"
#include "traced/request.h"
#include "traced/source_text.h"
#include "traced/struct_text.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace traced {

// For a parameter that is a tensor map: the box that each copy transfers, and its swizzle in shared memory.
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

// The kernel's parameters as bytes. Addresses and tensor maps of buffers depend on where it runs, and are filled in
// later.
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

// Returns the kernel with this name. Throws kernels::Error if there is none, or if `named` is empty and there are
// several.
WrittenKernel find_kernel(const std::string& text, const std::string& named);

recording::Problem problem_of(const Request& request);
Names names_of(const Request& request, const std::string& text);

// Returns the default argument of a parameter with that name: "N" for n, "A" for a, or a declared buffer. Returns an
// empty text if it has none.
std::string argument_of_name(const Request& request, const std::string& name);

// Prepares the launch. `parameters` have the types that the compiler gave them. Throws kernels::Error that names a
// parameter that does not fit.
PreparedLaunch prepare(const Request& request, const WrittenKernel& kernel,
                       const std::vector<KernelParameter>& parameters, const Names& names);

// Tensor maps in --args: map(A:half,64,64,128) has boxes of 64 x 64 elements of A, swizzled in 128 bytes.

struct WrittenMap {
    std::string buffer, type; // "A", "half"
    MapBox box;
};

// Returns nothing if the text is not such an argument. `words` names the parameter in sentences. Throws kernels::Error.
std::optional<WrittenMap> map_in(const std::string& text, const Names& names, const std::string& words);

// The syntax of such an argument, as the end of a sentence.
inline constexpr const char* map_form =
    "map(BUFFER:TYPE,ROWS,COLUMNS,SWIZZLE), such as map(A:half,64,64,128): what a copy takes, and the bytes of its "
    "swizzle (0, 32, 64 or 128)";

// Checks the result of a multiplication by a kernel of a CUDA file.

struct Check {
    bool ok = false; // false for NaN
    double error = 0, tolerance = 0;
};
void fields(auto& visit, kernels::Like<Check> auto& check)
{
    visit("ok", check.ok);
    visit("error", check.error, kernels::any_number);
    visit("tolerance", check.tolerance);
}

// Compares C with alpha * A * B + beta * C in float64. `launch` must be a multiplication, with the initial content of
// its buffers. `all_after` has their final content.
Check check_gemm(const Request& request, const PreparedLaunch& launch, std::span<const Buffer> all_after,
                 const std::stop_token& stop);

} // namespace traced
