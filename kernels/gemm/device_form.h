// The operands in the form that a kernel reads, for any device.
#pragma once

#include "gemm/inputs.h"

#include <cstddef>
#include <span>
#include <vector>

namespace kernels {

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

// Convert to elements of `type` without gaps, and back. FP32 is not copied: its source must outlive the result.
DeviceMatrix device_form(Type type, std::span<const float> values);
std::vector<float> to_floats(std::span<const std::byte> elements, Type type);

} // namespace kernels
