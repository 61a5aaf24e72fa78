// The part of OpenBLAS that a test needs. Its product is the number of threads that it was set to use.
namespace {

int threads_now = 7;

} // namespace

extern "C" {

void openblas_set_num_threads(int threads);
int openblas_get_num_threads();
void cblas_sgemm(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha, const float* a, int lda,
                 const float* b, int ldb, float beta, float* c, int ldc);

void openblas_set_num_threads(int threads)
{
    threads_now = threads;
}

int openblas_get_num_threads()
{
    return threads_now;
}

void cblas_sgemm(int /*order*/, int /*transpose_a*/, int /*transpose_b*/, int m, int n, int /*k*/, float /*alpha*/,
                 const float* /*a*/, int /*lda*/, const float* /*b*/, int /*ldb*/, float /*beta*/, float* c, int ldc)
{
    for (int row = 0; row < m; ++row)
        for (int col = 0; col < n; ++col)
            c[row * ldc + col] = static_cast<float>(threads_now);
}
}
