#include "cuda/cublas.h"

#include "cuda/library.h"
#include "error.h"
#include "gemm/element_type.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include <cublasLt.h>

namespace cuda {

#define CUBLAS_NAME_OF(name) #name
#define CUBLAS_FUNCTION(name) decltype(&::name) name = library.function<decltype(&::name)>(CUBLAS_NAME_OF(name))

// Type of the library's function cublasGemmEx. decltype() does not work: the header overloads the name in C++.
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
    const LibraryCall call = library_call({type_fp32, operation}, problem); // FP64 rows have no padding, like FP32 rows
    const double alpha = problem.alpha, beta = problem.beta;
    cublas_->use(CUBLAS_PEDANTIC_MATH);
    cublas_->check(cublas_->cublasDgemm(cublas_->handle, call.transpose_b, CUBLAS_OP_N, call.m, call.n, call.k, &alpha,
                                        B.as<const double>(), call.ldb, A.as<const double>(), call.lda, &beta,
                                        C.as<double>(), call.m),
                   "multiply (DGEMM)");
}

namespace {

cublasComputeType_t compute_of(Type type)
{
    return type == type_fp32   ? CUBLAS_COMPUTE_32F_PEDANTIC // otherwise FP32 may become TF32
           : type == type_tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32
                               : CUBLAS_COMPUTE_32F;
}

cudaDataType_t element_of(Type type)
{
    return type == type_fp16 ? CUDA_R_16F : type == type_bf16 ? CUDA_R_16BF : CUDA_R_32F;
}

} // namespace

LibraryCall library_call(const Cublas::Kind& kind, const recording::Problem& problem)
{
    const kernels::OperandShapes shape = kernels::device_shapes(kind.operation, kind.types, problem);
    const bool by_columns = kind.operation == kernels::Operation::gemm_columns;
    return {.m = static_cast<int>(problem.N),
            .n = static_cast<int>(problem.M),
            .k = static_cast<int>(problem.K),
            .transpose_b = by_columns ? CUBLAS_OP_T : CUBLAS_OP_N,
            .lda = static_cast<int>(shape.A.row_elements()),
            .ldb = by_columns ? static_cast<int>(problem.K) : static_cast<int>(shape.B.row_elements()),
            .element = element_of(kind.types.ab),
            .result = element_of(kind.types.c),
            .compute = compute_of(kind.types.ab)};
}

namespace {

constexpr int most_ways = 64;
constexpr std::size_t workspace_bytes = 32 << 20; // the size that cuBLAS uses on Hopper

#define CUBLAS_NAME_OF(name) #name
#define CUBLAS_FUNCTION(name) decltype(&::name) name = library.function<decltype(&::name)>(CUBLAS_NAME_OF(name))

} // namespace

struct CublasLt::Functions {
    Functions(Library opened, const Context& context)
        : library(std::move(opened)), stream(context.stream()), workspace(context, workspace_bytes)
    {
    }
    ~Functions()
    {
        if (handle)
            cublasLtDestroy(handle);
    }
    Functions(const Functions&) = delete;
    Functions& operator=(const Functions&) = delete;

    void check(cublasStatus_t status, const char* what) const
    {
        if (status != CUBLAS_STATUS_SUCCESS)
            throw kernels::Error(fmt::format("cuBLASLt could not {}: status {}.", what, static_cast<int>(status)));
    }

    Library library;
    CUBLAS_FUNCTION(cublasLtCreate);
    CUBLAS_FUNCTION(cublasLtDestroy);
    CUBLAS_FUNCTION(cublasLtMatmul);
    CUBLAS_FUNCTION(cublasLtMatmulAlgoGetHeuristic);
    CUBLAS_FUNCTION(cublasLtMatmulDescCreate);
    CUBLAS_FUNCTION(cublasLtMatmulDescDestroy);
    CUBLAS_FUNCTION(cublasLtMatmulDescSetAttribute);
    CUBLAS_FUNCTION(cublasLtMatrixLayoutCreate);
    CUBLAS_FUNCTION(cublasLtMatrixLayoutDestroy);
    CUBLAS_FUNCTION(cublasLtMatmulPreferenceCreate);
    CUBLAS_FUNCTION(cublasLtMatmulPreferenceDestroy);
    CUBLAS_FUNCTION(cublasLtMatmulPreferenceSetAttribute);
    cublasLtHandle_t handle = nullptr;
    CUstream stream;
    Buffer workspace;
};

#undef CUBLAS_FUNCTION
#undef CUBLAS_NAME_OF

namespace {

// The descriptors of one multiplication, and the addresses of its matrices.
template <class Functions>
class Multiplication {
public:
    Multiplication(std::shared_ptr<Functions> functions, const Cublas::Kind& kind, const recording::Problem& problem,
                   std::array<void*, 3> matrices)
        : lt_(std::move(functions)), matrices_(matrices), alpha_(problem.alpha), beta_(problem.beta)
    {
        const LibraryCall call = library_call(kind, problem);
        lt_->check(lt_->cublasLtMatmulDescCreate(&what_, call.compute, CUDA_R_32F), "describe a multiplication");
        lt_->check(lt_->cublasLtMatmulDescSetAttribute(what_, CUBLASLT_MATMUL_DESC_TRANSA, &call.transpose_b,
                                                       sizeof call.transpose_b),
                   "turn a matrix around");
        const auto layout = [&](cudaDataType_t type, int rows, int cols, int pitch) {
            cublasLtMatrixLayout_t result = nullptr;
            lt_->check(lt_->cublasLtMatrixLayoutCreate(&result, type, rows, cols, pitch), "describe a matrix");
            return result;
        };
        const bool turned = call.transpose_b == CUBLAS_OP_T;
        B_ = layout(call.element, turned ? call.k : call.m, turned ? call.m : call.k, call.ldb);
        A_ = layout(call.element, call.k, call.n, call.lda);
        C_ = layout(call.result, call.m, call.n, call.m);
    }
    ~Multiplication()
    {
        for (cublasLtMatrixLayout_t layout : {A_, B_, C_})
            if (layout)
                lt_->cublasLtMatrixLayoutDestroy(layout);
        if (what_)
            lt_->cublasLtMatmulDescDestroy(what_);
    }
    Multiplication(const Multiplication&) = delete;
    Multiplication& operator=(const Multiplication&) = delete;

    std::vector<cublasLtMatmulAlgo_t> algorithms() const
    {
        cublasLtMatmulPreference_t preference = nullptr;
        lt_->check(lt_->cublasLtMatmulPreferenceCreate(&preference), "say what it may use");
        lt_->cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                  &workspace_bytes, sizeof workspace_bytes);
        std::vector<cublasLtMatmulHeuristicResult_t> found(most_ways);
        int count = 0;
        const cublasStatus_t status = lt_->cublasLtMatmulAlgoGetHeuristic(lt_->handle, what_, B_, A_, C_, C_,
                                                                          preference, most_ways, found.data(), &count);
        lt_->cublasLtMatmulPreferenceDestroy(preference);
        std::vector<cublasLtMatmulAlgo_t> result;
        for (int i = 0; status == CUBLAS_STATUS_SUCCESS && i < count; ++i)
            if (found[i].state == CUBLAS_STATUS_SUCCESS)
                result.push_back(found[i].algo);
        return result;
    }

    void queue(const cublasLtMatmulAlgo_t& algorithm) const
    {
        const auto [A, B, C] = matrices_;
        lt_->check(lt_->cublasLtMatmul(lt_->handle, what_, &alpha_, B, B_, A, A_, &beta_, C, C_, C, C_, &algorithm,
                                       lt_->workspace.template as<void>(), workspace_bytes, lt_->stream),
                   "multiply");
    }

private:
    std::shared_ptr<Functions> lt_;
    std::array<void*, 3> matrices_;
    float alpha_, beta_;
    cublasLtMatmulDesc_t what_ = nullptr;
    cublasLtMatrixLayout_t A_ = nullptr, B_ = nullptr, C_ = nullptr;
};

} // namespace

CublasLt::CublasLt(const Context& context)
{
    Library library =
        open_cublas(context, "libcublasLt", "cuBLASLt is not installed, so only cuBLAS's first choice is timed");
    lt_ = std::make_shared<Functions>(std::move(library), context);
    if (lt_->cublasLtCreate(&lt_->handle) != CUBLAS_STATUS_SUCCESS)
        throw kernels::Unavailable("cuBLASLt does not start, so only cuBLAS's first choice is timed; check that its "
                                   "version fits the driver.");
}

CublasLt::~CublasLt() = default;

std::vector<std::function<void()>> CublasLt::ways(const Cublas::Kind& kind, const recording::Problem& problem,
                                                  const Buffer& A, const Buffer& B, const Buffer& C) const
{
    const auto multiplication = std::make_shared<const Multiplication<Functions>>(
        lt_, kind, problem, std::array{A.as<void>(), B.as<void>(), C.as<void>()});
    std::vector<std::function<void()>> result;
    for (const cublasLtMatmulAlgo_t& algorithm : multiplication->algorithms())
        result.emplace_back([multiplication, algorithm] { multiplication->queue(algorithm); });
    return result;
}

} // namespace cuda
