#include "cuda/cublas.h"

#include "error.h"

#include <cublas_v2.h>
#include <fmt/format.h>

namespace cuda {

#define CUBLAS_NAME_OF(name) #name
#define CUBLAS_FUNCTION(name) decltype(&::name) name = library.function<decltype(&::name)>(CUBLAS_NAME_OF(name))

struct Cublas::Functions {
    explicit Functions(Library opened) : library(std::move(opened)) {}
    ~Functions()
    {
        if (handle)
            cublasDestroy(handle);
    }
    Functions(const Functions&) = delete;
    Functions& operator=(const Functions&) = delete;

    Library library;
    CUBLAS_FUNCTION(cublasCreate);
    CUBLAS_FUNCTION(cublasDestroy);
    CUBLAS_FUNCTION(cublasSetStream);
    CUBLAS_FUNCTION(cublasSetMathMode);
    CUBLAS_FUNCTION(cublasSgemm);
    CUBLAS_FUNCTION(cublasDgemm);
    CUBLAS_FUNCTION(cublasGetStatusString);
    cublasHandle_t handle = nullptr;

    void check(cublasStatus_t status, const char* what) const
    {
        if (status != CUBLAS_STATUS_SUCCESS)
            throw kernels::Error(fmt::format("cuBLAS could not {}: {}.", what, cublasGetStatusString(status)));
    }
};

#undef CUBLAS_FUNCTION
#undef CUBLAS_NAME_OF

Cublas::Cublas(const Context& context)
{
    const bool new_driver = context.cuda_version() >= 13000;
    Library library = new_driver ? Library({"libcublas.so.13", "libcublas.so.12"}) : Library({"libcublas.so.12"});
    if (!library.found())
        throw kernels::Unavailable(
            fmt::format("cuBLAS is not installed, so there is nothing to compare the speed with; "
                        "install the package libcublas-{} from NVIDIA's repository.",
                        new_driver ? "13-0" : "12-9"));
    cublas_ = std::make_unique<Functions>(std::move(library));
    if (const cublasStatus_t status = cublas_->cublasCreate(&cublas_->handle); status != CUBLAS_STATUS_SUCCESS)
        throw kernels::Unavailable(fmt::format("cuBLAS does not start ({}), so there is nothing to compare the speed "
                                               "with; check that its version fits the driver.",
                                               cublas_->cublasGetStatusString(status)));
    cublas_->check(cublas_->cublasSetStream(cublas_->handle, context.stream()), "take the stream");
    cublas_->check(cublas_->cublasSetMathMode(cublas_->handle, CUBLAS_PEDANTIC_MATH), "be kept to FP32");
}

Cublas::~Cublas() = default;

// cuBLAS counts down the columns. Row-major matrices are its transposes, and (A B)^T = B^T A^T: so the operands change
// places and M and N too.
void Cublas::sgemm(const recording::Problem& problem, const Buffer& A, const Buffer& B, const Buffer& C) const
{
    const int m = static_cast<int>(problem.M), n = static_cast<int>(problem.N), k = static_cast<int>(problem.K);
    cublas_->check(
        cublas_->cublasSgemm(cublas_->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &problem.alpha, B.as<const float>(), n,
                             A.as<const float>(), k, &problem.beta, C.as<float>(), n),
        "multiply (SGEMM)");
}

void Cublas::dgemm(const recording::Problem& problem, const Buffer& A, const Buffer& B, const Buffer& C) const
{
    const int m = static_cast<int>(problem.M), n = static_cast<int>(problem.N), k = static_cast<int>(problem.K);
    const double alpha = problem.alpha, beta = problem.beta;
    cublas_->check(cublas_->cublasDgemm(cublas_->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &alpha,
                                        B.as<const double>(), n, A.as<const double>(), k, &beta, C.as<double>(), n),
                   "multiply (DGEMM)");
}

} // namespace cuda
