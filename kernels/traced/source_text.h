// Reads from the text of a CUDA file without compiling it: the names and parameters of its kernels, the shapes of their
// shared arrays, and the facts of a launch in a comment. Macros are not expanded, so the result can be wrong where the
// text uses them.
#pragma once

#include "traced/expression.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace traced {

// Returns the text with blanks for comments and quoted text, so that only code remains. Positions do not change.
std::string only_code(std::string_view text);

struct WrittenParameter {
    std::string type, name; // "const float*", "A"
};

struct WrittenKernel {
    std::string name; // without its namespace
    std::vector<std::string> template_parameters;
    std::vector<WrittenParameter> parameters;
    uint32_t line = 0;
};

// Returns the kernels in the order of the text. Overloaded kernels have the same name.
std::vector<WrittenKernel> kernels_in(std::string_view text);

// Returns a name for kernel_called(). For an overloaded kernel it has the types: "scale(float*, int)".
std::string name_among(const std::vector<WrittenKernel>& all, const WrittenKernel& kernel);

// Returns the kernel of that name, which may have a namespace, template arguments or types, or null.
const WrittenKernel* kernel_called(const std::vector<WrittenKernel>& all, std::string_view name);

// Returns "ns::transpose" for "ns::transpose<32>" and "ns::transpose(float*)".
std::string_view base_of_kernel(std::string_view name);

// If the text has at least `many` kernels, replaces __global__ by __device__ in all except `named`. Both words have the
// same length, so positions do not change. Otherwise returns the text unchanged.
std::string with_one_kernel(std::string_view text, std::string_view named, std::size_t many);

bool has_main(std::string_view text);      // whether it has a function called main
bool has_host_code(std::string_view text); // whether it has a main function, a launch or a cudaMalloc

struct WrittenArray {
    std::string type;                 // "float"
    std::vector<std::string> extents; // "BM", "32 + 1"; empty for dynamic shared memory
};

// Returns the arrays declared __shared__, by name. If several kernels have arrays of one name, returns the first one at
// or after `from_line`, where the kernel of interest begins.
std::map<std::string, WrittenArray> shared_arrays_in(std::string_view text, uint32_t from_line = 0);

// Returns named integers: #define NAME 32, constexpr int NAME = 32.
Names constants_in(std::string_view text, Names known = {});

// Returns the keys and values of "// gemmscope: kernel=transpose<32> grid=N/32,M/32 args=...", in order. A value with
// blanks is in quotes. Returns none if there is no such comment. Throws kernels::Error if it cannot be parsed.
std::vector<std::pair<std::string, std::string>> facts_in(std::string_view text);

// The parts of a type: "float const*" has the base "float", one pointer, and is constant.
struct TypeName {
    std::string base;
    int pointers = 0;
    bool points_to_constant = false;
};
TypeName type_name(std::string_view text);

// Returns the size of an array's element type in bytes; 0 if unknown.
uint32_t bytes_of_type(std::string_view base);

// Makes a text that a recording can hold: replaces invalid UTF-8 and control characters by question marks.
std::string shown_text(std::string_view text);

// Shortens lists of more than eight registers in a machine instruction to the first and the last: "{%f1, ..., %f64}".
std::string with_short_lists(const std::string& instruction);

} // namespace traced
