#include "cuda/cublas_lt.h"

#include "cuda/library.h"
#include "cuda/library_call.h"
#include "error.h"

#include <cublasLt.h>
#include <fmt/format.h>

#include <array>
#include <utility>

namespace cuda {

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
