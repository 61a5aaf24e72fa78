// The few functions of cuBLAS that samples compare their kernels with. They are plain loops on the host, in double
// precision with one rounding at the end. Matrices are column-major. No kernel is launched, so none is recorded. Other
// functions of cuBLAS are stand-ins that fail with their name. They are made when the program is linked
// (cuda/nvcc.cpp).
#include "cudart/library/runtime.h"

#include <bit>
#include <cmath>
#include <cstring>

// NOLINTBEGIN(readability-identifier-naming): the functions' names are CUDA's.

namespace cudart {

namespace {

// Values of cublasStatus_t.
constexpr int blas_success = 0, blas_invalid_value = 7, blas_not_supported = 15;

// Values of cudaDataType_t.
enum class Type : int { single = 0, twofold = 1, half = 2, whole8 = 3, whole32 = 10, bfloat = 14 };

std::size_t bytes_of(Type type)
{
    switch (type) {
    case Type::single:
    case Type::whole32: return 4;
    case Type::twofold: return 8;
    case Type::half:
    case Type::bfloat: return 2;
    case Type::whole8: return 1;
    }
    return 0;
}

double from_half(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double size = exponent == 0    ? std::ldexp(fraction, -24)
                        : exponent == 31 ? (fraction == 0 ? HUGE_VAL : std::nan(""))
                                         : std::ldexp(1024 + fraction, exponent - 25);
    return (bits & 0x8000) != 0 ? -size : size;
}

// Rounds to nearest, ties to even.
uint16_t to_half(double value)
{
    const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double size = std::fabs(value);
    if (std::isnan(value))
        return 0x7fff;
    if (size >= 65520)
        return sign | 0x7c00;
    const int exponent = size < 0x1p-14 ? -14 : std::ilogb(size);
    const auto steps = static_cast<uint16_t>(std::nearbyint(std::ldexp(size, 10 - exponent)));
    return static_cast<uint16_t>(sign + (size < 0x1p-14 ? steps : ((exponent + 14) << 10) + steps));
}

double load(const char* at, Type type)
{
    const auto read = [at](auto value) {
        std::memcpy(&value, at, sizeof value);
        return value;
    };
    switch (type) {
    case Type::single: return read(float());
    case Type::twofold: return read(double());
    case Type::half: return from_half(read(uint16_t()));
    case Type::bfloat: return std::bit_cast<float>(static_cast<uint32_t>(read(uint16_t())) << 16);
    case Type::whole8: return read(int8_t());
    case Type::whole32: return read(int32_t());
    }
    return 0;
}

void store(char* at, Type type, double value)
{
    const auto write = [at](auto number) { std::memcpy(at, &number, sizeof number); };
    switch (type) {
    case Type::single: write(static_cast<float>(value)); break;
    case Type::twofold: write(value); break;
    case Type::half: write(to_half(value)); break;
    case Type::bfloat: {
        const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
        write(static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16));
        break;
    }
    case Type::whole8: write(static_cast<int8_t>(value)); break;
    case Type::whole32: write(static_cast<int32_t>(value)); break;
    }
}

struct Matrix {
    const void* at = nullptr;
    Type type = Type::single;
    int leading = 0; // number of elements from one column to the next
    bool transposed = false;
};

// C = alpha * A * B + beta * C, where A * B is m x n and sums k products in each element.
struct Product {
    int m = 0, n = 0, k = 0;
    double alpha = 1, beta = 0;
    Matrix a, b, c;
};

// Returns where this process sees a matrix of the device, or null if it is not in an allocation.
const char* seen(const Matrix& matrix, int columns)
{
    const Allocation* const allocation = Runtime::get().allocation_of(matrix.at);
    const std::size_t bytes = static_cast<std::size_t>(matrix.leading) * static_cast<std::size_t>(columns);
    if (allocation == nullptr)
        return nullptr;
    const uint64_t offset = reinterpret_cast<uint64_t>(matrix.at) - allocation->address;
    const bool inside =
        (bytes - static_cast<std::size_t>(matrix.leading) + 1) * bytes_of(matrix.type) <= allocation->bytes - offset;
    return inside ? allocation->host + offset : nullptr;
}

std::vector<double> rows_of(const Matrix& matrix, const char* bytes, int rows, int columns)
{
    std::vector<double> result;
    result.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    const std::size_t element = bytes_of(matrix.type), leading = static_cast<std::size_t>(matrix.leading);
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row)
        for (std::size_t column = 0; column < static_cast<std::size_t>(columns); ++column)
            result.push_back(load(
                bytes + (matrix.transposed ? row * leading + column : column * leading + row) * element, matrix.type));
    return result;
}

int multiply(const Product& p)
{
    if (p.m <= 0 || p.n <= 0 || p.k < 0)
        return p.m < 0 || p.n < 0 || p.k < 0 ? blas_invalid_value : blas_success;
    Matrix b = p.b;
    b.transposed = !b.transposed; // so that each row contains what is summed over
    const char* const a_bytes = seen(p.a, p.a.transposed ? p.m : p.k);
    const char* const b_bytes = seen(p.b, p.b.transposed ? p.k : p.n);
    char* const c_bytes = const_cast<char*>(seen(p.c, p.n));
    if (a_bytes == nullptr || b_bytes == nullptr || c_bytes == nullptr)
        return blas_invalid_value;
    const std::vector<double> left = rows_of(p.a, a_bytes, p.m, p.k), right = rows_of(b, b_bytes, p.n, p.k);
    const auto k = static_cast<std::size_t>(p.k);
    for (std::size_t column = 0; column < static_cast<std::size_t>(p.n); ++column)
        for (std::size_t row = 0; row < static_cast<std::size_t>(p.m); ++row) {
            double sum = 0;
            for (std::size_t i = 0; i < k; ++i)
                sum += left[row * k + i] * right[column * k + i];
            char* const at = c_bytes + (column * static_cast<std::size_t>(p.c.leading) + row) * bytes_of(p.c.type);
            store(at, p.c.type, p.alpha * sum + (p.beta == 0 ? 0 : p.beta * load(at, p.c.type)));
        }
    Runtime::get().tell_once("cuBLAS is plain loops on the host here: what it multiplies is right, and no launch.");
    return blas_success;
}

// Reads a scalar, which is in the memory of the host or of the GPU.
double scalar(const void* at, Type type)
{
    const Allocation* const allocation = Runtime::get().allocation_of(at);
    const char* const bytes = allocation == nullptr
                                  ? static_cast<const char*>(at)
                                  : allocation->host + (reinterpret_cast<uint64_t>(at) - allocation->address);
    return load(bytes, type);
}

int multiply_on(Product product, const void* alpha, const void* beta, Type of_scalars)
{
    int status = blas_success;
    submit(nullptr, [&] {
        product.alpha = scalar(alpha, of_scalars);
        product.beta = scalar(beta, of_scalars);
        status = multiply(product);
        return success;
    });
    return status;
}

} // namespace

} // namespace cudart

using namespace cudart;

CUDART_API int cublasCreate_v2(void** handle)
{
    static char the_handle;
    *handle = &the_handle;
    return blas_success;
}
CUDART_API int cublasDestroy_v2(void*)
{
    return blas_success;
}
CUDART_API int cublasSetStream_v2(void*, void*)
{
    return blas_success;
}
CUDART_API int cublasSetMathMode(void*, int)
{
    return blas_success;
}
CUDART_API int cublasSetPointerMode_v2(void*, int)
{
    return blas_success;
}
CUDART_API int cublasSetWorkspace_v2(void*, void*, std::size_t)
{
    return blas_success;
}
CUDART_API const char* cublasGetStatusString(int status)
{
    return status == blas_success ? "CUBLAS_STATUS_SUCCESS" : "CUBLAS_STATUS of gemmscope's stand-in";
}

CUDART_API int cublasSgemm_v2(void*, int a_op, int b_op, int m, int n, int k, const float* alpha, const float* a,
                              int lda, const float* b, int ldb, const float* beta, float* c, int ldc)
{
    return multiply_on({.m = m,
                        .n = n,
                        .k = k,
                        .a = {a, Type::single, lda, a_op != 0},
                        .b = {b, Type::single, ldb, b_op != 0},
                        .c = {c, Type::single, ldc}},
                       alpha, beta, Type::single);
}
CUDART_API int cublasDgemm_v2(void*, int a_op, int b_op, int m, int n, int k, const double* alpha, const double* a,
                              int lda, const double* b, int ldb, const double* beta, double* c, int ldc)
{
    return multiply_on({.m = m,
                        .n = n,
                        .k = k,
                        .a = {a, Type::twofold, lda, a_op != 0},
                        .b = {b, Type::twofold, ldb, b_op != 0},
                        .c = {c, Type::twofold, ldc}},
                       alpha, beta, Type::twofold);
}
CUDART_API int cublasHgemm(void*, int a_op, int b_op, int m, int n, int k, const void* alpha, const void* a, int lda,
                           const void* b, int ldb, const void* beta, void* c, int ldc)
{
    return multiply_on({.m = m,
                        .n = n,
                        .k = k,
                        .a = {a, Type::half, lda, a_op != 0},
                        .b = {b, Type::half, ldb, b_op != 0},
                        .c = {c, Type::half, ldc}},
                       alpha, beta, Type::half);
}
CUDART_API int cublasGemmEx(void*, int a_op, int b_op, int m, int n, int k, const void* alpha, const void* a,
                            Type a_type, int lda, const void* b, Type b_type, int ldb, const void* beta, void* c,
                            Type c_type, int ldc, int compute, int)
{
    if (bytes_of(a_type) == 0 || bytes_of(b_type) == 0 || bytes_of(c_type) == 0)
        return blas_not_supported;
    // Values of cublasComputeType_t: 64 and 65 are half, 70 and 71 double, 72 and 73 integer. All others are single
    // precision.
    const Type of_scalars = compute == 64 || compute == 65   ? Type::half
                            : compute == 70 || compute == 71 ? Type::twofold
                            : compute == 72 || compute == 73 ? Type::whole32
                                                             : Type::single;
    return multiply_on({.m = m,
                        .n = n,
                        .k = k,
                        .a = {a, a_type, lda, a_op != 0},
                        .b = {b, b_type, ldb, b_op != 0},
                        .c = {c, c_type, ldc}},
                       alpha, beta, of_scalars);
}

// NOLINTEND(readability-identifier-naming)
