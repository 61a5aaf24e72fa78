// The operands as a kernel reads them, on whatever device.
#pragma once

#include "gemm/inputs.h"

#include <cstddef>
#include <span>
#include <vector>

namespace kernels {

// A matrix in some type.
struct DeviceMatrix {
    std::vector<std::byte> own;
    std::span<const std::byte> bytes; // own, or those it was made of
};

// In the kernel's types, with its pitch, zeros after each row's end. FP32 is as it is on the host and is not copied. The
// operands outlive it.
class DeviceForm {
public:
    DeviceForm(Operation operation, const Types& types, const recording::Problem& problem, const Operands& operands);

    std::span<const std::byte> A() const { return A_.bytes; }
    std::span<const std::byte> B() const { return B_.bytes; }
    std::span<const std::byte> C() const { return C_.bytes; }

private:
    DeviceMatrix A_, B_, C_;
};

// Elements of that type without gaps: FP32 is not copied, and outlived by its origin. And the other way.
DeviceMatrix device_form(Type type, std::span<const float> values);
std::vector<float> to_floats(std::span<const std::byte> elements, Type type);

} // namespace kernels
