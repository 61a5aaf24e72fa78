// The operands of a multiplication: their values, the memory that they need, and the bytes that a kernel reads.
#pragma once

#include "gemm/size.h"
#include "recording/inputs.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace kernels {

// Host matrices, row-major: A is M x K, B is K x N, C is M x N, or as their operation defines them (see size.h).
// They are always FP32; for a kernel of another type the backend converts them (see device_form.h).
struct Operands {
    std::vector<float> A, B, C;
};

// Fills the operands as recording/inputs.h defines. C is filled too, so that beta != 0 is tested. Throws Error if the
// operands and a float64 reference do not fit in free memory.
Operands input_operands(Operation operation, const recording::Problem& problem, uint32_t seed,
                        recording::Inputs inputs = recording::Inputs::random);

// Throws Error if less than this much memory is free; `what` begins the sentence. Otherwise Linux might end the process
// later for lack of memory.
void require_memory(std::string_view what, uint64_t bytes);

// A matrix converted to some type.
struct DeviceMatrix {
    std::vector<std::byte> own;
    std::span<const std::byte> bytes; // refers to `own`, or to the original if no conversion was needed
};

// The operands in the kernel's types and pitch, with zeros after the end of each row. FP32 operands keep their form on
// the host and are not copied. The Operands must outlive this object.
class DeviceForm {
public:
    DeviceForm(Operation operation, const Types& types, const recording::Problem& problem, const Operands& operands);

    std::span<const std::byte> A() const { return A_.bytes; }
    std::span<const std::byte> B() const { return B_.bytes; }
    std::span<const std::byte> C() const { return C_.bytes; }

private:
    DeviceMatrix A_, B_, C_;
};

// Convert to elements of `type` without gaps, and back. FP32 is not copied, so its source must outlive the result.
DeviceMatrix device_form(Type type, std::span<const float> values);
std::vector<float> to_floats(std::span<const std::byte> elements, Type type);

// Computes the float64 reference on all CPU cores. Both backends can use it.
std::vector<double> cpu_reference(Operation operation, const recording::Problem& problem, const Operands& operands,
                                  std::stop_token stop);

// Returns the larger of two errors, computed in float64: || C - reference || / || reference ||, and 1/16 of the largest
// error of one element in units of the reference's root mean square. The second makes one wrong element among millions
// count. Returns NaN if C contains a NaN, and the absolute error if the reference is zero.
double relative_error(std::span<const float> C, std::span<const double> reference);
double relative_error(std::span<const double> C, std::span<const double> reference);

} // namespace kernels
