#include "cuda/cublas.h"

#include "cuda/library_call.h"
#include "error.h"
#include "gemm/element_type.h"

#include <fmt/format.h>

#include <optional>

namespace cuda {

#define CUBLAS_NAME_OF(name) #name
#define CUBLAS_FUNCTION(name) decltype(&::name) name = library.function<decltype(&::name)>(CUBLAS_NAME_OF(name))

// C++ overloads the name; this is the library function's type.
using GemmEx = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*,
                              const void*, cudaDataType, int, const void*, cudaDataType, int, const void*, void*,
                              cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t);

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
    GemmEx* gemm_ex = library.function<GemmEx*>("cublasGemmEx");
    CUBLAS_FUNCTION(cublasGetStatusString);
    cublasHandle_t handle = nullptr;
    std::optional<cublasMath_t> mode;

    // Pedantic mode keeps FP32 from becoming TF32, but it also keeps 16-bit types from using tensor cores.
    void use(cublasMath_t wanted)
    {
        if (mode == wanted)
            return;
        check(cublasSetMathMode(handle, wanted), "change its math mode");
        mode = wanted;
    }

    void check(cublasStatus_t status, const char* what) const
    {
        if (status != CUBLAS_STATUS_SUCCESS)
            throw kernels::Error(fmt::format("cuBLAS could not {}: {}.", what, cublasGetStatusString(status)));
    }
};

#undef CUBLAS_FUNCTION
#undef CUBLAS_NAME_OF

Library open_cublas(const Context& context, const std::string& name, const char* missing)
{
    const bool new_driver = context.cuda_version() >= 13000;
    const std::string newer = name + ".so.13", older = name + ".so.12";
    Library library = new_driver ? Library({newer.c_str(), older.c_str()}) : Library({older.c_str()});
    if (!library.found())
        throw kernels::Unavailable(fmt::format("{}; install the package libcublas-{} from NVIDIA's repository.",
                                               missing, new_driver ? "13-0" : "12-9"));
    return library;
}

Cublas::Cublas(const Context& context)
{
    Library library =
        open_cublas(context, "libcublas", "cuBLAS is not installed, so there is nothing to compare the speed with");
    cublas_ = std::make_unique<Functions>(std::move(library));
    if (const cublasStatus_t status = cublas_->cublasCreate(&cublas_->handle); status != CUBLAS_STATUS_SUCCESS)
        throw kernels::Unavailable(fmt::format("cuBLAS does not start ({}), so there is nothing to compare the speed "
                                               "with; check that its version fits the driver.",
                                               cublas_->cublasGetStatusString(status)));
    cublas_->check(cublas_->cublasSetStream(cublas_->handle, context.stream()), "take the stream");
}

Cublas::~Cublas() = default;

void Cublas::gemm(const Kind& kind, const recording::Problem& problem, const Buffer& A, const Buffer& B,
                  const Buffer& C) const
{
    if (kind.types.ab == type_fp32)
        sgemm(kind.operation, problem, A, B, C);
    else
        mixed(kind.types, problem, A, B, C);
}

void Cublas::sgemm(kernels::Operation operation, const recording::Problem& problem, const Buffer& A, const Buffer& B,
                   const Buffer& C) const
{
    const LibraryCall call = library_call({type_fp32, operation}, problem);
    cublas_->use(CUBLAS_PEDANTIC_MATH);
    cublas_->check(cublas_->cublasSgemm(cublas_->handle, call.transpose_b, CUBLAS_OP_N, call.m, call.n, call.k,
                                        &problem.alpha, B.as<const float>(), call.ldb, A.as<const float>(), call.lda,
                                        &problem.beta, C.as<float>(), call.m),
                   "multiply (SGEMM)");
}

void Cublas::mixed(const kernels::Types& types, const recording::Problem& problem, const Buffer& A, const Buffer& B,
                   const Buffer& C) const
{
    const LibraryCall call = library_call({types, kernels::Operation::gemm}, problem);
    cublas_->use(CUBLAS_DEFAULT_MATH);
    cublas_->check(
        cublas_->gemm_ex(cublas_->handle, CUBLAS_OP_N, CUBLAS_OP_N, call.m, call.n, call.k, &problem.alpha,
                         B.as<const void>(), call.element, call.ldb, A.as<const void>(), call.element, call.lda,
                         &problem.beta, C.as<void>(), call.result, call.m, call.compute, CUBLAS_GEMM_DEFAULT),
        fmt::format("multiply ({})", kernels::full_name_of(types.ab)).c_str());
}

void Cublas::dgemm(kernels::Operation operation, const recording::Problem& problem, const Buffer& A, const Buffer& B,
                   const Buffer& C) const
{
    const LibraryCall call = library_call({type_fp32, operation}, problem); // rows without padding, too
    const double alpha = problem.alpha, beta = problem.beta;
    cublas_->use(CUBLAS_PEDANTIC_MATH);
    cublas_->check(cublas_->cublasDgemm(cublas_->handle, call.transpose_b, CUBLAS_OP_N, call.m, call.n, call.k, &alpha,
                                        B.as<const double>(), call.ldb, A.as<const double>(), call.lda, &beta,
                                        C.as<double>(), call.m),
                   "multiply (DGEMM)");
}

} // namespace cuda
