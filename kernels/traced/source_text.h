// What the text of a CUDA file says of its kernels without being compiled: their names and parameters, the shape of their
// arrays in shared memory, and the facts of a launch in a comment. Guesses where C++ can hide them behind macros.
#pragma once

#include "traced/expression.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace traced {

// The text with comments and what stands between quotes as blanks, so that their words and brackets do not count; every line
// and place stays where it is.
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

// In the order of the text.
std::vector<WrittenKernel> kernels_in(std::string_view text);

// Of a text that marks that many kernels or more: all but those of that name are marked as device functions. The two words are
// as long, so every place stays where it is. Another text as it is.
std::string with_one_kernel(std::string_view text, std::string_view named, std::size_t many);

bool has_main(std::string_view text);      // a function of that name
bool has_host_code(std::string_view text); // a main function, or headers that only a host has

struct WrittenArray {
    std::string type;                 // "float"
    std::vector<std::string> extents; // "BM", "32 + 1"; one is empty where it is dynamic
};

// Arrays that are declared __shared__, by name.
std::map<std::string, WrittenArray> shared_arrays_in(std::string_view text);

// Numbers that names stand for: #define NAME 32, constexpr int NAME = 32.
Names constants_in(std::string_view text, Names known = {});

// "// gemmscope: kernel=transpose<32> grid=N/32,M/32 args=..." as key and value, in order; a value with blanks stands
// between quotes. Empty: there is no such comment. Throws kernels::Error where it cannot be read.
std::vector<std::pair<std::string, std::string>> facts_in(std::string_view text);

// "float const*" is "float", a pointer; its constness too.
struct TypeName {
    std::string base;
    int pointers = 0;
    bool points_to_constant = false;
};
TypeName type_name(std::string_view text);

// Of a type that elements of arrays have, in bytes; 0: it is not known.
uint32_t bytes_of_type(std::string_view base);

// Text that a recording can hold: characters that are no UTF-8, or control characters, become question marks.
std::string shown_text(std::string_view text);

// A machine instruction in which lists of more than eight registers have their first and last one alone: "{%f1, ..., %f64}".
std::string with_short_lists(const std::string& instruction);

} // namespace traced
