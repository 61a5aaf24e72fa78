// A and B as a kernel reads them, on whatever device.
#pragma once

#include "gemm/inputs.h"

#include <cstddef>
#include <span>
#include <vector>

namespace kernels {

// In the kernel's type, with its pitch, zeros after each row's end. FP32 is as it is on the host and is not copied. The
// operands outlive it.
class DeviceForm {
public:
    DeviceForm(Operation operation, Type type, const recording::Problem& problem, const Operands& operands);

    std::span<const std::byte> A() const { return A_.bytes; }
    std::span<const std::byte> B() const { return B_.bytes; }

private:
    struct Matrix {
        std::vector<std::byte> own;
        std::span<const std::byte> bytes; // own, or the operands'
    };
    static Matrix convert(Type type, const OperandShape& shape, std::span<const float> values);

    Matrix A_, B_;
};

} // namespace kernels
